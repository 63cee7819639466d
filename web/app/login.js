// When somebody has logged in in another tab, by a mailed link or elsewhere, the tab that has what they wrote goes on by itself.
export const startLogin = () => {
  const awaits = document.querySelector("form.awaits");
  const done = location.pathname === "/login/done";
  if (!awaits && !done || !("BroadcastChannel" in window)) return;
  const tabs = new BroadcastChannel("logged-in");
  if (done) tabs.postMessage(""); else tabs.onmessage = () => awaits.requestSubmit(awaits.querySelector("[formaction='/login/continue']"));
};
