// Pictures of posts: chosen, pasted, described, put in order, tried again and posted; without JavaScript by the file field.

import assert from "node:assert/strict";
import { base, browser, expect, looksBehind, person, signUp, sql, test, uniqueName } from "./site.mjs";

test.describe.configure({ mode: "serial" });

const community = uniqueName("pics");
let ann;

/** drawn is a PNG of one colour with a line, drawn by the browser. */
const drawn = (page, colour, width = 2400, height = 1600) => page.evaluate(async ([fill, w, h]) => {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: w, height: h });
  const context = canvas.getContext("2d");
  context.fillStyle = fill;
  context.fillRect(0, 0, w, h);
  context.fillStyle = "#fff";
  context.fillRect(w / 4, h / 4, w / 8, h / 2);
  const blob = await new Promise((done) => { canvas.toBlob(done, "image/png"); });
  return [...new Uint8Array(await blob.arrayBuffer())];
}, [colour, width, height]).then((bytes) => ({ name: `${colour.slice(1)}.png`, mimeType: "image/png", buffer: Buffer.from(bytes) }));

const sums = (page) => page.locator(".picks input[hidden]").evaluateAll((list) => list.map((input) => input.value));

test.beforeAll(async () => {
  ann = await person();
  await signUp(ann.page, uniqueName("ann"));
  // Who has founded a community moderates it, and is trusted.
  const response = await ann.context.request.post(`${base}/communities`, { form: { name: community, title: "Pictures" }, headers: { origin: base },
    maxRedirects: 0 });
  assert.equal(response.status(), 303);
});
test.afterAll(async () => {
  await ann.context.close();
  assert.deepEqual(ann.problems.filter((problem) => !/ERR_FAILED/.test(problem)), []);
});

test.describe("with JavaScript", () => {
  test("two pictures are uploaded, described, put in order and posted", async () => {
    const { page } = ann;
    await page.goto(`${base}/c/${community}/submit?kind=image`);
    await page.setInputFiles("#pictures", [await drawn(page, "#aa2211"), await drawn(page, "#1122aa")]);
    await expect(async () => assert.ok((await sums(page)).filter(Boolean).length === 2, "both are uploaded")).toPass();
    const [red, blue] = await sums(page);
    await page.getByLabel("Describe picture 1").fill("Red");
    await page.getByLabel("Describe picture 2").fill("Blue");
    await page.locator(".picks li").nth(1).getByRole("button", { name: "Move up" }).click();
    assert.deepEqual(await sums(page), [blue, red]);
    await page.getByLabel("Title").fill("Two colours");
    await page.getByRole("button", { name: "Post", exact: true }).click();
    await page.waitForURL(/\/p\/two-colours/);
    const images = page.locator(".gallery img");
    assert.deepEqual(await images.evaluateAll((list) => list.map((img) => [img.alt, img.getAttribute("src"), img.getAttribute("width")])),
      [["Blue", `/picture/${blue}`, "623"], ["Red", `/picture/${red}`, "623"]]);
    await expect(async () => assert.ok(await images.evaluateAll((list) => list.every((img) => img.complete && img.naturalWidth > 0)), "they are shown")).toPass();
    const small = await ann.context.request.get(`${base}/picture/${blue}/small`);
    assert.equal(small.status(), 200);
    const bytes = (await small.body()).length;
    assert.ok(bytes <= 10000, `the small one has ${bytes} bytes`);
    await page.goto(`${base}/c/${community}/new`);
    assert.equal(await page.locator(".th img").getAttribute("src"), `/picture/${blue}/small`);
  });

  test("the row of several scrolls by keys, and nothing shifts", async () => {
    const { page } = ann;
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto(`${base}/c/${community}/new`);
    await page.getByRole("link", { name: "Two colours" }).first().click();
    const row = page.locator(".gallery ul");
    await row.focus();
    await page.keyboard.press("ArrowRight");
    await expect(async () => assert.ok(await row.evaluate((list) => list.scrollLeft > 0), "it has scrolled")).toPass();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page is no wider than the screen");
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test("one that failed can be tried again, and a draft keeps what was uploaded", async () => {
    const { page } = ann;
    await page.goto(`${base}/c/${community}/submit?kind=image`);
    const picture = await drawn(page, "#22aa11", 640, 480);
    await page.route("**/pictures", (route) => route.abort(), { times: 1 });
    await page.setInputFiles("#pictures", [picture]);
    await page.getByText("The upload failed.").waitFor();
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(async () => assert.ok((await sums(page)).filter(Boolean).length === 1, "it is uploaded")).toPass();
    const [green] = await sums(page);
    await page.getByLabel("Title").fill("A draft");
    await page.getByRole("button", { name: "Save draft" }).click();
    await page.waitForURL(/\/p\/a-draft/);
    await page.getByRole("link", { name: "Edit" }).first().click();
    await page.locator(`.picks img[src="/picture/${green}"]`).waitFor();
    await page.getByRole("button", { name: "Remove" }).click();
    assert.deepEqual(await sums(page), []);
  });

  test("what is pasted is uploaded, and what is no picture is refused with a message", async () => {
    const { page } = ann;
    await page.goto(`${base}/c/${community}/submit?kind=text`);
    const { buffer } = await drawn(page, "#444444", 300, 300);
    await page.locator("#text").evaluate((field, bytes) => {
      const carried = new DataTransfer();
      carried.items.add(new File([new Uint8Array(bytes)], "a.png", { type: "image/png" }));
      carried.items.add(new File(["<svg/>"], "b.png", { type: "image/png" }));
      field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: carried, bubbles: true, cancelable: true }));
    }, [...buffer]);
    await page.getByText("This file can't be read as a picture.").waitFor();
    await expect(async () => assert.ok((await sums(page)).filter(Boolean).length === 1, "the other is uploaded")).toPass();
  });
});

test.describe("without JavaScript", () => {
  test("pictures come with the form, which comes back with room for their descriptions", async () => {
    const { page: drawer } = ann;
    const picture = await drawn(drawer, "#cc8800", 500, 400);
    const context = await browser.newContext({ javaScriptEnabled: false, storageState: await ann.context.storageState() });
    const page = await context.newPage();
    await page.goto(`${base}/c/${community}/submit?kind=image`);
    await page.getByLabel("Title").fill("By hand");
    await page.setInputFiles("#pictures", [picture, { name: "x.svg", mimeType: "image/svg+xml", buffer: Buffer.from("<svg/>") }]);
    await page.getByRole("button", { name: "Upload" }).click();
    await page.getByText("x.svg is no JPEG, PNG, GIF or WebP picture.").waitFor();
    await page.getByLabel("Describe picture 1").fill("Amber");
    await page.getByRole("button", { name: "Post", exact: true }).click();
    await page.waitForURL(/\/p\/by-hand/);
    const image = page.locator(".gallery img");
    assert.equal(await image.getAttribute("alt"), "Amber");
    const response = await context.request.get(base + await image.getAttribute("src"));
    assert.equal(response.headers()["content-type"], "image/png");
    assert.match(response.headers()["content-security-policy"], /sandbox/);
    await context.close();
  });

  test("a picture that nothing uses goes after a day", async () => {
    looksBehind();
    const [[used, free]] = await sql(`SELECT sum(check_at IS NULL OR EXISTS (SELECT 1 FROM picture_uses u WHERE u.sum = p.sum)),
      sum(NOT EXISTS (SELECT 1 FROM picture_uses u WHERE u.sum = p.sum) AND check_at > created_at + 80000000) FROM pictures p`);
    assert.ok(used >= 3 && free >= 1, `${used} are used, and ${free} wait for the job`);
  });
});
