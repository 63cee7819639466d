// Sessions as workerd passes them on: cookies that somebody planted, copied, changed or kept for too long, those of devices that were
// logged out, and several tabs of one browser.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { base, expect, looksBehind, person, secret, signUp, test, uniqueName } from "./site.mjs";

const NAME = "__Host-session";
const DAY = 24 * 3600 * 1000;
const password = "correct horse";

/** A client is a program that keeps the session's cookie, as browsers do. */
class Client {
  constructor(cookie = "") { this.cookie = cookie; }

  /** send returns the answer; header is a whole Cookie header in place of the client's own. */
  async send(path, form, header = this.cookie && `${NAME}=${this.cookie}`) {
    const response = await fetch(base + path, {
      redirect: "manual", headers: { ...(header && { cookie: header }), "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0" },
      ...(form && { method: "POST", body: new URLSearchParams(form) }),
    });
    const line = response.headers.getSetCookie().findLast((l) => l.startsWith(`${NAME}=`)); // browsers keep the last
    if (line) this.cookie = line.slice(NAME.length + 1, line.indexOf(";"));
    return response;
  }

  async signUp(name) {
    assert.equal((await this.send("/signup", { username: name, password })).status, 303);
    assert.ok(this.cookie);
    return this;
  }

  async logIn(name) {
    assert.equal((await this.send("/login", { login: name, password })).status, 303);
    assert.ok(this.cookie);
    return this;
  }

  /** id is that of the session. */
  get id() { return this.cookie.split(".")[1]; }
}

/** known tells whether a Cookie header is somebody's. The client of its own keeps nothing. */
async function known(header) {
  const response = await new Client().send("/settings/security", undefined, header);
  return response.status === 200;
}
const holds = (cookie) => known(`${NAME}=${cookie}`);

/** may tells whether something can be done with a cookie. */
const may = async (cookie, name) => (await new Client(cookie).send("/follow", { user: name, on: "1" })).status;

/** signed is a cookie with the site's signature. */
function signed(body) {
  return `${body}.${createHmac("sha256", secret("SESSION_SECRET")).update(`session\0${body}`).digest("base64url")}`;
}

const digits = "0123456789abcdefghjkmnpqrstvwxyz";

/** idAt is a session's id of another time. */
function idAt(ms) {
  let value = BigInt(ms - Date.UTC(2026, 0, 1)) << 22n, text = "";
  for (let i = 0; i < 13; i++, value >>= 5n) text = digits[Number(value & 31n)] + text;
  return text;
}

test.describe("a session, through workerd", () => {
  const ann = uniqueName("ann"), ben = uniqueName("ben");
  let a;
  test.beforeAll(async () => {
    await new Client().signUp(ben);
    a = await new Client().signUp(ann);
  });

  test("fixation: a cookie that somebody planted is not the one after logging in", async () => {
    const attacker = await new Client().logIn(ben);
    const planted = attacker.cookie;
    const victim = await new Client(planted).logIn(ann);
    assert.notEqual(victim.cookie, planted);
    assert.notEqual(victim.id, planted.split(".")[1]);
    assert.ok(await holds(victim.cookie));
    assert.ok(!await holds(planted), "nor is it worth anything to who planted it");
    for (const made of ["made-up", `${victim.cookie.split(".")[0]}.${a.id}.x.${ann}.AAAA`]) {
      const other = await new Client(made).logIn(ann);
      assert.notEqual(other.cookie, made);
      assert.notEqual(other.id, a.id);
    }
  });

  test("theft: after the logout, a copy of the cookie is worth nothing", async () => {
    const owner = await new Client().logIn(ann);
    const copy = owner.cookie;
    assert.ok(await holds(copy));
    assert.equal(await may(copy, ben), 303);
    assert.equal((await owner.send("/logout", {})).status, 303);
    assert.equal(owner.cookie, "");
    assert.ok(!await holds(copy));
    assert.equal(await may(copy, ben), 401);
  });

  test("expired: 30 days without use, or a year after the login", async () => {
    looksBehind();
    const [user] = a.cookie.split(".");
    const cookie = (began, used) => signed(`${user}.${idAt(Date.now() - began)}.${(Date.now() - began).toString(36)}.${ann}.${(Date.now() - used).toString(36)}`);
    assert.ok(await holds(cookie(29 * DAY, 29 * DAY)), "the signature is the site's");
    assert.ok(!await holds(cookie(31 * DAY, 31 * DAY)));
    assert.equal(await may(cookie(31 * DAY, 31 * DAY), ben), 401);
    const most = Date.now() - Date.UTC(2026, 0, 1); // ids begin there
    if (most > 366 * DAY) assert.ok(!await holds(cookie(366 * DAY, DAY)));
    const response = await new Client().send("/settings/security", undefined, `${NAME}=${cookie(40 * DAY, 2 * DAY)}`);
    assert.equal(response.status, 200);
    const line = response.headers.getSetCookie().find((l) => l.startsWith(NAME));
    assert.match(line, /; Path=\/; Max-Age=2\d{6}; HttpOnly; Secure; SameSite=Lax/, "the first use of a day brings a new one");
  });

  test("tampered: every part is signed", async () => {
    const parts = a.cookie.split(".");
    for (const [i, other] of [[0, "0".repeat(13)], [1, "0".repeat(13)], [2, "zzzzzzzz"], [3, ben], [parts.length - 1, "A".repeat(43)]]) {
      const cookie = parts.with(i, other).join(".");
      assert.ok(!await holds(cookie), `part ${i}`);
      assert.equal(await may(cookie, ben), 401);
    }
    assert.ok(!await holds([...parts.slice(0, 4), Date.now().toString(36), parts.at(-1)].join(".")), "a day of use that somebody added");
    assert.ok(await holds(a.cookie));
  });

  test("a revoked device: ended from another one", async () => {
    const phone = await new Client().logIn(ann);
    const desk = await new Client().logIn(ann);
    const page = await (await desk.send("/settings/security")).text();
    assert.match(page, /Firefox on Linux/);
    assert.ok(page.includes(`name="id" value="${phone.id}"`));
    assert.equal((await desk.send("/settings/sessions/end", { id: phone.id })).status, 303);
    assert.ok(!await holds(phone.cookie));
    assert.equal(await may(phone.cookie, ben), 401);
    const stranger = await new Client().logIn(ben);
    assert.equal((await stranger.send("/settings/sessions/end", { id: desk.id })).status, 303);
    assert.ok(await holds(desk.cookie), "nobody ends another member's");
    const copy = desk.cookie;
    assert.equal((await desk.send("/settings/sessions/end-others", {})).status, 303);
    assert.ok(await holds(desk.cookie));
    for (const cookie of [copy, a.cookie]) assert.ok(!await holds(cookie), "all others are logged out, and copies of this one");
    a = await new Client().logIn(ann);
  });

  test("a cookie with commas: none of them begins another cookie", async () => {
    assert.ok(await known(`theme=a,b; ${NAME}=${a.cookie}; x=1,2`));
    assert.ok(!await known(`theme=a,${NAME}=${a.cookie}`));
    assert.ok(!await known(`theme=a, ${NAME}=${a.cookie}`));
    assert.ok(!await known(`${NAME}=${a.cookie},x=1`));
    const page = await (await new Client().send("/settings/security", undefined, `theme=a, ${NAME}=planted; ${NAME}=${a.cookie}`)).text();
    assert.ok(page.includes(a.id), "the real one counts");
  });
});

test.describe("two tabs of one browser", () => {
  let one, context;
  const name = uniqueName("tabs");
  test.beforeAll(async () => {
    ({ page: one, context } = await person());
    await signUp(one, name);
  });
  test.afterAll(() => context.close());

  const menu = (page) => page.locator(".account .menu > summary");

  test("what one changes about the session, the other has", async () => {
    const two = await context.newPage();
    await two.goto(`${base}/settings/security`);
    await one.goto(`${base}/settings/security`);
    const other = await new Client().logIn(name);
    await two.reload();
    await two.getByRole("button", { name: "Log out everywhere else" }).click();
    await two.getByText("You are logged out everywhere else.").waitFor();
    assert.ok(!await holds(other.cookie));
    await one.goto(`${base}/settings/profile`);
    await one.getByLabel("About you").fill("From the first tab");
    await one.getByRole("button", { name: "Save", exact: true }).click();
    await one.getByText("Your settings are saved.").waitFor();
    await two.close();
  });

  test("a form of a tab whose session ended in the other goes through logging in", async () => {
    await one.goto(`${base}/communities/new`);
    const typed = uniqueName("tabs").slice(0, 21);
    await one.getByLabel("Name").fill(typed);
    await one.getByLabel("Title").fill("Typed before");
    const two = await context.newPage();
    await two.goto(`${base}/`);
    await menu(two).click();
    await two.getByRole("button", { name: "Log out" }).click();
    await two.getByRole("link", { name: "Log in" }).first().waitFor();
    await one.locator("main form").getByRole("button").last().click();
    await one.getByLabel(/Username/).fill(name);
    await one.getByLabel("Password", { exact: true }).fill(password);
    await one.locator("main").getByRole("button", { name: "Log in", exact: true }).click();
    await one.getByLabel("Title").waitFor();
    await expect(one.getByLabel("Title")).toHaveValue("Typed before");
    await two.reload();
    await menu(two).waitFor();
  });
});
