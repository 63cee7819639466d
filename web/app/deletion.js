// The site can't bring back what is deleted, and a member is notified at once when a ban is lifted. So a deletion, or the action of another
// button (ui.WithUndo), waits here for 10 seconds, shown as done with Undo. It is sent earlier when the page is left or out of sight,
// and before its author logs out. The device remembers it until the site has confirmed it. If that confirmation never came, the next page
// sends it again: the second time, the site does nothing. Without this script a page asks before a deletion.
import { member, recall, remember } from "./memory.js";
import { refresh } from "./in_place.js";
import { collapse } from "./row.js";
import { say } from "./toast.js";
import { t } from "./words.js";

const kept = () => { try { return JSON.parse(recall("deletions")) || []; } catch { return []; } };
const others = (deletion) => kept().filter(({ id }) => id !== deletion.id);
const note = (list) => remember("deletions", list.length ? JSON.stringify(list) : null);
const keep = (deletion) => note([...others(deletion), { ...deletion, at: Date.now() }]);
const forget = (deletion) => note(others(deletion));
// What is older has lost the page where it was made, which notes every second that it is open.
const orphaned = 15000;

const post = ({ action, body, comment }) => fetch(action, {
  method: "POST", body: new URLSearchParams(body), keepalive: true,
  headers: comment ? { "HX-Request": "true" } : { accept: "application/json" },
});
// Who is not logged in may be so later, and a site that does not answer may later. All else is decided.
const decided = (status) => status < 500 && status !== 401 && status !== 429;

// What ends the time of those that wait, and the requests that are under way, each with the address that it is sent to.
const waiting = new Map();
const sending = new Map();
const refused = t("That did not work: nothing was changed. Please try again.");

/** hold deletes after 10 seconds. */
const hold = (deletion, shown) => {
  let left = false;
  const leaving = new AbortController();
  const send = async () => {
    leaving.abort();
    const response = await post(deletion).catch(() => ({ status: 503 }));
    const { ok, status } = response;
    if (left && !decided(status)) return; // another page sends it again
    forget(deletion);
    if (ok || status === 404) {
      if (!deletion.comment || !ok) return;
      refresh(line.row.closest(".comment"), await response.text());
      line.row.remove();
    } else {
      line.show();
      say(refused);
    }
  };
  const over = () => {
    waiting.delete(end);
    const sent = send().finally(() => sending.delete(sent));
    sending.set(sent, deletion.action);
  };
  const leave = (event) => {
    if (event.type !== "pagehide" && document.visibilityState !== "hidden") return;
    left = true;
    keep({ ...deletion, left });
    end();
  };
  keep(deletion);
  const line = collapse({ ...shown, wait: () => keep(deletion), done: over, back: () => {
    waiting.delete(end);
    leaving.abort();
    forget(deletion);
  } });
  const { end } = line;
  waiting.set(end, deletion.action);
  for (const [target, name] of [[window, "pagehide"], [document, "visibilitychange"]]) target.addEventListener(name, leave, leaving);
};
const newID = () => String(Math.random()).slice(2);

// The form that a button with undo sends, without cases and rows that another button has hidden: these may yet be undone.
const bodyOf = (button) => {
  const body = new URLSearchParams();
  const parts = [...button.form.querySelectorAll("[type=hidden], :checked"), button];
  for (const el of parts) if (el.name && !el.closest("[hidden]")) body.append(el.name, el.value);
  return String(body);
};

// What a link or button deletes, and where it shows; null where it shows nowhere.
const subjectOf = (link) => {
  if (link.matches("button")) {
    const around = link.closest(".case, li");
    const ticked = link.form.querySelectorAll(":is(.case, li):not([hidden]):has(:checked)");
    const hide = around ? [around] : link.form.matches(".queue") ? [...ticked] : [link.form];
    return hide.length ? { before: hide[0], hide, text: link.dataset.undo } : null;
  }
  const comment = link.closest(".comment");
  if (comment) {
    const parts = [...comment.querySelectorAll(".said-body, .acts")].filter((el) => el.closest(".comment") === comment);
    return parts.length ? { before: parts[0], hide: parts, text: t("Comment deleted"), stays: true } : null;
  }
  const item = link.closest(".crows li");
  if (item) return { before: item, hide: [item], text: t("Post deleted") };
  const post = link.closest(".posts .post");
  if (post) return { before: post, hide: [post], text: t("Post deleted") };
  const full = link.closest("article.full");
  return full ? { before: full, hide: [full], text: t("Post deleted"), stays: true } : null;
};
const onClick = (event) => {
  const link = event.target.closest('a[href^="/delete?target="]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.defaultPrevented) return;
  const subject = subjectOf(link);
  if (!subject) return;
  event.preventDefault();
  const target = new URLSearchParams(link.search).get("target");
  const comment = Boolean(link.closest(".comment"));
  hold({ id: newID(), member: member(), action: "/delete", body: "target=" + target, comment }, { ...subject, byKeys: event.detail === 0 });
};
const onSubmit = (event) => {
  const { target: form, submitter } = event;
  if (!submitter?.dataset.undo || event.defaultPrevented) return;
  const subject = subjectOf(submitter);
  if (!subject) return;
  event.preventDefault();
  event.stopPropagation(); // sheet.js would send it at once
  const byKeys = submitter.matches(":focus-visible");
  subject.before.querySelector(".pick[open]")?.removeAttribute("open");
  hold({ id: newID(), member: member(), action: form.getAttribute("action"), body: bodyOf(submitter) },
    { ...subject, byKeys });
};

// sendLeft sends again what another page has left, and hides it here.
const sendLeft = async () => {
  const own = kept().filter((deletion) => deletion.member === member() && (deletion.left || deletion.at < Date.now() - orphaned));
  for (const deletion of own) {
    const control = document.querySelector(`a[href="/delete?${deletion.body}"]`)
      ?? [...document.querySelectorAll("[data-undo]")].find((button) => bodyOf(button) === deletion.body);
    const hide = control && subjectOf(control)?.hide || [];
    for (const el of hide) el.hidden = true;
    try {
      const { ok, status } = await post({ ...deletion, comment: false });
      if (!decided(status)) continue;
      forget(deletion);
      if (ok || status === 404) continue;
      for (const el of hide) el.hidden = false;
      say(refused);
    } catch { /* later */ }
  }
};

// A form waits for what is delayed to the same address: otherwise lifting a ban would undo a new one. Logging out waits for everything
// that is delayed, because the site must still know the member. After 5 seconds without an answer the form is sent anyway.
let goesOn = null;
const waits = new WeakSet(); // forms, and their buttons, that were sent and wait
const onLater = (event) => {
  const { target: form, submitter } = event;
  const to = submitter?.getAttribute("formaction") ?? form.getAttribute("action");
  const first = ([, action]) => to === "/logout" || action === to;
  if (form === goesOn || submitter?.dataset.undo || ![...waiting, ...sending].some(first)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (waits.has(submitter ?? form)) return;
  waits.add(submitter ?? form);
  for (const [end] of [...waiting].filter(first)) end();
  const sent = [...sending].filter(first).map(([promise]) => promise);
  Promise.race([Promise.allSettled(sent), new Promise((done) => { setTimeout(done, 5000); })]).then(() => {
    waits.delete(submitter ?? form);
    if (submitter && submitter.form !== form) return; // another answer has replaced it
    goesOn = form;
    form.requestSubmit(submitter);
    goesOn = null;
  });
};

export const startDeletions = () => {
  document.addEventListener("submit", onLater, true);
  document.addEventListener("click", onClick);
  document.addEventListener("submit", onSubmit, true);
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") sendLeft(); });
  addEventListener("online", sendLeft);
  sendLeft();
};
