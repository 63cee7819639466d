// Keeps what an author writes into the form of a post: on this device a second after each change, and as a draft on the site some seconds
// later. app/sent.js forgets what the device has kept when the post is there, and when its author logs out.
import { t } from "./app/words.js";
(() => {
  "use strict";
  const form = document.querySelector("form.submit");
  const status = document.getElementById("kept");
  const field = form.elements;
  const { member } = status.dataset;
  let { save } = status.dataset; // the address that takes drafts; "" when only this device keeps what is typed
  // What is sent twice with one token makes one draft.
  const newToken = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  let token = newToken();

  const say = (said) => { status.textContent = said(new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })); };
  const isKept = (at) => t("Kept on this device at {}.", at);
  const isSaved = (at) => t("Saved as a draft at {}.", at);
  const key = () => "kept:" + member + ":" + (field.target ? field.target.value : location.pathname);
  const controls = () => [...form.querySelectorAll("[name]:not([type=hidden], [type=file], [name=''], button, [name=kind])")];
  const checks = (control) => control.type === "checkbox" || control.type === "radio";
  const typed = () => {
    const values = {};
    for (const control of controls()) {
      if (!checks(control)) values[control.name] = [control.value];
      else if (control.checked) (values[control.name] ||= []).push(control.value);
    }
    return JSON.stringify(values);
  };

  // --- Time zone ---------------------------------------------------------------
  // Members who have chosen none in the settings plan in the time zone of their device.
  const when = field.publish_at;
  const local = (date) => new Date(date - date.getTimezoneOffset() * 60000).toISOString().slice(0, 16);
  if (when && !field.zone) {
    if (when.value) when.value = local(new Date(when.value + "Z"));
    form.querySelector("label[for=publish_at]").textContent = t("Day and time, in {}", Intl.DateTimeFormat().resolvedOptions().timeZone);
    form.addEventListener("formdata", ({ formData }) => {
      if (when.value) formData.set("publish_at", new Date(when.value).toISOString().slice(0, 16));
    });
  }

  // --- On this device ----------------------------------------------------------
  let known = typed(); // by the site
  let kept = known;
  const memory = (use) => { try { return use(localStorage); } catch { return null; } }; // may be denied, or full
  const keep = () => {
    const now = typed();
    if (now === kept) return;
    kept = now;
    if (memory((store) => { store.setItem(key(), JSON.stringify({ at: Date.now(), values: now, token })); return true; }) && !save) say(isKept);
  };
  const month = 30 * 86400000;
  const earlier = memory((store) => {
    const found = JSON.parse(store.getItem(key()));
    return found?.at > Date.now() - month ? found : null; // app/sent.js removes what is older
  });
  // said is the content of a form. How the site writes it, and when and where it is to be published, makes no difference.
  const tidy = (name, value) => {
    if (name === "tags") return value.normalize("NFC").toLowerCase().split(/[\s,#]+/).sort().join(" ");
    return (name === "text" ? value.replace(/\r\n?/g, "\n") : value.replace(/\s+/g, " ")).trim();
  };
  const said = (values) => JSON.stringify(Object.entries(JSON.parse(values))
    .filter(([name]) => !["community", "publish_at", "zone"].includes(name))
    .map(([name, list]) => [name, list.map((value) => tidy(name, value)).filter(Boolean)]).filter(([, list]) => list.length).sort());
  const forgetEarlier = () => memory((store) => store.removeItem(key()));
  const offerEarlier = () => {
    const note = document.createElement("p");
    const button = (text, act) => {
      const b = document.createElement("button");
      b.type = "button";
      b.className = "button quiet";
      b.textContent = text;
      b.addEventListener("click", () => { act(); note.remove(); field.title.focus(); });
      return b;
    };
    note.className = "notice row";
    note.append(t("You wrote something else here on {}.", new Date(earlier.at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })), " ",
      button(t("Restore"), () => {
        const values = JSON.parse(earlier.values);
        ({ token } = earlier);
        form.dispatchEvent(new CustomEvent("restore", { detail: values })); // makes rows for its pictures
        for (const control of controls()) {
          const of = values[control.name] || [];
          if (checks(control)) control.checked = of.includes(control.value); else control.value = of[0] || "";
        }
        form.dispatchEvent(new Event("input", { bubbles: true }));
      }),
      button(t("Discard"), forgetEarlier));
    form.querySelector("h1").after(note);
  };
  // What was being saved as a draft when its author left is a draft by now, or becomes one: sent again with its token it makes no second one.
  const finishEarlier = async () => {
    const response = await fetch("/drafts", { method: "POST", body: new URLSearchParams(earlier.sent), headers: { accept: "application/json" } });
    if (!response.ok) throw new Error(response.status);
    const { id } = await response.json();
    forgetEarlier();
    const note = document.createElement("p");
    const link = document.createElement("a");
    note.className = "notice";
    Object.assign(link, { href: "/draft?target=" + id, textContent: t("Continue") });
    note.append(t("What you wrote here is saved as a draft."), " ", link);
    form.querySelector("h1").after(note);
  };
  if (earlier && said(earlier.values) !== said(known)) { // else it is here, be it saved or refused
    if (earlier.sent && save === "/drafts") finishEarlier().catch(offerEarlier); else offerEarlier();
  }

  // --- On the site -------------------------------------------------------------
  // becomeDraft makes the form of a new post that of the draft which was saved.
  const becomeDraft = async (id) => {
    const response = await fetch("/draft?target=" + id);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const fresh = page.querySelector("form.submit");
    form.action = fresh.getAttribute("action");
    form.querySelector("h1").textContent = fresh.querySelector("h1").textContent;
    for (const hidden of form.querySelectorAll(":scope > [type=hidden]")) hidden.remove();
    form.prepend(...fresh.querySelectorAll(":scope > [type=hidden]"));
    form.querySelector(".f-community, .crumb").replaceWith(fresh.querySelector(".crumb"));
    const buttons = fresh.querySelectorAll("button:not([type=button], .upload)");
    form.querySelectorAll("button:not([type=button], .upload)").forEach((button, i) => {
      for (const name of ["formaction", "value"]) {
        if (buttons[i].hasAttribute(name)) button.setAttribute(name, buttons[i].getAttribute(name)); else button.removeAttribute(name);
      }
    });
    save = page.getElementById("kept").dataset.save;
    history.replaceState(null, "", "/draft?target=" + id);
  };
  const send = async () => {
    const now = typed();
    const body = new URLSearchParams(new FormData(form));
    const community = body.get("community") || body.get("in");
    const fresh = save === "/drafts";
    if (now === known || !field.title.value.trim() || fresh && (!community || document.activeElement === field.community)) return;
    body.delete("publish_at");
    if (fresh) {
      body.set("community", community);
      body.set("token", token);
    }
    if (fresh) memory((store) => store.setItem(key(), JSON.stringify({ at: Date.now(), values: now, token, sent: body.toString() })));
    const response = await fetch(save, { method: "POST", body, headers: { accept: "application/json" } });
    const saved = await response.json();
    if (saved.error?.code === "conflict") save = ""; // it was changed elsewhere
    if (saved.error?.code === "already_sent") token = newToken();
    if (!response.ok) throw new Error(response.status);
    const before = key();
    if (fresh) await becomeDraft(saved.id); else field.revision.value = saved.revision;
    known = now;
    memory((store) => store.removeItem(before));
    say(isSaved);
  };
  let sending = null, stopped = false, soon, later;
  const autosave = () => {
    clearTimeout(later);
    later = null;
    if (!save || sending || stopped) return;
    sending = send().catch(() => say(isKept)).finally(() => { sending = null; });
  };
  form.addEventListener("input", () => {
    clearTimeout(soon);
    soon = setTimeout(keep, 1000);
    later ||= setTimeout(autosave, 15000);
  });
  document.addEventListener("visibilitychange", () => {
    keep();
    autosave();
  });
  window.addEventListener("pagehide", keep);
  window.addEventListener("pageshow", () => { // and so the post that was sent is not there
    stopped = false;
    try { sessionStorage.removeItem("sent"); } catch { /* nothing was noted */ }
  });
  form.addEventListener("submit", (event) => {
    if (sending) { // it has the draft's next revision
      event.preventDefault();
      sending.finally(() => form.requestSubmit(event.submitter));
      return;
    }
    stopped = true;
    keep();
    try { sessionStorage.setItem("sent", key()); } catch { /* it stays on this device for a month */ }
  });
})();
