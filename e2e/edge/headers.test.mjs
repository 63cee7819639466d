// The answers that the shim gives by itself have the headers of all others.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { errorPage } from "../../worker/edge/shim/pages.mjs";
import { HEADERS } from "../../worker/edge/shim/table.mjs";

test("the shim's own answers are secured", () => {
  assert.ok(Object.keys(HEADERS).length >= 5);
  for (const status of [413, 500, 503]) {
    for (const accept of ["text/html", "application/json"]) {
      const response = errorPage(new Request("https://plaza.example/", { headers: { accept } }), status);
      assert.equal(response.status, status);
      for (const [name, value] of Object.entries(HEADERS)) assert.equal(response.headers.get(name), value, `${name} of ${status}`);
      assert.match(response.headers.get("content-security-policy"), /default-src 'none'/);
      assert.equal(response.headers.get("cache-control"), "no-store");
    }
  }
});

test("the style of the shim's error page is allowed by its hash alone", async () => {
  const response = errorPage(new Request("https://plaza.example/", { headers: { accept: "text/html" } }), 500);
  const [, style] = (await response.text()).match(/<style>([^<]*)<\/style>/);
  const hash = createHash("sha256").update(style).digest("base64");
  assert.ok(response.headers.get("content-security-policy").includes(`style-src 'sha256-${hash}';`));
});
