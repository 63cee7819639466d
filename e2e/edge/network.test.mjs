// What docs/operations/links.md says of DNS rebinding: with allow = ["public"], workerd refuses private addresses when it connects,
// after it has looked the name up. So it does not matter what the name said before.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { startWorkerd } from "./workerd.mjs";

let asked, inside;

const ASKING = `export default {
  async fetch(request) {
    try {
      return new Response(await (await fetch(new URL(request.url).searchParams.get("url"))).text());
    } catch (error) {
      return new Response(String(error), { status: 502 });
    }
  },
};`;

before(async () => {
  inside = createServer((request, response) => { asked++; response.end("inside"); });
  await new Promise((resolve) => { inside.listen(0, "127.0.0.1", resolve); });
});
after(() => inside.close());

// localhost is a name, which stands for every name that leads to a private address once workerd connects.
for (const host of ["localhost", "127.0.0.1", "[::ffff:127.0.0.1]"]) {
  for (const [networks, status] of [[["public", "private"], 200], [["public"], 502]]) {
    test(`${host} where ${networks.join(" and ")} may be reached`, async () => {
      const it = await startWorkerd({}, { modules: `(name = "worker.mjs", esModule = ${JSON.stringify(ASKING)})`, networks });
      try {
        asked = 0;
        const result = await fetch(`${it.url}/?url=${encodeURIComponent(`http://${host}:${inside.address().port}/`)}`);
        assert.equal(result.status, status, await result.text());
        assert.equal(asked, status === 200 ? 1 : 0);
      } finally {
        await it.stop();
      }
    });
  }
}
