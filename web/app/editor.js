// A bar of marks above the field of a text that takes Markdown, while somebody writes there. It changes what is selected, through the
// browser's own editing, so that undo takes it back. web/css/8-text.css dresses it.
import { t } from "./words.js";

const written = 'form:is([action="/comment"], [action="/edit"], [action="/post"], [action="/draft"], [action$="/submit"], [action^="/admin/pages/"]) textarea:not([id^=alt]), '
  + "textarea:is([name=sidebar], [name=bio])";

const put = (field, from, to, text) => {
  field.focus();
  field.setSelectionRange(from, to);
  if (text ? document.execCommand("insertText", false, text) : document.execCommand("delete")) return;
  field.setRangeText(text);
  field.dispatchEvent(new Event("input", { bubbles: true }));
};

// around puts marks around what is selected, or takes them away; hint is what stands there where nothing is selected.
const around = (before, after, hint) => (field) => {
  const { value } = field;
  let { selectionStart: from, selectionEnd: to } = field;
  while (to > from && /\s/.test(value[to - 1])) to--;
  while (from < to && /\s/.test(value[from])) from++;
  const marked = value.slice(0, from).endsWith(before) && value.slice(to).startsWith(after);
  const text = value.slice(from, to) || (marked ? "" : hint);
  if (marked) put(field, from - before.length, to + after.length, text);
  else put(field, from, to, before + text + after);
  const start = marked ? from - before.length : from + before.length;
  field.setSelectionRange(start, start + text.length);
};

// ahead puts a mark before each line of what is selected, or takes it away where all lines have it.
const ahead = (mark) => (field) => {
  const { value, selectionStart, selectionEnd } = field;
  const from = value.slice(0, selectionStart).lastIndexOf("\n") + 1;
  const end = value.indexOf("\n", Math.max(from, selectionEnd - (selectionEnd > selectionStart)));
  const to = end < 0 ? value.length : end;
  const lines = value.slice(from, to).split("\n");
  const marked = lines.every((line) => line.startsWith(mark));
  const text = lines.map((line) => marked ? line.slice(mark.length) : mark + line).join("\n");
  put(field, from, to, text);
  field.setSelectionRange(selectionStart === selectionEnd ? from + text.length : from, from + text.length);
};

const code = (field) => {
  const lines = field.value.slice(field.selectionStart, field.selectionEnd).includes("\n");
  (lines ? around("```\n", "\n```", "") : around("`", "`", t("code")))(field);
};

// link makes a link of what is selected, a text or an address, and selects what is still to be written.
const link = (field) => {
  const { value, selectionStart: from, selectionEnd: to } = field;
  const chosen = value.slice(from, to);
  const isAddress = /^(https?:\/\/|www\.)\S+$/.test(chosen);
  const text = isAddress || !chosen ? t("text") : chosen;
  const address = isAddress ? chosen : "https://";
  put(field, from, to, `[${text}](${address})`);
  const start = from + 1;
  if (chosen && !isAddress) field.setSelectionRange(start + text.length + 2, start + text.length + 2 + address.length);
  else field.setSelectionRange(start, start + text.length);
};

// Name, key, action and picture of each button. The pictures are strokes on 24 by 24.
const marks = [
  [t("Bold"), "b", around("**", "**", t("strong text")), "M8 5h5a3.5 3.5 0 010 7H8zM8 12h6a3.5 3.5 0 010 7H8z"],
  [t("Link"), "k", link, "M10 14a4 4 0 006 0l3-3a4 4 0 00-6-6l-1 1M14 10a4 4 0 00-6 0l-3 3a4 4 0 006 6l1-1"],
  [t("Quote"), "", ahead("> "), "M5 5v14M10 8h9M10 12h9M10 16h6"],
  [t("Code"), "", code, "M9 7l-5 5 5 5M15 7l5 5-5 5"],
  [t("List"), "", ahead("- "), "M5 7h.01M5 12h.01M5 17h.01M10 7h10M10 12h10M10 17h10"],
  [t("Spoiler"), "", around(">!", "!<", t("spoiler")), "M4 4l16 16M6.5 7.5A14 14 0 003 12c2 4 5 6 9 6a9 9 0 004-1M10 6.2a9 9 0 012-.2c4 0 7 2 9 6a14 14 0 01-2 3"],
];
const mac = /Mac|iPhone|iPad/.test(navigator.platform);

const bars = new WeakMap(); // by field
const addBar = (field) => {
  if (bars.get(field)?.isConnected) return;
  const bar = document.createElement("div");
  bar.className = "ed";
  bar.setAttribute("role", "toolbar");
  bar.setAttribute("aria-label", t("Format"));
  if (field.id) bar.setAttribute("aria-controls", field.id);
  for (const [name, key, act, path] of marks) {
    const button = document.createElement("button");
    button.type = "button";
    button.tabIndex = bar.children.length ? -1 : 0; // the bar is one stop; arrows move in it
    button.title = key ? `${name} (${mac ? "⌘" : "Ctrl+"}${key.toUpperCase()})` : name;
    button.setAttribute("aria-label", name);
    if (key) button.setAttribute("aria-keyshortcuts", `${mac ? "Meta" : "Control"}+${key.toUpperCase()}`);
    button.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"></path></svg>`;
    button.addEventListener("mousedown", (event) => event.preventDefault()); // the field keeps the focus and its selection
    button.addEventListener("click", () => act(field));
    bar.append(button);
  }
  bar.addEventListener("keydown", (event) => {
    const all = [...bar.children];
    const at = all.indexOf(event.target);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key] * (getComputedStyle(bar).direction === "rtl" ? -1 : 1);
    const to = { Home: 0, End: all.length - 1 }[event.key] ?? (at + step + all.length) % all.length;
    if (Number.isNaN(to) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    for (const button of all) button.tabIndex = button === all[to] ? 0 : -1;
    all[to].focus();
  });
  field.before(bar);
  bars.set(field, bar);
};

export const startEditor = () => {
  // A field does not move under a mouse that is pressed: the bar comes when it is let go.
  let pressed = false, waiting;
  const released = () => {
    pressed = false;
    if (waiting) addBar(waiting);
    waiting = null;
  };
  document.addEventListener("pointerdown", () => { pressed = true; }, true);
  document.addEventListener("pointerup", released, true);
  document.addEventListener("pointercancel", released, true);
  const meet = (el) => {
    if (!el?.matches?.(written) || el.readOnly || el.disabled) return;
    if (pressed) waiting = el;
    else addBar(el);
  };
  document.addEventListener("focusin", ({ target }) => meet(target));
  meet(document.activeElement);
  document.addEventListener("keydown", (event) => {
    if (!(mac ? event.metaKey : event.ctrlKey) || event.altKey || event.shiftKey || event.isComposing || !event.target.matches?.(written)) return;
    const mark = marks.find(([, key]) => key && key === event.key.toLowerCase());
    if (!mark) return;
    event.preventDefault();
    mark[2](event.target);
  });
};
