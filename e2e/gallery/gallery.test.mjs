// Every kind of page, looked at for what keeps people out. By day those of which the verdict is not known (verdicts.txt), each once; by night,
// with PLAZA_ALL=1, all of them in all combinations of theme, width and density.

import assert from "node:assert/strict";
import { availableParallelism } from "node:os";
import { after, before, test } from "node:test";
import { launch } from "../chromium.mjs";
import { startGallery } from "./gallery.mjs";
import { languages, look } from "./look.mjs";
import { hashOf, readVerdicts, writeVerdicts } from "./verdicts.mjs";

const all = Boolean(process.env.PLAZA_ALL);

let browser, gallery;
before(async () => {
  [browser, gallery] = [await launch(), await startGallery(languages)];
});
after(async () => {
  await browser?.close();
  gallery?.stop();
});

/** open is a page of its own. */
const open = async () => (await browser.newContext({ bypassCSP: true, reducedMotion: "reduce" })).newPage();

test("every kind of page is for everybody", { concurrency: availableParallelism() }, async (t) => {
  const known = readVerdicts();
  const hashes = new Map(gallery.pages.map((page) => [page.name, hashOf(page)]));
  const [unknown, verdicts] = [[], new Map()];
  for (const [name, hash] of hashes) {
    if (all || known.get(name) !== hash) unknown.push(name);
    else verdicts.set(name, hash);
  }
  t.diagnostic(`${unknown.length} of ${hashes.size} pages are looked at`);
  let compared = 0;
  const rest = unknown.values();
  await Promise.all(Array.from({ length: availableParallelism() }, async () => {
    const page = await open();
    for (const name of rest) {
      await t.test(name, async () => {
        const { found, pairs } = await look(page, gallery.url, name, all);
        compared += pairs;
        assert.deepEqual(found, []);
        verdicts.set(name, hashes.get(name));
      });
    }
    await page.context().close();
  }));
  if (all) assert.ok(compared > 50, `${compared} controls that are on`);
  assert.ok(!writeVerdicts(verdicts), "e2e/gallery/verdicts.txt was not of these pages. It is now, but for those on which something was found: commit it");
});

// A page that nobody looked at and one on which nothing was found are the same in the list.
test("each check finds what is planted", async () => {
  const page = await open();
  const pale = 'style="color: #888; background: #999"';
  await page.route("**/planted?*", (route) => route.fulfill({
    contentType: "text/html; charset=utf-8",
    body: `<!doctype html><html lang="${new URL(route.request().url()).searchParams.get("lang")}"><title>Planted</title><style>main:focus-within { outline: 1px solid }</style><main><h1>Planted</h1>
      <p ${pale}>Pale</p><details><summary>Menu</summary><p ${pale}>Pale</p><p style="width: 1300px">Wide</p></details><p style="width: 400px">Wide</p>
      <h3>Deep</h3><button style="width: 40px; overflow-wrap: anywhere">Warteschlange</button><p>One<br>· two</p><button style="height: 20px">Low</button><img src="/favicon.svg">
      <nav><a href="/" aria-current="page">Here</a> <a href="/">There</a></nav></main></html>`,
  }));
  const { found } = await look(page, gallery.url, "planted", false);
  for (const planted of [/^en, 1280 px: h1 is followed by: <h3/, /^de, 320 px: breaks “Warteschlange”/, /^en, 390 px: a dot begins a line: <p/, /×20 px to hit: .*Low/,
    /^2 rings around .*There/, /^ar-XB, 320 px: the/, /^en, 320 px: opened: <p/, /^long words, 390 px, standard: /, /^long words, 1280 px, standard, opened: /,
    /^forced colours: .*Here/, /^second engine: img_alt_/, / px, \w+, \w+: color-contrast: /, /opened: color-contrast: /]) {
    assert.ok(found.some((text) => planted.test(text)), `${planted} is not among\n${found.join("\n")}`);
  }
  await page.context().close();
});
