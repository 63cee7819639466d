// Requests and answers pass the edge exactly: headers, bodies, cookies, statuses.

import assert from "node:assert/strict";
import http from "node:http";
import { after, before, test } from "node:test";
import { HEADERS } from "../../worker/edge/shim/table.mjs";
import { eventually, MEMBER, startEdge, startUpstream } from "./harness.mjs";

let edge;
let upstream;
before(async () => { [edge, upstream] = await Promise.all([startEdge(), startUpstream()]); });
after(() => Promise.all([edge?.stop(), upstream?.stop()]));

test("a page is served, and a file is served without Go", async () => {
  assert.equal(await edge.text("/__test/hello"), "hello");
  assert.equal(await edge.text("/asset.txt"), "a static file");
});

test("headers with commas arrive whole", async () => {
  const headers = {
    cookie: "theme=a,b; __Host-session=real; planted=x, __Host-session=forged",
    "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)",
    "if-modified-since": "Sat, 21 Nov 2026 12:00:00 GMT",
    accept: "text/html, application/xhtml+xml;q=0.9, */*;q=0.8",
  };
  const echo = await edge.json("/__test/echo?a=1&b=%2C", headers);
  assert.deepEqual(echo.header.Cookie, [headers.cookie]);
  assert.deepEqual(echo.header["User-Agent"], [headers["user-agent"]]);
  assert.deepEqual(echo.header["If-Modified-Since"], [headers["if-modified-since"]]);
  assert.deepEqual(echo.header.Accept, [headers.accept]);
  assert.equal(echo.url, `${edge.url}/__test/echo?a=1&b=%2C`);
  assert.equal(echo.host, new URL(edge.url).host);
});

test("a client cannot speak for the platform", async () => {
  const echo = await edge.json("/__test/echo", {
    ...MEMBER, "x-forwarded-for": "6.6.6.6", "x-plaza-turn": "1", "x-real-ip": "6.6.6.6", forwarded: "for=6.6.6.6", "x-plaza-renewal": "1",
  });
  for (const name of ["X-Forwarded-For", "X-Plaza-Turn", "X-Real-Ip", "Forwarded", "Cf-Connecting-Ip", "X-Plaza-Renewal"]) {
    assert.equal(echo.header[name], undefined, name);
  }
  assert.doesNotMatch(echo.remote, /6\.6\.6\.6/);
});

test("a visitor cannot have a page made as if the edge renewed its copy", async () => {
  for (const name of ["x-plaza-renewal", "X-Plaza-Renewal"]) {
    const echo = await edge.json(`/__test/echo?name=${name}`, { [name]: "1" });
    assert.equal(echo.header["X-Plaza-Renewal"], undefined);
  }
});

test("a body arrives byte for byte, and an empty one as empty", async () => {
  const body = "name=ä€😀&text=" + "x".repeat(200_000);
  const echo = await (await edge.get("/__test/echo", MEMBER, { method: "POST", body })).json();
  assert.equal(echo.body, body);
  assert.equal(echo.length, Buffer.byteLength(body));
  const empty = await (await edge.get("/__test/echo", MEMBER, { method: "POST" })).json();
  assert.equal(empty.body, "");
});

test("a body of 10 MB is refused, announced or not", async () => {
  const body = new Uint8Array(10 << 20);
  const announced = await edge.get("/__test/echo", MEMBER, { method: "POST", body });
  assert.equal(announced.status, 413);
  assert.match(await announced.text(), /too much/);
  const streamed = await edge.get("/__test/echo", { ...MEMBER, accept: "application/json" }, {
    method: "POST", duplex: "half", body: new Blob([body]).stream(),
  });
  assert.equal(streamed.status, 413);
  assert.equal((await streamed.json()).error.code, "too_large");
  assert.equal((await edge.get("/__test/echo")).status, 200);
});

test("several cookies are set, and no header smuggles another", async () => {
  for (const headers of [MEMBER, {}]) {
    const response = await edge.get("/__test/cookies", headers);
    const cookies = response.headers.getSetCookie();
    assert.equal(cookies.length, 2);
    assert.match(cookies[0], /^a=1; Path=\/; Expires=Fri, 15 Jan 2027/);
    assert.match(cookies[1], /^b=1; /);
    assert.match(response.headers.get("x-evil"), /^1 +Set-Cookie: c=1$/);
  }
});

test("statuses without a body have none, and HEAD has none", async () => {
  for (const code of [204, 303, 304]) {
    const response = await edge.get(`/__test/status?code=${code}`);
    assert.equal(response.status, code);
    assert.equal(await response.text(), "");
    assert.equal(response.headers.get("location"), "/elsewhere");
  }
  assert.equal(await (await edge.get("/__test/status?code=422")).text(), "body");
  const head = await edge.get("/__test/echo", MEMBER, { method: "HEAD" });
  assert.equal(head.status, 200);
  assert.equal(await head.text(), "");
});

test("an address that is none gets 400", async () => {
  const { hostname, port } = new URL(edge.url);
  const result = await new Promise((resolve, reject) => {
    http.get({ hostname, port, path: "/%zz?x=%", headers: MEMBER }, (response) => {
      response.resume();
      resolve(response);
    }).on("error", reject);
  });
  assert.equal(result.statusCode, 400);
  for (const [name, value] of Object.entries(HEADERS)) assert.equal(result.headers[name], value, name);
  assert.equal((await edge.get("/__test/echo")).status, 200);
});

test("a call's time limit holds, and a wait is one", async () => {
  assert.match(await edge.text(`/__test/limit?url=${upstream.url("late", 2000)}`), /^true /);
  assert.equal(await edge.text("/__test/sleep?d=50ms"), "<nil>");
  assert.equal(await edge.text("/__test/timer"), "woken");
});

test("a reply's beginning is read and its sender let go", async () => {
  let gone = false;
  const endless = http.createServer((request, response) => {
    if (request.url.startsWith("/announced")) return response.end("x".repeat(Number(request.url.slice(10))));
    const timer = setInterval(() => response.write("x".repeat(request.url === "/short" ? 10 : 30_000)), 5);
    if (request.url === "/short") setTimeout(() => { clearInterval(timer); response.end(); }, 12);
    response.on("close", () => { clearInterval(timer); gone = true; });
  });
  await new Promise((resolve) => { endless.listen(0, "127.0.0.1", resolve); });
  const address = encodeURIComponent(`http://127.0.0.1:${endless.address().port}/`);
  assert.equal(await edge.text(`/__test/cut?url=${address}`), "100000 <nil>");
  await eventually(() => assert.ok(gone, "the sender still sends"));
  assert.match(await edge.text(`/__test/cut?url=${address}short`), /^[1-4]0 <nil>$/);
  for (const length of [0, 1, 99_999, 100_000, 100_001, 300_000]) {
    assert.equal(await edge.text(`/__test/cut?url=${address}announced${length}`), `${Math.min(length, 100_000)} <nil>`);
  }
  endless.close();
  endless.closeAllConnections();
});

test("a request's goroutines work side by side", async () => {
  const text = await edge.text(`/__test/parallel?url=${upstream.url("p", 100)}`);
  assert.equal(text, [0, 1, 2, 3].map((i) => `p/${i}<nil>`).join("\n"));
});

test("what is left for later runs after the answer", async () => {
  assert.equal(await edge.text(`/__test/background?url=${upstream.url("later", 300)}`), "first");
  await eventually(() => assert.ok(upstream.seen.includes("later/null")));
  await eventually(() => assert.match(edge.log(), /panic in a background task/));
});

test("a client that goes away leaves nothing half-done", async () => {
  const controller = new AbortController();
  const gone = edge.get(`/__test/slow?n=4&url=${upstream.url("gone", 200)}`, MEMBER, { signal: controller.signal });
  await eventually(() => assert.ok(upstream.seen.includes("gone/0")));
  controller.abort();
  await assert.rejects(gone);
  await eventually(() => assert.ok(upstream.seen.includes("gone/3"), "the handler stopped half-way"));
  await eventually(async () => {
    const stats = await edge.json("/__test/stats");
    assert.equal(stats.waiting, 0);
    assert.equal(stats.shim.turns, 1);
  });
});
