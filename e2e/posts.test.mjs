// What people do with posts and comments once they are there: edit, delete, save, hide, crosspost, preview, drafts. In
// Chromium, once with JavaScript and once without.

import assert from "node:assert/strict";
import { base, bothWays, expect, form, javaScriptEnabled, person, signUp, test, uniqueName } from "./site.mjs";

test.describe.configure({ mode: "serial" });

test.describe("posts and comments", bothWays, () => {
  const community = uniqueName("own");
  const elsewhere = uniqueName("else");
  let a, b, post;

  const full = (page) => page.locator("article.full");
  const comment = (page, text) => page.locator("article.comment", { hasText: text }).first();
  const own = (article, name) => article.locator(".acts").first().getByRole("link", { name, exact: true });
  // chosen opens the menu of a post or comment and presses what stands in it.
  const chosen = async (article, name, role = "link") => {
    const menu = article.locator(".dots, .opts").first();
    if (!(await menu.evaluate((el) => el.open))) await menu.locator("summary").click();
    await menu.getByRole(role, { name, exact: true }).click();
  };
  const pressed = async (page, action) => {
    await action();
    if (!javaScriptEnabled) await page.waitForLoadState();
  };
  // Whether the page was left is how "in place" is told: a mark in the window survives nothing else.
  const mark = async (page) => { if (javaScriptEnabled) await page.evaluate(() => { globalThis.marked = true; }); };
  const stayed = async (page) => { if (javaScriptEnabled) assert.equal(await page.evaluate(() => globalThis.marked), true, "it happened in place"); };

  test.beforeAll(async () => {
    a = await person();
    b = await person();
    await signUp(a.page, uniqueName("ann"));
    await signUp(b.page, uniqueName("ben"));
    for (const name of [community, elsewhere]) await a.context.request.post(`${base}/communities`, form({ name }));
  });
  test.afterAll(async () => {
    await a.context.close();
    await b.context.close();
    assert.deepEqual([...a.problems, ...b.problems], [], "no error, no request to elsewhere");
  });

  test("a post is looked at before it is published, and nothing is lost", async () => {
    await a.page.goto(`${base}/c/${community}/submit`);
    await a.page.locator("#title").fill("What will be edited");
    await a.page.locator("#text").fill("The **first** words");
    await mark(a.page);
    await a.page.locator("main").getByRole("button", { name: "Preview" }).click();
    await a.page.locator(".preview strong", { hasText: "first" }).waitFor();
    await stayed(a.page);
    await expect(a.page.locator("#title")).toHaveValue("What will be edited");
    await expect(a.page.locator("#text")).toHaveValue("The **first** words");
    await a.page.getByRole("button", { name: "Post", exact: true }).click();
    await a.page.waitForURL(`${base}/c/${community}/p/what-will-be-edited`);
    post = a.page.url();
  });

  test("its author edits it and warns of it", async () => {
    await chosen(full(a.page), "Edit");
    await expect(a.page.locator("#text")).toHaveValue("The **first** words");
    await a.page.locator("#text").fill("The **second** words");
    await a.page.getByRole("checkbox", { name: "Spoiler" }).check();
    await a.page.getByRole("button", { name: "Save", exact: true }).click();
    await a.page.waitForURL(post);
    assert.match(await full(a.page).locator(".by").innerText(), /edited.*spoiler/s);
    assert.equal(await full(a.page).locator("strong", { hasText: "second" }).isVisible(), false, "behind one click");
    await full(a.page).getByText("Show the spoiler").click();
    assert.equal(await full(a.page).locator("strong", { hasText: "second" }).isVisible(), true);
  });

  test("a comment is looked at, posted, edited and edited elsewhere", async () => {
    await b.page.goto(post);
    await b.page.locator("form.reply textarea").first().fill("The *first* comment");
    await mark(b.page);
    await b.page.locator("form.reply").first().getByRole("button", { name: "Preview" }).click();
    await b.page.locator(".preview em", { hasText: "first" }).waitFor();
    await expect(b.page.locator("form.reply textarea").first()).toHaveValue("The *first* comment");
    await b.page.locator("form.reply").first().getByRole("button", { name: "Comment", exact: true }).click();
    await comment(b.page, "The first comment").waitFor();
    await stayed(b.page);
    await b.page.goto(post);

    await mark(b.page);
    await chosen(comment(b.page, "The first comment"), "Edit");
    const form = b.page.locator("form.change");
    await expect(form.locator("textarea")).toHaveValue("The *first* comment");
    if (javaScriptEnabled) { // a second click leads to the form that is there
      await chosen(comment(b.page, "The first comment"), "Edit");
      await expect(form).toHaveCount(1);
    }
    const revision = await form.locator('[name="revision"]').inputValue();
    await form.locator("textarea").fill("The *second* comment");
    await form.getByRole("button", { name: "Save", exact: true }).click();
    await b.page.locator(".comment em", { hasText: "second" }).waitFor();
    await stayed(b.page);
    await expect(comment(b.page, "The second comment").locator(".by").first()).toContainText("edited");

    // A form from before that edit comes back with both texts.
    await b.page.goto(post);
    await chosen(comment(b.page, "The second comment"), "Edit");
    await form.locator("textarea").waitFor();
    await form.locator('[name="revision"]').evaluate((field, value) => { field.value = value; }, revision);
    await form.locator("textarea").fill("From an old form");
    await form.getByRole("button", { name: "Save", exact: true }).click();
    await b.page.getByText("changed this elsewhere").waitFor();
    await expect(form.locator("textarea:not([readonly])")).toHaveValue("From an old form");
    await expect(form.locator("textarea[readonly]")).toHaveValue("The *second* comment");
    await form.getByRole("link", { name: "Cancel" }).click();
    await expect(b.page.locator("form.change"), "the form is gone").toHaveCount(0);
  });

  test("saved and hidden, it is in its lists and out of listings", async () => {
    await b.page.goto(`${base}/c/${community}`);
    const row = b.page.locator("article.post", { hasText: "What will be edited" });
    await mark(b.page);
    await pressed(b.page, () => chosen(row, "Save", "button"));
    await row.locator("button", { hasText: /^Unsave$/ }).waitFor({ state: "attached" });
    if (javaScriptEnabled) {
      const closed = (menu) => !menu.open && menu.querySelector("summary") === document.activeElement;
      await expect(async () => assert.ok(await row.locator(".opts").evaluate(closed), "the menu is closed, and its handle has the focus")).toPass();
    }
    await pressed(b.page, () => chosen(row, "Hide", "button"));
    if (javaScriptEnabled) await b.page.locator(".was", { hasText: "Hidden" }).waitFor(); // which e2e/undo.test.mjs undoes
    else await expect(row, "it is hidden").toHaveCount(0);
    await stayed(b.page);
    await b.page.goto(`${base}/c/${community}`);
    await expect(row).toHaveCount(0);
    await b.page.goto(`${base}/saved`);
    await expect(row).toHaveCount(1);
    await b.page.getByRole("link", { name: "Hidden posts" }).click();
    await b.page.waitForURL(`${base}/hidden`);
    await expect(row).toHaveCount(1);
    await b.page.goto(post);
    await pressed(b.page, () => chosen(full(b.page), "Unhide", "button"));
    await full(b.page).locator("button", { hasText: /^Hide$/ }).waitFor({ state: "attached" });
    await b.page.goto(`${base}/c/${community}`);
    await expect(row).toHaveCount(1);
    await b.page.goto(post);
    const said = comment(b.page, "The second comment");
    await pressed(b.page, () => chosen(said, "Save", "button"));
    await said.locator("button", { hasText: /^Unsave$/ }).first().waitFor({ state: "attached" });
    if (javaScriptEnabled) {
      await b.page.locator("#toast", { hasText: "Saved" }).waitFor();
      assert.equal(await said.locator(".dots").first().evaluate((el) => el.open || !el.contains(document.activeElement)), false, "the menu closes, and its handle has the focus");
    }
    await b.page.goto(`${base}/saved/comments`);
    await expect(comment(b.page, "The second comment")).toHaveCount(1);
  });

  test("crossposted, it is shown in another community and leads back", async () => {
    await b.page.goto(post);
    await chosen(full(b.page), "Crosspost");
    await expect(b.page.locator("#title")).toHaveValue("What will be edited");
    await b.page.getByLabel("Community").fill(elsewhere);
    await b.page.getByRole("button", { name: "Post", exact: true }).click();
    await b.page.waitForURL(`${base}/c/${elsewhere}/p/what-will-be-edited`);
    await full(b.page).getByText("Show the spoiler").click();
    await full(b.page).locator("a.again").click();
    await b.page.waitForURL(post);
    await full(b.page).getByRole("link", { name: "1 other discussion" }).click();
    await b.page.waitForURL(/\/discussions\?/);
    await expect(b.page.locator("article.post"), "the other one").toHaveCount(1);
  });

  test("a link that was posted before is asked about, and posted all the same", async () => {
    for (const again of [false, true]) {
      await a.page.goto(`${base}/c/${community}/submit`);
      await a.page.locator("#kind-link").check();
      await a.page.locator("#title").fill("The same link");
      await a.page.locator("#link").fill(`https://example.org/${community}`);
      await a.page.getByRole("button", { name: "Post", exact: true }).click();
      if (again) {
        await a.page.getByText("Post it anyway?").waitFor();
        await a.page.getByRole("button", { name: "Post anyway" }).click();
      }
      await a.page.waitForURL(new RegExp(`/c/${community}/p/the-same-link`));
    }
    await full(a.page).getByRole("link", { name: "1 other discussion" }).click();
    await a.page.waitForURL(/\/discussions/);
    await a.page.locator("article.post").waitFor();
    await expect(a.page.locator("article.post"), "the other one").toHaveCount(1);
  });

  test("a draft is its author's until it is published", async () => {
    await a.page.goto(`${base}/c/${community}/submit`);
    await a.page.locator("#title").fill("Not yet");
    await a.page.getByRole("button", { name: "Save draft" }).click();
    await a.page.waitForURL(`${base}/c/${community}/p/not-yet`);
    await a.page.getByText("Only you can see it.").waitFor();
    const draft = a.page.url();
    assert.equal((await b.page.goto(draft)).status(), 404);
    await a.page.locator("form.notice").getByRole("link", { name: "Edit" }).click();
    await a.page.locator("#text").fill("Now it is");
    await a.page.getByRole("button", { name: "Post", exact: true }).click();
    await a.page.waitForURL(draft);
    assert.equal((await b.page.goto(draft)).status(), 200);
    assert.match(await full(b.page).innerText(), /Now it is/);
  });

  test("what is written is kept as a draft, and on the device", async () => {
    test.skip(!javaScriptEnabled, "a script does that");
    const { page } = a;
    const form = `${base}/c/${community}/submit`;
    await page.goto(form);
    await page.locator("#title").fill("Long in the making");
    await page.locator("#text").fill("The beginning");
    const left = () => page.evaluate(() => document.dispatchEvent(new Event("visibilitychange"))); // as when another tab is opened
    await left();
    await page.locator("#kept", { hasText: "Saved as a draft" }).waitFor();
    assert.match(page.url(), /\/draft\?target=/);
    const draft = page.url();
    await page.locator("#text").fill("The beginning and the middle");
    await left();
    await expect(async () => assert.ok((await (await a.context.request.get(draft)).text()).includes("the middle</textarea>"), "the draft has more")).toPass();
    await page.evaluate(() => { // a route may not see what a page sends while it is left
      window.fetch = async () => new Response('{"error": {"code": "rate_limited"}}', { status: 429, headers: { "Content-Type": "application/json" } });
    });
    await page.locator("#text").fill("The beginning, the middle and the end");
    await page.goto(`${base}/drafts`);
    await page.getByRole("link", { name: "Long in the making", exact: true }).waitFor();
    await page.goto(draft);
    await expect(page.locator("#text")).toHaveValue("The beginning and the middle");
    await page.getByRole("button", { name: "Restore" }).click();
    await expect(page.locator("#text")).toHaveValue("The beginning, the middle and the end");
    await page.getByRole("button", { name: "Post", exact: true }).click();
    await page.waitForURL(`${base}/c/${community}/p/long-in-the-making`);
    assert.match(await full(page).innerText(), /the middle and the end/);
    const onDevice = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("kept:")));
    assert.deepEqual(await onDevice(), []);
    await page.goto(form); // what was refused is not forgotten with the next post that is looked at
    await page.locator("#title").fill("Refused");
    await page.locator("#tags").fill("c++");
    await page.getByRole("button", { name: "Post", exact: true }).click();
    await page.getByText("A tag has letters").waitFor();
    await page.goto(`${base}/c/${community}/p/long-in-the-making`);
    assert.equal((await onDevice()).length, 1);
  });

  test("deleted, the words are gone and the thread stays", async () => {
    await a.page.goto(post);
    await own(comment(a.page, "The second comment"), "Reply").click();
    await a.page.locator(javaScriptEnabled ? ".comment form.reply" : "main form.reply").locator("textarea").fill("A reply that stays");
    await a.page.locator(javaScriptEnabled ? ".comment form.reply" : "main form.reply").getByRole("button", { name: "Reply", exact: true }).click();
    await comment(a.page, "A reply that stays").waitFor();

    await b.page.goto(post);
    await mark(b.page);
    await chosen(comment(b.page, "The second comment"), "Delete");
    if (javaScriptEnabled) {
      await b.page.locator(".was", { hasText: "Comment deleted" }).waitFor(); // which e2e/undo.test.mjs undoes
      await stayed(b.page);
    } else {
      await b.page.locator("form.change").getByRole("button", { name: "Delete", exact: true }).click();
      await b.page.locator(".comment .gone", { hasText: "[deleted]" }).first().waitFor();
    }
    await expect(async () => {
      await b.page.goto(post);
      assert.ok(await b.page.getByText("The second comment").count() === 0, "it is deleted");
    }).toPass();
    await expect(comment(b.page, "A reply that stays")).toHaveCount(1);

    await a.page.goto(post);
    await chosen(full(a.page), "Delete");
    if (javaScriptEnabled) await a.page.locator(".was", { hasText: "Post deleted" }).waitFor();
    else {
      await a.page.getByRole("button", { name: "Delete", exact: true }).click();
      await a.page.waitForURL(post);
    }
    await expect(async () => {
      await a.page.goto(post);
      assert.ok(/\[deleted\]/.test(await full(a.page).locator("h1").innerText()), "it is deleted");
    }).toPass();
    assert.match(await full(a.page).locator("h1").innerText(), /\[deleted\]/);
    await b.page.goto(post);
    await expect(b.page.locator("main")).toContainText("A reply that stays"); // innerText lacks comments that are not painted yet
    await expect(b.page.locator("main")).not.toContainText("second");
    await b.page.goto(`${base}/c/${community}/new`);
    await expect(b.page.getByText("What will be edited")).toHaveCount(0);
  });
});
