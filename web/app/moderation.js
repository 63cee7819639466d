// The moderators' queue: decisions in place, and how much is ticked.
import { failure } from "./failure.js";
import { say } from "./toast.js";
import { t } from "./words.js";

const queue = () => document.querySelector("form.queue#queue");
const cases = () => [...queue().querySelectorAll(".case.q")];
const open = (item) => !item.matches(".done, [aria-busy]");
const ids = (list) => list.map((item) => item.id.slice(2)).join(" ");

// Cases that were decided on this page, as they were, by their ids; and which were decided together, the last at the end.
const before = new Map();
let decided = [];

/** focusCase gives the focus to a case. Nothing scrolls but what is out of sight. */
export const focusCase = (item) => {
  if (!item) return;
  (item.querySelector("h2 a") ?? item.querySelector(".undo") ?? item).focus({ preventScroll: true });
  item.scrollIntoView({ block: "nearest" });
};
/** caseBeside is the next open case, or the one before it. */
export const caseBeside = (item, by = 1) => {
  const all = cases();
  for (let at = all.indexOf(item) + by; all[at]; at += by) if (open(all[at])) return all[at];
  return null;
};

// What is ticked and what the page shows are counted again after each change.
const count = () => {
  for (const form of document.querySelectorAll(".queue")) {
    for (const tick of form.querySelectorAll(".ticked, .selected legend b")) {
      tick.textContent = form.querySelectorAll("[name=member]:checked, [name=target]:checked").length;
    }
  }
  if (!queue()?.elements.shown) return;
  const left = cases().filter(open);
  const written = left.filter((item) => item.querySelector(".remove"));
  queue().elements.shown.value = ids(left);
  queue().elements.written.value = ids(written);
  for (const [n, number] of queue().querySelectorAll(".whole-page b").entries()) number.textContent = (n ? written : left).length;
  queue().querySelector(".whole-page").hidden = left.length === 0;
  queue().querySelector(".all-done").hidden = left.length > 0;
};
// The numbers beside the queue's links go down and up with it.
const recount = (by) => {
  for (const number of document.querySelectorAll(".queued b, .account summary > b, .modnav [aria-current] b")) {
    const text = [...number.childNodes].find((node) => node.nodeType === Node.TEXT_NODE);
    const n = Number(text.data) - by;
    if (!(n >= 0)) continue; // 99+
    text.data = n;
    number.hidden = n === 0;
  }
};

// The next page comes under this one when little is left.
let coming = false;
const fetchMore = async () => {
  const next = document.querySelector(".pager [rel=next]");
  if (!next || coming || cases().filter(open).length > 5) return;
  coming = true;
  try {
    const response = await fetch(next.href);
    if (!response.ok) throw response;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const list = queue().querySelector(".cases");
    for (const item of page.querySelectorAll(".case.q")) if (!document.getElementById(item.id)) list.append(document.adoptNode(item));
    const after = page.querySelector(".pager [rel=next]");
    if (after) next.replaceWith(document.adoptNode(after));
    else next.remove();
    count();
  } catch { /* the link is still there */ }
  coming = false;
};

// Whoever decides by touch finds the buttons of the next case where those of the last one were.
let byTouch = false;
const placeOf = (item) => item.querySelector(".do").getBoundingClientRect().top;

// What was decided takes the place of its case. The next one has the focus already.
const fold = (result) => {
  const fresh = [...result.querySelectorAll(".case.q.done")];
  const together = [];
  for (const item of fresh) {
    const old = document.getElementById(item.id);
    if (!old || old.matches(".done")) continue;
    old.removeAttribute("aria-busy");
    const tick = old.querySelector(".tick input");
    if (tick) tick.checked = false;
    item.querySelector("span").textContent = old.querySelector("h2").textContent;
    before.set(item.id, old);
    const was = placeOf(old);
    old.replaceWith(document.adoptNode(item));
    const next = byTouch && fresh.length === 1 && caseBeside(document.getElementById(item.id));
    if (next) scrollBy(0, placeOf(next) - was);
    together.push(item.id);
  }
  if (together.length) decided.push(together);
  recount(together.length);
  count();
  say(fresh.length === 1 ? fresh[0].querySelector("strong").textContent : t("{} decided.", fresh.length), true);
  if (document.activeElement === document.body) focusCase(cases().find(open) ?? document.getElementById(together.at(-1)));
  fetchMore();
};
const unfold = (list) => {
  for (const id of list) {
    if (before.has(id)) document.getElementById(id)?.replaceWith(before.get(id));
    before.delete(id);
  }
  decided = decided.map((together) => together.filter((id) => !list.includes(id))).filter((together) => together.length);
  recount(-list.length);
  count();
  say(t("Undone."), true);
  focusCase(document.getElementById(list[0]));
};
// What was refused says why, at its case if it is about one.
const refuse = (result, from) => {
  const said = result.querySelector(".wrong");
  const fresh = from && result.getElementById(from.id);
  from?.removeAttribute("aria-busy");
  if (fresh?.querySelector(".wrong")) {
    from.replaceWith(document.adoptNode(fresh));
    fresh.querySelector(".wrong").focus();
  } else say(said?.textContent ?? failure({ status: 422 }));
};

// Nobody waits for the answer: the next case has the focus at once. Until it is there, nothing else is decided about the same.
const send = async (body, from, undone) => {
  if (from?.matches("[aria-busy]")) return;
  for (const menu of queue().querySelectorAll("details[open]")) menu.open = false;
  if (from && !undone) {
    from.setAttribute("aria-busy", "true");
    focusCase(caseBeside(from) ?? caseBeside(from, -1) ?? from);
  }
  let wrong = "";
  try {
    const result = await fetch(queue().action, { method: "POST", headers: { "HX-Request": "true" }, body });
    const page = new DOMParser().parseFromString(await result.text(), "text/html");
    if (result.ok && undone) return unfold(undone);
    if (result.ok) return fold(page);
    if (result.status === 422 || result.status === 409) return refuse(page, from);
    wrong = failure(result);
  } catch {
    wrong = failure();
  }
  from?.removeAttribute("aria-busy");
  say(wrong);
  if (from) focusCase(from);
};

/** undo takes the last decision of this page back. */
export const undo = () => {
  const last = decided.at(-1);
  if (!last) {
    const button = document.querySelector(".undone button"); // of the page before
    button?.click();
    return Boolean(button);
  }
  send(new URLSearchParams({ all: "undo", shown: last.map((id) => id.slice(2)).join(" ") }), null, last);
  return true;
};

export const startModeration = () => {
  document.addEventListener("change", (event) => { if (event.target.closest(".queue")) count(); });
  if (!queue()) return;
  let pointer = ""; // what was used last
  document.addEventListener("pointerdown", ({ pointerType }) => { pointer = pointerType; }, true);
  document.addEventListener("keydown", () => { pointer = ""; }, true);
  count();
  document.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (form !== queue() || !submitter?.value || submitter.value === "authors") return;
    event.preventDefault();
    const from = submitter.closest(".case.q");
    byTouch = pointer === "touch";
    send(new URLSearchParams(new FormData(form, submitter)), from, submitter.matches(".undo") ? [from.id] : null);
  });
  // A choice closes when the moderator goes elsewhere.
  document.addEventListener("click", (event) => {
    for (const menu of queue()?.querySelectorAll(".pick[open]") ?? []) if (!menu.contains(event.target)) menu.open = false;
  });
};
