// The edge cache for visitors. A request with a cookie of ours (`__Host-…`) or with credentials is not a visitor's: its response is
// never stored, and it gets a copy only in the last case below. For everybody else a GET is looked up by its normalised
// address, and a hit never enters Go.
//
// Go's response with `Cache-Control: public, s-maxage=N` is stored. It is served as fresh for N seconds. Then it is served stale
// for `stale-while-revalidate` seconds, while one request renews it. It is kept for `stale-if-error` seconds more, for when Go
// or its database does not respond, refuses the request (429), or takes longer than a second. A member whose page cannot be made gets
// the copy that visitors get, with a note. A visitor with a cookie of ours gets it also when Go refuses visitors.
// A program that sends credentials does not.
//
// A page names the style sheets and scripts of the build that made it, and a deployment removes those of the build before. So a page of
// another build is neither fresh nor stale: it is served only if Go does not respond.

import { cleanAddress, pathBegins } from "./address.mjs";
import { count } from "./counts.mjs";
import { CLOSED, isClosed, isClosedTo, placeOf } from "./place.mjs";
import { languageOf, say, text, wantsJSON, withNote } from "./pages.mjs";
import { LANGUAGES } from "./table.mjs";

const TRACKING = /^(utm_.*|fbclid|gclid|dclid|msclkid|mc_cid|mc_eid|igshid|ref_src|_ga|_gl|yclid)$/;
const VARIANT = "__variant"; // our own parameter of the key; a client's is dropped
const BROWSERS = "public, max-age=0, must-revalidate"; // so that logging in has an effect at once
const RENEWAL = 10_000; // ms during which one renewal keeps others from starting
const PATIENCE = 1000; // ms that a visitor waits for Go if there is a copy, however old
const READING = new Set(["GET", "HEAD"]);
const STORABLE = { 200: 86_400, 400: 10, 404: 10 }; // statuses, and for how many seconds each may be fresh at most
const FOREVER = "public, max-age=31536000, immutable"; // for addresses that name all that their response depends on
const MINE = ["x-plaza-forever", "x-plaza-stored", "x-plaza-fresh", "x-plaza-stale", "x-plaza-assets"];

// The look of pages that a visitor has chosen (worker/request/display.go). A page has a copy for each pair of values, in each language.
const DISPLAY = new RegExp(`(?:^|;\\s*)display=((?:list|compact|cards|edition)?\\.(?:light|dark)?)(?:\\.(?:${LANGUAGES.join("|")}))?(?:;|$)`);

// assets identifies the style sheets and scripts of this build (build.sh); "" in tests that import this file as it is.
const assets = () => globalThis.PLAZA_ASSETS ?? "";

const renewals = new Map(); // key → when its renewal began

// Addresses whose response is the same for everybody, so members get it from the cache as well: pictures of posts.
const ALIKE = "/img/";

// Addresses that are not pages: a visitor's choices change nothing there.
const PLAIN = /^\/(?:img\/|oembed$)|\.(?:atom|xml|txt|webmanifest)$/;

/** isPersonal reports whether the response to a request may depend on who sends it. */
export function isPersonal(request) {
  const { headers } = request;
  if (headers.has("authorization")) return true;
  if (pathBegins(request, ALIKE)) return false;
  const cookies = headers.get("cookie");
  return cookies !== null && /(?:^|[;,\s])__Host-/.test(cookies);
}

/**
 * sharedView returns what a visitor's response may depend on: the key under which it is kept, and the normalised address
 * and headers that Go sees in place of the client's.
 */
export function sharedView(request, display = displayOf(request)) {
  const url = new URL(request.url);
  const clean = cleanAddress(url);
  const path = clean === null ? url.pathname : clean.path;
  const kept = clean === null ? otherQuery(url) : clean.query;
  const address = (query) => `${url.origin}${path}${query.length ? `?${new URLSearchParams(query)}` : ""}`;
  const json = wantsJSON(request);
  const partial = request.headers.get("hx-request") === "true";
  const headers = [["accept", json ? "application/json" : "text/html,*/*;q=0.8"]];
  if (partial) headers.push(["hx-request", "true"]);
  const language = languageOf(request);
  const words = language === LANGUAGES[0] ? "" : `.${language}`;
  const looks = json || PLAIN.test(path) ? "" : partial ? words && `.${words}` : words ? (display || ".") + words : display;
  if (looks) headers.push(["cookie", `display=${looks}`]);
  const variant = (json ? "json" : "") + (partial ? "hx" : "") + looks;
  return { key: address(variant ? [...kept, [VARIANT, variant]] : kept), url: address(kept), headers };
}

// displayOf returns a visitor's choice from the cookie, such as "compact.dark"; "" for the default.
function displayOf(request) {
  const display = DISPLAY.exec(request.headers.get("cookie") || "")?.[1] ?? "";
  return display === "." ? "" : display;
}

// otherQuery returns the parameters of an address that is not that of a cached page.
function otherQuery(url) {
  const kept = [...url.searchParams].filter(([name]) => name !== VARIANT && !TRACKING.test(name));
  return kept.sort(([a, x], [b, y]) => (a < b ? -1 : a > b ? 1 : x < y ? -1 : x > y ? 1 : 0));
}

const [FRESH, STALE, ON_ERROR] = ["s-maxage", "stale-while-revalidate", "stale-if-error"].map((name) => new RegExp(`(?:^|[\\s,])${name}=(\\d+)`));

/** lifetimes returns the seconds that Go allows: fresh, stale during renewal, and stale after errors; null if none. */
export function lifetimes(response) {
  const maxFresh = STORABLE[response.status];
  const control = response.headers.get("cache-control") || "";
  if (!maxFresh || !/(^|[\s,])public([\s,]|$)/.test(control) || /no-store|private/.test(control)) return null;
  if (response.headers.has("set-cookie") || response.headers.get("vary") === "*") return null;
  const seconds = (pattern, fallback) => Number(pattern.exec(control)?.[1] ?? fallback);
  const fresh = Math.min(seconds(FRESH, 0), maxFresh);
  if (fresh === 0) return null;
  if (response.status !== 200) return { fresh, stale: 0, error: 0 };
  return { fresh, stale: seconds(STALE, 0), error: seconds(ON_ERROR, 3600) };
}

/** cached serves a request from the cache or through ask(view), and stores what may be stored. */
export async function cached(request, ctx, ask) {
  if (!READING.has(request.method)) return forMember(await ask(null));
  if (isPersonal(request)) return member(request, ask);
  if (isClosedTo(request)) return forMember(await ask(null));
  const response = await visitor(request, ctx, ask);
  // A copy, or a page that Go has just made for everybody, has a header with the places to which the site was closed at that time.
  if (!isClosed(response.headers.get(CLOSED), placeOf(request))) return response;
  response.body?.cancel().catch(() => {}); // without waiting
  return forMember(await ask(null));
}

async function visitor(request, ctx, ask) {
  const shared = sharedView(request);
  const { key } = shared;
  const found = await look(key);
  const age = found ? Math.max(0, (Date.now() - found.headers.get("x-plaza-stored")) / 1000) : 0;
  const usable = found && hasAssets(found);
  const fresh = Number(found?.headers.get("x-plaza-fresh"));
  if (usable && age < fresh) return serve(request, found, "HIT", age);
  if (usable && age < fresh + Number(found.headers.get("x-plaza-stale"))) {
    if (!renewing(key)) ctx.waitUntil(renew(request, shared, ctx, ask, found));
    return serve(request, found, "STALE", age);
  }
  if (found?.status !== 200) return finish(request, key, ctx, await ask(shared));
  if (isLate(key)) return serve(request, found, "STALE", age);
  renewing(key);
  const renewed = renew(request, shared, ctx, ask, found);
  ctx.waitUntil(renewed);
  const renewedPage = await inTime(renewed);
  if (renewedPage === null) return serve(request, found, "STALE", age);
  count(request, "made");
  return renewedPage;
}

// hasAssets reports whether the style sheets and scripts that a copy names are there. Only pages name any.
function hasAssets(copy) {
  return !/^text\/html/.test(copy.headers.get("content-type") ?? "") || copy.headers.get("x-plaza-assets") === assets();
}

function renewing(key) {
  const now = Date.now();
  if (now - (renewals.get(key) ?? -RENEWAL) < RENEWAL) return true;
  if (renewals.size > 1000) renewals.clear();
  renewals.set(key, now);
  return false;
}

// isLate reports whether a renewal of this page has taken longer than PATIENCE already.
function isLate(key) {
  const since = Date.now() - (renewals.get(key) ?? Infinity);
  return since >= PATIENCE && since < RENEWAL;
}

// renew lets Go make a page of which there is a copy, and returns what to serve, or null if Go cannot make it. Go does not count it as a
// request: what the visitor gets is counted here.
async function renew(request, shared, ctx, ask, copy) {
  const { key } = shared;
  try {
    const response = await ask({ ...shared, renews: true });
    return response.status >= 500 || response.status === 429 ? null : await finish(request, key, ctx, response, copy);
  } catch (error) {
    console.error(`plaza: renewing ${key}: ${error?.stack || error}`);
    return null;
  } finally {
    renewals.delete(key);
  }
}

async function finish(request, key, ctx, response, before) {
  const copy = await store(request, key, response, (task) => ctx.waitUntil(task), before);
  return serve(request, copy || response, "MISS", 0, !copy);
}

// inTime returns the value of a promise, or null if that takes longer than PATIENCE.
async function inTime(promise) {
  let timer;
  const late = new Promise((resolve) => { timer = setTimeout(resolve, PATIENCE, null); });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

// hasSession reports whether the sender is logged in, or was. Others may have cookies of ours as well, such as those of logging in.
const hasSession = (request) => /(?:^|[;,\s])__Host-session=/.test(request.headers.get("cookie") || "");

// member serves a request with cookies of ours: with the visitors' copy if Go does not respond, or makes no pages for visitors.
async function member(request, ask) {
  let response;
  try {
    response = await ask(null);
  } catch (error) {
    const copy = await visitorsCopy(request);
    if (!copy) throw error;
    console.error(`plaza: showing a member the visitors' copy of ${request.url}: ${error?.stack || error}`);
    return copy;
  }
  const refused = response.status === 503 || (response.status === 429 && !hasSession(request));
  return (refused && (await visitorsCopy(request))) || forMember(response);
}

// visitorsCopy returns the cached page at this address, however old, for a request with cookies of ours; null if there is none. For members
// it has a note that it is not their own.
async function visitorsCopy(request) {
  if (wantsJSON(request) || request.headers.has("hx-request") || request.headers.has("authorization")) return null;
  const found = await look(sharedView(request, "").key);
  if (found?.status !== 200 || !/^text\/html/.test(found.headers.get("content-type") || "")) return null;
  if (isClosedTo(request) || isClosed(found.headers.get(CLOSED), placeOf(request))) return null;
  const minutes = Math.floor((Date.now() - found.headers.get("x-plaza-stored")) / 60_000);
  const headers = new Headers(found.headers);
  for (const name of [...MINE, "etag", "last-modified", "age", "content-length", "cf-cache-status"]) headers.delete(name);
  headers.set("cache-control", "private, no-store");
  headers.set("x-cache", "COPY");
  vary(headers);
  const page = new Response(request.method === "HEAD" ? null : found.body, { status: 200, headers });
  if (!hasSession(request)) return page;
  const sentence = minutes < 1
    ? text("Your own page cannot be made right now, so this is the one that visitors see. Voting, writing and what is yours come back in a moment.")
    : minutes === 1
      ? text("Your own page cannot be made right now, so this is the one that visitors see, as it was 1 minute ago. Voting, writing and what is yours come back in a moment.")
      : text("Your own page cannot be made right now, so this is the one that visitors see, as it was {} minutes ago. Voting, writing and what is yours come back in a moment.");
  return withNote(page, say(languageOf(request), sentence).replace("{}", minutes));
}

async function look(key) {
  try {
    const found = await caches.default.match(key);
    return found?.headers.has("x-plaza-stored") ? found : undefined;
  } catch {
    return undefined; // no cache here (a bare workerd): everything is a miss
  }
}

// store keeps a copy if Go allows it, and returns what to serve, or null if nothing was kept. A copy with the same content as the one
// before also gets its last-modified.
async function store(request, key, response, later, before) {
  const life = lifetimes(response);
  if (!life) return null;
  if (isPersonal(request)) throw new Error("a member's response was about to be cached");
  const bytes = await response.arrayBuffer();
  const headers = new Headers(response.headers);
  if (!headers.has("etag")) headers.set("etag", `W/"${await digest(bytes)}"`);
  if (!headers.has("last-modified")) {
    const since = before?.headers.get("etag") === headers.get("etag") && before?.headers.get("last-modified");
    headers.set("last-modified", since || new Date().toUTCString());
  }
  if (/immutable/.test(headers.get("cache-control"))) headers.set("x-plaza-forever", "1");
  headers.set("x-plaza-stored", String(Date.now()));
  headers.set("x-plaza-fresh", String(life.fresh));
  headers.set("x-plaza-stale", String(life.stale));
  headers.set("x-plaza-assets", assets());
  headers.delete("vary"); // what it names is part of the key
  const shown = new Response(bytes, { status: response.status, headers });
  headers.set("cache-control", `public, max-age=${life.fresh + life.stale + life.error}`);
  const put = async () => {
    try {
      await caches.default.put(key, new Response(bytes, { status: response.status, headers }));
    } catch (error) {
      if (typeof caches !== "undefined" && !/not.*(implemented|configured)|No Cache/i.test(String(error))) {
        console.error(`plaza: storing ${key}: ${error}`);
      }
    }
  };
  later(put());
  return shown;
}

async function digest(bytes) {
  const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(sum.subarray(0, 9), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// serve makes the response for a visitor's browser from a stored or a new response.
function serve(request, response, state, age, untouched = false) {
  const headers = new Headers(response.headers);
  headers.set("x-cache", state);
  if (state !== "MISS") count(request, "cached");
  if (state === "STALE") count(request, "stale");
  if (untouched) {
    if (!headers.has("cache-control")) headers.set("cache-control", "no-cache");
  } else {
    headers.set("cache-control", headers.has("x-plaza-forever") ? FOREVER : BROWSERS);
    if (state !== "MISS") headers.set("age", String(Math.floor(age)));
  }
  vary(headers);
  for (const name of MINE) headers.delete(name);
  headers.delete("cf-cache-status");
  const { status } = response;
  if (status === 200 && unchanged(request.headers, headers)) {
    headers.delete("content-type");
    headers.delete("content-length");
    return new Response(null, { status: 304, headers });
  }
  return new Response(request.method === "HEAD" ? null : response.body, { status, headers });
}

// unchanged reports whether the client has this copy already, by its tag or, if it names none, by its time (RFC 9110, 13.2.2).
function unchanged(asked, copy) {
  if (asked.has("if-none-match")) return matches(asked.get("if-none-match"), copy.get("etag"));
  return Date.parse(asked.get("if-modified-since")) >= Date.parse(copy.get("last-modified"));
}

function matches(asked, tag) {
  if (!asked || !tag) return false;
  const bare = (text) => text.trim().replace(/^W\//, "");
  return asked.split(",").some((one) => bare(one) === bare(tag) || one.trim() === "*");
}

// forMember makes sure that no cache on the way to the browser stores a response that was made for one member.
function forMember(response) {
  const control = response.headers.get("cache-control");
  if (control === null || /public|s-maxage/.test(control)) response.headers.set("cache-control", "private, no-store");
  vary(response.headers);
  return response;
}

const DEPENDS = [["Cookie", /\bCookie\b/i], ["Accept-Language", /\bAccept-Language\b/i]];

function vary(headers) {
  const present = headers.get("vary") ?? "";
  for (const [name, pattern] of DEPENDS) if (!pattern.test(present)) headers.append("vary", name);
}
