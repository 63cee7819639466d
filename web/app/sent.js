// Posts and comments that are written (autosave.js, written.js).
// What the device has kept of one goes when it is there, all of it when its author logs out, with what moderators write
// again and again, and each after a month. What was sent leads to
// its page at once: any other page shows that it was refused. A conversation has the same address when a message was refused.
import { remember } from "./memory.js";
import { say } from "./toast.js";
import { t } from "./words.js";

const isThere = () => /^\/c\/[^/]+\/p\//.test(location.pathname)
  || /^\/messages\/./.test(location.pathname) && !document.querySelector(".wrong:not(:empty)")
  || document.querySelector("main .undone"); // the list of conversations, where no other waits
const saidOf = (sent) => {
  if (/:messages/.test(sent)) return t("Sent");
  return /:edit:/.test(sent) || document.querySelector("form[action='/publish']") ? t("Saved¦stored") : t("Posted");
};
const month = 30 * 86400000;
const isOld = (key) => { try { return !(JSON.parse(localStorage.getItem(key)).at > Date.now() - month); } catch { return true; } };
const drop = (which) => {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith("kept:") && which(key)) localStorage.removeItem(key);
  } catch { /* the same */ }
};
export const forget = () => {
  try {
    const sent = sessionStorage.getItem("sent");
    if (sent && isThere()) {
      localStorage.removeItem(sent);
      if (!document.querySelector("main .undone")) say(saidOf(sent));
    }
    if (sent) sessionStorage.removeItem("sent");
  } catch { /* then nothing is kept */ }
  drop(isOld);
  document.addEventListener("submit", (event) => {
    if (event.target.getAttribute("action") !== "/logout") return;
    drop(() => true);
    for (const key of ["mail-replies", "removal-messages", "removal-rule"]) remember(key, null); // saved_replies.js, reasons.js
  });
};
