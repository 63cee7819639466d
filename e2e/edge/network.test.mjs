// What docs/operations.md says of DNS rebinding: with allow = ["public"], workerd refuses private addresses when it connects,
// after it has looked the name up. So it does not matter what the name said before.

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { startWorkerd } from "./workerd.mjs";

let dir, asked, inside;

before(async () => {
  dir = await mkdtemp(join(tmpdir(), "plaza-network-"));
  await writeFile(join(dir, "worker.mjs"), `export default {
    async fetch(request) {
      try {
        return new Response(await (await fetch(new URL(request.url).searchParams.get("url"))).text());
      } catch (error) {
        return new Response(String(error), { status: 502 });
      }
    },
  };`);
  inside = createServer((request, response) => { asked++; response.end("inside"); });
  await new Promise((resolve) => { inside.listen(0, "127.0.0.1", resolve); });
});
after(async () => {
  inside.close();
  await rm(dir, { recursive: true, force: true });
});

// localhost is a name, which stands for every name that leads to a private address once workerd connects.
for (const host of ["localhost", "127.0.0.1", "[::ffff:127.0.0.1]"]) {
  for (const [networks, status] of [[["public", "private"], 200], [["public"], 502]]) {
    test(`${host} where ${networks.join(" and ")} may be reached`, async () => {
      const it = await startWorkerd(dir, {}, ["worker.mjs"], [], networks);
      try {
        asked = 0;
        const answer = await fetch(`${it.url}/?url=${encodeURIComponent(`http://${host}:${inside.address().port}/`)}`);
        assert.equal(answer.status, status, await answer.text());
        assert.equal(asked, status === 200 ? 1 : 0);
      } finally {
        await it.stop();
      }
    });
  }
}
