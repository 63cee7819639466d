// Pictures as browsers get them, /picture/{sum} and /picture/{sum}/small: from the bucket, without Go. A picture never changes, so browsers
// keep it. This edge keeps it for a minute, so that one that is deleted is gone from here soon.

import { pathBegins } from "./address.mjs";
import { errorPage } from "./pages.mjs";
import { HEADERS } from "./table.mjs";

const ADDRESS = /^\/picture\/([0-9a-f]{64})(\/small)?$/;
const HERE = "public, max-age=60";
const BROWSERS = "public, max-age=31536000, immutable";
// As of pictures elsewhere (view.ImagePolicy in Go): one that is opened by itself is nothing else.
const POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'";

/** isPicture tells whether a request is for a picture. */
export const isPicture = (request) => pathBegins(request, "/picture/") && (request.method === "GET" || request.method === "HEAD");

/** servePicture answers it. */
export async function servePicture(request, env, ctx) {
  const { pathname, search, origin } = new URL(request.url);
  const [, sum, small] = ADDRESS.exec(pathname) ?? [];
  // A picture has one address, without a query: each other would be kept once more.
  if (!sum || search || request.url.includes("?") || !env.PICTURES) return errorPage(request, 404);
  const key = origin + pathname;
  const here = await kept(key);
  const found = here ?? (await fromBucket(env.PICTURES, sum, small));
  if (!found) return errorPage(request, 404);
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
