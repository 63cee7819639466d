// Pictures in the moderators' queue, blurred until somebody opens them, and pictures that must not come again.

import assert from "node:assert/strict";
import { base, browser, expect, form, looksBehind, person, signUp, test, uniqueName } from "./site.mjs";

test.describe.configure({ mode: "serial" });

/** cloth is a JPEG of checks, the same for the same seed. quality makes other bytes of it. */
const cloth = (page, seed, quality) => page.evaluate(async ([shift, q]) => {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: 1200, height: 800 });
  const context = canvas.getContext("2d");
  for (let x = 0; x < 12; x += 1) {
    for (let y = 0; y < 8; y += 1) {
      context.fillStyle = `hsl(${(x * 97 + y * 53) % 360} 60% ${20 + (x * 37 + y * 61 + shift * (x * x + 3 * y * y + 7)) % 60}%)`;
      context.fillRect(x * 100, y * 100, 100, 100);
    }
  }
  const blob = await new Promise((done) => { canvas.toBlob(done, "image/jpeg", q); });
  return [...new Uint8Array(await blob.arrayBuffer())];
}, [seed, quality]).then((bytes) => ({ name: "cloth.jpg", mimeType: "image/jpeg", buffer: Buffer.from(bytes) }));

test.describe("blocked pictures", () => {
  looksBehind();
  const community = uniqueName("cloths");
  let mod, reader;

  test.beforeAll(async () => {
    mod = await person();
    await signUp(mod.page, uniqueName("weaver"));
    reader = await person();
    await signUp(reader.page, uniqueName("reader"));
    assert.equal((await mod.context.request.post(`${base}/communities`, form({ name: community, title: "Cloths" }))).status(), 303);
  });
  test.afterAll(async () => {
    for (const { context } of [mod, reader]) await context.close();
  });

  // upload chooses a picture in the form, and returns what is said about it.
  const upload = async (seed, quality) => {
    await mod.page.goto(`${base}/c/${community}/submit?kind=image`);
    await mod.page.setInputFiles("#pictures", [await cloth(mod.page, seed, quality)]);
    const said = mod.page.locator(".picks .wrong");
    await expect(async () => assert.ok(await said.count() > 0
      || await mod.page.locator(".picks input[hidden]").evaluateAll((list) => list.some((input) => input.value)), "it is uploaded or refused")).toPass();
    return await said.count() ? said.first().textContent() : "";
  };
  const post = async (title, seed, quality) => {
    assert.equal(await upload(seed, quality), "");
    await mod.page.getByLabel("Title").fill(title);
    await mod.page.getByRole("button", { name: "Post", exact: true }).click();
    await mod.page.waitForURL(/\/p\//);
    return /[?]target=(\w{13})"/.exec(await mod.page.content())[1];
  };
  const blurred = (page) => page.locator(".shots img").first().evaluate((img) => getComputedStyle(img).filter !== "none");

  test("the queue shows them small and blurred: a key or a click clears, also without JavaScript", async () => {
    const target = await post("A checked cloth", 0, 0.9);
    assert.equal((await reader.context.request.post(`${base}/report`, form({ target, reason: "Spam", text: "" }))).status(), 303);
    const address = `${base}/c/${community}/mod/queue`;
    await mod.page.goto(address);
    assert.ok(await blurred(mod.page), "it is blurred");
    assert.ok((await mod.page.locator(".shots img").first().boundingBox()).height <= 80, "it is small");
    await mod.page.keyboard.press("v");
    assert.ok(!await blurred(mod.page), "a key clears");
    await mod.page.keyboard.press("v");
    assert.ok(await blurred(mod.page), "and blurs again");
    for (const javaScriptEnabled of [true, false]) {
      const phone = await browser.newContext({ javaScriptEnabled, viewport: { width: 390, height: 844 }, storageState: await mod.context.storageState() });
      const page = await phone.newPage();
      await page.goto(address);
      assert.ok(await blurred(page), "it is blurred on a phone");
      const width = await page.locator("html").evaluate((html) => html.scrollWidth);
      assert.ok(width <= 390, `the page is ${width} wide`);
      await page.locator(".shots summary").first().click();
      assert.ok(!await blurred(page), "a tap clears");
      await phone.close();
    }
  });

  test("one act removes and blocks: the same picture does not come again, and what looks like it waits", async () => {
    await post("The same cloth", 0, 0.5);
    await post("Another cloth", 5, 0.9);
    await mod.page.goto(`${base}/c/${community}/mod/queue`);
    await mod.page.keyboard.press("r");
    await mod.page.getByLabel(`Block its pictures in c/${community}`).check();
    await mod.page.getByRole("button", { name: "Spam", exact: true }).first().click();
    await mod.page.locator(".case.q.done").waitFor();
    assert.match(await mod.page.locator(".case.q.done strong").textContent(), /Its pictures are blocked, and 1 other post with them waits/);
    await mod.page.reload();
    assert.deepEqual(await mod.page.locator(".case.q h2").allTextContents(), ["The same cloth"]);
    assert.match(await upload(0, 0.9), /This picture was removed here/);
    await post("A cloth like it", 0, 0.6);
    await post("A cloth that is not like it", 5, 0.6);
    await mod.page.goto(`${base}/c/${community}/mod/queue`);
    assert.deepEqual((await mod.page.locator(".case.q h2").allTextContents()).sort(), ["A cloth like it", "The same cloth"]);
  });

  test("without JavaScript the same file is refused, and what was typed is there", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, storageState: await mod.context.storageState() });
    const page = await context.newPage();
    const file = await cloth(mod.page, 9, 0.9);
    const send = async (title) => {
      await page.goto(`${base}/c/${community}/submit?kind=image`);
      await page.setInputFiles("#pictures", [file]);
      await page.locator("[name=title]").fill(title);
      await page.getByRole("button", { name: "Post", exact: true }).last().click();
    };
    await send("Plain");
    await page.waitForURL(/\/p\//);
    const target = /[?]target=(\w{13})"/.exec(await page.content())[1];
    await page.goto(`${base}/c/${community}/mod/decide?target=${target}`);
    await page.getByLabel("Spam").check();
    await page.getByLabel(`Block its pictures in c/${community}`).check();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await send("Plain again");
    assert.match(await page.locator("main").textContent(), /was removed here\. It must not be posted again\./);
    await expect(page.locator("[name=title]")).toHaveValue("Plain again");
    await page.goto(`${base}/c/${community}/mod/pictures`);
    await page.getByRole("button", { name: "Unblock" }).first().click();
    await send("Plain once more");
    await page.waitForURL(/\/p\//);
    await context.close();
  });
});
