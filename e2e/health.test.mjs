// What monitors are told by a site that is well.

import assert from "node:assert/strict";
import { base, expect, health, looksBehind, test } from "./site.mjs";

test("everybody is told that the site is well", async () => {
  const response = await fetch(`${base}/healthz`);
  assert.equal(response.status, 200);
  assert.equal(await response.text(), "ok\n");
});

test("who has the token is told of every part", async () => {
  looksBehind();
  let shown;
  await expect(async () => {
    shown = await health();
    assert.deepEqual(shown.redis, {}, "Redis answers in time");
  }).toPass();
  const { ok, schema, databases } = shown;
  assert.equal(ok, true);
  assert.deepEqual(databases.map((database) => [database.name, database.schema]), [["directory", schema]]);
  assert.ok(schema >= 1);
});
