// Passkeys in Chromium, with its virtual authenticators: signing up and logging in without a name, a second device, a copied passkey, and what
// the site and the browser refuse.

import assert from "node:assert/strict";
import { base, expect, person, test, uniqueName } from "./site.mjs";

test.describe.configure({ mode: "serial" });

/** device gives a page an authenticator, as a phone has one. */
async function device(page, options = {}) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", { options: {
    protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true, ...options,
  } });
  const send = (method, more) => cdp.send(`WebAuthn.${method}`, { authenticatorId, ...more });
  return {
    credentials: async () => (await send("getCredentials")).credentials,
    add: (credential) => send("addCredential", { credential }),
    clear: () => send("clearCredentials"),
  };
}

/** logOut ends the session of a page. */
async function logOut(page) {
  await page.goto(`${base}/`);
  await page.locator(".account .menu > summary").click();
  await page.getByRole("button", { name: "Log out" }).click();
  await page.getByRole("link", { name: "Log in" }).first().waitFor();
}

const signedInAs = (page, name) => page.locator("header details summary").getByText(name).waitFor();

/**
 * offers is what the browser of a page offers in the field for the name, which the authenticator answers at once. Without them only the button is
 * answered. Nothing tells when a browser has begun to wait with an offer, so a test has either. made says whether the page that is shown has
 * made one: the page's script has run when the page has loaded, and nothing else makes one.
 */
async function offers(page, on = false) {
  let wanted = on;
  await page.exposeFunction("offersWanted", () => wanted);
  await page.addInitScript(() => {
    window.offersMade = 0;
    if (!window.PublicKeyCredential) return;
    PublicKeyCredential.isConditionalMediationAvailable = () => {
      window.offersMade += 1;
      return window.offersWanted();
    };
  });
  return {
    want: (value) => { wanted = value; },
    made: async () => {
      await page.waitForLoadState("load");
      return page.evaluate(() => window.offersMade);
    },
  };
}

/** openLogIn goes to the login page. */
const openLogIn = (page) => page.goto(`${base}/login`);

/** openWithOffer goes to the login page where the browser offers passkeys: the answer may lead on before the page has loaded. */
const openWithOffer = (page, query = "") => page.goto(`${base}/login${query}`, { waitUntil: "commit" });

/** change has a page send its next answers to the site with other data than the authenticator has signed, and counts them. */
async function change(page, how) {
  const sent = { count: 0 };
  await page.route("**/login/passkey", async (route) => {
    sent.count += 1;
    const body = new URLSearchParams(route.request().postData());
    const data = JSON.parse(Buffer.from(body.get("client_data"), "base64url"));
    body.set("client_data", Buffer.from(JSON.stringify(how(data))).toString("base64url"));
    await route.continue({ postData: body.toString() });
  });
  return sent;
}

const otherChallenge = (data) => ({ ...data, challenge: data.challenge.slice(0, -4) + "AAAA" });
const refusal = "That passkey did not answer as it should.";

test.describe("passkeys", () => {
  const ann = uniqueName("ann");
  let a, phone, field;

  test.beforeAll(async () => {
    a = await person();
    phone = await device(a.page);
    field = await offers(a.page);
  });
  test.afterAll(async () => {
    await a.context.close();
    assert.deepEqual(a.problems, []);
  });

  test("somebody signs up without a password", async () => {
    await a.page.goto(`${base}/signup`);
    await a.page.getByLabel("Username").fill(ann);
    await a.page.getByRole("button", { name: "Sign up with a passkey" }).click();
    await a.page.waitForURL(`${base}/welcome`);
    await signedInAs(a.page, ann);
    const [credential] = await phone.credentials();
    assert.equal(credential.isResidentCredential, true);
    assert.equal(credential.rpId, new URL(base).hostname);
  });

  test("a name that is taken is told before a passkey is made", async () => {
    const b = await person();
    const other = await device(b.page);
    await b.page.goto(`${base}/signup`);
    await b.page.getByLabel("Username").fill(ann);
    await b.page.getByRole("button", { name: "Sign up with a passkey" }).click();
    await b.page.getByText("That username is taken.").waitFor();
    assert.equal((await other.credentials()).length, 0);
    await b.context.close();
    assert.deepEqual(b.problems, []);
  });

  test("logs in by the button, without typing a name", async () => {
    await logOut(a.page);
    await openLogIn(a.page);
    await a.page.getByRole("button", { name: "Log in with a passkey" }).click();
    await a.page.waitForURL(`${base}/`);
    await signedInAs(a.page, ann);
  });

  test("logs in by what the browser offers in the field", async () => {
    await logOut(a.page);
    field.want(true);
    await openWithOffer(a.page, "?next=/communities");
    await a.page.waitForURL(`${base}/communities`);
    await signedInAs(a.page, ann);
    field.want(false);
  });

  test("after a refusal the page offers nothing until it is asked", async () => {
    await logOut(a.page);
    field.want(true);
    const sent = await change(a.page, otherChallenge);
    await openWithOffer(a.page);
    await a.page.getByText(refusal).waitFor();
    assert.equal(await field.made(), 0, "the page that shows the refusal");
    await a.page.reload();
    assert.equal(await field.made(), 0, "the same, sent again");
    const once = sent.count;
    assert.ok(once <= 2, `${once} answers for one offer and one reload`);
    await a.page.goBack();
    await a.page.getByRole("button", { name: "Log in with a passkey" }).waitFor();
    await openWithOffer(a.page);
    assert.equal(await field.made(), 0, "a new visit");
    assert.equal(sent.count, once, "nothing was sent that nobody asked for");
    await a.page.getByRole("button", { name: "Log in with a passkey" }).click();
    await a.page.getByText(refusal).waitFor();
    assert.equal(await field.made(), 0, "the button's answer was refused");
    assert.equal(sent.count, once + 1);

    await a.page.unroute("**/login/passkey");
    await a.page.getByRole("button", { name: "Log in with a passkey" }).click();
    await a.page.waitForURL(`${base}/`);
    await logOut(a.page);
    await openWithOffer(a.page); // who has logged in is offered it again
    await a.page.waitForURL(`${base}/`);
    await signedInAs(a.page, ann);
    field.want(false);
  });

  test("what was written comes back after logging in", async () => {
    await logOut(a.page);
    await openLogIn(a.page);
    // A form that was sent without being logged in, as the login page carries it.
    await a.page.evaluate(() => {
      const form = document.createElement("form");
      Object.assign(form, { method: "post", action: "/communities" });
      for (const [name, value] of [["name", "kept_name"], ["title", "A title that is kept"]]) form.append(Object.assign(document.createElement("input"), { name, value }));
      document.body.append(form);
      form.submit();
    });
    await a.page.getByText("What you wrote is kept.").waitFor();
    await a.page.getByRole("button", { name: "Log in with a passkey" }).click();
    await a.page.getByText("You are logged in.").waitFor();
    await expect(a.page.getByLabel("Title")).toHaveValue("A title that is kept");
  });

  test("an answer that was sent is refused the second time", async () => {
    await logOut(a.page);
    await openLogIn(a.page);
    let sent;
    await a.page.route("**/login/passkey", async (route) => {
      sent = route.request().postData();
      await route.continue();
    });
    await a.page.getByRole("button", { name: "Log in with a passkey" }).click();
    await a.page.waitForURL(`${base}/`);
    await a.page.unroute("**/login/passkey");
    await logOut(a.page);
    const again = await a.page.evaluate(async (body) => {
      const response = await fetch("/login/passkey", { method: "POST", body: new URLSearchParams(body) });
      return [response.status, await response.text()];
    }, sent);
    assert.equal(again[0], 422);
    assert.match(again[1], /was used before/);
  });

  test("an answer to another challenge, and one of another origin, is refused", async () => {
    for (const how of [otherChallenge, (data) => ({ ...data, origin: "https://evil.example" })]) {
      await change(a.page, how);
      await openLogIn(a.page);
      await a.page.getByRole("button", { name: "Log in with a passkey" }).click();
      await a.page.getByText(refusal).waitFor();
      await a.page.unroute("**/login/passkey");
    }
  });

  test("the browser itself refuses a passkey on another origin", async () => {
    const b = await person();
    const other = await device(b.page);
    for (const credential of await phone.credentials()) await other.add(credential);
    await b.page.goto(base.replace("localhost", "127.0.0.1") + "/login");
    await b.page.getByRole("button", { name: "Log in with a passkey" }).click();
    await b.page.locator("[data-passkey] [role=alert]").getByText(/./).waitFor();
    await b.context.close();
  });

  test("a second device is added, named, logs in, and proves who is there", async () => {
    await openLogIn(a.page);
    await a.page.getByRole("button", { name: "Log in with a passkey" }).click();
    await a.page.waitForURL(`${base}/`);
    await a.page.goto(`${base}/settings/security`);
    await a.page.getByRole("button", { name: "Add a passkey" }).click();
    await a.page.getByText("This device has a passkey of your account already.").waitFor();

    const b = await person();
    const key = await device(b.page, { transport: "usb" });
    await offers(b.page);
    await b.context.addCookies(await a.context.cookies());
    await b.page.goto(`${base}/settings/security`);
    await b.page.getByLabel("Name of a new passkey").fill("Key on the ring");
    await b.page.getByRole("button", { name: "Add a passkey" }).click();
    await b.page.getByText("Your passkey is added.").waitFor();
    assert.equal((await key.credentials()).length, 1);
    await b.context.clearCookies();
    await openLogIn(b.page);
    await b.page.getByRole("button", { name: "Log in with a passkey" }).click();
    await b.page.waitForURL(`${base}/`);
    await b.page.goto(`${base}/settings/security`);
    await b.page.getByText("Key on the ring").first().waitFor();

    await b.page.goto(`${base}/prove?next=/settings/totp`);
    await b.page.getByRole("button", { name: "Use a passkey" }).click();
    await b.page.waitForURL(`${base}/settings/totp`);
    await b.page.goto(`${base}/settings/security`);
    await b.page.getByRole("button", { name: "Remove Key on the ring" }).click();
    await b.page.getByText("That way to log in is removed.").waitFor();
    await b.context.close();
    assert.deepEqual(b.problems, []);
  });

  test("a copy of a passkey is found by its counter", async () => {
    const [credential] = await phone.credentials();
    const thief = await person();
    const copy = await device(thief.page);
    await copy.add({ ...credential, signCount: credential.signCount });
    await openWithOffer(thief.page, "?next=/communities");
    await thief.page.waitForURL(`${base}/communities`); // the copy is ahead now
    await signedInAs(thief.page, ann);
    await thief.context.close();

    await logOut(a.page);
    await openLogIn(a.page);
    await a.page.getByRole("button", { name: "Log in with a passkey" }).click();
    await a.page.getByText("This passkey seems to have been copied").waitFor();
  });
});
