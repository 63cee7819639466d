// What Plaza does beyond its HTML: everything here may fail or be switched off and the
// pages still work. Loaded in the head without defer so that the theme never flashes.
(() => {
  "use strict";
  const root = document.documentElement;
  root.classList.add("js");

  // The device's memory may be denied (private windows); then nothing is remembered.
  const recall = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
  const remember = (key, value) => {
    try { value == null ? localStorage.removeItem(key) : localStorage.setItem(key, value); } catch { /* not remembered */ }
  };

  // --- Theme -------------------------------------------------------------------
  const themes = { auto: "as the device", light: "light", dark: "dark" };
  const showTheme = (theme) => {
    if (theme === "auto") delete root.dataset.theme; else root.dataset.theme = theme;
    const button = document.getElementById("theme");
    if (button) button.textContent = "Theme: " + themes[theme];
  };
  let theme = recall("theme");
  if (!(theme in themes)) theme = "auto";
  const ownTheme = root.dataset.theme; // a member's, in the settings
  if (!ownTheme) showTheme(theme);

  // --- Messages ----------------------------------------------------------------
  // One live region: quiet says it to screen readers only.
  let clearing;
  const say = (text, quiet) => {
    const toast = document.getElementById("toast");
    if (!toast) return;
    toast.classList.toggle("quiet", Boolean(quiet));
    toast.textContent = text;
    clearTimeout(clearing);
    clearing = setTimeout(() => { toast.textContent = ""; }, quiet ? 2000 : 6000);
  };

  // --- Collapsed comments ------------------------------------------------------
  // The last 500 collapsed comments are remembered, oldest first.
  const limit = 500;
  let collapsed = new Set((recall("collapsed") || "").split(",").filter(Boolean));
  const restore = (within) => {
    if (!collapsed.size) return;
    for (const comment of within.querySelectorAll(".comment[id]")) {
      if (collapsed.has(comment.id) && "#" + comment.id !== location.hash) fold(comment).open = false;
    }
  };
  const fold = (comment) => comment.querySelector(":scope > details") || {};
  const onToggle = (event) => {
    const comment = event.target.parentElement;
    if (!comment || !comment.matches(".comment[id]")) return;
    collapsed.delete(comment.id);
    if (!event.target.open) collapsed.add(comment.id);
    collapsed = new Set([...collapsed].slice(-limit));
    remember("collapsed", collapsed.size ? [...collapsed].join(",") : null);
  };

  // --- Keyboard ----------------------------------------------------------------
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
      const field = document.querySelector('input[type="search"]');
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

  // --- Counts ------------------------------------------------------------------
  // What the reader adds in place shows in the counts beside it. From 1,000 on the rounded
  // count stays, and its title has the exact one.
  const count = (el, by, one, many) => {
    const was = (el.title || el.textContent).match(/[\d,]+/);
    if (!was) return;
    const n = Number(was[0].replaceAll(",", "")) + by;
    const text = n.toLocaleString("en") + " " + (n === 1 ? one : many);
    if (el.title) el.title = text;
    if (n < 1000 || !el.title) el.textContent = text;
  };
  const countComment = () => {
    for (const el of document.querySelectorAll("#comments-title, .full .cc")) count(el, 1, "comment", "comments");
  };
  const countMember = (form, by) => {
    const row = form.closest("li");
    for (const el of (row || document).querySelectorAll(row ? "p [title]" : ".head p [title]")) {
      if (/ members?$/.test(el.title)) count(el, by, "member", "members");
    }
    const fact = row ? null : document.querySelector(".facts dd");
    if (fact && fact.firstChild) fact.firstChild.data = (Number(fact.firstChild.data.replace(/\D/g, "")) + by).toLocaleString("en") + " ";
  };

  // --- Pictures ----------------------------------------------------------------
  // One that can't be had leaves its place to the words beside it.
  document.addEventListener("error", (event) => {
    if (event.target.matches && event.target.matches(".linkcard img")) event.target.classList.add("lost");
  }, true);

  // --- Tags --------------------------------------------------------------------
  // The field of a post's tags offers tags that begin like its last word.
  let offering, offered = 0;
  document.addEventListener("input", (event) => {
    const field = event.target;
    if (!field.matches('[list="tag-names"]')) return;
    clearTimeout(offering);
    const mine = ++offered;
    const [, before, word] = /^(.*[\s,])?(.*)$/s.exec(field.value);
    if (!word) return;
    offering = setTimeout(async () => {
      try {
        const answer = await fetch("/tags/suggest?q=" + encodeURIComponent(word));
        if (!answer.ok) return;
        const options = new DOMParser().parseFromString(await answer.text(), "text/html").querySelectorAll("option");
        if (mine !== offered) return; // more was typed meanwhile
        for (const option of options) option.value = (before || "") + option.value;
        field.list.replaceChildren(...options);
      } catch { /* nothing is offered */ }
    }, 150);
  });

  // --- Search ------------------------------------------------------------------
  // Communities and members whose names begin with what is typed.
  let suggesting, asked = 0;
  document.addEventListener("input", ({ target: field }) => {
    const list = field.type === "search" && document.getElementById(field.getAttribute("aria-controls"));
    if (!list) return;
    clearTimeout(suggesting);
    const mine = ++asked;
    const text = field.value.trim();
    suggesting = setTimeout(async () => {
      const answer = text.length < 2 ? null : await fetch("/search/suggest?q=" + encodeURIComponent(text)).catch(() => null);
      const html = answer && answer.ok ? await answer.text() : "";
      if (mine === asked) list.innerHTML = html;
    }, 200);
  });

  // --- In place, with htmx -----------------------------------------------------
  const failure = (xhr) => {
    if (!xhr || !xhr.status) return "No connection. Nothing was changed; please try again.";
    if (xhr.status === 401) return "Please log in first.";
    if (xhr.status === 403) return "You may not do that here.";
    if (xhr.status === 429) return "That was a little fast. Please wait a moment.";
    return "That did not work. Please try again.";
  };
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
  // A comment that was changed takes its new head, text and actions; its replies stay.
  const renew = (form, answer) => {
    const comment = form.closest(".comment");
    const fresh = new DOMParser().parseFromString(answer, "text/html").querySelector(".comment");
    for (const part of [".by", ".said-body", ".acts"]) {
      const now = fresh.querySelector(part);
      if (!now) comment.querySelector(part).remove();
      else {
        comment.querySelector(part).replaceWith(now);
        htmx.process(now);
      }
    }
    form.remove();
    comment.querySelector("summary, .by a").focus();
    say(form.matches(".remove") ? "The comment is removed." : form.getAttribute("action") === "/delete" ? "Your comment is deleted." : "Your comment is changed.", true);
  };
  // What was done, by what its button offers next.
  const done = { Save: "No longer saved", Unsave: "Saved", Hide: "No longer hidden", Unhide: "Hidden from your listings",
    "Follow thread": "You are told of answers and mentions only", "Unfollow thread": "You are told of every comment", "Unmute thread": "You are told of nothing in this thread" };
  let focusAfter;
  const inPlace = () => {
    const on = (name, handler) => document.body.addEventListener("htmx:" + name, handler);

    // Votes and saves are plain forms, Reply, Edit, Delete and the stubs plain links: a page
    // has thousands of them, and so nothing on any of them is the script's.
    const send = (verb, address, context) => htmx.ajax(verb, address, context).catch(() => { /* the events tell */ });
    document.addEventListener("submit", (event) => {
      const { target: form, submitter } = event;
      if (!window.htmx || !submitter || !form.matches(".votes, .keep")) return;
      event.preventDefault();
      const address = submitter.getAttribute("formaction") || form.getAttribute("action");
      send("POST", address, { source: form, target: form, swap: "outerHTML", values: { [submitter.name]: submitter.value } });
    });
    document.addEventListener("click", (event) => {
      const link = event.target.closest(".re, .opens, .more:not(.away)");
      const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey; // a new tab, window or file
      if (!window.htmx || !link || elsewhere || event.defaultPrevented) return;
      event.preventDefault();
      const stub = link.matches(".more");
      // The parameter keeps the fragment apart from the page of the same address in every cache.
      send("GET", link.pathname + (link.search ? link.search + "&" : "?") + "fragment=1",
        { source: link, target: stub ? link : link.closest(".acts"), swap: stub ? "outerHTML" : "afterend" });
    });

    // Reply, Edit and Delete open a form under the comment, one at a time; a second click
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
        : button.matches("[formaction]") ? "[formaction]" : "button";
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
        say("Your comment is there.", true);
      }
    });

    on("afterSettle", (event) => {
      const el = event.detail.elt;
      if (!el.matches(".votes, .toggle, .keep")) return;
      if (el.matches('[action="/subscribe"]')) countMember(el, el.elements.on.value === "0" ? 1 : -1);
      const again = focusAfter && el.querySelector(focusAfter);
      if (again) again.focus();
      focusAfter = null;
      if (el.matches(".keep")) say(again ? done[again.textContent] : "Done", true);
      else say(el.matches(".votes") ? el.querySelector(".score").title : el.textContent, true);
    });

    on("responseError", (event) => say(failure(event.detail.xhr)));
    on("sendError", () => say(failure()));
    on("timeout", () => say(failure()));
  };

  // --- Views -------------------------------------------------------------------
  // Pages come from a cache, or in advance. So it is told from here that somebody looks at
  // one, once a week for each thing. What this device has told of is remembered here alone.
  const look = () => {
    const mark = document.querySelector("[data-view]")?.dataset.view;
    if (!mark || document.visibilityState === "hidden" || !navigator.sendBeacon) return;
    document.removeEventListener("visibilitychange", look);
    const week = String(Math.floor(Date.now() / 6048e5));
    const told = (recall("viewed") || "").split(" ");
    if (told[0] === week && told.includes(mark)) return;
    if (!navigator.sendBeacon("/view", new URLSearchParams({ of: mark }))) return;
    remember("viewed", [week, ...(told[0] === week ? told.slice(1).slice(-limit) : []), mark].join(" "));
  };

  // Who follows a post's link from a list has seen it. Reloaded or not, the list shows that.
  const follow = (event) => {
    const post = event.target.closest(".post h2 a[rel]")?.closest(".post");
    if (!post || event.button > 1 || !post.querySelector(".keep")) return;
    post.classList.add("seen");
    navigator.sendBeacon?.("/seen", new URLSearchParams({ target: post.id.slice(2) }));
  };

  // --- Posts and comments that are written (autosave.js, written.js) -----------
  // What the device has kept of one goes when it is there, and all of it when its author logs out. What was sent leads to its page at once:
  // any other page shows that it was refused.
  const forget = () => {
    try {
      const sent = sessionStorage.getItem("sent");
      if (sent && /^\/c\/[^/]+\/p\//.test(location.pathname)) localStorage.removeItem(sent);
      if (sent) sessionStorage.removeItem("sent");
    } catch { /* then nothing is kept */ }
    document.addEventListener("submit", (event) => {
      if (event.target.getAttribute("action") !== "/logout") return;
      try { Object.keys(localStorage).filter((key) => key.startsWith("kept:")).forEach((key) => localStorage.removeItem(key)); } catch { /* the same */ }
    });
  };

  // --- Start -------------------------------------------------------------------
  const start = () => {
    if (!ownTheme) showTheme(theme);
    document.getElementById("theme")?.addEventListener("click", () => {
      const names = Object.keys(themes);
      theme = names[(names.indexOf(theme) + 1) % names.length];
      remember("theme", theme === "auto" ? null : theme);
      showTheme(theme);
    });
    restore(document);
    forget();
    document.addEventListener("toggle", onToggle, true);
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
    // After a decision the queue opens at the next case, below what the page says on top.
    if (location.hash.startsWith("#q-")) {
      current = document.getElementById(location.hash.slice(1));
      say(document.querySelector(".notice[role=status]")?.textContent ?? "");
    }
    // How many authors are ticked.
    document.querySelector(".authors")?.addEventListener("change", ({ currentTarget: form }) => {
      form.querySelector(".ticked").textContent = form.querySelectorAll("[name=member]:checked").length;
    });
    // Cancel closes a form that was opened in place.
    document.addEventListener("click", (event) => {
      const form = event.target.closest(".comment form.reply");
      if (!form || !event.target.matches(".cancel")) return;
      event.preventDefault();
      const link = form.previousElementSibling.querySelector(form.matches(".change") ? ".opens" : ".re");
      form.remove();
      link?.focus();
    });
    // An open menu closes when the reader goes elsewhere.
    document.addEventListener("click", (event) => {
      for (const menu of document.querySelectorAll(".menu[open]")) {
        if (!menu.contains(event.target)) menu.open = false;
      }
    });
    // When somebody has logged in in another tab, by a mailed link or elsewhere, the tab that has what they wrote goes on by itself.
    const awaits = document.querySelector("form.awaits");
    const done = location.pathname === "/login/done";
    if ((awaits || done) && "BroadcastChannel" in window) {
      const tabs = new BroadcastChannel("logged-in");
      if (done) tabs.postMessage(""); else tabs.onmessage = () => awaits.requestSubmit(awaits.querySelector("[formaction='/login/continue']"));
    }
    document.addEventListener("visibilitychange", look);
    look();
    for (const name of ["click", "auxclick"]) document.addEventListener(name, follow);
    inPlace();
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start); else start();
})();
