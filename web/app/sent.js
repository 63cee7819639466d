// Posts and comments that are written (autosave.js, written.js).
// What the device has kept of one goes when it is there, and all of it when its author logs out. What was sent leads to its page at once:
// any other page shows that it was refused.
export const forget = () => {
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
