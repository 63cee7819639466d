// Requests that the shim serves without Go are counted here, by class. The next request that goes to Go takes the numbers along
// (head.mjs), and Go adds them to its own (data/site/metrics). They are lost if the platform ends the isolate before that.

import { wantsJSON } from "./pages.mjs";

const NO_PAGES = /^\/(?:healthz|manifest\.webmanifest|oembed|\.well-known\/security\.txt)$/;

const counts = new Map(); // such as "visitor.cached" → how often

/** classOf returns the class in which a request is counted. Go has the same rule (worker/request/metrics.go). */
export function classOf(request, personal) {
  const { pathname } = new URL(request.url);
  if (request.method !== "GET" && request.method !== "HEAD") return "action";
  if (/^\/(?:img|card|picture)\//.test(pathname)) return "picture";
  if (/\.atom$|^\/sitemap|^\/robots\.txt$/.test(pathname)) return "feed";
  if (NO_PAGES.test(pathname)) return "other";
  if (personal || pathname.startsWith("/feed/")) return "member";
  return wantsJSON(request) ? "json" : "visitor";
}

/**
 * count counts a response that Go has not made: "cached", and "stale" if the copy is older than it should be; "failed", and "late". A page
 * that Go has made in place of a copy is "made", because Go does not count that itself.
 */
export function count(request, what, personal = false) {
  add(`${classOf(request, personal)}.${what}`, 1);
}

function add(name, n) {
  counts.set(name, (counts.get(name) ?? 0) + n);
}

/** addCounts adds what the gateway has counted (gateway.mjs), as takeCounts returns it. A gateway of an older release has no counts. */
export function addCounts(text = "") {
  for (const field of text.split(" ").filter(Boolean)) {
    const [name, n] = field.split("=");
    add(name, Number(n));
  }
}

/** takeCounts returns what was counted since its last call, such as "visitor.cached=12 picture.cached=3". */
export function takeCounts() {
  if (counts.size === 0) return "";
  const text = Array.from(counts, ([name, n]) => `${name}=${n}`).join(" ");
  counts.clear();
  return text;
}
