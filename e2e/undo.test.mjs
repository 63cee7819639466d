// Nothing done is final: what can be undone says so for 10 seconds, and what a deletion deletes waits that long.

import assert from "node:assert/strict";
import { base, expect, person, signUp, test, uniqueName } from "./site.mjs";

const community = uniqueName("undo");
let state, address, post, shared;

/** send posts a form as a member and returns what a program is told. */
const send = async (path, form) => {
  const response = await shared.context.request.post(base + path, { form, headers: { origin: base, accept: "application/json" } });
  assert.ok(response.ok(), `${path}: ${await response.text()}`);
  return response.json();
};
const html = async (path) => (await shared.context.request.get(base + path)).text();
const comment = (page, text) => page.locator(".comment").filter({ hasText: text }).last();

/** member runs a test in a browser of the member's, whose clock the test moves on. */
const member = async (run, options = {}, expected = 0) => {
  const { page, context, problems } = await person({ storageState: state, ...options });
  await page.clock.install();
  await run(page, context);
  await context.close();
  assert.equal(problems.length, expected, problems.join());
};
/** leave takes the pointer and the focus away from the button, at which time stands still. */
const leave = async (page) => {
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.activeElement.blur());
};
const toast = (page) => page.locator("#toast p");

test.beforeAll(async () => {
  shared = await person();
  await signUp(shared.page, uniqueName("una"));
  await shared.page.goto(`${base}/`);
  await shared.page.waitForFunction(() => sessionStorage.getItem("zone"));
  state = await shared.context.storageState();
  await send("/communities", { name: community, title: "Undone" });
  post = await send(`/c/${community}/submit`, { title: "To be undone", text: "Words" });
  address = post.permalink;
  await send(`/c/${community}/submit`, { title: "Another post", text: "Words" });
});
test.afterAll(() => shared.context.close());

test.describe("what the site can take back", () => {
  test("a hidden post is a row that can be undone, by key or by button, and goes", () => member(async (page) => {
    await page.goto(`${base}/c/${community}/new`);
    const row = page.locator("article.post", { hasText: "To be undone" });
    const was = page.locator(".was");
    const hide = async () => {
      await row.locator('[formaction^="/hide"][value="1"]').evaluate((el) => el.click()); // what an undo has answered is there by then
      await was.waitFor();
      assert.equal(await was.textContent(), "Hidden · Undo");
      assert.equal(await row.isVisible(), false);
    };
    await hide();
    assert.ok((await was.boundingBox()).height <= 33, "one line");
    await page.keyboard.press("u");
    await row.waitFor();
    await expect(async () => assert.ok(!(await html("/hidden")).includes("To be undone"), "it is not hidden any more")).toPass();
    await hide();
    await was.getByRole("button", { name: "Undo" }).click();
    await row.waitFor();
    await expect(async () => assert.ok(!(await html("/hidden")).includes("To be undone"), "it is not hidden any more")).toPass();
    await hide();
    await leave(page);
    await page.clock.runFor(11000);
    await expect(was, "the row is gone").toHaveCount(0);
    assert.equal(await row.isVisible(), false);
    assert.match(await html("/hidden"), /To be undone/);
    await send(`/hide?target=${post.id}`, { on: "0" });
  }));

  test("h hides the post at which one reads, and j goes on from there", () => member(async (page) => {
    await page.goto(`${base}/c/${community}/new`);
    const at = () => page.evaluate(() => document.activeElement.textContent);
    await page.keyboard.press("j");
    assert.equal(await at(), "Another post");
    await page.keyboard.press("h");
    await page.locator(".was").waitFor();
    assert.equal(await at(), "To be undone");
    await page.keyboard.press("k");
    assert.equal(await at(), "To be undone", "what is hidden is passed over");
    await page.keyboard.press("u");
    await expect(async () => assert.ok(await at() === "Another post", "the focus is there again")).toPass();
  }));

  for (const [what, path, offered, ends] of [
    ["a membership", () => `/c/${community}`, "Joined", () => `Left c/${community}`],
    ["a tag that is followed", () => "/tag/undone", "Following", () => "No longer following #undone"],
  ]) {
    test(`${what} that ends`, () => member(async (page) => {
      await page.goto(base + path());
      const button = page.locator(".toggle button").first();
      if (!(await button.innerText()).startsWith(offered)) {
        await button.click();
        await toast(page).waitFor();
      }
      await button.click();
      await toast(page).filter({ hasText: ends() }).waitFor();
      await toast(page).getByRole("button", { name: "Undo" }).click();
      await expect(async () => assert.ok((await button.innerText()).startsWith(offered), "it goes on")).toPass();
      await page.reload();
      assert.ok((await button.innerText()).startsWith(offered));
    }));
  }

  test("success is seen, and by screen readers heard", () => member(async (page) => {
    await page.goto(base + address);
    await page.locator('article.full .keep [formaction^="/save"]').first().evaluate((el) => el.click());
    await toast(page).filter({ hasText: "Saved" }).waitFor();
    assert.equal(await page.locator("#toast").getAttribute("role"), "status");
    await page.clock.runFor(7000);
    await expect(toast(page), "it goes").toHaveCount(0);
    await page.locator("form.reply textarea").first().fill("Seen by everybody");
    await page.locator("form.reply").first().getByRole("button", { name: "Comment" }).click();
    await toast(page).filter({ hasText: "Comment posted" }).waitFor();
  }));
});

test.describe("what is deleted", () => {
  const fresh = async (text) => {
    await send("/comment", { post: post.id, body: text });
    return text;
  };
  const remove = (page, text) => comment(page, text).locator('a[href^="/delete"]').evaluate((el) => el.click());

  test("waits 10 seconds with Undo, and is then gone for good", () => member(async (page) => {
    const text = await fresh("A comment to be deleted");
    await page.goto(base + address);
    let asked = 0;
    page.on("request", (request) => { if (new URL(request.url()).pathname === "/delete") asked += 1; });
    await remove(page, text);
    const was = page.locator(".was");
    await was.waitFor();
    assert.equal(await was.textContent(), "Comment deleted · Undo");
    assert.equal(await page.getByText(text).isVisible(), false);
    await page.keyboard.press("u");
    await page.getByText(text).waitFor();
    await page.clock.runFor(20000);
    assert.equal(asked, 0, "undone, nothing was sent");

    await remove(page, text);
    await was.waitFor();
    await page.clock.runFor(20000);
    assert.equal(asked, 0, "time stands still for who is at the button");
    await leave(page);
    assert.ok((await html(address)).includes(text));
    await page.clock.runFor(11000);
    await page.locator(".comment .gone", { hasText: "[deleted]" }).first().waitFor();
    await expect(async () => assert.ok(!(await html(address)).includes(text), "it is deleted")).toPass();
    assert.equal(asked, 1);
    assert.deepEqual(await page.evaluate(() => localStorage.getItem("deletions")), null);
  }));

  test("is sent when the page is left", () => member(async (page) => {
    const text = await fresh("Deleted while leaving");
    await page.goto(base + address);
    await remove(page, text);
    await page.locator(".was").waitFor();
    await page.goto(`${base}/communities`);
    await expect(async () => assert.ok(!(await html(address)).includes(text), "it is deleted")).toPass();
  }));

  test("is sent before its author logs out", async () => {
    const { page, context, problems } = await person();
    await signUp(page, uniqueName("unb"));
    const text = "Deleted before logging out";
    const response = await context.request.post(`${base}/comment`, { form: { post: post.id, body: text }, headers: { origin: base } });
    assert.ok(response.ok(), String(response.status()));
    await page.goto(base + address);
    await remove(page, text);
    await page.locator(".was").waitFor();
    await page.locator('form[action="/logout"]').evaluate((form) => form.requestSubmit());
    await page.locator('header a[href^="/login"]').first().waitFor();
    assert.ok(!(await html(address)).includes(text));
    assert.equal(await page.evaluate(() => localStorage.getItem("deletions")), null);
    await context.close();
    assert.deepEqual(problems, []);
  });

  test("is sent by the next page when there was no connection", () => member(async (page) => {
    const text = await fresh("Deleted in a tunnel");
    await page.goto(base + address);
    await remove(page, text);
    await page.locator(".was").waitFor();
    await page.route("**/delete", (route) => route.abort());
    await page.evaluate(() => { // as when another tab comes to the front
      Object.defineProperty(document, "visibilityState", { value: "hidden" });
      document.dispatchEvent(new Event("visibilitychange"));
    });
    await expect(page.locator(".undo"), "it has failed").toHaveCount(0);
    assert.ok((await html(address)).includes(text));
    await page.unroute("**/delete");
    await page.goto(base + address);
    await expect(async () => assert.ok(!(await page.getByText(text).isVisible()), "it does not show")).toPass();
    await expect(async () => assert.ok(!(await html(address)).includes(text), "it is deleted")).toPass();
    await expect(async () => assert.ok(await page.evaluate(() => localStorage.getItem("deletions")) === null, "nothing waits")).toPass();
  }, {}, 1)); // Chromium reports the lost connection

  test("comes back when the site refuses", () => member(async (page) => {
    const text = await fresh("Not to be deleted now");
    await page.goto(base + address);
    await page.route("**/delete", (route) => route.fulfill({ status: 429 }));
    await remove(page, text);
    await page.locator(".was").waitFor();
    await leave(page);
    await page.clock.runFor(11000);
    await toast(page).filter({ hasText: "nothing was changed" }).waitFor();
    await page.getByText(text).waitFor();
    assert.equal(await page.evaluate(() => localStorage.getItem("deletions")), null);
  }));

  test("may be a draft or a post", () => member(async (page) => {
    await send("/drafts", { community, title: "A draft to be deleted", text: "Words" });
    await page.goto(`${base}/drafts`);
    const row = page.locator("main li", { hasText: "A draft to be deleted" });
    const drop = () => row.locator('a[href^="/delete"]').click();
    await drop();
    await page.locator(".was", { hasText: "Post deleted" }).getByRole("button", { name: "Undo" }).click();
    await row.waitFor();
    await drop();
    await page.locator(".was").waitFor();
    await leave(page);
    await page.clock.runFor(11000);
    await expect(async () => assert.ok(!(await html("/drafts")).includes("A draft to be deleted"), "it is deleted")).toPass();

    const gone = await send(`/c/${community}/submit`, { title: "A post to be deleted", text: "Words" });
    await page.goto(base + gone.permalink);
    await page.locator('article.full a[href^="/delete"]').evaluate((el) => el.click());
    await page.locator(".was", { hasText: "Post deleted" }).waitFor();
    assert.equal(await page.locator("article.full").isVisible(), false);
    await leave(page);
    await page.clock.runFor(11000);
    await expect(async () => assert.ok((await html(gone.permalink)).includes("[deleted]"), "it is deleted")).toPass();
  }));

  test("may be an automatic rule", () => member(async (page) => {
    const rules = `/c/${community}/mod/rules`;
    await send(rules, { do: "add", text: "rule: Casinos\nwords: casino\ndo: hold" });
    await page.goto(base + rules);
    const drop = async () => {
      await page.locator("summary", { hasText: "Delete…" }).click();
      await page.getByRole("button", { name: /^Delete the rule/ }).click();
      await page.locator(".was", { hasText: "Rule deleted" }).waitFor();
    };
    await drop();
    await page.keyboard.press("u");
    await page.locator("summary", { hasText: "Delete…" }).waitFor();
    await drop();
    await leave(page);
    await page.clock.runFor(11000);
    await expect(async () => assert.ok(!(await html(rules)).includes("Casinos"), "it is deleted")).toPass();
  }));

  for (const [what, path, begin, button, says] of [
    ["a filter", "/settings/filters", () => send("/settings/filters", { kind: "words", value: "casino" }), "Remove", "Filter removed"],
    ["a ban", `/c/${community}/mod/bans`, async () => {
      const { page, context } = await person();
      const user = uniqueName("unc");
      await signUp(page, user);
      await context.close();
      await send(`/c/${community}/mod/bans`, { user, decision: "ban", rule: "Spam" });
    }, "Lift", "Ban lifted"],
  ]) {
    test(`may be ${what}, of which nobody is told before`, () => member(async (page) => {
      await begin();
      await page.goto(base + path);
      const press = page.getByRole("button", { name: button }).and(page.locator("[data-undo]")).first();
      const around = press.locator("xpath=ancestor::*[self::li or self::article]");
      await press.click();
      await page.locator(".was", { hasText: says }).waitFor();
      assert.equal(await around.isVisible(), false);
      await page.keyboard.press("u");
      await around.waitFor();
      await page.clock.runFor(20000);
      await page.reload();
      assert.ok(await around.isVisible(), "it was never sent");
      await press.click();
      await page.locator(".was").waitFor();
      await leave(page);
      await page.clock.runFor(11000);
      await expect(async () => assert.ok(!(await html(path)).includes("data-undo"), "it is gone")).toPass();
    }));
  }

  test("may be several bans after others, and undoing these keeps them", () => member(async (page) => {
    const path = `/c/${community}/mod/bans`;
    const users = [];
    for (let n = 0; n < 3; n++) {
      const { page: other, context } = await person();
      users.push(uniqueName("unm"));
      await signUp(other, users[n]);
      await context.close();
      await send(path, { user: users[n], decision: "ban", rule: "Spam" });
    }
    await page.goto(base + path);
    const lift = async (...these) => {
      for (const user of these) await page.getByRole("checkbox", { name: `Select ${user}` }).check();
      await page.getByRole("button", { name: "Lift selected bans and mutes" }).click();
    };
    await lift(users[0], users[1]);
    await page.locator(".was").waitFor();
    await lift(users[2]);
    await expect(page.locator(".was")).toHaveCount(2);
    await page.locator(`.was:not(:has(+ li [aria-label="Select ${users[2]}"]))`).getByRole("button", { name: "Undo" }).click();
    await page.getByRole("checkbox", { name: `Select ${users[0]}` }).waitFor();
    await leave(page);
    await page.clock.runFor(11000);
    await expect(async () => assert.ok(!(await html(path)).includes(users[2]), "the last one is lifted")).toPass();
    for (const user of users.slice(0, 2)) assert.ok((await html(path)).includes(user), "they were undone");
    for (const user of users.slice(0, 2)) await send(path, { user, decision: "lift" });
  }));

  test("is sent before what is written to the same address after it", () => member(async (page) => {
    await send("/settings/filters", { kind: "words", value: "lottery" });
    await page.goto(`${base}/settings/filters`);
    await page.locator("li", { hasText: "lottery" }).locator("[data-undo]").click();
    await page.locator(".was", { hasText: "Filter removed" }).waitFor();
    await page.locator("[name=value]:not([type=hidden])").fill("lottery");
    await page.locator("select[name=days]").selectOption("7");
    const [removed, added] = [`on=0`, `days=7`].map((part) => page.waitForResponse((result) => result.request().postData()?.includes(part)));
    await page.getByRole("button", { name: "Add filter" }).click();
    await Promise.all([removed, added]);
    await expect(async () => assert.ok((await html("/settings/filters")).includes("until 20"), "it is there, for a week")).toPass();
    await send("/settings/filters", { kind: "words", value: "lottery", on: "0" });
  }));

  test("is asked about on a page of its own without JavaScript", () => member(async (page) => {
    const text = await fresh("Deleted without a script");
    await page.goto(base + address);
    const link = await comment(page, text).locator('a[href^="/delete"]').getAttribute("href");
    await page.goto(base + link);
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.waitForURL((url) => url.pathname.startsWith(address));
    assert.ok(!(await html(address)).includes(text));
  }, { javaScriptEnabled: false }));
});
