// Serves pictures to browsers, at /picture/{sum} and /picture/{sum}/small, from the bucket, without Go. A picture never changes, so
// browsers keep it. The edge keeps it only for a minute, so that a deleted picture is soon gone.
//
// An address without a picture costs up to two reads of the bucket. So the edge remembers for a few seconds that it has none. And for each
// network, an isolate stops reading the bucket after many different missing addresses within a minute.

import { pathBegins } from "./address.mjs";
import { clientNetwork } from "./head.mjs";
import { limitsOf } from "./limits.mjs";
import { errorPage } from "./pages.mjs";
import { HEADERS } from "./table.mjs";

const ADDRESS = /^\/picture\/([0-9a-f]{64})(\/small)?$/;
const HERE = "public, max-age=60";
const NONE_HERE = "public, max-age=10"; // so that a picture that is uploaded meanwhile shows soon
const MISSING_MAX = 600; // addresses without a picture that a network can request within a minute: one network may have many readers
const NETWORKS_MAX = 10_000; // how many networks an isolate counts before it begins again
const ADDRESSES_MAX = 50_000; // how many addresses it keeps for all networks before it begins again
const BROWSERS = "public, max-age=31536000, immutable";
// The same as for linked pictures (view.ImagePolicy in Go): a picture that is opened by itself can load and run nothing.
const POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'";

/** isPicture reports whether a request is for a picture. */
export const isPicture = (request) => pathBegins(request, "/picture/") && (request.method === "GET" || request.method === "HEAD");

/** servePicture returns the response to such a request. */
export async function servePicture(request, env, ctx) {
  const { pathname, search, origin } = new URL(request.url);
  const [, sum, small] = ADDRESS.exec(pathname) ?? [];
  // A picture has one address, without a query: any other would be cached once more.
  if (!sum || search || request.url.includes("?") || !env.PICTURES) return errorPage(request, 404);
  const key = origin + pathname;
  const here = await kept(key);
  if (here?.status === 404) return errorPage(request, 404);
  const network = clientNetwork(request, limitsOf(env).addressHeader);
  if (!here && missedTooMuch(network)) return errorPage(request, 429);
  const found = here ?? (await fromBucket(env.PICTURES, sum, small));
  if (!found) {
    missed(network, pathname);
    ctx.waitUntil(keepHere(key, new Response(null, { status: 404, headers: { "cache-control": NONE_HERE } })));
    return errorPage(request, 404);
  }
  if (!here) ctx.waitUntil(keepHere(key, found.clone()));
  const headers = new Headers(found.headers);
  for (const name of ["age", "cf-cache-status"]) headers.delete(name);
  headers.set("cache-control", BROWSERS);
  headers.set("x-cache", here ? "HIT" : "MISS");
  const unchanged = (request.headers.get("if-none-match") || "").includes(headers.get("etag"));
  if (!unchanged && request.method === "GET") return new Response(found.body, { headers });
  await found.body?.cancel();
  if (unchanged) for (const name of ["content-type", "content-length"]) headers.delete(name);
  return new Response(null, { status: unchanged ? 304 : 200, headers });
}

let minute = 0;
const missing = new Map(); // network → the addresses without a picture that it has requested in this minute
let addresses = 0; // of all networks

function missedTooMuch(network) {
  const now = Math.floor(Date.now() / 60_000);
  if (now !== minute || missing.size > NETWORKS_MAX || addresses > ADDRESSES_MAX) {
    missing.clear();
    addresses = 0;
  }
  minute = now;
  return missing.get(network)?.size >= MISSING_MAX;
}

function missed(network, path) {
  if (!network) return; // no address is known: counting it would limit all visitors together
  if (!missing.has(network)) missing.set(network, new Set());
  const asked = missing.get(network);
  if (asked.has(path)) return;
  asked.add(path);
  addresses++;
}

async function fromBucket(bucket, sum, small) {
  const it = (small && (await bucket.get(`s/${sum}`))) || (await bucket.get(`p/${sum}`));
  if (!it) return null;
  return new Response(it.body, { headers: {
    ...HEADERS,
    "content-type": it.httpMetadata.contentType,
    "content-length": String(it.size),
    "content-security-policy": POLICY,
    "cache-control": HERE,
    etag: `"${it.key.replace("/", "-")}"`,
  } });
}

async function kept(key) {
  try {
    return await caches.default.match(key);
  } catch {
    return undefined; // no cache here (a bare workerd)
  }
}

async function keepHere(key, response) {
  try {
    await caches.default.put(key, response);
  } catch {
    await response.body?.cancel();
  }
}
