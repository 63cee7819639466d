import { member } from "./memory.js";

// Members who have chosen no time zone get that of their device, on the first page of a visit. The site does nothing if they have chosen
// one meanwhile.
export const startZone = () => {
  const who = member();
  if (document.documentElement.dataset.zone || !who) return; // chosen, or a visitor
  try {
    if (sessionStorage.getItem("zone") === who) return;
    sessionStorage.setItem("zone", who);
  } catch { return; /* it would be told on every page */ }
  const body = new URLSearchParams({ zone: Intl.DateTimeFormat().resolvedOptions().timeZone });
  fetch("/settings/zone", { method: "POST", body, headers: { accept: "application/json" } }).catch(() => { /* next time */ });
};
