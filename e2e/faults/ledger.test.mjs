// A short run of the ledger: each kind of write loses an answer, and more than one kind each way to lose it. And instances die while they
// publish.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { keepLedger } from "./ledger.mjs";
import { publishAndDie } from "./publish.mjs";
import { startSite } from "./site.mjs";

let site;
before(async () => { site = await startSite(); });
after(() => site?.stop());

test("what loses its answer is made once, and nobody is told of a conflict", async () => {
  const { lost, wrong } = await keepLedger(site, 48);
  assert.deepEqual(wrong, []);
  assert.equal(Object.keys(lost).length, 24);
});

test("a post whose instance dies while it publishes is whole after the retry job, or was never there", async () => {
  const { died, posts } = await publishAndDie(site);
  assert.ok(died > 3, `only ${died} died`);
  assert.ok(posts.length > 3 && posts.length <= died + 1, `${posts.length} of ${died + 1} posts are there`);
  for (const post of posts) assert.deepEqual(post, ["1", "doomed go", "1", "1"]);
});
