// The report of ./build.sh bench names the pages that have become slower.

import assert from "node:assert/strict";
import test from "node:test";
import { slowerOf } from "../../bench/report/slower.mjs";

test("a page is slower if it takes a tenth more of Hono's CPU than before, whatever the machine", () => {
  const report = (speed, warm, thread) => ({ pages: [
    { scenario: "warm", worker: "Plaza", cpu: warm * speed }, { scenario: "warm", worker: "Hono with caches", cpu: speed },
    { scenario: "warm", worker: "workers.Serve", cpu: 76 * speed },
    { scenario: "thread", worker: "Plaza", cpu: thread * speed }, { scenario: "thread", worker: "Hono", cpu: speed },
    { scenario: "inbox", worker: "Plaza", cpu: 9 * speed },
  ] });
  assert.deepEqual(slowerOf(report(1, 0.9, 1), report(2, 0.98, 1.09)), []);
  assert.deepEqual(slowerOf(report(1, 0.9, 1), report(0.5, 1.2, 0.5)), ["warm: 0.90 -> 1.20 of the CPU of Hono with caches"]);
  assert.deepEqual(slowerOf({}, report(1, 1, 1)), [], "nothing was measured before");
});
