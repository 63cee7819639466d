// Pages that this device keeps for reading offline, in the cache KEPT. The service worker public/offline.js keeps there what visitors read.
// What a member reads it keeps only if the cache has OWNER, the path of the profile of the member who has chosen that.
import { member } from "./memory.js";

export const KEPT = "kept";
export const OWNER = "/offline/owner";

/** keepsPages tells whether this browser can keep pages. */
export const keepsPages = () => Boolean(navigator.serviceWorker && window.caches);

/** owner is the member whose pages are kept; undefined if they are a visitor's. */
export const owner = async () => (await caches.match(OWNER, { cacheName: KEPT }))?.text();

/** begin starts the worker. It keeps this page, if it is a thread or an edition, the list of pages and the last edition. */
export const begin = async () => {
  await navigator.serviceWorker.register("/offline.js");
  (await navigator.serviceWorker.ready).active.postMessage(["/offline", "/edition", location.href]);
};

// The worker deletes the pages when their owner logs out. A session may also expire, be ended from another device, or give way to another.
// The page that the edge shows while a member's own can't be made (worker/edge/shim/pages.mjs) says nothing about that.
const deleteOthers = async () => {
  const kept = await owner();
  if (kept !== undefined && kept !== member() && !document.getElementById("copy")) await caches.delete(KEPT);
};

// A visitor who comes from another page of the site reads on. Many come for one page only.
const beginForVisitor = async () => {
  if (member() || navigator.serviceWorker.controller || !document.referrer.startsWith(`${location.origin}/`)) return;
  if (/^\/(edition|c\/[^/]+\/p\/)/.test(location.pathname)) await begin();
};

export const startOffline = () => {
  if (!keepsPages()) return;
  const refused = () => { /* this browser keeps nothing now, as in some private windows */ };
  deleteOthers().catch(refused);
  addEventListener("load", () => beginForVisitor().catch(refused));
};
