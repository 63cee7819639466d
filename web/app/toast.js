// One live region, which everybody sees. What shows at its place anyhow is quiet: screen readers alone are told, and what else is said
// stays.
import { t } from "./words.js";
const region = () => document.getElementById("toast");
const part = (name) => region()?.querySelector(name) || region()?.appendChild(document.createElement(name));

const clearing = {};
const put = (name, text) => {
  const el = part(name);
  if (!el) return null;
  clearTimeout(clearing[name]);
  el.textContent = text;
  return el;
};
const clear = (name) => { clearing[name] = setTimeout(() => region()?.querySelector(name)?.remove(), 6000); };

/** say says a sentence, for 6 seconds. */
export const say = (text, quiet) => {
  const name = quiet ? "span" : "p";
  const el = put(name, text);
  if (!el) return;
  el.className = quiet ? "vh" : "";
  clear(name);
};

// What can still be undone, the last one at the end.
const offers = [];
const undoFor = 10000;

// Time stands still for who is at the button.
const isAt = (el) => el.matches(":focus-within") || matchMedia("(hover: hover)").matches && el.matches(":hover");
const end = (offer, undone) => {
  const at = offers.indexOf(offer);
  if (at < 0) return;
  offers.splice(at, 1);
  clearTimeout(offer.timer);
  const pressed = offer.button === document.activeElement;
  if (offer.button.closest("#toast")) offer.button.parentElement.remove();
  if (undone) offer.back(pressed); else offer.done?.();
};

/**
 * offerUndo says what was done, and offers for 10 seconds to undo it, which back does: it is told whether the focus was at the button,
 * which is gone. done is called when the time is over, and wait each second that it stands still. Where row stands in the place of what is
 * gone, the offer is there; else it is in the toast, until something else is said. The result ends it before its time.
 */
export const offerUndo = ({ text, back, done, wait, row }) => {
  if (row) say(matchMedia("(pointer: coarse)").matches ? text : t("{}. Press u to undo.", text), true);
  const place = row || put("p", "");
  if (!place) return () => done?.();
  const button = document.createElement("button");
  const offer = { back, done, button };
  Object.assign(button, { type: "button", className: "undo", textContent: t("Undo") });
  button.addEventListener("click", () => end(offer, true));
  place.append(text, row ? " · " : " ", button);
  const over = () => {
    if (!button.isConnected || !isAt(place)) return end(offer);
    wait?.();
    offer.timer = setTimeout(over, 1000);
  };
  offer.timer = setTimeout(over, undoFor);
  offers.push(offer);
  return () => end(offer);
};

/** undo undoes what was done last, while there is time. It returns whether there was something. */
export const undo = () => {
  const last = offers.findLast(({ button }) => button.isConnected);
  if (last) end(last, true);
  return Boolean(last);
};
