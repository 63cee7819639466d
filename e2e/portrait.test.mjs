// Pictures elsewhere than in posts: of a member, the icon and the banner of a community, with and without JavaScript; a picture of a post
// that opens large in place.

import assert from "node:assert/strict";
import { base, browser, expect, person, signUp, test, uniqueName } from "./site.mjs";

test.describe.configure({ mode: "serial" });

const community = uniqueName("tiles");
const ann = uniqueName("ann");
let member;

/** drawn is a PNG of some colours side by side, drawn by the browser. */
const drawn = (page, colours, width = 900, height = 600) => page.evaluate(async ([fills, w, h]) => {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: w, height: h });
  const context = canvas.getContext("2d");
  fills.forEach((fill, n) => {
    context.fillStyle = fill;
    context.fillRect(w * n / fills.length, 0, w / fills.length, h);
  });
  const blob = await new Promise((done) => { canvas.toBlob(done, "image/png"); });
  return [...new Uint8Array(await blob.arrayBuffer())];
}, [colours, width, height]).then((bytes) => ({ name: "drawn.png", mimeType: "image/png", buffer: Buffer.from(bytes) }));

/** sizeOf are the pixels that a shown picture has. */
const sizeOf = async (image) => {
  await expect(async () => assert.ok(await image.evaluate((img) => img.complete && img.naturalWidth > 0), "it is shown")).toPass();
  return image.evaluate((img) => [img.naturalWidth, img.naturalHeight]);
};
const value = (page, name) => page.locator(`input[type=hidden][name=${name}]`).inputValue();

test.beforeAll(async () => {
  member = await person();
  await signUp(member.page, ann);
  const response = await member.context.request.post(`${base}/communities`, { form: { name: community, title: "Tiles" }, headers: { origin: base },
    maxRedirects: 0 });
  assert.equal(response.status(), 303);
});
test.afterAll(async () => {
  await member.context.close();
  assert.deepEqual(member.problems, []);
});

test.describe("with JavaScript", () => {
  test("a member's picture is cut to a square, shown beside the name, and removed again", async () => {
    const { page } = member;
    await page.goto(`${base}/settings/profile`);
    await page.setInputFiles("#picture-file", await drawn(page, ["#a00", "#0a0", "#00a"]));
    await expect(async () => assert.ok((await value(page, "picture")).length === 64, "it is uploaded")).toPass();
    const sum = await value(page, "picture");
    await page.locator("main").getByRole("button", { name: "Save", exact: true }).click();
    await page.waitForURL(/saved/);
    await page.goto(`${base}/u/${ann}`);
    const tile = page.locator(`main img.ci[src="/picture/${sum}"]`).first();
    assert.deepEqual(await sizeOf(tile), [320, 320]);
    await expect(page.locator(`header img.ci[src="/picture/${sum}"]`)).toHaveCount(1);
    const large = await member.context.request.get(`${base}/picture/${sum}`);
    assert.equal(large.status(), 200);

    await page.goto(`${base}/settings/profile`);
    await page.locator(".portrait").getByRole("button", { name: "Remove" }).click();
    await page.locator("main").getByRole("button", { name: "Save", exact: true }).click();
    await page.waitForURL(/saved/);
    await page.goto(`${base}/u/${ann}`);
    await expect(page.locator("main img.ci")).toHaveCount(0);
  });

  test("a community has an icon and a banner, and nothing shifts", async () => {
    const { page } = member;
    await page.goto(`${base}/c/${community}/settings`);
    await page.setInputFiles("#icon-file", await drawn(page, ["#fa0"]));
    await expect(async () => assert.ok((await value(page, "icon")).length === 64, "the icon is uploaded")).toPass();
    await page.setInputFiles("#banner-file", await drawn(page, ["#06a", "#0a6"], 2400, 1200));
    await expect(async () => assert.ok((await value(page, "banner")).length === 64, "the banner is uploaded")).toPass();
    await page.getByRole("button", { name: "Save the settings" }).click();
    await page.waitForURL(new RegExp(`/c/${community}$`));
    assert.deepEqual(await sizeOf(page.locator("img.banner")), [1600, 400]);
    assert.deepEqual(await sizeOf(page.locator(".head img.ci")), [320, 320]);
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      await page.goto(`${base}/c/${community}`);
      await sizeOf(page.locator("img.banner"));
      const shift = await page.evaluate(() => new Promise((done) => {
        let sum = 0;
        const read = (list) => { for (const entry of list) if (!entry.hadRecentInput) sum += entry.value; };
        const watched = new PerformanceObserver((list) => read(list.getEntries()));
        watched.observe({ type: "layout-shift", buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => {
          read(watched.takeRecords());
          done(sum);
        }));
      }));
      assert.ok(shift <= 0.02, `${shift} at ${width}`);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page is no wider than the screen");
    }
  });

  test("a picture of a post opens large in place: keys, buttons, swipes, and the focus returns", async () => {
    const { page, context } = member;
    await page.goto(`${base}/c/${community}/submit?kind=image`);
    await page.setInputFiles("#pictures", [await drawn(page, ["#123"]), await drawn(page, ["#456"]), await drawn(page, ["#789"])]);
    await expect(async () => assert.ok((await page.locator(".picks input[hidden]").evaluateAll((list) =>
      list.filter((input) => input.value).length)) === 3, "they are uploaded")).toPass();
    await page.getByLabel("Describe picture 1").fill("The first");
    await page.getByLabel("Title").fill("Three colours");
    await page.getByRole("button", { name: "Post", exact: true }).click();
    await page.waitForURL(/\/p\/three-colours/);
    const address = page.url();
    const links = page.locator(".gallery a");
    const dialog = page.locator("dialog.large");
    const shown = () => dialog.locator("img").getAttribute("src");
    const hrefs = await links.evaluateAll((list) => list.map((link) => link.href));

    await links.first().click();
    assert.equal(await shown(), hrefs[0]);
    assert.match(await dialog.locator("figcaption").textContent(), /1 of 3: The first/);
    await page.keyboard.press("ArrowRight");
    assert.equal(await shown(), hrefs[1]);
    await dialog.getByRole("button", { name: "Next picture" }).click();
    assert.equal(await shown(), hrefs[2]);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowLeft");
    assert.equal(await shown(), hrefs[2]);
    await page.keyboard.press("Escape");
    await expect(dialog, "it is closed").toBeHidden();
    await expect(async () => assert.ok((await page.evaluate(() => document.activeElement.href)) === hrefs[2], "the focus is on the picture that was shown last")).toPass();
    assert.equal(page.url(), address);

    const phone = await browser.newContext({ storageState: await context.storageState(), viewport: { width: 390, height: 844 }, hasTouch: true,
      isMobile: true });
    const hand = await phone.newPage();
    await hand.goto(address);
    await hand.locator(".gallery a").first().click();
    const devtools = await phone.newCDPSession(hand);
    const touch = (type, x) => devtools.send("Input.dispatchTouchEvent", { type, touchPoints: x === undefined ? [] : [{ x, y: 400 }] });
    await touch("touchStart", 300);
    await touch("touchMove", 200);
    await touch("touchMove", 120);
    await touch("touchEnd");
    await expect(hand.locator("dialog.large img"), "the next one is shown").toHaveAttribute("src", hrefs[1]);
    await hand.getByRole("button", { name: "Close" }).click();
    await expect(hand.locator("dialog.large"), "it is closed").toBeHidden();
    await phone.close();
  });
});

test.describe("without JavaScript", () => {
  test("the picture comes with the form, and a box removes it; pictures of a post are links", async () => {
    const picture = await drawn(member.page, ["#c80"], 300, 300);
    const context = await browser.newContext({ javaScriptEnabled: false, storageState: await member.context.storageState() });
    const page = await context.newPage();
    await page.goto(`${base}/settings/profile`);
    await page.setInputFiles("#picture-file", picture);
    await page.locator("main").getByRole("button", { name: "Save", exact: true }).click();
    await page.waitForURL(/saved/);
    await page.goto(`${base}/u/${ann}`);
    assert.equal(await page.locator("main img.ci").count() > 0, true);
    await page.goto(`${base}/settings/profile`);
    await page.getByLabel("Remove").check();
    await page.locator("main").getByRole("button", { name: "Save", exact: true }).click();
    await page.waitForURL(/saved/);
    await page.goto(`${base}/u/${ann}`);
    await expect(page.locator("main img.ci")).toHaveCount(0);

    await page.goto(`${base}/c/${community}/p/three-colours`);
    assert.match(await page.locator(".gallery a").first().getAttribute("href"), /^\/picture\/[0-9a-f]{64}$/);
    await context.close();
  });
});
