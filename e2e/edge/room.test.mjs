// Which uploads wait for others (worker/edge/shim/room.mjs). The module needs no worker, so it is tested in Node.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { Upload } from "../../worker/edge/shim/room.mjs";

const MB = 1 << 20;
/** waits tells whether a promise is still open after two looks. */
const waits = async (promise) => (await Promise.race([promise, setTimeout(60, "waits")])) === "waits";

test("long uploads wait for room, the oldest and short ones don't, and of one member one comes at a time", async () => {
  const [first, second, third] = [new Upload("ann"), new Upload("ben"), new Upload("cleo")];
  assert.ok(await first.take(12 * MB));
  assert.ok(await second.take(3 * MB));
  const more = third.take(2 * MB);
  assert.ok(await waits(more), "there is no room");
  assert.ok(await first.take(12 * MB), "the oldest never waits");
  for (const who of ["ann", "dora"]) {
    const short = new Upload(who);
    assert.ok(await short.take(500_000), "a short one never waits");
    short.leave();
  }
  first.leave();
  assert.ok(await more);
  third.leave();
  const again = new Upload("ben");
  const own = again.take(MB);
  assert.ok(await waits(own), "there is room, but the same member has one on its way");
  second.leave();
  assert.ok(await own);
  again.leave();
});
