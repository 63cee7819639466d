// Where the site is closed: nothing that is kept at the edge reaches anybody there.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { cached } from "../../worker/edge/shim/cache.mjs";
import { requestHead } from "../../worker/edge/shim/head.mjs";
import { isClosed, placeOf } from "../../worker/edge/shim/place.mjs";
import { eventually, MEMBER, startEdge } from "./harness.mjs";

test("a place is what the platform says, and a country stands for its regions", () => {
  assert.equal(placeOf({ cf: { country: "US", regionCode: "MS" } }), "US-MS");
  assert.equal(placeOf({ cf: { country: "FR" } }), "FR");
  assert.equal(placeOf({ cf: { country: "T1" } }), "T1");
  for (const cf of [undefined, {}, { country: "" }, { country: "fr" }, { country: "FRA" }, { country: "F\n" }]) assert.equal(placeOf({ cf }), "");
  assert.ok(isClosed("CN US-MS", "US-MS"));
  assert.ok(isClosed("CN US-MS", "CN-BJ"));
  for (const place of ["", "US", "US-CA", "MS", "N"]) assert.ok(!isClosed("CN US-MS", place), place);
  assert.ok(!isClosed("-", "CN") && !isClosed(null, "CN"));
});

test("Go hears the place from the platform alone, and not of what is for everybody", () => {
  const request = { method: "GET", url: "https://plaza.example/", headers: new Headers({ "x-plaza-place": "FR", "x-plaza-closed": "-" }), cf: { country: "CN" } };
  assert.match(requestHead(1, request, null, null, ""), /\nx-plaza-place\nCN$/);
  assert.doesNotMatch(requestHead(1, request, null, null, ""), /FR|closed/);
  assert.doesNotMatch(requestHead(1, request, null, { url: request.url, headers: [] }, ""), /place/);
});

test("a new isolate that knows nothing yet sees by the copy to where the site is closed", async () => {
  const kept = new Response("words", { headers: {
    "cache-control": "public", "x-plaza-stored": String(Date.now()), "x-plaza-fresh": "60", "x-plaza-stale": "60", "x-plaza-closed": "CN" } });
  globalThis.caches = { default: { match: async () => kept.clone() } };
  const from = (country) => Object.assign(new Request("https://plaza.example/"), { cf: { country } });
  const asked = [];
  const ask = async (shared) => { asked.push(shared); return new Response("closed", { status: 451 }); };
  const here = await cached(from("FR"), { waitUntil() {} }, ask);
  assert.deepEqual([here.status, await here.text(), asked.length], [200, "words", 0]);
  const there = await cached(from("CN"), { waitUntil() {} }, ask);
  assert.deepEqual([there.status, await there.text(), asked], [451, "closed", [null]]);
});

test("an isolate that knows nothing asks Go once, and what comes meanwhile waits for the answer, but not for ever", async () => {
  const from = (country) => ({ cf: country ? { country } : {} });
  const cold = await import("../../worker/edge/shim/place.mjs?cold");
  let asked = 0, release;
  const ask = () => { asked += 1; return new Promise((resolve) => { release = resolve; }); };
  const early = [from("CN"), from("CN"), from("FR"), from("")].map((request) => cold.isClosedHere(request, ask));
  assert.equal(await early[3], false, "without a place there is nothing to ask");
  cold.hear(new Headers({ "x-plaza-closed": "CN" }));
  release();
  assert.deepEqual([...await Promise.all(early), asked], [true, true, false, false, 1]);
  assert.equal(await cold.isClosedHere(from("CN"), ask), true);
  assert.equal(asked, 1, "what was heard holds for a while");

  const mute = await import("../../worker/edge/shim/place.mjs?mute");
  asked = 0;
  const first = mute.isClosedHere(from("CN"), ask);
  assert.equal(await mute.isClosedHere(from("CN"), ask), false, "without an answer pictures are served as long as nothing is known");
  release();
  assert.deepEqual([await first, asked], [false, 1]);
});

let edge;
before(async () => { edge = await startEdge(); });
after(() => edge?.stop());

// wrangler dev takes what the platform would say of a client from this header.
const from = (country, regionCode, more = {}) => ({ "MF-CF-Blob": JSON.stringify({ country, regionCode }), ...more });
const close = (to) => edge.get(`/__test/close?to=${encodeURIComponent(to)}`, { ...MEMBER, ...from("FR") });
let pages = 0;
const page = (control = "public, s-maxage=1, stale-while-revalidate=60") => `/__test/cache?page=place${++pages}&control=${encodeURIComponent(control)}`;
beforeEach(() => edge && close("-"));

async function stored(path, headers) {
  await eventually(async () => {
    const response = await edge.get(path, headers);
    assert.match(response.headers.get("x-cache"), /HIT|STALE/);
  });
}

test("a copy that is fresh, stale or renewed is not served where the site is closed", async () => {
  const path = page("public, s-maxage=60");
  await stored(path, from("FR"));
  await close("CN US-MS");
  for (const place of [["CN"], ["CN", "BJ"], ["US", "MS"]]) {
    for (const headers of [{}, MEMBER, { accept: "application/json" }, { "if-none-match": "*" }, { "x-plaza-place": "FR" }]) {
      const response = await edge.get(path, from(...place, headers));
      assert.equal(response.status, 451, `${place} ${JSON.stringify(headers)}`);
      assert.equal(await response.text(), place.join("-"));
      assert.equal(response.headers.get("cache-control"), "private, no-store");
      assert.equal(response.headers.get("x-cache"), null);
      assert.equal(response.headers.get("x-plaza-closed"), null);
    }
    assert.equal((await edge.get(path, from(...place), { method: "HEAD" })).status, 451);
    assert.equal((await edge.get(path, from(...place), { method: "POST", body: "x" })).status, 451);
  }
  for (const place of [["FR"], ["US", "CA"], ["US"]]) {
    const response = await edge.get(path, from(...place));
    assert.equal(response.status, 200, place);
    assert.equal(response.headers.get("x-cache"), "HIT");
    assert.equal(response.headers.get("x-plaza-closed"), null);
  }
  await close("-");
  assert.equal((await edge.get(path, from("CN"))).status, 200, "and is served again when the site is open");
});

test("a page that nobody has asked for before is not served either, nor are pictures", async () => {
  await close("CN");
  assert.equal((await edge.get(page(), from("CN"))).status, 451);
  await stored("/img/closed", from("FR"));
  assert.equal((await edge.get("/img/closed", from("CN"))).status, 451);
  assert.equal((await edge.get("/img/closed", from("CN", "", MEMBER))).status, 451);
  const picture = `/picture/${"a".repeat(64)}`;
  assert.equal((await edge.get(picture, from("FR"))).status, 404);
  assert.equal((await edge.get(picture, from("CN"))).status, 451);
  assert.equal((await edge.get("/asset.txt", from("CN"))).status, 200, "style sheets and scripts have no words of members");
});
