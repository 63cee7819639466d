// The fault proxies stand where they should: what they are told shows in the site's answers, and ends with them.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startSite } from "./site.mjs";

let site;
before(async () => { site = await startSite(); });
after(() => site?.stop());

test("a site behind fault proxies fails when told to and recovers", async () => {
  const ann = await site.signUp("ann");
  const made = await site.post("/communities", { name: "here", title: "Here" }, ann);
  assert.equal(made.status, 200, made.text);

  await site.database.set({ fault: "answer", status: 500 });
  assert.equal((await site.get("/c/here", ann)).status, 503);
  assert.ok((await site.database.counts()).faulted > 0);
  await site.database.set({ fault: "pass" });
  assert.equal((await site.get("/c/here", ann)).status, 200);

  await site.database.set({ fault: "lose", writes: true, times: 1 });
  const post = await site.post("/submit", { community: "here", title: "Once", kind: "text", text: "Made once." }, ann);
  assert.equal(post.status, 200, post.text);
  assert.equal((await site.database.counts()).faulted, 1);
  assert.deepEqual(await site.sql("SELECT count(*) FROM posts"), [["1"]]);

  await site.redis.set({ fault: "refuse" });
  assert.equal((await site.post("/vote", { target: post.json.id, value: 0 }, ann)).status, 200);
  await site.redis.set({ fault: "pass" });
});
