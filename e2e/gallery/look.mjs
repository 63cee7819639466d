// A look at a page: all that is found on it by all checks.

import assert from "node:assert/strict";
import { axeFinds } from "./axe.mjs";
import { drawnMisses, ringMisses } from "./drawn.mjs";
import { forcedHides } from "./forced.mjs";
import { longMisses, roomMisses } from "./room.mjs";
import { secondFinds } from "./second.mjs";
import { spoken, spokenMisses } from "./spoken.mjs";

/** languages are those that pages are looked at in. That of tests is a third longer than English and written from right to left. */
export const languages = ["en", "de", "ar-XB"];

/** look returns all that is wrong with a page, and how many controls it compared in forced colours. all are all combinations. */
export async function look(page, url, name, all) {
  const found = [];
  const show = async (lang) => {
    assert.ok((await page.goto(`${url}${name}?lang=${lang}`)).ok());
    assert.equal(await page.locator("html").getAttribute("lang"), lang);
  };
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 320, height: 800 });
  for (const lang of languages.toReversed()) {
    await show(lang);
    found.push(...(await drawnMisses(page)).map((text) => `${lang}, ${text}`));
    found.push(...(await roomMisses(page)).map((text) => `${lang}, ${text}`));
  }
  await page.setViewportSize({ width: 1280, height: 900 }); // still in English
  const { pairs, alike } = await forcedHides(page);
  found.push(...await ringMisses(page)); // with the menus that are open now
  found.push(...alike, ...await secondFinds(page));
  assert.ok((await page.goto(`${url}${name}?long`)).ok());
  found.push(...await longMisses(page, all));
  await show("en");
  found.push(...await axeFinds(page, name, all));
  if (name in spoken) {
    await page.setViewportSize({ width: 1280, height: 900 });
    await show("en");
    found.push(...await spokenMisses(page, name));
  }
  return { found, pairs };
}
