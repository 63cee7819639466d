// A short run of the ledger: each kind of write loses an answer, and more than one kind each way to lose it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { keepLedger } from "./ledger.mjs";
import { startSite } from "./site.mjs";

let site;
before(async () => { site = await startSite(); });
after(() => site?.stop());

test("what loses its answer is made once, and nobody is told of a conflict", async () => {
  const { lost, wrong } = await keepLedger(site, 48);
  assert.deepEqual(wrong, []);
  assert.equal(Object.keys(lost).length, 24);
});
