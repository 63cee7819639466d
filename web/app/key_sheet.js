// The dialog that lists the keys. They are switched off there, for people whose speech or sticky keys would press them by mistake.
import { recall, remember } from "./memory.js";

const groups = {
  "Everywhere": { "/": "Search", "u": "Undo", "?": "These keys", "Esc": "Close a menu, leave a field" },
  "Posts and comments": { "j": "Next", "k": "Previous", "Enter": "Open the comments, or fold a comment", "o": "Open the link",
    "a": "Upvote", "z": "Downvote", "s": "Save", "h": "Hide a post", "r": "Reply" },
  "Threads": { "p": "Parent", "n": "Next comment on the post", "N": "Next new comment" },
  "Moderators' queue": { "a": "Approve", "r": "Remove: choose a rule with 1 to 9", "i": "Ignore the reports", "o": "More", "x": "Select",
    "b": "Ban the author" },
};
const element = (name, ...content) => {
  const el = document.createElement(name);
  el.append(...content);
  return el;
};
const make = () => {
  const close = element("button", "Close");
  close.className = "button quiet";
  const title = element("h2", "Keyboard shortcuts");
  title.id = "keys-title";
  const head = element("form", title, close);
  head.method = "dialog";
  const on = Object.assign(document.createElement("input"), { type: "checkbox", checked: !keysAreOff() });
  on.addEventListener("change", () => remember("keys", on.checked ? null : "off"));
  const dialog = element("dialog", head);
  for (const [name, keys] of Object.entries(groups)) {
    if (name.startsWith("Mod") && !document.querySelector('.queue, a[href$="/mod/queue"]')) continue;
    const rows = Object.entries(keys).map(([key, does]) => element("div", element("dt", element("kbd", key)), element("dd", does)));
    dialog.append(element("h3", name), element("dl", ...rows));
  }
  dialog.append(element("p", element("label", on, " Use these keys on this device")));
  dialog.id = "key-sheet";
  dialog.setAttribute("aria-labelledby", title.id);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  return dialog;
};

/** keysAreOff tells whether this device has them switched off. */
export const keysAreOff = () => recall("keys") === "off";

/** showKeys opens the dialog. */
export const showKeys = () => make().showModal();

export const startKeySheet = () => document.getElementById("keys")?.addEventListener("click", showKeys);
