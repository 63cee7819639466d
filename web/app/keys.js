import { fold } from "./fold.js";
import { showKeys } from "./key_sheet.js";
import { keysAreOff } from "./memory.js";
import { undo } from "./toast.js";

// current is the post or comment the reader is at; chosen the element in it that j and k
// gave the focus to. What is reached in another way keeps its own Enter.
let current, chosen;
const listed = ".post, .comment"; // app/queue_keys.js has the keys of the queue
const visible = (el) => el.checkVisibility ? el.checkVisibility() : el.offsetParent;
const items = () => [...document.querySelectorAll(listed)].filter(visible);
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
const step = (by) => {
  const all = items();
  const at = document.activeElement.closest(listed) || current;
  if (!at?.isConnected) return select(all[0]);
  return select(by > 0 ? all.find((el) => follows(at, el)) || (visible(at) ? at : null)
    : all.findLast((el) => follows(el, at) && el !== at) || (visible(at) ? at : null));
};
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
// A comment is folded or unfolded. Away from its thread it leads there.
const turn = () => {
  const own = fold(current);
  if (own.open === undefined) return press(".by a:has(time)");
  own.open = !own.open;
  return true;
};
// The bar of a thread has the ways through it (app/thread.js).
const way = (to) => {
  const button = document.querySelector(`.tbar [data-go="${to}"]`);
  if (button) button.click();
  return Boolean(button);
};
const keys = {
  j: () => step(1),
  k: () => step(-1),
  a: () => press(".votes .up"),
  z: () => press(".votes .down"),
  r: () => press(".re") || !current && write(),
  s: () => press('.keep [formaction^="/save"]'),
  h: () => press('.keep [formaction^="/hide"][value="1"]'),
  o: () => current?.matches(".post") ? press("h2 a") : Boolean(current) && turn(),
  u: undo,
  "?": showKeys,
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
    return current.matches(".post") ? press(".cc") : turn();
  },
};
const moves = /^[jknNp]$/; // Of keys that are held down, only these go on.
const onKey = (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
  const at = event.target;
  if (document.querySelector("dialog[open]")) return;
  if (event.key === "Escape" && closeMenus(at)) return;
  if (at.closest("input, textarea, select, [contenteditable]")) {
    if (event.key === "Escape") at.blur();
    return;
  }
  if (!Object.hasOwn(keys, event.key) || keysAreOff() || event.repeat && !moves.test(event.key)) return;
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
    for (const menu of document.querySelectorAll(".menu[open], .rows .pick[open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });
};
