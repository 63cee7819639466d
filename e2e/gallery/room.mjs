// What has no room on the narrowest screen (WCAG 1.4.10), with the spacing of text that a reader may choose (1.4.12), and where people write
// long words.

const spacing = "* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important } p { margin-bottom: 2em !important }";

// What sticks out of the page, and what is cut off where nobody can scroll to it.
const outside = () => {
  const rtl = document.documentElement.dir === "rtl";
  const scrolls = (el) => el && (/auto|scroll|hidden|clip/.test(getComputedStyle(el).overflowX) || scrolls(el.parentElement));
  const found = [];
  if (document.documentElement.scrollWidth > innerWidth) found.push(`the page is ${document.documentElement.scrollWidth} px wide`);
  for (const el of document.querySelectorAll("body *")) {
    const box = el.getBoundingClientRect();
    const out = box.width && (rtl ? box.left < -1 : box.right > innerWidth + 1);
    const cut = el.matches("button, .button, .menu > summary, label, legend, th") && el.scrollWidth > el.clientWidth + 1 && getComputedStyle(el).overflowX === "hidden";
    if (!out && !cut || !el.checkVisibility() || el.closest(".vh, svg") || scrolls(el.parentElement)) continue;
    if (out) found.push(`${el.outerHTML.slice(0, 120)}: ${Math.round(box.left)} to ${Math.round(box.right)}`);
    if (cut) found.push(`cut off: ${el.outerHTML.slice(0, 120)}`);
  }
  return found;
};

const openMenus = (page) => page.evaluate(() => document.querySelectorAll("details").forEach((el) => { el.open = true; }));

/** roomMisses looks at a page as it is, with the reader's spacing, and with all menus open. */
export async function roomMisses(page) {
  const found = await page.evaluate(outside);
  const style = await page.addStyleTag({ content: spacing });
  found.push(...(await page.evaluate(outside)).map((text) => `spaced: ${text}`));
  await style.evaluate((el) => el.remove());
  await openMenus(page);
  found.push(...(await page.evaluate(outside)).map((text) => `opened: ${text}`));
  return found.map((text) => `320 px: ${text}`);
}

/** longMisses looks at a page of long words, first with all menus closed and then open; with all, in each density of lists. */
export async function longMisses(page, all) {
  const found = new Set();
  for (const opened of ["", ", opened"]) {
    if (opened) await openMenus(page);
    for (const width of [320, 390, 768, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      for (const density of all ? ["compact", "cards", ""] : [""]) {
        await page.evaluate((density) => {
          if (density) document.documentElement.dataset.density = density;
          else delete document.documentElement.dataset.density;
        }, density);
        for (const text of await page.evaluate(outside)) found.add(`long words, ${width} px, ${density || "standard"}${opened}: ${text}`);
      }
    }
  }
  return [...found];
}
