// Many requests share one instance, and what kills or blocks one of them costs the others as little as can be.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { eventually, MEMBER, startEdge, startUpstream } from "./harness.mjs";
import { startWorkerd } from "./workerd.mjs";

let edge;
let upstream;
before(async () => {
  [edge, upstream] = await Promise.all([startEdge({ PLAZA_WATCHDOG_MS: 60_000 }), startUpstream()]);
});
after(() => Promise.all([edge?.stop(), upstream?.stop()]));

const instance = async () => (await edge.json("/__test/stats")).shim.instance;
const slow = (token, n, delay) => edge.get(`/__test/slow?n=${n}&url=${upstream.url(token, delay)}`);
// turns waits until the instance has so many requests under way, the one that asks among them.
const turns = (n) => eventually(async () => assert.ok((await edge.json("/__test/stats")).shim.turns >= n));
// hold has the upstream answer nobody until what it returns is called, or the test ends.
const hold = (t) => {
  let release;
  upstream.hang = new Promise((resolve) => { release = resolve; });
  const end = () => { upstream.hang = null; release(); };
  t.after(end);
  return end;
};
const steps = (token, n) => Array.from({ length: n }, (_, i) => `${token}/${i}\n`).join("");

test("64 slow requests at once never mix", async (t) => {
  const before = await instance();
  const release = hold(t);
  const all = Promise.all(Array.from({ length: 64 }, async (_, i) => {
    const response = await slow(`t${i}`, 5, 20 + ((i * 37) % 90));
    assert.equal(response.status, 200);
    assert.equal(await response.text(), steps(`t${i}`, 5));
  }));
  await eventually(() => assert.ok(upstream.open > 16, `only ${upstream.open} at once`));
  release();
  await all;
  const stats = await edge.json("/__test/stats");
  assert.equal(stats.shim.instance, before, "one instance served them all");
  assert.equal(stats.shim.refused, 0);
  assert.equal(stats.waiting, 0);
});

test("a panic costs its own request only, and shows nothing of the inside", async (t) => {
  const before = await instance();
  const release = hold(t);
  const others = Array.from({ length: 8 }, (_, i) => slow(`o${i}`, 3, 0));
  await turns(9);
  const response = await edge.get("/__test/panic");
  assert.equal(response.status, 500);
  assert.doesNotMatch(await response.text(), /secret-of-the-inside|goroutine|\.go:/);
  release();
  await eventually(() => assert.match(edge.log(), /panic in GET \/__test\/panic: secret-of-the-inside[\s\S]*faults_js\.go/));
  for (const [i, other] of (await Promise.all(others)).entries()) assert.equal(await other.text(), steps(`o${i}`, 3));
  assert.equal(await instance(), before);
});

for (const way of ["exit", "trap", "late-trap", "throw", "goroutine-panic"]) {
  test(`after a death by ${way} a new instance serves, and requests in flight get a 500 page`, async (t) => {
    const before = await instance();
    const release = hold(t);
    const others = Array.from({ length: 8 }, (_, i) => slow(`d${i}`, 20, 0));
    const quiet = edge.get("/__test/stuck"); // waits for nothing of its own
    await turns(10);
    const killer = await edge.get(`/__test/${way}`);
    assert.equal(killer.status, 500);
    const page = await killer.text();
    assert.match(page, /Something went wrong/);
    assert.doesNotMatch(page, /wasm|goroutine|exit/i);
    for (const other of [...(await Promise.all(others)), await quiet]) {
      assert.equal(other.status, 500);
      assert.match(await other.text(), /Something went wrong/);
    }
    release(); // they were told before the upstream has answered
    assert.equal(await instance(), before + 1);
    assert.equal((await slow("again", 2, 10)).status, 200);
  });
}

test("a request that waits for nothing gets a 503 in the end, and the instance is replaced", async () => {
  const impatient = await startWorkerd({ PLAZA_WATCHDOG_MS: 3000 });
  try {
    const number = async () => (await impatient.json("/__test/stats")).shim.instance;
    const before = await number();
    const response = await impatient.get("/__test/stuck");
    assert.equal(response.status, 503);
    assert.match(await response.text(), /takes too long/);
    assert.equal(await number(), before + 1);
  } finally {
    await impatient.stop();
  }
});

test("input and output in another request's turn is refused loudly", async () => {
  const victim = edge.get(`/__test/victim?url=${upstream.url("stolen")}`);
  await turns(2);
  assert.equal(await edge.text("/__test/thief"), "released");
  assert.match(await (await victim).text(), /not this event's turn: fetch of event \d+ refused in the turn of event \d+/);
  assert.ok(!upstream.seen.includes("stolen/null"));
  await eventually(() => assert.match(edge.log(), /plaza: fetch of event \d+ refused in the turn of event \d+/));
  assert.equal((await edge.json("/__test/stats", MEMBER)).shim.refused, 1);
});
