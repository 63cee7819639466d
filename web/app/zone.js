// Members who have chosen no time zone get that of their device, on the first page of a visit. The site does nothing if they have chosen
// one meanwhile.
export const startZone = () => {
  if (document.documentElement.dataset.zone || !document.querySelector("header form[action='/logout']")) return; // chosen, or a visitor
  try {
    if (sessionStorage.getItem("zone")) return;
    sessionStorage.setItem("zone", "told");
  } catch { return; /* it would be told on every page */ }
  const body = new URLSearchParams({ zone: Intl.DateTimeFormat().resolvedOptions().timeZone });
  fetch("/settings/zone", { method: "POST", body, headers: { accept: "application/json" } }).catch(() => { /* next time */ });
};
