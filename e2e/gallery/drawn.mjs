// What a page draws badly: controls, headings and tables that break a word, lines that begin with the dot that divides facts, orders that are
// cut off, targets of less than 24 px, headings that skip a level, rows of pictures that are as high as the highest of them, and any number of
// rings but one around what has the focus.

// Everything but rings, at the width that the window has.
const badly = () => {
  const found = [];
  const shown = (el) => el.checkVisibility({ visibilityProperty: true }) && !el.closest(".vh, svg") && el.getBoundingClientRect().width > 1;
  const say = (what, el) => found.push(`${what}: ${el.outerHTML.slice(0, 140)}`);
  const texts = (el) => {
    const [walker, list] = [document.createTreeWalker(el, NodeFilter.SHOW_TEXT), []];
    while (walker.nextNode()) if (shown(walker.currentNode.parentElement)) list.push(walker.currentNode);
    return list;
  };
  const range = document.createRange();
  const boxes = (node, from, to) => {
    range.setStart(node, from);
    range.setEnd(node, to);
    return [...range.getClientRects()].filter(({ width }) => width);
  };
  const begins = (box, el) => { // at the edge of what lays out its line
    let block = el;
    while (getComputedStyle(block).display === "inline") block = block.parentElement;
    const [outer, style] = [block.getBoundingClientRect(), getComputedStyle(block)];
    return style.direction === "rtl"
      ? outer.right - parseFloat(style.paddingRight) - box.right < 2
      : box.left - outer.left - parseFloat(style.paddingLeft) < 2;
  };
  for (const el of document.querySelectorAll("button, .button, summary, legend, thead th, nav a, .foot a, h1, h2")) {
    if (!shown(el) || el.closest(".md, .post, .said")) continue; // what people write has words of any length
    for (const node of texts(el)) {
      for (const { 0: word, index } of node.data.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
        const lines = boxes(node, index, index + word.length);
        if (lines.some(({ top }) => top > lines[0].bottom - 2)) say(`breaks “${word}”`, el);
      }
    }
  }
  for (const el of document.querySelectorAll("body *")) {
    if (!getComputedStyle(el, "::before").content.startsWith('"·') || !shown(el)) continue;
    let before = el.previousElementSibling;
    while (before && !shown(before)) before = before.previousElementSibling;
    if (!before || el.getClientRects()[0].top > [...before.getClientRects()].at(-1).bottom - 2) say("a dot begins a line", el);
  }
  for (const node of texts(document.body)) {
    for (const { index } of node.data.matchAll(/(?<!\S)·(?!\S)/g)) {
      const el = node.parentElement;
      if (!el.closest(".md, title") && boxes(node, index, index + 1).some((box) => begins(box, el))) say("a dot begins a line", el);
    }
  }
  for (const el of document.querySelectorAll(".order summary > span")) if (shown(el) && el.scrollWidth > el.clientWidth + 1) say("cut off", el);
  for (const el of document.querySelectorAll("button, summary, select, input:not([type=hidden]), a.button, nav a, .acts a, .menu a")) {
    const { width, height } = (el.closest("label") ?? el).getBoundingClientRect();
    if (!shown(el) || el.disabled || el.closest(".md") || width >= 23.9 && height >= 23.9) continue;
    const style = getComputedStyle(el);
    const line = el.parentElement.matches("p, li, span, label, td") && style.display.startsWith("inline"); // in a sentence, or with a label that is hit
    const wider = ["::before", "::after"].some((pseudo) => getComputedStyle(el, pseudo).position === "absolute");
    if (!line && !wider) say(`${Math.round(width)}×${Math.round(height)} px to hit`, el);
  }
  for (const el of document.querySelectorAll(".gallery ul")) {
    const most = innerWidth < 640 ? Math.min(innerWidth, 416) + 16 : el.offsetWidth * .85; // on phones, one picture, and perhaps a scrollbar
    if (el.offsetHeight > most) say(`${el.offsetHeight} px high in a row of ${el.offsetWidth} px`, el);
  }
  let last = 0;
  for (const el of document.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    if (!el.checkVisibility()) continue;
    if (+el.localName[1] > last + 1) say(`h${last} is followed by`, el);
    last = +el.localName[1];
  }
  return found;
};

// What is drawn around an element that has the focus, and around those that it is in and that follow it.
const rings = (byKeys) => {
  const found = [];
  const ring = (el) => {
    const { outlineStyle, outlineWidth, outlineColor, outlineOffset, opacity } = getComputedStyle(el);
    return opacity === "0" || outlineStyle === "none" || outlineWidth === "0px" ? "" : [outlineStyle, outlineWidth, outlineColor, outlineOffset].join(" ");
  };
  const around = (el) => {
    const near = [el, ...el.children, el.nextElementSibling].filter(Boolean);
    for (let up = el.parentElement; up && up !== document.body; up = up.parentElement) near.push(up);
    return near;
  };
  const say = (n, el) => n === 1 || found.push(`${n} rings around what has the focus: ${el.outerHTML.slice(0, 140)}`);
  if (byKeys) {
    const el = document.activeElement;
    if (el !== document.body) say(around(el).filter(ring).length, el);
    return found;
  }
  for (const el of document.querySelectorAll("a[href], button, summary, input:not([type=hidden]), textarea, select, [tabindex='0']")) {
    if (!el.checkVisibility({ visibilityProperty: true }) || el.disabled) continue;
    const near = around(el);
    document.activeElement.blur();
    const without = near.map(ring);
    el.focus({ focusVisible: true, preventScroll: true });
    if (document.activeElement !== el) continue;
    const shadow = el.matches("input, textarea, select") && getComputedStyle(el).boxShadow !== "none";
    say(near.filter((it, i) => ring(it) && ring(it) !== without[i]).length + shadow, el);
  }
  document.activeElement.blur();
  return found;
};

/** drawnMisses looks at a page at four widths. */
export async function drawnMisses(page) {
  const found = new Set();
  for (const width of [1280, 768, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    for (const text of await page.evaluate(badly)) found.add(`${width} px: ${text}`);
  }
  return [...found];
}

/** ringMisses looks at a page with all menus open, and then at what the key j goes to. */
export async function ringMisses(page) {
  const found = await page.evaluate(rings, false);
  await page.keyboard.press("j");
  return [...found, ...await page.evaluate(rings, true)];
}
