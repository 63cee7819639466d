// What axe finds on a page: WCAG 2.2 AA and best practice. A page has one of the thirty combinations of theme, width and density, by its name;
// by night it has them all.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

export const axe = readFileSync(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const levels = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
// What can differ from one combination to the next: sizes do with width and density, colours with the theme too.
const colours = ["color-contrast", "link-in-text-block"];
const sizes = ["target-size", "scrollable-region-focusable"];

// What is out of sight is laid out, too, and what sticks to the lower edge is at its place: one scrolls what lies below it.
const whole = "* { content-visibility: visible !important } .selected, .mailbar { position: static !important }";

const combinations = [];
for (const width of [1280, 390, 768, 360, 1920]) {
  for (const density of ["", "compact", "cards"]) for (const colorScheme of ["light", "dark"]) combinations.push({ width, density, colorScheme });
}

// What has been looked at: a menu that many pages have is looked at once in each combination, and what a combination changes nothing of is not
// looked at again.
const seen = new Set();

// arrange returns what there is to look at: the page, and the first menu of each kind.
const arrange = ([density, all]) => {
  if (density) document.documentElement.dataset.density = density;
  else delete document.documentElement.dataset.density;
  let appearance = "";
  for (const el of all ? document.querySelectorAll("body *") : []) { // everything that axe can see
    if (!el.checkVisibility()) continue;
    const { x, y, width, height } = el.getBoundingClientRect();
    const { color, backgroundColor, opacity, fontSize, fontWeight } = getComputedStyle(el);
    appearance += [x, y, width, height, color, backgroundColor, opacity, fontSize, fontWeight, ""];
  }
  const kinds = new Map();
  for (const el of document.querySelectorAll("details:not([open])")) {
    delete el.dataset.menu;
    if (el.querySelector("summary").checkVisibility() && !kinds.has(el.className)) kinds.set(el.className, el);
  }
  return [{ appearance }, ...[...kinds.values()].map((el, menu) => {
    const appearance = el.outerHTML;
    el.dataset.menu = menu;
    return { menu, appearance };
  })];
};

const run = async ([menu, runOnly]) => {
  const el = document.querySelector(`[data-menu="${menu}"]`);
  if (el) el.open = true;
  const { violations } = await globalThis.axe.run(el ?? document, { runOnly, resultTypes: ["violations"] });
  if (el) el.open = false;
  return violations.map((v) => `${v.id}: ${v.nodes.map((node) => node.html.slice(0, 200)).join(" ")}`);
};

/** axeFinds looks at a page with its menus closed, and then at the first menu of each kind, opened. */
export async function axeFinds(page, name, all) {
  await page.addStyleTag({ content: whole });
  await page.evaluate(axe);
  const found = [];
  for (const [n, at] of (all ? combinations : [combinations[createHash("sha256").update(name).digest()[0] % combinations.length]]).entries()) {
    const what = `${at.width} px, ${at.density || "standard"}, ${at.colorScheme}`;
    await page.setViewportSize({ width: at.width, height: 900 });
    await page.emulateMedia({ colorScheme: at.colorScheme });
    const looks = await page.evaluate(arrange, [at.density, all]);
    for (const { menu, appearance } of looks) {
      const key = `${menu === undefined ? name : what} ${appearance}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const rules = { type: "rule", values: at.colorScheme === "dark" ? colours : [...colours, ...sizes] };
      const violations = await page.evaluate(run, [menu, n > 0 ? rules : menu === undefined ? levels : levels.slice(0, 5)]);
      found.push(...violations.map((text) => `${what}${menu === undefined ? "" : `, menu ${menu} opened`}: ${text}`));
    }
  }
  return found;
}
