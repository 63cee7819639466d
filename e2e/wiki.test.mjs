// Pages of communities: moderators write them, two at once, everybody reads them and their history, also without JavaScript.

import assert from "node:assert/strict";
import { base, expect, person, signUp, test, uniqueName } from "./site.mjs";

test.describe.configure({ mode: "serial" });

const community = uniqueName("wiki");
const form = `${base}/c/${community}/mod/page`;
let ann, visitor;

test.beforeAll(async () => {
  ann = await person();
  visitor = await person({ javaScriptEnabled: false });
  await signUp(ann.page, uniqueName("ann"));
  const response = await ann.context.request.post(`${base}/communities`, { form: { name: community, title: "Wiki" }, headers: { origin: base },
    maxRedirects: 0 });
  assert.equal(response.status(), 303);
});
test.afterAll(async () => {
  await ann.context.close();
  await visitor.context.close();
  assert.deepEqual(ann.problems.filter((problem) => !/422/.test(problem)), []);
});

test.describe("pages of a community", () => {
  test("a moderator writes one, and it is in the sidebar", async () => {
    const { page } = ann;
    await page.goto(`${base}/c/${community}/pages`);
    await page.getByRole("link", { name: "New page" }).click();
    await page.getByLabel("Title", { exact: true }).fill("Getting started");
    await page.getByLabel("Text", { exact: true }).fill("# First\n\nRead this.\n\n| Step | Time |\n|---|---|\n| Tour | 2 h |");
    await page.getByRole("button", { name: "Create the page" }).click();
    await page.waitForURL(`${base}/c/${community}/pages/getting-started`);
    assert.equal(await page.locator(".md td").first().textContent(), "Tour");
    await page.goto(`${base}/c/${community}`);
    await page.locator(".pages a", { hasText: "Getting started" }).waitFor({ state: "attached" });
  });

  test("two moderators at once: the second sees what is there, and what they typed", async () => {
    const { page } = ann;
    const other = await ann.context.newPage();
    await page.goto(`${form}?page=getting-started`);
    await other.goto(`${form}?page=getting-started`);
    await other.getByLabel("Text", { exact: true }).fill("What the other wrote");
    await other.getByRole("button", { name: "Save the page" }).click();
    await other.waitForURL(`${base}/c/${community}/pages/getting-started`);
    await other.close();
    await page.getByLabel("Text", { exact: true }).fill("What I typed");
    await page.getByRole("button", { name: "Save the page" }).click();
    await page.getByText("Somebody else changed this page").waitFor();
    await expect(page.getByLabel("Text", { exact: true })).toHaveValue("What I typed");
    assert.equal(await page.locator(".typed").textContent(), "What the other wrote");
    await page.getByRole("button", { name: "Save the page" }).click();
    await page.waitForURL(`${base}/c/${community}/pages/getting-started`);
    await page.getByText("What I typed").waitFor();
  });

  test("a visitor without JavaScript reads the page, its history and what was changed", async () => {
    const { page } = visitor;
    await expect(async () => {
      await page.goto(`${base}/c/${community}/pages`);
      assert.ok(await page.getByRole("link", { name: "Getting started" }).count() > 0, "the page is there");
    }).toPass();
    await page.goto(`${base}/c/${community}/pages/getting-started`);
    assert.equal(await page.locator("h1").textContent(), "Getting started");
    await expect(page.getByRole("link", { name: "Edit this page" })).toHaveCount(0);
    await page.getByRole("link", { name: /^History/ }).click();
    await expect(page.locator("main .rows li")).toHaveCount(3);
    await page.getByRole("link", { name: "Revision 3" }).click();
    assert.match(await page.locator(".diff del").first().textContent(), /What the other wrote/);
    assert.match(await page.locator(".diff ins").first().textContent(), /What I typed/);
    await expect(page.getByRole("button", { name: "Restore this revision" })).toHaveCount(0);
  });

  test("a moderator restores what it said, deletes the page, and brings it back", async () => {
    const { page } = ann;
    await page.goto(`${base}/c/${community}/pages/getting-started/history/1`);
    await page.getByRole("button", { name: "Restore this revision" }).click();
    await page.waitForURL(`${base}/c/${community}/pages/getting-started`);
    assert.equal(await page.locator(".md td").first().textContent(), "Tour");
    await page.goto(`${form}?page=getting-started`);
    await page.locator("summary", { hasText: "Delete this page" }).click();
    await page.getByRole("button", { name: "Delete the page" }).click();
    await page.getByRole("heading", { name: "Deleted pages" }).waitFor();
    await page.locator("main .rows a", { hasText: "Getting started" }).click();
    await page.getByRole("link", { name: "Revision 4" }).click();
    await page.getByRole("button", { name: "Restore this revision" }).click();
    await page.waitForURL(`${base}/c/${community}/pages/getting-started`);
  });
});
