// Queues and cron enter the same instance, each with a turn of its own.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { eventually, startEdge } from "./harness.mjs";

let edge;
before(async () => { edge = await startEdge(); });
after(() => edge?.stop());

const seen = () => edge.json("/__test/seen");
const send = (queue, ...bodies) => edge.text(`/__test/send?queue=${queue}&${bodies.map((body) => `body=${encodeURIComponent(body)}`).join("&")}`);

describe("each message arrives beside others", { concurrency: true }, () => {
  test("what is sent arrives, votes after two seconds", async () => {
    const began = Date.now();
    assert.equal(await send("plaza-votes", "one", "zwei ü😀"), "<nil>");
    assert.equal(await send("plaza-events", '{"three":3}'), "<nil>");
    await eventually(async () => {
      const list = await seen();
      for (const line of ["plaza-votes one 1", "plaza-votes zwei ü😀 1", 'plaza-events {"three":3} 1']) assert.ok(list.includes(line), line);
    });
    assert.ok(Date.now() - began >= 2000, "later votes rely on a message that comes so late");
  });

  test("more messages than a call takes are sent in several", async () => {
    const bodies = Array.from({ length: 150 }, (_, i) => `m${i}`);
    assert.equal(await send("plaza-votes", ...bodies), "<nil>");
    await eventually(async () => {
      const list = await seen();
      for (const body of bodies) assert.ok(list.includes(`plaza-votes ${body} 1`), body);
    });
  });

  test("an unknown queue is an error", async () => {
    assert.match(await send("plaza-nothing", "x"), /no queue is called/);
  });

  test("one message comes again, its batch does not", async () => {
    assert.equal(await send("plaza-votes", "again-a", "fine-b"), "<nil>");
    await eventually(async () => {
      const list = await seen();
      assert.ok(list.includes("plaza-votes again-a 2"));
      assert.equal(list.filter((line) => line.includes("fine-b")).length, 1);
    });
  });
});

test("a consumer's panic brings the batch again and harms no one else", async () => {
  assert.equal(await send("plaza-events", "panic-a", "also-b"), "<nil>");
  await eventually(async () => {
    const list = await seen();
    assert.ok(list.includes("plaza-events panic-a 2"));
    assert.ok(list.includes("plaza-events also-b 2"));
  });
});

test("cron ticks", async () => {
  const response = await fetch(`${edge.url}/cdn-cgi/local/scheduled`);
  assert.equal(response.status, 200);
  await eventually(async () => assert.ok((await seen()).some((line) => /^cron 20\d\d-/.test(line))));
});
