// The gateway in front of the site's worker answers as the worker does by itself, and visitors' copies without it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { eventually, MEMBER, past } from "./harness.mjs";
import { MODULES, serve } from "./workerd.mjs";

// What workerd's Cache API asks: PUT brings a whole answer as the body, GET asks for it. It keeps answers for ever.
const CACHE = `
const kept = new Map();
export default { async fetch(request) {
  if (request.method === "PUT") {
    const [head, ...body] = (await request.text()).split("\\r\\n\\r\\n");
    const [status, ...lines] = head.split("\\r\\n");
    kept.set(request.url, { status: Number(status.split(" ")[1]), body: body.join("\\r\\n\\r\\n"),
      headers: lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]) });
    return new Response(null, { status: 204 });
  }
  const found = kept.get(request.url);
  if (!found) return new Response(null, { status: 504, headers: { "cf-cache-status": "MISS" } });
  return new Response(found.body, { status: found.status, headers: [...found.headers, ["cf-cache-status", "HIT"]] });
} };
`;

// A bucket with one picture.
const SUM = "1".repeat(64);
const BUCKET = `
const picture = { key: "p/${SUM}", size: 3, httpMetadata: { contentType: "image/png" } };
export default () => ({ async get(key) { return key === picture.key ? { ...picture, body: new Uint8Array([1, 2, 3]) } : null; } });
`;

// A site that fails when it is told to, and otherwise asks the other one.
const FAILING = `
import { WorkerEntrypoint } from "cloudflare:workers";
export class Site extends WorkerEntrypoint {
  ask(request, ...more) {
    if (request.headers.has("x-test-fail")) throw new Error("the site is gone");
    return this.env.SITE.ask(request, ...more);
  }
}
`;

const SECRET = "0123456789abcdef0123456789abcdef";

const GATEWAY = '(name = "gateway.mjs", esModule = embed "/gateway.mjs")';

let workers;
before(async () => {
  workers = await serve(`using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "gateway", worker = .gateway), (name = "site", worker = .site),
    (name = "cache", worker = .cache), (name = "failing", worker = .failing), (name = "gateway-failing", worker = .gatewayFailing),
  ],
  extensions = [(modules = [(name = "test:bucket", internal = true, esModule = ${JSON.stringify(BUCKET)})])],
  sockets = [
    (name = "site", address = "127.0.0.1:0", http = (cfBlobHeader = "x-test-cf"), service = "site"),
    (name = "failing", address = "127.0.0.1:0", http = (), service = "gateway-failing"),
    (name = "http", address = "127.0.0.1:0", http = (cfBlobHeader = "x-test-cf"), service = "gateway"),
  ],
);
const cache :Workerd.Worker = (compatibilityDate = "2026-11-01", modules = [(name = "cache.mjs", esModule = ${JSON.stringify(CACHE)})]);
const failing :Workerd.Worker = (
  compatibilityDate = "2026-11-01", modules = [(name = "failing.mjs", esModule = ${JSON.stringify(FAILING)})],
  bindings = [(name = "SITE", service = (name = "site", entrypoint = "Site"))],
);
const gatewayFailing :Workerd.Worker = (
  compatibilityDate = "2026-11-01", cacheApiOutbound = "cache",
  modules = [${GATEWAY}],
  bindings = [(name = "SITE", service = (name = "failing", entrypoint = "Site"))],
);
const gateway :Workerd.Worker = (
  compatibilityDate = "2026-11-01", cacheApiOutbound = "cache",
  modules = [${GATEWAY}],
  bindings = [(name = "SITE", service = (name = "site", entrypoint = "Site")), (name = "PICTURES", wrapped = (moduleName = "test:bucket"))],
);
const site :Workerd.Worker = (
  compatibilityDate = "2026-11-01", cacheApiOutbound = "cache",
  modules = [${MODULES}],
  bindings = [(name = "PLAZA_WATCHDOG_MS", text = "3000"), (name = "PLAZA_CLIENT_ADDRESS_HEADER", text = "x-test-address"),
    (name = "PICTURES", wrapped = (moduleName = "test:bucket")), (name = "PICTURES_TOKEN", text = "${SECRET}")],
);
`);
});
after(() => workers?.stop());

const get = (way, path, headers = {}, more = {}) =>
  fetch(`http://127.0.0.1:${workers.ports[way === "gateway" ? "http" : way]}${path}`, { headers, redirect: "manual", ...more });
const LONG = "public, s-maxage=60, stale-while-revalidate=60";
const served = async () => (await (await get("site", "/__test/stats", MEMBER)).json()).shim.served;

for (const way of ["site", "gateway"]) {
  test(`${way}: a visitor's page is kept, and the next visitor's does not enter Go`, async () => {
    const path = `/__test/cache?page=${way}&control=${encodeURIComponent(LONG)}`;
    const first = await get(way, path);
    assert.equal(first.headers.get("x-cache"), "MISS");
    for (const name of first.headers.keys()) assert.doesNotMatch(name, /x-plaza/);
    const body = await first.text();
    let copy;
    await eventually(async () => {
      copy = await get(way, path);
      assert.equal(copy.headers.get("x-cache"), "HIT", workers.log());
    });
    const before = await served();
    copy = await get(way, path);
    assert.deepEqual([await copy.text(), copy.headers.get("cache-control")], [body, "public, max-age=0, must-revalidate"]);
    assert.equal(await served(), before + 1, "only the question itself enters Go");
    assert.equal((await get(way, path, { "if-none-match": copy.headers.get("etag") })).status, 304);
  });

  test(`${way}: a member's request and answer pass whole`, async () => {
    const body = new URLSearchParams({ text: "ä".repeat(1000) }).toString();
    const response = await get(way, "/__test/echo?x=1", { ...MEMBER, "content-type": "application/x-www-form-urlencoded", "x-test-address": "192.0.2.7", "x-test-cf": '{"country":"FR"}' },
      { method: "POST", body });
    const echoed = await response.json();
    assert.equal(response.headers.get("cache-control"), "private, no-store");
    assert.deepEqual([echoed.method, new URL(echoed.url).pathname, echoed.remote], ["POST", "/__test/echo", "192.0.2.7:0"]);
    assert.equal(echoed.body, body);
    assert.deepEqual([echoed.header.Cookie, echoed.header["X-Plaza-Place"]], [[MEMBER.cookie], ["FR"]]);
  });

  test(`${way}: a visitor's address reaches Go, and other sites' cookies do not`, async () => {
    const echoed = await (await get(way, "/__test/echo", { "x-test-address": "192.0.2.8", cookie: "other=1" })).json();
    assert.equal(echoed.remote, "192.0.2.8:0");
    assert.equal(echoed.header.Cookie, undefined);
  });

  test(`${way}: a request that takes too long gets 503, and one in which Go dies 500`, async () => {
    assert.equal((await get(way, "/__test/stuck", MEMBER)).status, 503);
    assert.equal((await get(way, "/__test/exit", MEMBER)).status, 500);
    assert.equal(await (await get(way, "/__test/hello", MEMBER)).text(), "hello");
  });

  test(`${way}: cookies, redirects and answers without a body pass whole`, async () => {
    const cookies = await get(way, "/__test/cookies", MEMBER);
    assert.deepEqual(cookies.headers.getSetCookie().map((line) => line.slice(0, 4)), ["a=1;", "b=1;"]);
    const redirect = await get(way, "/__test/status?code=303", MEMBER);
    assert.deepEqual([redirect.status, redirect.headers.get("location")], [303, "/elsewhere"]);
    const unchanged = await get(way, "/__test/status?code=304", MEMBER);
    assert.deepEqual([unchanged.status, await unchanged.text()], [304, ""]);
    for (const headers of [MEMBER, {}]) {
      const head = await get(way, "/__test/hello", headers, { method: "HEAD" });
      assert.deepEqual([head.status, await head.text()], [200, ""]);
    }
  });

  test(`${way}: pictures come from the bucket, and tools reach it`, async () => {
    const picture = await get(way, `/picture/${SUM}`);
    assert.deepEqual([picture.status, picture.headers.get("content-type"), [...await picture.bytes()]], [200, "image/png", [1, 2, 3]]);
    assert.equal((await get(way, `/picture/${"2".repeat(64)}`)).status, 404);
    const tool = await get(way, `/tools/pictures/${SUM}`, { authorization: `Bearer ${SECRET}` });
    assert.deepEqual([tool.status, [...await tool.bytes()]], [200, [1, 2, 3]]);
    const unknown = await get(way, `/tools/pictures/${"2".repeat(64)}`, { authorization: `Bearer ${SECRET}` });
    assert.equal((await unknown.json()).error.code, "not_found");
    const stranger = await get(way, `/tools/pictures/${SUM}`);
    assert.deepEqual([stranger.status, stranger.headers.get("content-type").includes("image")], [404, false]);
  });
}

test("gateway: while the site fails, visitors see the copies that there are", async () => {
  const path = `/__test/cache?page=failing&control=${encodeURIComponent("public, s-maxage=1, stale-if-error=60")}`;
  const body = await (await get("failing", path)).text();
  await eventually(async () => assert.notEqual((await get("failing", path)).headers.get("x-cache"), "MISS"));
  await past(Date.now(), 1000);
  const fail = { "x-test-fail": "1" };
  const copy = await get("failing", path, fail);
  assert.deepEqual([copy.status, copy.headers.get("x-cache"), await copy.text()], [200, "STALE", body]);
  assert.equal((await get("failing", "/__test/hello", fail)).status, 500);
});
