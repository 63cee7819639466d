// The icon of an installed app shows how much is unread in the inbox, where the platform can. 0 removes that.
export const startBadge = () => {
  const unread = parseInt(document.querySelector(".inbox b")?.textContent, 10) || 0;
  navigator.setAppBadge?.(unread).catch(() => { /* it is not allowed to */ });
};
