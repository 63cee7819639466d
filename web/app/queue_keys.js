// Keys of the moderators' queue. They come before those of all pages, and are about the case that has the focus, or the first one.
import { keysAreOff } from "./memory.js";
import { caseBeside, focusCase, undo } from "./moderation.js";

const at = () => document.activeElement.closest(".case.q");
const first = () => document.querySelector("#queue .case.q:not(.done, [aria-busy])");
// What was decided keeps the focus where no other case is left, until more come.
const current = () => (at()?.matches(".done, [aria-busy]") && first()) || (at() ?? first());
const press = (selector) => {
  const button = current()?.querySelector(selector);
  button?.click();
  return Boolean(button);
};
const closeChoices = () => document.querySelectorAll("#queue .pick[open]").forEach((choice) => { choice.open = false; });
const openChoice = (selector, within) => {
  const choice = current()?.querySelector(selector)?.parentElement;
  if (!choice) return false;
  closeChoices();
  choice.open = true;
  choice.querySelector(within).focus({ preventScroll: true });
  choice.querySelector("div").scrollIntoView({ block: "nearest" });
  return true;
};
const step = (by) => {
  const item = at() ? caseBeside(at(), by) : first();
  closeChoices(); // a digit would choose there, not at the case that has the focus
  if (item) focusCase(item);
  return true;
};
const keys = {
  j: () => step(1),
  k: () => step(-1),
  a: () => press(".approve"),
  i: () => press(".ignore"),
  r: () => openChoice("summary.remove", "li button"),
  o: () => openChoice(".rest summary", "a"),
  x: () => press(".tick input"),
  b: () => press(".ban"),
  v: () => {
    const shots = current()?.querySelector(".shots");
    if (shots) shots.open = !shots.open;
    return Boolean(shots);
  },
  u: undo,
  Enter: () => document.activeElement === document.body && press("h2 a"),
  Escape: () => {
    const choice = document.querySelector("#queue .pick[open]");
    if (!choice) return false;
    choice.open = false;
    if (choice.contains(document.activeElement)) choice.querySelector("summary").focus();
    return true;
  },
};
// A digit chooses a rule where a choice is open, and is nothing elsewhere.
const choose = (digit) => {
  const rule = document.querySelector(`#queue .pick[open] li:nth-child(${digit}) button`);
  rule?.click();
  return Boolean(rule);
};

export const startQueueKeys = () => {
  if (!document.getElementById("queue")) return;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
    if (keysAreOff() && event.key !== "Escape" || document.querySelector("dialog[open]")) return;
    const typing = event.target.matches("input:not([type=checkbox]), textarea, select");
    if (event.key === "Enter" && event.target.matches("#queue input")) return event.preventDefault(); // it would press a button
    if (typing && event.key !== "Escape") return;
    const digit = /^[1-9]$/.test(event.key);
    // A key that is held down decides once: the next case has the focus already.
    const again = event.repeat && !/^[jk]$/.test(event.key) && (digit || Object.hasOwn(keys, event.key));
    if (!again && !(digit ? choose(event.key) : Object.hasOwn(keys, event.key) && keys[event.key]())) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
};
