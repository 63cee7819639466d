// What the shim counts of what it answers without Go, and what it does with data points.

import assert from "node:assert/strict";
import { test } from "node:test";
import { cached } from "../../worker/edge/shim/cache.mjs";
import { addCounts, classOf, count, takeCounts } from "../../worker/edge/shim/counts.mjs";
import { requestHead } from "../../worker/edge/shim/head.mjs";
import { bridgeOf } from "../../worker/edge/shim/io.mjs";

const asked = (path, options) => new Request(`https://plaza.example${path}`, options);

test("a request is counted by its class", () => {
  const classes = {
    "/": "visitor", "/c/go/p/x": "visitor", "/c/go.json": "json", "/c/go.atom": "feed", "/sitemap.xml": "feed", "/robots.txt": "feed",
    "/feed/secret": "member", "/img/abc": "picture", "/picture/abc": "picture", "/card/p/abc": "picture", "/healthz": "other",
  };
  for (const [path, want] of Object.entries(classes)) assert.equal(classOf(asked(path), false), want, path);
  assert.equal(classOf(asked("/"), true), "member");
  assert.equal(classOf(asked("/vote", { method: "POST" }), true), "action");
  assert.equal(classOf(asked("/", { headers: { accept: "application/json" } }), false), "json");
  assert.equal(classOf(asked("/", { headers: { accept: "application/json" } }), true), "member");
});

test("Go gets what was counted once, with the next request, and from no client", () => {
  takeCounts();
  for (let i = 0; i < 3; i += 1) count(asked("/"), "cached");
  count(asked("/img/a"), "cached");
  count(asked("/"), "failed", true);
  const request = asked("/", { headers: { "x-plaza-counts": "visitor.cached=999" } });
  const head = requestHead(1, request, null, null, "");
  assert.match(head, /\nx-plaza-counts\nvisitor\.cached=3 picture\.cached=1 member\.failed=1$/);
  assert.doesNotMatch(head, /999/);
  assert.doesNotMatch(requestHead(1, request, null, null, ""), /counts/);
});

test("what the gateway has counted is added", () => {
  takeCounts();
  count(asked("/"), "cached");
  addCounts("");
  addCounts(undefined); // by a gateway that was deployed before it counted
  addCounts("visitor.cached=3 feed.cached=2");
  assert.equal(takeCounts(), "visitor.cached=4 feed.cached=2");
});

test("copies are counted, and pages that Go makes are not", async () => {
  takeCounts();
  const copy = (fresh, stale = 600) => new Response("words", { headers: {
    "cache-control": "public", "x-plaza-stored": String(Date.now() - 30_000), "x-plaza-fresh": String(fresh), "x-plaza-stale": String(stale) } });
  let renewals = 0;
  const ask = async (shared) => {
    if (requestHead(1, asked("/new"), null, shared, "").includes("\nx-plaza-renewal\n1")) renewals += 1;
    return new Response("made", { headers: { "cache-control": "public, s-maxage=10" } });
  };
  let kept;
  globalThis.caches = { default: { match: async () => kept, put: async () => {} } };
  const get = (waitUntil = () => {}) => cached(asked("/new"), { waitUntil }, ask);
  kept = undefined;
  await get();
  assert.equal(takeCounts(), "");
  kept = copy(60);
  await get();
  assert.equal(takeCounts(), "visitor.cached=1");
  kept = copy(10);
  const later = [];
  await get((task) => later.push(task));
  assert.equal(takeCounts(), "visitor.cached=1 visitor.stale=1");
  await Promise.all(later);
  assert.deepEqual([renewals, takeCounts()], [1, ""], "a renewal is no request");
  kept = copy(10, 0);
  await get();
  assert.deepEqual([renewals, takeCounts()], [2, "visitor.made=1"], "too old a copy: the visitor gets the new page");
});

test("a data point reaches the Analytics Engine that is bound, and nothing where none is", () => {
  const written = [];
  const turn = { id: 7, over: false, env: { METRICS: { writeDataPoint: (point) => written.push(point) } } };
  const instance = { turn, turns: new Map([[7, turn]]) };
  const bridge = bridgeOf(instance);
  const point = { indexes: ["visitor"], blobs: ["visitor", "2026-11-21T12:00:00Z"], doubles: [1, 2] };
  bridge.point(7, JSON.stringify(point));
  assert.deepEqual(written, [point]);
  turn.env = {};
  bridge.point(7, JSON.stringify(point));
  assert.equal(written.length, 1);
});
