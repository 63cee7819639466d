// A moderator's sitting on a phone: a queue of posts, comments, held ones and notices, and a mailbox with appeals and questions, worked by one thumb.
// Taps, scrolls and page loads are counted. SITTING is how many cases there are, 40 if it is not set.

import assert from "node:assert/strict";
import { base, browser, expect, figure, looksBehind, mail, person, signUp, sql, test, uniqueName } from "./site.mjs";

test.describe.configure({ mode: "serial" });

const CASES = Number(process.env.SITTING ?? 40);
const share = (percent) => Math.max(1, Math.round(CASES * percent / 100));
const APPEALS = share(15), HELD = share(20), NOTICES = 2, POSTS = share(20);
const COMMENTS = CASES - APPEALS - HELD - NOTICES - POSTS;
const form = (fields) => ({ form: fields, headers: { origin: base }, maxRedirects: 0, timeout: 60000 });
const digits = "0123456789abcdefghjkmnpqrstvwxyz";
const idText = (decimal) => Array.from({ length: 13 }, (_, i) => digits[Number(BigInt(decimal) >> BigInt(5 * (12 - i)) & 31n)]).join("");

test.describe("a sitting on a phone", { tag: "@phone" }, () => {
  looksBehind();
  let mod, page, community;
  const count = { taps: 0, scrolls: 0, loads: 0 };
  const post = async (who, path, fields, status = 303) => {
    const sent = await who.context.request.post(base + path, form(fields));
    assert.equal(sent.status(), status, `${path}: ${sent.status() === 303 ? "" : (await sent.text()).slice(0, 300)}`);
    return sent.headers().location ?? sent.json();
  };
  const named = async (who, name) => {
    await signUp(who.page, name);
    await sql("INSERT INTO author_karma (author_id, name_key, posts) SELECT id, username_key, 100 FROM users WHERE username = ? ON CONFLICT DO UPDATE SET posts = 100", name); // else it may do little in an hour
    return who;
  };

  test.beforeAll(async () => {
    mod = await named(await person(), uniqueName("mod"));
    page = mod.page;
    const writer = await named(await person(), uniqueName("wri"));
    const reporter = await named(await person(), uniqueName("rep"));
    community = uniqueName("sit");
    await post(mod, "/communities", { name: community, title: "Sittings" });
    await post(mod, `/c/${community}/mod/rules`, { text: "rule: Casinos\nwords: casino\ndo: hold", do: "add" });
    await page.goto(`${base}/c/${community}/mod/rules`);
    await page.getByRole("button", { name: /Switch on/ }).click();
    await page.getByRole("button", { name: /Switch off/ }).waitFor();

    const publish = (title, text) => post(writer, `/c/${community}/submit`, { title, text });
    const idOf = async (address) => /[?]target=(\w{13})"/.exec(await (await mod.context.request.get(base + address)).text())[1];
    const thread = await publish("The thread", "Of all comments");
    const root = await idOf(thread);
    const comment = async (body) => (await post(writer, "/comment", { post: root, body })).match(/(\w{13})(?:\?|#|$)/)[1];
    const report = (target) => post(reporter, "/report", { target, reason: "Spam", text: "" });
    for (let i = 0; i < POSTS; i++) await report(await idOf(await publish(`Offer ${i}: ${"cheap ".repeat(i % 3 * 9)}pills`, "Buy them.")));
    for (let i = 0; i < COMMENTS; i++) await report(await comment(`Comment ${i} ${"and on ".repeat(i % 4 * 12)}`));
    for (let i = 0; i < HELD; i++) await comment(`My casino ${i}`);
    for (let i = 0; i < NOTICES; i++) {
      const email = `${uniqueName("notice")}@example.org`;
      await post(reporter, "/notice", { url: `${base}${await publish(`Copied ${i}`, "All of it")}`, kind: "rights", text: "It is my book.",
        name: "Ada", email, faith: "1" });
      const { links } = await mail(email, /Confirm/);
      const other = await browser.newPage();
      await other.goto(links[0]);
      await other.locator("main form button").first().click();
      await other.waitForLoadState();
      await other.close();
    }
    for (let i = 0; i < APPEALS; i++) {
      const target = await comment(`Removed ${i}`);
      await post(mod, `/c/${community}/mod/decide`, { target, decision: "remove", rule: "Spam", text: "" });
      const [[decision]] = await sql("SELECT CAST(max(id) AS TEXT) FROM moderation_log WHERE action = 'remove'");
      await post(writer, `/decisions/${idText(decision)}`, { text: `Please look at ${i} again.` });
    }
    for (const title of ["May I post recipes?", "Thank you"]) await post(reporter, "/messages", { community, title, text: "A word." }); // the writer has five open ones
    await writer.context.close();
    await reporter.context.close();
    page.on("load", () => { count.loads += 1; });
  });
  test.afterAll(() => mod.context.close());

  // tap is what a thumb does: whatever is out of sight has to be scrolled to first.
  const tap = async (locator) => {
    const box = await locator.boundingBox();
    if (!box || box.y < 0 || box.y + box.height > 844) count.scrolls += 1;
    count.taps += 1;
    await locator.tap();
  };
  const figures = (n) => `${n} cases: ${count.taps} taps, ${count.scrolls} scrolls, ${count.loads} page loads`;

  test("the queue takes at most two taps a case, on one page", async () => {
    const all = POSTS + COMMENTS + HELD + NOTICES;
    Object.assign(count, { taps: 0, scrolls: 0, loads: 0 });
    await page.goto(`${base}/c/${community}/mod/queue`);
    const open = page.locator(".case.q:not(.done, [aria-busy])");
    const done = page.locator(".case.q.done");
    let decided = 0;
    for (let turn = 0; decided < all; turn++) {
      const item = open.first();
      await expect(async () => assert.ok(await open.count(), "a case is there")).toPass();
      if (turn % 3 === 2) {
        await tap(item.locator("summary.remove"));
        await tap(item.locator("li button").first());
      } else await tap(item.locator(".approve"));
      decided += 1;
      await expect(done, `${decided} are decided`).toHaveCount(decided);
      if (turn === 10) { // the wrong one: it comes back, and is decided again
        await tap(done.last().locator(".undo"));
        decided -= 1;
        await expect(done, "it waits again").toHaveCount(decided);
      }
    }
    figure(figures(all));
    await expect(open).toHaveCount(0);
    assert.ok(count.taps <= 2 * all, figures(all));
    assert.equal(count.loads, 1, "the next pages come by themselves");
    const left = await (await mod.context.request.get(`${base}/c/${community}/mod/queue`)).text();
    assert.match(left, /Nothing waits for a decision/, "none was lost");
  });

  test("appeals and questions take at most two taps each, and the next comes by itself", async () => {
    const all = APPEALS + 2;
    Object.assign(count, { taps: 0, scrolls: 0, loads: 0 });
    await page.goto(`${base}/c/${community}/mod/mail`);
    const leave = async (locator) => {
      const from = page.url();
      await tap(locator);
      await expect(async () => assert.ok(page.url() !== from && await page.locator("main .undone").count(), "the next one is there")).toPass();
    };
    const bar = page.locator(".mailbar");
    await tap(page.locator(".talks li > div > a").first());
    await bar.waitFor();
    let undone = false;
    for (let i = 0; i < all; i++) {
      if (await bar.getByRole("button", { name: "Overturn" }).count()) {
        await leave(bar.getByRole("button", { name: i % 2 ? "Overturn" : "Uphold" }));
      } else if (!undone) {
        const subject = await page.locator("h1").textContent();
        await leave(bar.getByRole("button", { name: "Close" }));
        await tap(page.locator(".undone").getByRole("button", { name: "Undo" }));
        await expect(page.locator("h1"), "it is open again").toHaveText(subject);
        undone = true;
        await leave(bar.getByRole("button", { name: "Close" }));
      } else {
        await tap(bar.getByRole("link", { name: "Reply" }));
        await leave(page.getByRole("button", { name: "Thank you. We have taken care of it." }));
      }
    }
    figure(figures(all));
    assert.equal(new URL(page.url()).pathname, `/c/${community}/mod/mail`);
    assert.match(await page.locator("main").textContent(), /No messages/, "none was lost");
    assert.ok(count.taps <= 2 * all, figures(all));
    const verdicts = await sql("SELECT verdict, count(*) FROM conversations WHERE community_id = (SELECT id FROM communities WHERE name = ?) AND decision_id <> 0 GROUP BY verdict", community);
    assert.equal(verdicts.reduce((n, [, of]) => n + of, 0), APPEALS);
    assert.ok(verdicts.every(([verdict]) => verdict), "every appeal has a verdict");
    assert.deepEqual(mod.problems, []);
  });
});
