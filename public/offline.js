// Keeps opened threads and editions for when the network fails (docs/inside/pages.md).
"use strict";
const LIST = "/offline";
const KEEPS = /^\/(offline|edition(\/[^.]+)?|c\/[^/]+\/p\/[^.]+)$/;
const pathOf = ({ url }) => new URL(url).pathname;
const on = self.addEventListener.bind(self);

async function keep(response) {
  const { headers, status, url } = response;
  const path = pathOf(response);
  if (!KEEPS.test(path)) return;
  const cache = await caches.open("kept");
  if (status === 404) await cache.delete(url);
  const owner = await cache.match("/offline/owner");
  const shared = /public/.test(headers.get("cache-control")); // it is a visitor's
  if (status !== 200 || shared === Boolean(owner)) return;
  const text = await response.text();
  if (text.includes('id="copy"')) return;
  const files = Array.from(text.matchAll(/<(?:link|script)[^>]+?"(\/_\/[^"]+)"/g), ([, file]) => file);
  await cache.put(url, new Response(text, { headers: {
    "content-type": "text/html", "content-security-policy": headers.get("content-security-policy"), "x-files": files, "x-kept": Date.now(),
  } }));
  for (const file of files) if (!await cache.match(file)) await cache.add(file).catch(() => {});
  const keys = await cache.keys();
  for (const old of keys.filter((it) => KEEPS.test(pathOf(it))).slice(0, -30)) await cache.delete(old);
  const used = (await cache.matchAll()).map((it) => it.headers.get("x-files")).join();
  for (const key of keys) if (pathOf(key).startsWith("/_/") && !used.includes(pathOf(key))) await cache.delete(key);
  // A thread renews the list and the last edition, every six hours.
  const list = await cache.match(LIST);
  if (path[1] === "c" && !(list?.headers.get("x-kept") > Date.now() - 6 * 3600e3)) await keepAll([LIST, "/edition"]);
}

async function keepAll(paths) {
  for (const path of paths) await keep(await fetch(path));
}

async function load(event) {
  const response = await event.preloadResponse ?? await fetch(event.request);
  event.waitUntil(KEEPS.test(pathOf(event.request)) && keep(response.clone()));
  return response;
}

// A page, or else the list, with the list's note.
async function offline(request) {
  const list = await caches.match(LIST);
  if (!list) return Response.error();
  const page = await caches.match(request) ?? list.clone();
  const [, note] = /<template>(.*?)<.template>/.exec(await list.text());
  return new Response((await page.text()).replace(/<main[^>]*>/, (main) => main + note), page);
}

on("install", () => self.skipWaiting());
on("activate", (event) => event.waitUntil(self.registration.navigationPreload?.enable()));
on("message", (event) => event.waitUntil(keepAll(event.data)));
on("fetch", (event) => {
  const { request } = event;
  const path = pathOf(request);
  if (path === "/logout") event.waitUntil(caches.delete("kept")); // in any case
  else if (path.startsWith("/_/")) event.respondWith(fetch(request).catch(() => caches.match(request)));
  else if (request.mode + request.method === "navigateGET") event.respondWith(load(event).catch(() => offline(request)));
});
