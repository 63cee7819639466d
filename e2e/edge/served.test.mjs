// How often addresses without a picture have the shim read the bucket (worker/edge/shim/served.mjs).

import assert from "node:assert/strict";
import { test } from "node:test";
import { servePicture } from "../../worker/edge/shim/served.mjs";

const copies = new Map();
globalThis.caches = { default: { match: async (key) => copies.get(key)?.clone(), put: async (key, copy) => { copies.set(key, copy); } } };

let reads = 0;
const THERE = "f".repeat(64);
const env = {
  PLAZA_CLIENT_ADDRESS_HEADER: "x-test-address",
  PICTURES: { async get(key) { reads++; return key === `p/${THERE}` ? { key, body: "x", size: 1, httpMetadata: { contentType: "image/png" } } : null; } },
};

/** from returns a way to ask as a client with this address, for the status. */
const from = (address) => async (path) => {
  const pending = [];
  const request = new Request(`https://plaza.example${path}`, { headers: { "x-test-address": address } });
  const { status } = await servePicture(request, env, { waitUntil: (task) => pending.push(task) });
  await Promise.all(pending);
  return status;
};
const none = (i) => `/picture/${String(i).padStart(64, "0")}`;

test("addresses without a picture cost few reads of the bucket", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: 90_000 });
  const [one, same, other] = [from("2001:db8:1:2::7"), from("2001:db8:1:2:3:4:5:6"), from("2001:db8:1:3::7")];
  assert.equal(await one(`/picture/${THERE}`), 200);
  for (let i = 0; i < 50; i++) assert.equal(await one(none(1)), 404);
  assert.equal(reads, 2, "what is kept costs nothing");
  copies.delete(`https://plaza.example${none(1)}`);
  assert.equal(await one(none(1)), 404);
  for (let i = 2; i <= 600; i++) assert.equal(await one(none(i)), 404);
  reads = 0;
  for (const ask of [one, same]) {
    for (const path of [none(601), `${none(602)}/small`]) assert.equal(await ask(path), 429);
    assert.equal(await ask(`/picture/${THERE}`), 200);
    assert.equal(await ask(none(1)), 404);
  }
  assert.equal(reads, 0);
  assert.equal(await other(none(603)), 404);
  t.mock.timers.setTime(120_000);
  assert.equal(await one(none(601)), 404, "counting begins anew with each minute of the clock");
});

test("without an address nobody is counted", async () => {
  for (let i = 1000; i < 1700; i++) assert.equal(await from("")(none(i)), 404);
});
