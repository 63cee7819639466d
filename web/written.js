// On pages with a form in which people write. What a member writes into the form of a comment or message, or changes in what they wrote, is
// kept on this device until it is there, for each target by itself; app/sent.js forgets it when its author logs out. What a visitor has
// written is taken along when they log in.
import { t } from "./app/words.js";
(() => {
  "use strict";
  const { member } = document.currentScript.dataset; // "" for a visitor, of whom nothing is kept
  const memory = (use) => { try { return use(localStorage, sessionStorage); } catch { return null; } }; // may be denied, or full
  const month = 30 * 86400000;
  let last; // the form that was written in last

  // --- Logging in ----------------------------------------------------------------
  // The login page carries the form, as it does when a visitor sends it (worker/request/resume_form.go).
  const written = (form) => form && form.isConnected && [...form.querySelectorAll("textarea:not([readonly])")].some((field) => field.value.trim());
  document.addEventListener("input", (event) => { last = event.target.closest("form[data-again]") || last; });
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="/login"], a[href^="/signup"]');
    const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey; // a new tab, window or file
    const form = written(last) ? last : [...document.querySelectorAll("form[data-again]")].find(written);
    if (member || !link || elsewhere || !form || event.defaultPrevented) return;
    event.preventDefault();
    const carrying = document.createElement("form");
    Object.assign(carrying, { method: "post", action: link.pathname, hidden: true });
    const carry = (name, value) => carrying.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
    for (const [name, value] of new FormData(form)) carry(name === "token" ? "kept" : name, value);
    carry("again", form.dataset.again);
    carry("next", new URLSearchParams(link.search).get("next") || location.pathname + location.search);
    carry("show", "1");
    document.body.append(carrying);
    carrying.submit();
  });

  // --- Pictures --------------------------------------------------------------------
  // A picture that is pasted into the form of a comment, or dropped on it, asks for the field that takes it (pictures.js).
  const askField = (event, files) => {
    const form = event.target.closest?.("form.reply");
    const button = form?.querySelector(".add-pictures");
    if (!button || !files) return;
    event.preventDefault(); // also while files are dragged, or they could not be dropped
    if (!files.length) return;
    form.dropped = [...files];
    button.click();
  };
  const holdsFiles = ({ types } = { types: [] }) => [...types].includes("Files");
  // What office programs copy is text with a picture of it. Then the text is meant.
  document.addEventListener("paste", (event) => {
    const { files, types } = event.clipboardData ?? {};
    if (files?.length && !types.includes("text/plain")) askField(event, files);
  });
  document.addEventListener("dragover", (event) => askField(event, holdsFiles(event.dataTransfer) && []));
  document.addEventListener("drop", (event) => askField(event, holdsFiles(event.dataTransfer) && event.dataTransfer.files));

  // --- On this device --------------------------------------------------------------
  if (!member) return;
  const kinds = "form[action='/comment'], form[action='/edit'], form[action^='/messages']";
  const isKept = (form) => Boolean(form && form.matches(kinds) && fieldOf(form));
  const fieldOf = ({ elements }) => elements.body || elements.text;
  const key = (form) => {
    const { parent, post, target, community, user } = form.elements;
    const address = form.getAttribute("action");
    if (address === "/comment") return "kept:" + member + ":comment:" + (parent || post).value;
    return ["kept:" + member + ":" + address.slice(1), target, community, user].map((part) => part?.value ?? part ?? "").join(":");
  };
  const waiting = new Map(); // forms with something that is not kept yet
  const keep = (form) => {
    clearTimeout(waiting.get(form));
    waiting.delete(form);
    const { token, revision } = form.elements;
    const { value: text, defaultValue } = fieldOf(form);
    const same = revision && text === defaultValue && !form.querySelector(".wrong");
    memory((store) => {
      if (!text.trim() || same) store.removeItem(key(form));
      else store.setItem(key(form), JSON.stringify({ at: Date.now(), text, token: token?.value || "", revision: revision?.value || "" }));
    });
  };
  const keepAll = () => [...waiting.keys()].forEach(keep);
  const forget = (form) => {
    clearTimeout(waiting.get(form));
    waiting.delete(form);
    form.querySelector(".kept")?.remove();
    memory((store) => store.removeItem(key(form)));
  };

  // bringBack fills in what was kept, unless something newer is there.
  const known = new WeakSet();
  const bringBack = (form) => {
    if (known.has(form)) return;
    known.add(form);
    const { token, revision } = form.elements;
    const body = fieldOf(form);
    const kept = memory((store, tab) => tab.getItem("sent") !== key(form) && JSON.parse(store.getItem(key(form))));
    if (!kept || !(kept.at > Date.now() - month) || body.value === kept.text) return;
    if (revision ? kept.revision !== revision.value || body.value !== body.defaultValue : body.value.trim()) return;
    const { value: from } = body;
    body.value = kept.text;
    if (token && kept.token) token.value = kept.token; // sent already, it is not posted twice
    const note = document.createElement("p");
    const discard = document.createElement("button");
    Object.assign(discard, { type: "button", className: "plain", textContent: t("Discard") });
    discard.addEventListener("click", () => {
      body.value = from;
      forget(form);
      body.focus();
    });
    note.className = "hint kept";
    note.append(t("You wrote this on {}.", new Date(kept.at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })), " ", discard);
    body.after(note);
  };

  for (const form of document.forms) if (isKept(form)) bringBack(form);
  document.addEventListener("focusin", (event) => { // forms that are opened in place get the focus
    const form = event.target.closest("form");
    if (isKept(form)) bringBack(form);
  });
  document.addEventListener("input", (event) => {
    const form = event.target.closest("form");
    if (!isKept(form)) return;
    clearTimeout(waiting.get(form));
    waiting.set(form, setTimeout(keep, 1000, form));
  });
  document.addEventListener("visibilitychange", keepAll);
  window.addEventListener("pagehide", keepAll);
  // Posted in place, it is there. Posted by leaving the page, it is there when its thread comes next, which app/sent.js looks at.
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    const form = detail.requestConfig?.elt;
    if (isKept(form) && detail.requestConfig.path === form.getAttribute("action") && detail.xhr.status === 200) forget(form);
  });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!isKept(form) || event.defaultPrevented || event.submitter?.hasAttribute("formaction")) return;
    keep(form);
    memory((_, tab) => tab.setItem("sent", key(form)));
  });
})();
