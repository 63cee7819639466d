// The dialog that lists the keys. They are switched off there, for people whose speech or sticky keys would press them by mistake.
import { keysAreOff, remember } from "./memory.js";
import { t } from "./words.js";

const groups = {
  [t("Everywhere")]: { "/": t("Search¦verb"), "u": t("Undo"), "?": t("These keys"), "Esc": t("Close a menu, leave a field") },
  [t("Posts and comments")]: { "j": t("Next"), "k": t("Previous"), "Enter": t("Open the comments, or fold a comment"), "o": t("Open the link"),
    "a": t("Upvote"), "z": t("Downvote"), "s": t("Save¦bookmark"), "h": t("Hide a post"), "r": t("Reply¦verb") },
  [t("Threads")]: { "p": t("Parent"), "n": t("Next comment on the post"), "N": t("Next new comment") },
  [t("Moderators' queue")]: { "a": t("Approve"), "r": t("Remove: choose a rule with 1 to 9"), "i": t("Ignore the reports"), "o": t("More"), "x": t("Select"),
    "v": t("Show the pictures clearly"), "b": t("Ban the author") },
};
const element = (name, ...content) => {
  const el = document.createElement(name);
  el.append(...content);
  return el;
};
const make = () => {
  const close = element("button", t("Close"));
  close.className = "button quiet";
  const title = element("h2", t("Keyboard shortcuts"));
  title.id = "keys-title";
  const head = element("form", title, close);
  head.method = "dialog";
  const on = Object.assign(document.createElement("input"), { type: "checkbox", checked: !keysAreOff() });
  on.addEventListener("change", () => remember("keys", on.checked ? null : "off"));
  const dialog = element("dialog", head);
  for (const [name, keys] of Object.entries(groups)) {
    if (keys.i && !document.querySelector('.queue, a[href$="/mod/queue"]')) continue;
    const rows = Object.entries(keys).map(([key, does]) => element("div", element("dt", element("kbd", key)), element("dd", does)));
    dialog.append(element("h3", name), element("dl", ...rows));
  }
  dialog.append(element("p", element("label", on, " ", t("Use these keys on this device"))));
  dialog.id = "key-sheet";
  dialog.setAttribute("aria-labelledby", title.id);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  return dialog;
};

/** showKeys opens the dialog. */
export const showKeys = () => make().showModal();

export const startKeySheet = () => document.getElementById("keys")?.addEventListener("click", showKeys);
