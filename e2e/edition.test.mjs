// The edition of the front page, the map of a thread, and the mosaics of communities, as readers see them.

import assert from "node:assert/strict";
import { base, expect, person, signUp, test, uniqueName } from "./site.mjs";

test("an edition is read without a script, and ends", async () => {
  const { page, context, problems } = await person({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  await page.goto(`${base}/edition`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  assert.ok(await page.locator(".story").count() > 8);
  await expect(page.locator(".ends")).toContainText("reached the end");
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0, "nothing sticks out");
  await page.getByRole("link", { name: "Previous edition" }).click();
  await expect(page).toHaveURL(/\/edition\/\d{4}-\d\d-\d\d\/(morning|evening)$/);
  await page.getByRole("link", { name: "Next edition" }).click();
  await expect(page.locator(".first h2")).toBeVisible();
  assert.deepEqual(problems, []);
  await context.close();
});

test("who chooses the edition finds it on the front page, and what they have read is grey", async () => {
  const { page, context } = await person();
  await signUp(page, uniqueName("edition"));
  await page.goto(base);
  await page.locator("details.look summary").click();
  await page.locator("details.look").getByRole("button", { name: "Edition", exact: true }).click();
  await expect(page.locator(".mast")).toBeVisible();
  await expect(page.locator(".mastnav + .muted")).toContainText("no edition of your own");
  const unread = await page.locator(".mast .new").textContent();
  const story = page.locator(".edition .three .story").first();
  const title = await story.locator("h2").textContent();
  await story.locator(".cc").click();
  await expect(page.locator("article.full")).toBeVisible();
  await expect(async () => {
    await page.goto(base);
    await expect(page.locator(".story.seen", { hasText: title })).toHaveCount(1, { timeout: 1000 });
  }).toPass();
  assert.notEqual(await page.locator(".mast .new").textContent(), unread);
  await page.getByRole("link", { name: "All posts as a list" }).first().click();
  await expect(page.locator("article.post").first()).toBeVisible();
  await context.close();
});

test("a member chooses between their own edition and the site's, and joins a community there", async () => {
  const { page, context } = await person();
  await signUp(page, uniqueName("joins"));
  await page.goto(`${base}/edition/yours`);
  await page.locator(".mastnav").getByRole("link", { name: "All", exact: true }).click();
  await expect(page).toHaveURL(/\/edition$/);
  const section = page.locator(".sections section").first();
  await section.getByRole("button", { name: /^Join / }).click();
  await expect(section.getByRole("button", { name: /^Joined / })).toBeVisible();
  await page.reload();
  await expect(section.locator(".joined")).toBeVisible();
  await context.close();
});

test("the map of a thread leads to its comments, beside it and as a sheet", async () => {
  const { page, context } = await person({ viewport: { width: 1280, height: 900 } });
  await page.goto(`${base}/comments?t=all`);
  await page.locator("a.cc").first().click();
  const map = page.locator("#map");
  await expect(map).toBeVisible();
  const line = map.locator("li a").nth(2);
  const target = await line.getAttribute("href");
  await line.click();
  await expect(page.locator(target)).toBeInViewport();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(map).toBeHidden();
  await page.getByRole("button", { name: "Overview", exact: true }).click();
  await expect(map).toBeVisible();
  await map.locator("li a").first().click();
  await expect(page.locator(await map.locator("li a").first().getAttribute("href"))).toBeInViewport();
  await context.close();
});

test("a community has a mosaic until it has a banner", async () => {
  const { page, context, problems } = await person();
  for (const address of ["/c/golang", "/communities"]) {
    await page.goto(base + address);
    const pictures = page.locator("img.mosaic");
    assert.ok(await pictures.count() > 0);
    await expect.poll(() => pictures.first().evaluate((it) => it.naturalWidth)).toBeGreaterThan(100);
  }
  const response = await context.request.get(base + await page.locator("img.mosaic").first().getAttribute("src"));
  assert.match(response.headers()["cache-control"], /immutable/);
  assert.ok((await response.body()).length < 2048);
  assert.deepEqual(problems, []);
  await context.close();
});
