// By keyboard alone: the keys, the dialog that lists them, coming back, and a whole visit.

import assert from "node:assert/strict";
import { base, expect, looksBehind, person, signUp, sql, test, uniqueName } from "./site.mjs";

const community = uniqueName("keyed");
const replies = 8; // three more than a page shows of one comment's
let ann, ben, address, post;

const send = async ({ context }, path, form) => {
  const response = await context.request.post(base + path, { form, headers: { origin: base, accept: "application/json" } });
  assert.ok(response.ok(), `${path}: ${await response.text()}`);
  return response.json();
};
const at = (page) => page.evaluate(() => document.activeElement.textContent.trim());
/** reach presses Tab until what has the focus matches. */
const reach = async (page, selector, most = 120) => {
  for (let i = 0; i < most; i += 1) {
    if (await page.evaluate((it) => document.activeElement.matches(it), selector)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`${selector} is not reached with Tab`);
};

test.beforeAll(async () => {
  ann = await person();
  ben = await person();
  await signUp(ann.page, uniqueName("ann"));
  await signUp(ben.page, uniqueName("ben"));
  await send(ann, "/communities", { name: community, title: "By keys" });
  post = await send(ann, `/c/${community}/submit`, { title: `Keyed ${community}`, text: "Words to be read" });
  address = post.permalink;
  await send(ann, `/c/${community}/submit`, { title: "The last one", text: "Words" });
  const wide = await send(ann, "/comment", { post: post.id, body: "wide" });
  for (let i = 1; i <= replies; i += 1) await send(ann, "/comment", { parent: wide.id, body: `reply ${i}` });
  await send(ann, "/comment", { post: post.id, body: "narrow" });
  await expect(async () => assert.ok((await (await ann.context.request.get(`${base}${address}?sort=old`)).text()).includes("Show 3 more comments"), "all comments are counted")).toPass();
});
test.afterAll(async () => {
  await ann.context.close();
  await ben.context.close();
  assert.deepEqual([...ann.problems, ...ben.problems], []);
});

test.describe("? lists the keys", () => {
  const dialog = (page) => page.getByRole("dialog", { name: "Keyboard shortcuts" });

  test("in a dialog that keeps the focus until it is closed", async () => {
    const { page } = ben;
    await page.goto(base + address);
    await page.keyboard.press("j");
    await page.keyboard.press("?");
    await dialog(page).waitFor();
    for (const key of ["j", "k", "Enter", "o", "a", "z", "s", "h", "r", "p", "n", "N", "/", "u"]) {
      await expect(dialog(page).locator("kbd").filter({ hasText: new RegExp(`^${key}$`) }), key).toHaveCount(1);
    }
    for (let i = 0; i < 8; i += 1) {
      await page.keyboard.press("Tab");
      assert.ok(await page.evaluate(() => document.activeElement === document.body || document.querySelector("dialog").contains(document.activeElement)));
    }
    const before = await page.evaluate(() => document.querySelector(".focus")?.id);
    await page.keyboard.press("j");
    assert.equal(await page.evaluate(() => document.querySelector(".focus")?.id), before, "no key works below it");
    await page.keyboard.press("Escape");
    await expect(dialog(page)).toHaveCount(0);
    assert.equal(await page.evaluate(() => document.activeElement.matches(".comment summary")), true, "the focus is back");
  });

  test("and switches them off, also from the foot of the page", async () => {
    const { page } = ben;
    await page.goto(base + address);
    await page.getByRole("button", { name: "Keys", exact: true }).focus();
    await page.keyboard.press("Enter");
    await dialog(page).getByRole("checkbox").uncheck();
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await expect(dialog(page)).toHaveCount(0);
    await page.keyboard.press("j");
    await expect(page.locator(".focus")).toHaveCount(0);
    await page.getByRole("button", { name: "Keys", exact: true }).focus();
    await page.keyboard.press("Enter");
    await dialog(page).getByRole("checkbox").check();
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await expect(page.locator(".focus")).toHaveCount(1);
  });
});

test.describe("in a thread", () => {
  const here = (page) => page.evaluate(() => document.activeElement.closest(".comment")?.querySelector(".said-body")?.textContent.trim());

  test("n goes to the next root, p to the parent, o folds", async () => {
    const { page } = ben;
    await page.goto(`${base}${address}?sort=old`);
    await page.keyboard.press("n");
    assert.equal(await here(page), "wide");
    await page.keyboard.press("j");
    assert.equal(await here(page), "reply 1");
    await page.keyboard.press("p");
    assert.equal(await here(page), "wide");
    await page.keyboard.press("n");
    assert.equal(await here(page), "narrow");
    await page.keyboard.press("o");
    await expect(async () => assert.ok(await page.evaluate(() => !document.activeElement.closest("details").open), "it is folded")).toPass();
    await page.keyboard.press("o");
    await expect(async () => assert.ok(await page.evaluate(() => document.activeElement.closest("details").open), "it is open again")).toPass();
  });

  test("N goes to the next new comment, in turn", async () => {
    looksBehind();
    const { page } = ben;
    await page.goto(`${base}${address}?sort=old`);
    await expect(async () => {
      await sql("UPDATE visits SET seen_at = ?1", Date.now() - 7e6);
      await page.goto(`${base}${address}?sort=old`);
      assert.ok(await page.locator(".mark.new").count() > 3, "the last visit is long ago");
    }).toPass();
    const fresh = await page.locator(".comment:has(> .by .mark.new)").evaluateAll((all) => all.map((el) => el.id));
    for (const id of fresh.slice(0, 3)) {
      await page.keyboard.press("Shift+N");
      assert.equal(await page.evaluate(() => document.activeElement.closest(".comment").id), id);
    }
    await page.locator(`#${fresh.at(-1)} summary`).last().focus();
    await page.keyboard.press("Shift+N");
    assert.equal(await page.evaluate(() => document.activeElement.closest(".comment").id), fresh[0]);
  });

  test("a key means the comment itself, and not a reply to it", async () => {
    const { page } = ann; // who can't save what can't be saved, but has replies below
    await page.goto(`${base}${address}?sort=old`);
    await page.keyboard.press("n");
    await page.keyboard.press("s");
    await page.locator("#toast p", { hasText: "Saved" }).waitFor();
    const saved = await (await ann.context.request.get(`${base}/saved/comments`)).text();
    assert.match(saved, /wide/);
    assert.doesNotMatch(saved, /reply 1/);
  });
});

test.describe("who comes back", () => {
  test("reads on at the post that they opened", async () => {
    const { page } = ben;
    await page.goto(`${base}/c/${community}/new`);
    await page.keyboard.press("j");
    assert.equal(await at(page), "The last one");
    await page.keyboard.press("Enter");
    await page.waitForURL(/the-last-one/);
    await page.goBack();
    await page.locator(".post.focus", { hasText: "The last one" }).waitFor();
    await page.keyboard.press("j");
    assert.match(await at(page), /^Keyed/);
  });

  test("finds the replies that they have loaded, where they were", async () => {
    const { page, context } = await person({ viewport: { width: 1280, height: 500 }, storageState: await ben.context.storageState() });
    await page.goto(`${base}${address}?sort=old`);
    await page.getByText("Show 3 more comments").click();
    const last = page.locator(".comment", { hasText: new RegExp(`^.*reply ${replies}`, "s") }).last();
    await last.waitFor();
    await last.evaluate((el) => el.scrollIntoView({ block: "start" }));
    const top = () => last.evaluate((el) => Math.round(el.getBoundingClientRect().top));
    await expect(async () => assert.ok(await page.evaluate(() => Boolean(history.state?.plaza?.at)), "the scroll has ended")).toPass();
    const before = await top();
    await page.locator("header a").first().evaluate((el) => el.click());
    await page.waitForURL(`${base}/`);
    await page.goBack();
    await last.waitFor();
    await expect(async () => assert.ok(Math.abs(await top() - before) <= 2, "it is where it was")).toPass();
    await expect(page.getByText("Show 3 more comments")).toHaveCount(0);
    await context.close();
  });
});

test("a visit by keyboard alone: find, read, vote, reply, save, search, report", async () => {
  const { page, context, problems } = await person({ storageState: await ben.context.storageState() });
  await page.goto(`${base}/`);
  await page.keyboard.press("/");
  if (new URL(page.url()).pathname !== "/search") await page.waitForURL(/\/search|\/$/);
  await page.locator("input[type=search]").first().waitFor();
  await expect(async () => {
    await page.keyboard.press("/");
    assert.ok(await page.evaluate(() => document.activeElement.matches("input[type=search]")), "the field has the focus");
  }).toPass();
  await page.keyboard.press("Control+A");
  await page.keyboard.type(community);
  await page.keyboard.press("Enter");
  await page.waitForURL(/q=keyed/);
  await page.locator("h1, main").first().waitFor();

  await page.goto(`${base}/c/${community}/new`);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  assert.match(await at(page), /^Keyed/);
  await page.keyboard.press("s");
  await page.locator("#toast p", { hasText: "Saved" }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname === address);

  await page.keyboard.press("n");
  await page.keyboard.press("a");
  await page.locator('.comment.focus .votes .up[aria-pressed="true"]').first().waitFor();
  await page.keyboard.press("r");
  await expect(async () => assert.ok(await page.evaluate(() => document.activeElement.matches(".comment form.reply textarea")), "the form has the focus")).toPass();
  await page.keyboard.type("Written without a mouse");
  await reach(page, ".comment form.reply button:not([formaction])");
  await page.keyboard.press("Enter");
  await page.locator(".comment .comment", { hasText: "Written without a mouse" }).waitFor();

  await page.keyboard.press("p");
  await reach(page, ".comment .dots > summary");
  await page.keyboard.press("Enter");
  await reach(page, '.comment a[href^="/report"]');
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/report\?target=/);
  await reach(page, "main form input[type=radio], main form select");
  await page.keyboard.press("Space");
  await reach(page, "main form button");
  await page.keyboard.press("Enter");
  await page.locator("main", { hasText: /reported|thank/i }).waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});
