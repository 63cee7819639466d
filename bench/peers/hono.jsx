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


const SECURITY = { "content-security-policy": "default-src 'self'", "x-content-type-options": "nosniff", "referrer-policy": "same-origin", "cache-control": "private, no-store" };

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
