// Pictures in comments: chosen by one click, pasted, described, shown large and taken out; without JavaScript by the page of the form.

import assert from "node:assert/strict";
import { base, browser, expect, person, signUp, test, uniqueName } from "./site.mjs";

test.describe.configure({ mode: "serial" });

const community = uniqueName("cpic");
let ann, thread;

/** drawn is a PNG of one colour, drawn by the browser. */
const drawn = (page, colour, width, height) => page.evaluate(async ([fill, w, h]) => {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: w, height: h });
  const context = canvas.getContext("2d");
  context.fillStyle = fill;
  context.fillRect(0, 0, w, h);
  const blob = await new Promise((done) => { canvas.toBlob(done, "image/png"); });
  return [...new Uint8Array(await blob.arrayBuffer())];
}, [colour, width, height]).then((bytes) => ({ name: `${colour.slice(1)}.png`, mimeType: "image/png", buffer: Buffer.from(bytes) }));

const uploaded = (form, n) => expect(async () => assert.ok((await form.locator(".picks input[hidden]").evaluateAll((list) => list.filter((input) => input.value).length)) === n, `${n} are uploaded`)).toPass();

test.beforeAll(async () => {
  ann = await person();
  await signUp(ann.page, uniqueName("ann"));
  const post = async (path, form) => {
    const response = await ann.context.request.post(base + path, { form, headers: { origin: base }, maxRedirects: 0 });
    assert.equal(response.status(), 303);
    return response.headers().location;
  };
  await post("/communities", { name: community, title: "Pictures" }); // who founds one is trusted
  thread = base + await post(`/c/${community}/submit`, { title: "Show me", text: "Please." });
});
test.afterAll(async () => {
  await ann.context.close();
  assert.deepEqual(ann.problems, []);
});

test("two are chosen, described, posted without words, opened large, and one is taken out", async () => {
  const { page } = ann;
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(thread);
  const form = page.locator(".thread > form.reply");
  await form.locator("textarea[name=body]").focus();
  const chooser = page.waitForEvent("filechooser");
  await form.getByRole("button", { name: "Pictures" }).click();
  await (await chooser).setFiles([await drawn(page, "#aa2211", 1200, 600), await drawn(page, "#1122aa", 500, 900)]);
  await uploaded(form, 2);
  await form.getByLabel("Describe picture 1").fill("Red");
  await form.getByRole("button", { name: "Comment", exact: true }).click();
  const comment = page.locator("#thread > .comment");
  const images = comment.locator(".gallery.few img");
  await images.first().waitFor();
  const seen = await images.evaluateAll((list) => list.map((img) => [img.alt, img.getBoundingClientRect().height]));
  assert.deepEqual(seen.map(([alt]) => alt), ["Red", "Picture 2 of 2, without a description"]);
  for (const [, height] of seen) assert.ok(Math.abs(height - 112) <= 1, `${height}: a ratio is rounded`);
  await expect(form.locator(".picks li"), "the form is empty again").toHaveCount(0);
  await expect(async () => assert.ok(await page.evaluate(() => document.documentElement.dataset.gallery === "1"), "the script is there")).toPass();
  await images.first().click();
  await page.locator("dialog.large[open] figcaption", { hasText: "Red" }).waitFor();
  await page.keyboard.press("ArrowRight");
  await page.locator("dialog.large[open] figcaption", { hasText: "Picture 2 of 2" }).waitFor();
  await page.keyboard.press("Escape");
  await comment.locator(".dots summary").first().click();
  await comment.getByRole("link", { name: "Edit" }).click();
  const edit = page.locator("form.change");
  await edit.getByRole("checkbox", { name: "Remove" }).nth(1).check();
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(images, "one is left").toHaveCount(1);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page is no wider than the screen");
});

test("one that is pasted into a reply brings the field", async () => {
  const { page } = ann;
  await page.goto(thread);
  await page.locator("#thread > .comment").first().getByRole("link", { name: "Reply" }).click();
  const form = page.locator("#thread form.reply");
  await form.locator("textarea").fill("A pasted one");
  const { buffer } = await drawn(page, "#22aa44", 640, 480);
  await form.locator("textarea").evaluate((field, bytes) => {
    const carried = new DataTransfer();
    carried.items.add(new File([new Uint8Array(bytes)], "a.png", { type: "image/png" }));
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: carried, bubbles: true, cancelable: true }));
  }, [...buffer]);
  await uploaded(form, 1);
  await form.getByRole("button", { name: "Reply", exact: true }).click();
  await expect(page.locator("#thread .comment .comment .gallery.few img"), "it is shown").toHaveCount(1);
});

test("without JavaScript they come by the page of the form", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, storageState: await ann.context.storageState() });
  const page = await context.newPage();
  await page.goto(thread);
  const form = page.locator(".thread > form.reply");
  await form.locator("textarea").fill("By hand");
  await form.getByRole("button", { name: "Pictures" }).click();
  await page.setInputFiles("input[type=file]", [await drawn(ann.page, "#cc8800", 500, 400),
    { name: "x.svg", mimeType: "image/svg+xml", buffer: Buffer.from("<svg/>") }]);
  await page.getByRole("button", { name: "Upload" }).click();
  await page.getByText("x.svg is no JPEG, PNG, GIF or WebP picture.").waitFor();
  await page.getByLabel("Describe picture 1").fill("Amber");
  await page.getByRole("button", { name: "Comment", exact: true }).click();
  await page.waitForURL(/\/p\/show-me/);
  const image = page.locator('.gallery.few img[alt="Amber"]');
  await expect(image.locator("xpath=ancestor::article[1]").getByText("By hand")).toHaveCount(1);
  assert.equal((await context.request.get(base + await image.getAttribute("src"))).status(), 200);
  await context.close();
});
