// What a second engine finds on a page: IBM's, WCAG 2.2 AA.

import { readFileSync } from "node:fs";

export const ibm = readFileSync(new URL("../../node_modules/accessibility-checker-engine/ace.js", import.meta.url), "utf8");

// Rules that are left out, and why.
const left = {
  aria_form_label_unique: "a form without a name is no landmark (HTML-AAM 1.0, form); axe agrees",
  aria_article_label_unique: "a comment is an article that begins with its author's name; a name for it would be read twice",
  label_content_exists: "it takes labels that only a screen reader reads for empty ones",
};

/** secondFinds looks at a page with everything opened. */
export async function secondFinds(page) {
  await page.evaluate(ibm);
  return page.evaluate(async (left) => {
    for (const el of document.querySelectorAll("main details")) el.open = true;
    const checker = new globalThis.ace.Checker();
    // Rules that never fail, but only ask somebody to look, take three quarters of the time.
    const guideline = checker.getGuidelines().find(({ id }) => id === "WCAG_2_2");
    const fails = ({ id }) => /\bRuleFail\b/.test(checker.engine.getRule(id)?.run) && !left.includes(id);
    for (const point of guideline.checkpoints) point.rules = point.rules.filter(fails);
    checker.addGuideline(guideline);
    const report = await checker.check(document, [guideline.id]);
    return report.results.filter(({ value }) => value[0] === "VIOLATION" && value[1] === "FAIL")
      .map(({ ruleId, message, snippet }) => `second engine: ${ruleId}: ${message}: ${snippet.slice(0, 200)}`);
  }, Object.keys(left));
}
