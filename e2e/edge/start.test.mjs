// Go goes on from the build's snapshot, in the global scope, before the first event. What it has drawn by then is the same in all instances
// of a build, and nothing that must differ comes from it. Where it can't go on there, it does so with the first event.

import assert from "node:assert/strict";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, test } from "node:test";
import { pathToFileURL } from "node:url";
import { Seed } from "../../worker/edge/shim/runtime.mjs";
import { startSite } from "../faults/site.mjs";
import { FAULTS, SITE } from "./harness.mjs";
import { startWorkerd } from "./workerd.mjs";

const running = [];
afterEach(() => Promise.all(running.splice(0).map((one) => one.stop())));

async function isolate(dir, vars = {}, flags = []) {
  const it = await startWorkerd(vars, { dir, flags });
  running.push(it);
  return it;
}

test("the first request finds Go running and the time right", async () => {
  const began = Date.now();
  const it = await isolate(FAULTS);
  const first = await it.json("/__test/start");
  assert.ok(first.time >= began && first.time <= Date.now(), `${first.time} is not between ${began} and ${Date.now()}`);
  assert.equal(first.start.time, 0, "there is no time before the first event");
  assert.ok(first.passed >= 0 && first.passed <= Date.now() - began, `${first.passed} ms passed since the start`);
  await it.get("/__test/sleep?d=50ms");
  const later = await it.json("/__test/start");
  assert.ok(later.passed >= first.passed + 50, `${first.passed}, then ${later.passed}`);
  assert.ok(later.time >= first.time + 50, `${first.time}, then ${later.time}`);
  const { shim } = await it.json("/__test/stats");
  assert.deepEqual([shim.instance, shim.early], [1, true], it.log());
  assert.equal(await it.text("/__test/timer"), "woken");
});

test("a seed answers one question, for 32 bytes", () => {
  const hex = Array.from({ length: 32 }, (_, i) => (i + 1).toString(16).padStart(2, "0")).join("");
  const refused = /random bytes were asked for before the first event/;
  const seed = new Seed(hex);
  const bytes = new Uint8Array(32);
  assert.throws(() => seed.fill(new Uint8Array(16)), refused);
  seed.fill(bytes);
  assert.deepEqual([...bytes], Array.from({ length: 32 }, (_, i) => i + 1));
  assert.throws(() => seed.fill(bytes), refused);
  for (const none of ["", hex.slice(2)]) assert.throws(() => new Seed(none), /this build has no seed/);
});

test("instances of a build share what the runtime drew before the snapshot and nothing else", async () => {
  const [a, b] = await Promise.all([isolate(FAULTS), isolate(FAULTS, { PLAZA_RECYCLE_REQUESTS: 3 })]);
  const found = [await a.json("/__test/start"), await b.json("/__test/start")];
  for (let i = 0; i < 3; i++) await b.get("/__test/hello");
  assert.equal((await b.json("/__test/stats")).shim.early, false);
  found.push(await b.json("/__test/start"));
  assert.equal(new Set(found.map(({ start }) => start.draw)).size, 1, "else this test would prove nothing");
  for (const what of ["numbers", "secret"]) assert.equal(new Set(found.map((one) => one[what])).size, 3, what);
});

test("another build draws other numbers before the snapshot", async () => {
  const [a, b] = await Promise.all([FAULTS, join(FAULTS, "again")].map(async (dir) => (await isolate(dir)).json("/__test/start")));
  assert.notEqual(a.start.draw, b.start.draw);
});

test("a build that asks for random bytes as it starts does so with the first event", async () => {
  const vars = { PLAZA_HASTY: "1" };
  const it = await isolate(FAULTS, vars);
  assert.equal(await it.text("/__test/hello"), "hello");
  assert.equal((await it.json("/__test/stats")).shim.early, false);
  const [a, b] = [await it.json("/__test/start"), await (await isolate(FAULTS, vars)).json("/__test/start")];
  assert.notEqual(a.secret, b.secret);
  assert.match(it.log(), /random bytes were asked for before the first event/);
});

test("where the platform shows no environment, the site starts with the first event", async () => {
  const it = await isolate(SITE, { SITE_URL: "http://127.0.0.1", SESSION_SECRET: "only for this test, never for people" }, ["disallow_importable_env"]);
  assert.equal((await it.get("/about-nothing")).status, 404);
  assert.match(it.log(), /plaza: Go starts with the first event/);
});

test("four isolates of the site make different ids, salts, sessions and tokens", async () => {
  const site = await startSite();
  try {
    // wrangler dev, whose log this is, starts it early, too.
    assert.doesNotMatch(await readFile(join(site.dir, "wrangler.log"), "utf8"), /Go starts with the first event/);
    const vars = await site.vars();
    const isolates = await Promise.all([1, 2, 3, 4].map(() => isolate(SITE, vars)));
    const found = [];
    // One after the other: four passwords hashed at once take a busy machine longer than a request may work.
    for (const [i, it] of isolates.entries()) {
      // The first two requests of each: a page with a form, and an account.
      const page = await it.text("/signup", {});
      const response = await it.get("/signup", { origin: it.url, accept: "application/json" }, {
        method: "POST", body: new URLSearchParams({ username: `person${i}`, password: "correct horse battery" }),
      });
      assert.equal(response.status, 200, await response.clone().text());
      assert.doesNotMatch(it.log(), /Go starts with the first event/);
      const [[user, hash]] = await site.sql("SELECT id, password_hash FROM users WHERE username = ?", `person${i}`);
      const cookie = response.headers.getSetCookie().find((line) => line.startsWith("__Host-session="));
      found.push({
        // The lowest 12 bits of an id are its sequence; above them is the time.
        sequence: Number(BigInt(user) & 0xfffn),
        salt: hash.split("$")[4], token: page.match(/name="token" value="([^"]+)"/)[1],
        request: response.headers.get("x-request-id"), session: cookie.split(".")[1],
      });
    }
    for (const what of ["salt", "token", "request", "session"]) {
      assert.equal(new Set(found.map((one) => one[what])).size, 4, `${what}: ${JSON.stringify(found)}`);
    }
    // Chance makes two sequences alike now and then, but not all four.
    assert.ok(new Set(found.map(({ sequence }) => sequence)).size > 1, JSON.stringify(found));
  } finally {
    await site.stop();
  }
});

test("app.wasm has at most 23 MB, because V8 reads all of it before a new isolate answers", async () => {
  const { size } = await stat(join(SITE, "app.wasm"));
  assert.ok(size <= 23e6, `${size} bytes`);
});

test("a fresh instance of the site has at most 20 MB of memory", async () => {
  await import(pathToFileURL(join(SITE, "wasm_exec.js")).href);
  const { Supervisor } = await import("../../worker/edge/shim/supervisor.mjs");
  globalThis.FixedLengthStream ??= class {}; // workerd has it
  const snapshot = JSON.parse(await readFile(join(SITE, "app.json"), "utf8"));
  const supervisor = new Supervisor(new WebAssembly.Module(await readFile(join(SITE, "app.wasm"))), snapshot);
  supervisor.startEarly({ SITE_URL: "http://127.0.0.1", SESSION_SECRET: "only for this test, never for people" });
  const { bytes } = supervisor.current;
  console.log(`${(bytes / 1e6).toFixed(1)} MB`);
  assert.ok(bytes <= 20e6, `${bytes} bytes`);
});
