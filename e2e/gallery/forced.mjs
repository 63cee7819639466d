// What is on must be seen in forced colours, too.

// How an element looks, with what stands before it.
const look = (el) => {
  const of = (pseudo) => {
    const style = getComputedStyle(el, pseudo);
    return ["color", "backgroundColor", "borderTopColor", "borderBottomColor", "borderBottomWidth", "borderInlineStartColor", "borderInlineStartWidth", "outlineStyle",
      "fontWeight", "textDecorationLine", "content"].map((name) => style[name]).join(" ");
  };
  return of() + of("::before") + of("::after");
};

/** forcedHides returns the controls that are on and look as those that are off, and how many it compared. It opens all menus. */
export async function forcedHides(page) {
  await page.emulateMedia({ forcedColors: "active" });
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
  await page.emulateMedia({ forcedColors: "none" });
  return { pairs, alike: alike.map((text) => `forced colours: ${text}`) };
}
