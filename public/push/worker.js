// Shows what the site sends to a device, and opens it. web/push.js registers it. Its scope is /push/, where there are no pages, so it has
// no part in loading any. worker/inbox/push.go writes what it shows.
"use strict";

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("push", (event) => {
  let said = {};
  try {
    said = event.data.json();
  } catch { /* A browser wants something to be shown for every message. */ }
  self.navigator.setAppBadge?.().catch(() => { /* it is not allowed to */ }); // a dot; web/app/badge.js knows how much is unread
  event.waitUntil(self.registration.showNotification(said.title || "There is something new for you", {
    body: said.body || "", tag: said.tag || "inbox", renotify: true, data: { url: said.url || "/inbox" },
  }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = new URL(event.notification.data.url, self.location.origin);
  if (url.origin !== self.location.origin) return;
  event.waitUntil((async () => {
    const open = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const there = open.find((client) => client.url === url.href);
    return there ? there.focus() : self.clients.openWindow(url.href);
  })());
});
