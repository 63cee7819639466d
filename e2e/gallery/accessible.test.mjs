// Every kind of page by two engines that look for what keeps people out: axe (WCAG 2.2 AA and best practice) and IBM's (WCAG 2.2 AA). A page
// has one of the combinations of theme, width and density, another one each page, and the second engine looks at every fourth page. With
// PLAZA_LOOKS=all a page has all thirty combinations, and the second engine looks at every page.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { launch } from "../site.mjs";
import { startGallery } from "./gallery.mjs";

const source = (path) => readFileSync(new URL(`../../node_modules/${path}`, import.meta.url), "utf8");
const axe = source("axe-core/axe.min.js");
const ibm = source("accessibility-checker-engine/ace.js");
const levels = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
// What can differ from one combination to the next.
const seen = { type: "rule", values: ["color-contrast", "target-size", "link-in-text-block", "scrollable-region-focusable"] };

// What is out of sight is laid out, too, and what sticks to the lower edge is at its place: one scrolls what lies below it.
const whole = "* { content-visibility: visible !important } .selected, .mailbar { position: static !important }";

const combinations = [];
for (const width of [1280, 390, 768, 360, 1920]) {
  for (const density of ["", "compact", "cards"]) for (const colorScheme of ["light", "dark"]) combinations.push({ width, density, colorScheme });
}
const all = process.env.PLAZA_LOOKS === "all";

let browser, gallery;
before(async () => {
  [browser, gallery] = [await launch(), await startGallery()];
});
after(async () => {
  await browser.close();
  gallery.stop();
});

const said = (violations) => violations.map((v) => `${v.id}: ${v.nodes.map((node) => node.html.slice(0, 200)).join(" ")}`);

test("every kind of page is for everybody", async (t) => {
  const context = await browser.newContext({ bypassCSP: true, reducedMotion: "reduce" });
  const page = await context.newPage();
  let looked = 0;
  for (const [i, name] of gallery.names.entries()) {
    await t.test(name, async () => {
      await page.goto(gallery.url + name);
      await page.addStyleTag({ content: whole });
      await page.evaluate(axe);
      const found = [];
      const look = async (what, options, on) => {
        looked += 1;
        const violations = await page.evaluate(([at, runOnly]) => globalThis.axe.run(at ?? document, { runOnly, resultTypes: ["violations"] })
          .then((result) => result.violations), [on, options]);
        found.push(...said(violations).map((text) => `${what}: ${text}`));
      };
      for (const [n, at] of (all ? combinations : [combinations[(i * 7) % combinations.length]]).entries()) {
        const what = `${at.width} px, ${at.density || "standard"}, ${at.colorScheme}`;
        await page.setViewportSize({ width: at.width, height: 900 });
        await page.emulateMedia({ colorScheme: at.colorScheme });
        await page.evaluate((density) => {
          if (density) document.documentElement.dataset.density = density;
          else delete document.documentElement.dataset.density;
        }, at.density);
        await look(what, n === 0 ? levels : seen);
        // The first menu of each kind, opened.
        const menus = await page.evaluate(() => {
          const kinds = new Map();
          for (const el of document.querySelectorAll("details:not([open])")) {
            if (el.querySelector("summary").checkVisibility() && !kinds.has(el.className)) kinds.set(el.className, el);
          }
          return [...kinds.values()].map((el, n) => {
            el.dataset.menu = n;
            return n;
          });
        });
        for (const menu of menus) {
          await page.evaluate((n) => { document.querySelector(`[data-menu="${n}"]`).open = true; }, menu);
          await look(`${what}, menu ${menu} opened`, n === 0 ? levels.slice(0, 5) : seen, `[data-menu="${menu}"]`);
          await page.evaluate((n) => { document.querySelector(`[data-menu="${n}"]`).open = false; }, menu);
        }
      }
      assert.deepEqual(found, []);
    });
  }
  t.diagnostic(`${looked} runs of axe`);
  await context.close();
});

// Rules of the second engine that are left out, and why.
const left = {
  aria_form_label_unique: "a form without a name is no landmark (HTML-AAM 1.0, form); axe agrees",
  aria_article_label_unique: "a comment is an article that begins with its author's name; a name for it would be read twice",
  label_content_exists: "it takes labels that only a screen reader reads for empty ones",
};

test("a second engine finds nothing either", async (t) => {
  const context = await browser.newContext({ bypassCSP: true, reducedMotion: "reduce", viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  for (const name of gallery.names.filter((_, i) => all || i % 4 === 0)) {
    await t.test(name, async () => {
      await page.goto(gallery.url + name);
      await page.evaluate(ibm);
      const found = await page.evaluate(async (left) => {
        for (const el of document.querySelectorAll("main details")) el.open = true;
        const report = await new globalThis.ace.Checker().check(document, ["WCAG_2_2"]);
        return report.results.filter(({ value, ruleId }) => value[0] === "VIOLATION" && value[1] === "FAIL" && !left.includes(ruleId))
          .map(({ ruleId, message, snippet }) => `${ruleId}: ${message}: ${snippet.slice(0, 200)}`);
      }, Object.keys(left));
      assert.deepEqual(found, []);
    });
  }
  await context.close();
});
