// Shows in a dialog what a moderator needs beside a case, a ban or a conversation: the page of its author's notes and history, and the
// forms that ban the author or write to them. It fetches the page, and sends its forms from there.
import { failure } from "./failure.js";
import { recall } from "./memory.js";
import { say } from "./toast.js";
import { t } from "./words.js";

const beside = ":is(#queue .case, .beside, #sheet) :is(a[href*='/mod/member?'], a[href*='/mod/bans?user='], a[href^='/messages/new?'])";

let dialog, shown;
const make = () => {
  dialog = document.createElement("dialog");
  dialog.id = "sheet";
  const close = Object.assign(document.createElement("button"), { type: "button", className: "button quiet", textContent: t("Close") });
  close.addEventListener("click", () => dialog.close());
  dialog.append(close, document.createElement("div"));
  // A tap beside the sheet closes it. Inside of it the target is never the dialog, because its content fills it.
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("close", () => dialog.lastChild.replaceChildren());
  document.body.append(dialog);
};
const path = (address) => new URL(address, location.href).pathname;
// Who removes something and then bans its author mostly has the same rule in mind.
const preselect = (rules) => {
  const last = recall("removal-rule");
  if (rules && !rules.value && [...rules.options].some(({ value }) => value === last)) rules.value = last;
};
/** put shows the main part of a page. */
const put = (page, address) => {
  const main = page.querySelector("main");
  main.querySelector(".modnav")?.remove();
  const form = main.querySelector("form.sheet"); // the one of a page with a list
  form?.classList.remove("form-rows"); // it has no room for them
  if (!dialog) make();
  dialog.lastChild.replaceChildren(...(form ? [main.querySelector("h1"), form] : main.childNodes));
  dialog.setAttribute("aria-label", dialog.querySelector("h1").textContent);
  preselect(dialog.querySelector("select[name=rule]"));
  shown = address;
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  (dialog.querySelector(".wrong") ?? dialog.firstChild).focus();
};
const read = async (response) => new DOMParser().parseFromString(await response.text(), "text/html");
const open = async (address) => {
  try {
    const response = await fetch(address);
    if (!response.ok) return say(failure(response));
    put(await read(response), address);
  } catch {
    say(failure());
  }
};
const send = async (form, submitter) => {
  const address = submitter?.getAttribute("formaction") ?? form.getAttribute("action");
  try {
    const response = await fetch(address, { method: "POST", body: new URLSearchParams(new FormData(form, submitter)) });
    const page = await read(response);
    if (response.status === 422) return put(page, shown);
    if (!response.ok) return say(failure(response));
    if (path(response.url) === path(shown) && path(shown).endsWith("/member")) return put(page, shown); // such as a note that was added
    dialog.close();
    say(page.querySelector("main .notice")?.textContent || t("Done"));
  } catch {
    say(failure());
  }
};

export const startSheet = () => {
  if (!document.querySelector("#queue, .beside") || !window.HTMLDialogElement) return;
  document.addEventListener("click", (event) => {
    const link = event.target.closest(beside);
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.defaultPrevented) return;
    event.preventDefault();
    for (const menu of document.querySelectorAll("#queue .pick[open]")) menu.open = false;
    open(link.href);
  });
  document.addEventListener("submit", (event) => {
    if (!event.target.closest("#sheet") || event.target.method !== "post") return;
    event.preventDefault();
    send(event.target, event.submitter);
  });
};
