// A browser shows a cleaned picture as it shows the picture: the same pixels, turned in the same way.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { clean } from "../../worker/edge/shim/picture.mjs";
import { launch } from "../chromium.mjs";
import { cameras, HOSTILE, WHOLE } from "./pictures.mjs";

let browser;
let page;
before(async () => {
  browser = await launch();
  page = await browser.newPage();
});
after(() => browser?.close());

// drawn is what the browser shows of bytes: width, height and a sum of the pixels; null when it shows nothing.
const drawn = (bytes, type) => page.evaluate(async ([text, type]) => {
  const image = new Image();
  image.src = `data:${type};base64,${text}`;
  try {
    await image.decode();
  } catch {
    return null;
  }
  const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  let sum = 0;
  for (const byte of data) sum = Math.imul(sum ^ byte, 16777619);
  return `${canvas.width} ${canvas.height} ${sum}`;
}, [Buffer.from(bytes).toString("base64"), type]);

test("cleaned pictures look as before", async () => {
  const harmless = Object.entries(HOSTILE).filter(([, [, problem]]) => problem === null);
  for (const [name, bytes] of [...Object.entries(WHOLE).map(([name, [bytes]]) => [name, bytes]), ...harmless.map(([name, [bytes]]) => [name, bytes]), ...cameras()]) {
    const it = clean(bytes);
    const before = await drawn(bytes, it.type);
    assert.ok(before, `${name} is a picture`);
    assert.equal(await drawn(it.bytes, it.type), before, name);
    assert.ok(before.startsWith(`${it.width} ${it.height} `), `${name}: told as ${it.width} × ${it.height}, shown as ${before}`);
  }
});
