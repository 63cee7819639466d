// The same two pages as Plaza's, as one would write them for Cloudflare Workers in JavaScript: Hono with its JSX, @libsql/client and
// @upstash/redis. With CACHES=1 an isolate remembers what Plaza's remembers (store.mjs). bench/report measures Plaza against it.

import { Hono } from "hono";
import { getCookie } from "hono/cookie";
import { Listing } from "./listing.jsx";
import { sessionOf } from "./session.mjs";
import { Caches, Store } from "./store.mjs";
import { Thread } from "./thread.jsx";

const app = new Hono();
const checked = new Map(); // with caches: the sessions of cookies
let caches; // what is remembered, if it is

// As many headers as Plaza's pages have.
const SECURITY = {
  "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff", "referrer-policy": "strict-origin-when-cross-origin", "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin", "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "strict-transport-security": "max-age=31536000", "cache-control": "private, no-store",
};

app.use(async (c, next) => {
  const remember = c.env.CACHES === "1";
  const cookie = getCookie(c, "__Host-session") ?? "";
  let session = remember ? checked.get(cookie) : undefined;
  if (!session) {
    session = await sessionOf(cookie, c.env.SESSION_SECRET);
    if (!session) return c.text("Log in first.", 401);
    if (remember) checked.set(cookie, session);
  }
  c.set("session", session);
  if (remember) caches ??= new Caches();
  c.set("store", new Store(c.env, caches)); // workerd ends requests that wait for another one's client
  await next();
  for (const [name, value] of Object.entries(SECURITY)) c.header(name, value);
  c.header("x-request-id", c.req.header("cf-ray") ?? crypto.randomUUID());
  c.header("server-timing", "total;dur=1.0");
});

app.get("/c/:name", async (c) => {
  const session = c.get("session");
  const page = await c.get("store").listing(c.req.param("name").toLowerCase(), session);
  if (!page.community || page.viewer?.live !== "1") return c.notFound();
  return c.html(<Listing session={session} page={page} now={Date.now()} />);
});

app.get("/c/:name/p/:slug", async (c) => {
  const session = c.get("session");
  const page = await c.get("store").thread(c.req.param("name").toLowerCase(), c.req.param("slug"), session);
  if (!page.post || page.viewer?.live !== "1") return c.notFound();
  return c.html(<Thread session={session} page={page} now={Date.now()} />);
});

export default app;
