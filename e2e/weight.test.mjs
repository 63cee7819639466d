// What a list of 25 posts with thumbnails weighs on slow 3G, and how much it shifts. Not how long it takes: that is the machine's.

import assert from "node:assert/strict";
import { base, browser, expect, figure, looksBehind, person, signUp, sql, test, uniqueName } from "./site.mjs";

test.describe.configure({ mode: "serial" });

const community = uniqueName("heavy");
let ann, posts, before25;

/** photographs are pictures that compress as photographs do: parts of one with soft shapes below noise of several sizes. */
const photographs = (page, from, count) => page.evaluate(async ([first, many]) => {
  const make = (width, height) => Object.assign(document.createElement("canvas"), { width, height });
  const whole = make(640, 480);
  const context = whole.getContext("2d");
  let state = 7920;
  const random = () => { state = (state * 1103515245 + 12345) % 2147483648; return state / 2147483648; };
  const sky = context.createLinearGradient(0, 0, 0, 480);
  sky.addColorStop(0, `hsl(${random() * 360} 50% 70%)`);
  sky.addColorStop(1, `hsl(${random() * 360} 40% 30%)`);
  context.fillStyle = sky;
  context.fillRect(0, 0, 640, 480);
  for (let layer = 0; layer < 6; layer += 1) {
    const size = 120 / 2 ** layer;
    for (let i = 0; i < 90 * 2 ** layer; i += 1) {
      context.fillStyle = `hsl(${random() * 360} ${30 + random() * 40}% ${20 + random() * 60}% / ${0.15 + random() * 0.35})`;
      context.beginPath();
      context.ellipse(random() * 640, random() * 480, size * random(), size * random(), random() * 3, 0, 7);
      context.fill();
    }
  }
  const found = [];
  for (let n = first; n < first + many; n += 1) {
    const part = make(320, 240); // a larger one has the same thumbnail, and takes longer
    part.getContext("2d").drawImage(whole, -12 * n, -9 * n);
    const blob = await new Promise((done) => { part.toBlob(done, "image/jpeg", 0.9); });
    found.push([...new Uint8Array(await blob.arrayBuffer())]);
  }
  return found;
}, [from, count]).then((list) => list.map((bytes, n) => ({ name: `${from + n}.jpg`, mimeType: "image/jpeg", buffer: Buffer.from(bytes) })));

test.beforeAll(async () => {
  ann = await person();
  await signUp(ann.page, uniqueName("ann"));
  // Who has founded a community moderates it, and is trusted.
  const response = await ann.context.request.post(`${base}/communities`, { form: { name: community, title: "Heavy" }, headers: { origin: base },
    maxRedirects: 0 });
  assert.equal(response.status(), 303);
});
test.afterAll(async () => {
  await ann?.context.close();
  for (const [id, pictures] of before25 ?? []) await sql("UPDATE posts SET pictures = ? WHERE id = ?", pictures, id);
});

test.describe("a list of 25 posts with thumbnails, on slow 3G", () => {
  looksBehind();
  test("pictures are uploaded as a member does", async () => {
    const { page } = ann;
    const rows = [];
    for (let batch = 0; batch < 25; batch += 5) {
      await page.goto(`${base}/c/${community}/submit?kind=image`);
      await page.setInputFiles("#pictures", await photographs(page, batch, 5));
      await expect(async () => assert.ok((await page.locator(".picks input[hidden]").evaluateAll((list) =>
        list.filter((input) => input.value).length)) === 5, "they are uploaded")).toPass();
      rows.push(...await page.locator(".picks input[hidden]").evaluateAll((list) => list.map((input) => input.value)));
      await page.evaluate(() => localStorage.clear());
    }
    assert.equal(new Set(rows).size, 25);
    // Posts of a community with many, as they are, with a picture each.
    const [[name]] = await sql(`SELECT p.community_name FROM posts p WHERE p.status = 'published' AND p.nsfw = 0 GROUP BY p.community_id
      HAVING count(*) > 30 LIMIT 1`);
    before25 = await sql(`SELECT p.id || '', p.pictures FROM posts p JOIN communities c ON c.id = p.community_id WHERE c.name = ?
      AND p.status = 'published' AND p.pinned_at IS NULL ORDER BY p.created_at DESC, p.id DESC LIMIT 25`, name);
    for (const [n, [id]] of before25.entries()) {
      await sql("UPDATE posts SET pictures = ? WHERE id = ?", JSON.stringify([{ sum: rows[n], w: 600, h: 450, small: true }]), id);
    }
    posts = `/c/${name}/new`;
  });

  for (const width of [390, 1280]) {
    test(`at ${width} pixels: at most 350 KB in all, and nothing shifts`, async () => {
      const context = await browser.newContext({ viewport: { width, height: 844 } });
      const page = await context.newPage();
      page.setDefaultTimeout(300_000);
      const devtools = await context.newCDPSession(page);
      let bytes = 0;
      const parts = {};
      const urls = new Map();
      devtools.on("Network.responseReceived", ({ requestId, response }) => urls.set(requestId, response.mimeType));
      devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
        bytes += encodedDataLength;
        const kind = urls.get(requestId) ?? "?";
        parts[kind] = (parts[kind] ?? 0) + encodedDataLength;
      });
      await devtools.send("Network.enable");
      await devtools.send("Network.emulateNetworkConditions", { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 });
      await page.addInitScript(() => {
        window.shifted = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
        }).observe({ type: "layout-shift", buffered: true });
      });
      await page.goto(base + posts, { timeout: 300_000 });
      const thumbs = page.locator(".th img");
      assert.ok(await thumbs.count() >= 24, `${await thumbs.count()} thumbnails`);
      for (let n = 0; n < await thumbs.count(); n += 1) {
        await thumbs.nth(n).scrollIntoViewIfNeeded();
        await expect(async () => assert.ok(await thumbs.nth(n).evaluate((img) => img.complete && img.naturalWidth > 0), "it is loaded")).toPass();
      }
      const shifted = await page.evaluate(() => window.shifted);
      figure(`${width}: ${Math.round(bytes / 1000)} KB, CLS ${shifted.toFixed(4)}, ${JSON.stringify(parts)}`);
      assert.ok(bytes <= 350_000, `${bytes} bytes: ${JSON.stringify(parts)}`);
      assert.ok(shifted <= 0.02, `CLS ${shifted}`);
      await context.close();
    });
  }
});
