import { fold } from "./fold.js";

// current is the post or comment the reader is at; chosen the element in it that j and k
// gave the focus to. What is reached in another way keeps its own Enter.
let current, chosen;
const listed = ".post, .comment, .queue .case[id]"; // the last are of a moderators' queue
const items = () => [...document.querySelectorAll(listed)].filter((el) => el.checkVisibility ? el.checkVisibility() : el.offsetParent);
const select = (el) => {
  if (!el) return;
  if (current) current.classList.remove("focus");
  current = el;
  el.classList.add("focus");
  chosen = el.querySelector("h2 a, summary") || el;
  chosen.focus({ preventScroll: true });
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  el.scrollIntoView({ block: el.offsetHeight > innerHeight * .7 ? "start" : "nearest", behavior: calm ? "auto" : "smooth" });
};
const step = (by) => {
  const all = items();
  const at = all.indexOf(document.activeElement.closest(listed) || current);
  select(all[at < 0 ? 0 : Math.min(Math.max(at + by, 0), all.length - 1)]);
};
const press = (selector) => {
  const el = current && current.querySelector(selector);
  if (el) el.click();
  return Boolean(el);
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
const keys = {
  j: () => step(1),
  k: () => step(-1),
  a: () => press(".votes .up") || press(".approve"),
  z: () => press(".votes .down"),
  r: () => press(".re") || offer(),
  x: () => press("h2 input"),
  i: () => press(".ignore"),
  b: () => press(".ban"),
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
    if (own.open === undefined) return press(".by a");
    own.open = !own.open;
  },
};
const onKey = (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
  const at = event.target;
  if (event.key === "Escape" && closeMenus(at)) return;
  if (event.key === "Enter" && at.matches(".queue input")) return event.preventDefault(); // it would press a button
  if (at.closest("input, textarea, select, [contenteditable]")) {
    if (event.key === "Escape") at.blur();
    return;
  }
  if (/^[1-9]$/.test(event.key) && choose(at, event.key)) return event.preventDefault();
  if (!Object.hasOwn(keys, event.key)) return;
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

/** goTo makes an element the one that the reader is at. */
export const goTo = (el) => { current = el; };

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
