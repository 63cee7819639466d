// Whose address Go is told: nobody's claim but that of Cloudflare or of the proxy that the settings name.

import assert from "node:assert/strict";
import { test } from "node:test";
import { requestHead } from "../../worker/edge/shim/head.mjs";
import { loggedPath } from "../../worker/edge/shim/pages.mjs";
import { limitsOf } from "../../worker/edge/shim/limits.mjs";

function head(headers, { env = {}, cf } = {}) {
  const request = { method: "GET", url: "https://plaza.example/", headers: new Headers(headers), cf };
  const [, , , address, , ...rest] = requestHead(1, request, null, undefined, limitsOf(env).addressHeader).split("\n");
  return { address, rest };
}

test("Cloudflare says it itself", () => {
  assert.equal(head({ "cf-connecting-ip": "192.0.2.1" }, { cf: {} }).address, "192.0.2.1");
});

test("elsewhere no header is believed", () => {
  const claimed = { "cf-connecting-ip": "6.6.6.6", "x-real-ip": "6.6.6.6", "x-forwarded-for": "6.6.6.6", forwarded: "for=6.6.6.6" };
  assert.deepEqual(head(claimed), { address: "", rest: [] });
  for (const PLAZA_CLIENT_ADDRESS_HEADER of ["", "no header", "x\n"]) {
    assert.equal(head(claimed, { env: { PLAZA_CLIENT_ADDRESS_HEADER } }).address, "");
  }
});

test("but the one that the settings name, of which the proxy wrote the end", () => {
  const env = { PLAZA_CLIENT_ADDRESS_HEADER: "X-Forwarded-For" };
  assert.equal(head({ "x-forwarded-for": "192.0.2.1" }, { env }).address, "192.0.2.1");
  assert.equal(head({ "x-forwarded-for": "6.6.6.6, 2001:db8::1" }, { env }).address, "2001:db8::1");
  assert.equal(head({ "x-forwarded-for": "", "cf-connecting-ip": "6.6.6.6" }, { env, cf: {} }).address, "");
  assert.equal(head({}, { env }).address, "");
});

test("and Go sees that header no more than the others", () => {
  const env = { PLAZA_CLIENT_ADDRESS_HEADER: "client-is" };
  assert.deepEqual(head({ "client-is": "192.0.2.1", accept: "text/html" }, { env }), { address: "192.0.2.1", rest: ["accept", "text/html"] });
});

test("logs have no address that is a secret", () => {
  assert.equal(loggedPath("/feed/plaza_abc"), "/feed/{token}");
  assert.equal(loggedPath("/c/gophers/new"), "/c/gophers/new");
});
