// Copies in the edge cache that another build has made: their style sheets and scripts are gone.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { cached } from "../../worker/edge/shim/cache.mjs";

let kept;
globalThis.caches = { default: { match: async () => kept?.clone(), put: async (_, copy) => { kept = copy; } } };
beforeEach(() => { kept = undefined; });

/** visit returns what a visitor gets from a build, and whether it comes from the cache. Go's answer is what make() returns. */
async function visit(build, make) {
  globalThis.PLAZA_ASSETS = build;
  const pending = [];
  const response = await cached(new Request("https://plaza.example/new"), { waitUntil: (task) => pending.push(task) }, async () => make());
  await Promise.all(pending);
  for (const name of response.headers.keys()) assert.doesNotMatch(name, /^x-plaza/);
  return [response.headers.get("x-cache"), await response.text()];
}
const page = (words, type = "text/html; charset=utf-8") => () => new Response(words, { headers: {
  "content-type": type, "cache-control": "public, s-maxage=60, stale-while-revalidate=60" } });
const none = () => { throw new Error("no call"); };
const unavailable = () => new Response("unavailable", { status: 503 });

test("a page of the build before is made anew", async () => {
  assert.deepEqual(await visit("one", page("old")), ["MISS", "old"]);
  assert.deepEqual(await visit("one", none), ["HIT", "old"]);
  assert.deepEqual(await visit("two", page("new")), ["MISS", "new"]);
  assert.deepEqual(await visit("two", none), ["HIT", "new"]);
});

test("it is served while Go has no answer", async () => {
  await visit("one", page("old"));
  assert.deepEqual(await visit("two", unavailable), ["STALE", "old"]);
});

test("what names no files stays", async () => {
  await visit("one", page("a feed", "application/atom+xml"));
  assert.deepEqual(await visit("two", none), ["HIT", "a feed"]);
});
