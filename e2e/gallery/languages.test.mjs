// Every kind of page in each language, on the narrowest screen (WCAG 1.4.10) and with the spacing of text that a reader may choose
// (1.4.12). The language of tests is a third longer than English and written from right to left.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch } from "../site.mjs";
import { startGallery } from "./gallery.mjs";

const spacing = "* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important } p { margin-bottom: 2em !important }";

let browser, gallery;
before(async () => {
  [browser, gallery] = [await launch(), await startGallery()];
});
after(async () => {
  await browser.close();
  gallery.stop();
});

// What sticks out of the page, and what is cut off where nobody can scroll to it.
const outside = () => {
  const rtl = document.documentElement.dir === "rtl";
  const scrolls = (el) => el && (/auto|scroll|hidden|clip/.test(getComputedStyle(el).overflowX) || scrolls(el.parentElement));
  const found = [];
  if (document.documentElement.scrollWidth > innerWidth) found.push(`the page is ${document.documentElement.scrollWidth} px wide`);
  for (const el of document.querySelectorAll("body *")) {
    if (!el.checkVisibility() || el.closest(".vh, svg") || scrolls(el.parentElement)) continue;
    const box = el.getBoundingClientRect();
    if (box.width && (rtl ? box.left < -1 : box.right > innerWidth + 1)) found.push(`${el.outerHTML.slice(0, 120)}: ${Math.round(box.left)} to ${Math.round(box.right)}`);
    if (el.matches("button, .button, .menu > summary, label, legend, th") && el.scrollWidth > el.clientWidth + 1 && getComputedStyle(el).overflowX === "hidden") {
      found.push(`cut off: ${el.outerHTML.slice(0, 120)}`);
    }
  }
  return found;
};

for (const lang of ["en", "de", "ar-XB"]) {
  test(`every kind of page has room on 320 px in ${lang}, with the reader's spacing too`, async (t) => {
    const context = await browser.newContext({ bypassCSP: true, reducedMotion: "reduce", viewport: { width: 320, height: 800 }, javaScriptEnabled: true });
    const page = await context.newPage();
    for (const name of gallery.names) {
      await t.test(name, async () => {
        await page.goto(`${gallery.url}${name}?lang=${lang}`, { waitUntil: "domcontentloaded" });
        assert.equal(await page.locator("html").getAttribute("lang"), lang);
        const found = await page.evaluate(outside);
        await page.addStyleTag({ content: spacing });
        found.push(...(await page.evaluate(outside)).map((text) => `spaced: ${text}`));
        assert.deepEqual(found, []);
      });
    }
    await context.close();
  });
}

// How an element looks, with what stands before it.
const look = (el) => {
  const of = (pseudo) => {
    const style = getComputedStyle(el, pseudo);
    return ["color", "backgroundColor", "borderTopColor", "borderBottomColor", "borderBottomWidth", "borderInlineStartColor", "borderInlineStartWidth", "outlineStyle",
      "fontWeight", "textDecorationLine", "content"].map((name) => style[name]).join(" ");
  };
  return of() + of("::before") + of("::after");
};

test("what is on is seen in forced colours", async (t) => {
  const context = await browser.newContext({ bypassCSP: true, forcedColors: "active", viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  let compared = 0;
  for (const name of gallery.names) {
    await t.test(name, async () => {
      await page.goto(gallery.url + name, { waitUntil: "domcontentloaded" });
      const { pairs, alike } = await page.evaluate((source) => {
        const look = new Function(`return ${source}`)();
        const alike = [];
        let pairs = 0;
        for (const el of document.querySelectorAll("details")) el.open = true;
        for (const [on, off] of [['[aria-pressed="true"]', '[aria-pressed="false"]'], ["[aria-current]", ":not([aria-current])"]]) {
          for (const el of document.querySelectorAll(on)) {
            const other = [...el.parentElement.querySelectorAll(`:scope > ${el.localName}${off}`)].find((it) => it.checkVisibility());
            if (!other || !el.checkVisibility()) continue;
            pairs += 1;
            if (look(el) === look(other)) alike.push(el.outerHTML.slice(0, 150));
          }
        }
        return { pairs, alike };
      }, look.toString());
      compared += pairs;
      assert.deepEqual(alike, []);
    });
  }
  assert.ok(compared > 50, `${compared} controls that are on`);
  await context.close();
});
