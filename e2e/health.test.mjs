// What monitors are told by a site that is well.

import assert from "node:assert/strict";
import { test } from "node:test";
import { base, health, skip, until } from "./site.mjs";

test("everybody is told that the site is well", async () => {
  const response = await fetch(`${base}/healthz`);
  assert.equal(response.status, 200);
  assert.equal(await response.text(), "ok\n");
});

test("who has the token is told of every part", { skip }, async () => {
  await until("Redis answers in time", async () => Object.keys((await health()).redis).length === 0);
  const { ok, schema, redis, databases } = await health();
  assert.equal(ok, true);
  assert.deepEqual(redis, {});
  assert.deepEqual(databases.map((database) => [database.name, database.schema]), [["directory", schema]]);
  assert.ok(schema >= 1);
});
