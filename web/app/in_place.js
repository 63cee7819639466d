// Forms and links that act in place, with htmx.
import { countComment, countMember } from "./counts.js";
import { tell } from "./done.js";
import { failure } from "./failure.js";
import { restore } from "./fold.js";
import { say } from "./toast.js";
import { t } from "./words.js";

// A form that stays after its comment was posted starts afresh.
const clear = (form) => {
  form.reset();
  const { token } = form.elements; // what is written next is another comment, whatever it says
  if (token) token.value = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const body = form.querySelector("textarea");
  body.value = "";
  body.removeAttribute("aria-invalid");
  for (const problem of form.querySelectorAll(".wrong")) problem.remove();
};
const formUnder = (link) => {
  const form = link.closest(".acts").nextElementSibling;
  return form && form.matches("form.reply") ? form : null;
};
const firstControl = (form) => form.querySelector("textarea:not([readonly]), button");
/** refresh gives a comment that was changed its new head, text and actions. Its replies stay. */
export const refresh = (comment, html) => {
  const fresh = new DOMParser().parseFromString(html, "text/html").querySelector(".comment");
  for (const part of [".by", ".said-body", ".acts"]) {
    const now = fresh.querySelector(part);
    if (!now) comment.querySelector(part).remove();
    else {
      comment.querySelector(part).replaceWith(now);
      htmx.process(now);
    }
  }
};
const renew = (form, html) => {
  const comment = form.closest(".comment");
  refresh(comment, html);
  form.remove();
  comment.querySelector("summary, .by a").focus();
  say(form.matches(".remove") ? t("Comment removed") : t("Comment saved"));
};
// The menu of a comment closes after what it did.
const closeMenu = (menu) => {
  menu.open = false;
  menu.querySelector("summary").focus();
};
let focusAfter;
export const startInPlace = () => {
  const on = (name, handler) => document.body.addEventListener("htmx:" + name, handler);

  // Votes and saves are buttons of one plain form, Reply, Edit and the stubs plain links:
  // a page has hundreds of them, and so nothing on any of them is the script's.
  const send = (verb, address, context) => htmx.ajax(verb, address, context).catch(() => { /* the events tell */ });
  document.addEventListener("submit", (event) => {
    const { submitter } = event;
    const group = submitter?.closest(".votes, .keep");
    if (!window.htmx || !group) return;
    const address = submitter.getAttribute("formaction");
    const listed = group.matches(".dots > .keep"); // a comment's menu, which has more than the button
    if (listed && !address.startsWith("/save")) return;
    event.preventDefault();
    const own = listed ? submitter : group;
    send("POST", address, { source: own, target: own, swap: "outerHTML", ...listed && { select: "button" },
      values: { [submitter.name]: submitter.value } });
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest(".re, .opens:not([href^='/delete']), .more:not(.away)");
    const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey; // a new tab, window or file
    if (!window.htmx || !link || elsewhere || event.defaultPrevented) return;
    event.preventDefault();
    const stub = link.matches(".more");
    // The parameter keeps the fragment apart from the page of the same address in every cache.
    send("GET", link.pathname + (link.search ? link.search + "&" : "?") + "fragment=1",
      { source: link, target: stub ? link : link.closest(".acts"), swap: stub ? "outerHTML" : "afterend" });
  });

  // Reply and Edit open a form under the comment, one at a time; a second click
  // leads to the form that is there already.
  on("beforeRequest", (event) => {
    const link = event.target;
    if (!link.matches(".re, .opens")) return;
    const open = formUnder(link);
    if (!open) return;
    if (open.getAttribute("action") !== (link.matches(".re") ? "/comment" : link.pathname)) {
      open.remove();
      return;
    }
    event.preventDefault();
    firstControl(open).focus();
  });

  // A form that is refused comes back with what was typed and what is wrong.
  on("beforeSwap", (event) => {
    const { detail } = event;
    const form = detail.requestConfig && detail.requestConfig.elt;
    if (detail.xhr.status === 422 && form && form.matches("form.reply")) {
      Object.assign(detail, { shouldSwap: true, isError: false, target: form, swapOverride: "outerHTML" });
    }
    // Who is not logged in gets the login page, which carries what was typed.
    if (detail.xhr.status === 401 && form && form.matches("form.reply")) {
      detail.isError = false;
      form.submit();
      return;
    }
    if (detail.xhr.status === 200 && form && form.matches("form.change")) {
      detail.shouldSwap = false;
      renew(form, detail.xhr.responseText);
      return;
    }
    // Focus returns to the button that was pressed, in the form that takes its place.
    const button = document.activeElement;
    const pressed = button && button.closest(".votes, .toggle, .keep");
    focusAfter = !pressed || detail.target !== pressed ? null : pressed.matches(".votes") ? "." + button.className
      : button.matches('[formaction^="/hide"]') ? '[formaction^="/hide"]' : "button";
  });

  on("afterSwap", (event) => {
    const { elt, requestConfig, xhr } = event.detail;
    const source = requestConfig && requestConfig.elt;
    restore(elt.parentElement || elt);
    if (!source || !xhr) return;
    const form = source.matches(".re, .opens") && formUnder(source);
    if (form) {
      firstControl(form).focus();
    } else if (source.matches("form.reply") && xhr.status < 300) {
      if (source.isConnected) clear(source);
      const fresh = document.querySelector(".htmx-added.comment, .comment.htmx-settling") || elt;
      const summary = fresh.matches && fresh.matches(".comment") ? fresh.querySelector("summary") : null;
      if (summary) summary.focus();
      countComment();
      say(t("Comment posted"));
    }
  });

  on("afterSettle", (event) => {
    const el = event.detail.elt;
    const menu = el.matches(".keep, .keep > button") && el.closest(".dots");
    if (menu) {
      closeMenu(menu);
      return tell(el, event.detail.requestConfig);
    }
    if (!el.matches(".votes, .toggle, .keep")) return;
    if (el.matches('[action="/subscribe"]')) countMember(el, el.elements.on.value === "0" ? 1 : -1);
    const again = focusAfter && el.querySelector(focusAfter);
    if (again) again.focus();
    focusAfter = null;
    if (el.matches(".votes")) say(el.querySelector(".score").title, true); else tell(el, event.detail.requestConfig);
  });

  on("responseError", (event) => say(failure(event.detail.xhr)));
  on("sendError", () => say(failure()));
  on("timeout", () => say(failure()));

  // Cancel closes a form that was opened in place.
  document.addEventListener("click", (event) => {
    const form = event.target.closest(".comment form.reply");
    if (!form || !event.target.matches(".cancel")) return;
    event.preventDefault();
    const link = form.previousElementSibling.querySelector(form.matches(".change") ? ".opens" : ".re");
    form.remove();
    (link?.closest(".menu")?.querySelector("summary") ?? link)?.focus();
  });
};
