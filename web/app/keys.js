import { fold } from "./fold.js";
import { keysAreOff, showKeys } from "./key_sheet.js";
import { undo } from "./toast.js";

// current is the post or comment the reader is at; chosen the element in it that j and k
// gave the focus to. What is reached in another way keeps its own Enter.
let current, chosen;
const listed = ".post, .comment, .queue .case[id]"; // the last are of a moderators' queue
const visible = (el) => el.checkVisibility ? el.checkVisibility() : el.offsetParent;
const items = (of = listed) => [...document.querySelectorAll(of)].filter(visible);
const select = (el) => {
  if (!el) return false;
  mark(el);
  chosen = el.querySelector("h2 a, summary") || el;
  if (chosen === el) el.tabIndex = -1;
  chosen.focus({ preventScroll: true });
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  el.scrollIntoView({ block: el.offsetHeight > innerHeight * .7 ? "start" : "nearest", behavior: calm ? "auto" : "smooth" });
};
const mark = (el) => {
  current?.classList.remove("focus");
  current = el;
  el.classList.add("focus");
};
const follows = (a, b) => Boolean(a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING);
// What the reader was at may be out of sight, such as a post that was hidden. Then its neighbours are those of its place.
const step = (by, all = items()) => {
  const at = document.activeElement.closest(listed) || current;
  if (!at?.isConnected) return select(all[0]);
  return select(by > 0 ? all.find((el) => follows(at, el)) || (visible(at) ? at : null)
    : all.findLast((el) => follows(el, at) && el !== at) || (visible(at) ? at : null));
};
/** next goes to the next of some elements, and from the last to the first. */
export const next = (all) => {
  const at = document.activeElement.closest(listed) || current;
  return select(at?.isConnected && all.find((el) => el !== at && follows(at, el)) || all[0]);
};
const nextRoot = () => next(items("#thread > .comment"));
const nextNew = () => next(items(".comment").filter((el) => part(".mark.new", el)));
const parent = () => select((document.activeElement.closest(listed) || current)?.parentElement.closest(".comment"));
// What is inside of a comment, but not inside of its replies. Who is at none is at the post of the page.
const part = (selector, of = current || document.querySelector("article.full")) =>
  [...of?.querySelectorAll(selector) ?? []].find((el) => (el.closest(listed) || of) === of);
const press = (selector) => {
  const el = part(selector);
  el?.click();
  return Boolean(el);
};
const write = () => {
  const field = document.querySelector("form.reply textarea");
  field?.focus();
  return Boolean(field);
};
// The rules for which a case of the queue can be removed. The digits choose one while they are open.
const offer = () => {
  const rules = current && current.querySelector("summary.remove")?.parentElement;
  if (!rules) return false;
  rules.open = true;
  rules.querySelector("li button").focus({ preventScroll: true });
  rules.scrollIntoView({ block: "nearest" });
};
const choose = (at, digit) => {
  const item = at.closest(".case") || current;
  const rule = item && item.querySelector(`.pick[open] li:nth-child(${digit}) button`);
  if (rule) rule.click();
  return Boolean(rule);
};
const way = (to) => {
  const button = document.querySelector(`.tbar [data-go="${to}"]`);
  if (button) button.click();
  return Boolean(button);
};
const keys = {
  j: () => step(1),
  k: () => step(-1),
  a: () => press(".votes .up") || press(".approve"),
  z: () => press(".votes .down"),
  r: () => press(".re") || offer() !== false || !current && write(),
  s: () => press('.keep[action^="/save"] button:not([formaction])'),
  h: () => press('.keep [formaction^="/hide"][value="1"]'),
  p: parent,
  n: nextRoot,
  N: nextNew,
  o: () => current?.matches(".post") ? press("h2 a") : keys.Enter(),
  u: undo,
  "?": showKeys,
  x: () => press("h2 input"),
  i: () => press(".ignore"),
  b: () => press(".ban"),
  n: () => way("root"),
  N: () => way("new"),
  p: () => way("parent"),
  "/": () => {
    const fields = [...document.querySelectorAll('main input[type="search"], .find input')];
    const field = fields.find((el) => el.checkVisibility ? el.checkVisibility() : el.offsetParent);
    if (field) {
      field.focus();
      field.select();
    } else location.assign("/search");
  },
  Enter: () => {
    if (!current || !chosen) return false;
    if (current.matches(".post")) return press(".cc");
    const own = fold(current);
    if (own.open === undefined) return press(".by a:has(time)");
    own.open = !own.open;
  },
};
const onKey = (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
  const at = event.target;
  if (document.querySelector("dialog[open]")) return;
  if (event.key === "Escape" && closeMenus(at)) return;
  if (event.key === "Enter" && at.matches(".queue input")) return event.preventDefault(); // it would press a button
  if (at.closest("input, textarea, select, [contenteditable]")) {
    if (event.key === "Escape") at.blur();
    return;
  }
  if (/^[1-9]$/.test(event.key) && !keysAreOff() && choose(at, event.key)) return event.preventDefault();
  if (!Object.hasOwn(keys, event.key) || keysAreOff()) return;
  if (event.key === "Enter" && at !== document.body && at !== chosen) return;
  if (keys[event.key]() !== false) event.preventDefault();
};
// Escape closes an open menu or question, and gives the focus back to its handle if it was inside.
const closeMenus = (at) => {
  const open = [...document.querySelectorAll(".menu[open], .pick[open]")];
  for (const menu of open) {
    menu.open = false;
    if (menu.contains(at)) menu.querySelector("summary").focus();
  }
  return open.length > 0;
};

/** stepOn goes to what follows what the reader is at. */
export const stepOn = () => step(1);

/** goTo makes an element the one that the reader is at. */
export const goTo = (el) => { if (el) mark(el); };

export const startKeys = () => {
  document.addEventListener("keydown", onKey);
  document.addEventListener("focusin", (event) => {
    const item = event.target.closest(listed);
    if (event.target !== chosen) {
      chosen = null;
      current?.classList.remove("focus");
    }
    if (!item || item === current) return;
    if (current) current.classList.remove("focus");
    current = item;
  });
  // An open menu closes when the reader goes elsewhere.
  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll(".menu[open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });
};
