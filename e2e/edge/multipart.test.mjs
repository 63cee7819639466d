// How the shim reads forms with files (worker/edge/shim/multipart.mjs).

import assert from "node:assert/strict";
import { test } from "node:test";
import { partsOf, TooMany } from "../../worker/edge/shim/multipart.mjs";

const TYPE = "multipart/form-data; boundary=b";
const bytes = (text) => new Uint8Array(Buffer.from(text, "latin1"));
const shown = (parts) => parts.map(({ name, file, data }) => [name, file, Buffer.from(data).toString("latin1")]);
const read = (text, type = TYPE) => shown(partsOf(bytes(text), type));
const part = (data, name = 'name="a"') => `--b\r\nContent-Disposition: form-data; ${name}\r\n\r\n${data}\r\n`;

test("what a client makes of a form is read as it was", async () => {
  const form = new FormData();
  form.append("title", "Grüße & \r\n--b");
  form.append("a\"b", "");
  form.append("pictures", new Blob([bytes("\r\n--\x00\xff\r\n")]), 'a "cat"\n😀.png');
  const sent = new Response(form);
  const parts = partsOf(new Uint8Array(await sent.clone().arrayBuffer()), sent.headers.get("content-type"));
  assert.deepEqual(parts.map(({ name, file }) => [name, file]), [["title", null], ['a"b', null], ["pictures", 'a "cat"\n😀.png']]);
  assert.deepEqual(parts.map(({ data }) => data.length), [15, 0, 8]);
  assert.equal(Buffer.from(parts[0].data).toString(), "Grüße & \r\n--b");
});

test("parts end at their boundary and nowhere else", () => {
  assert.deepEqual(read(`${part("x")}${part("", 'name="f"; filename=""')}--b--`), [["a", null, "x"], ["f", "", ""]]);
  assert.deepEqual(read(`${part("\r\n-b\r\n--\r\r\n--a\r\n")}--b--\r\nafter`), [["a", null, "\r\n-b\r\n--\r\r\n--a\r\n"]]);
  assert.deepEqual(read("--b\r\nX: y\r\ncontent-disposition: FORM-DATA; filename=\"f\"; name=\"n\"\r\nContent-Type: x/y\r\n\r\n1\r\n--b--"), [["n", "f", "1"]]);
  assert.deepEqual(read("--a b\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\n1\r\n--a b--", 'multipart/form-data; boundary="a b"'), [["n", null, "1"]]);
  assert.deepEqual(read("--b--"), []);
});

test("what is no form is an error", () => {
  for (const text of ["", "x", "--b", "--b\r\n", "--c--", part("x"), part("x").slice(0, -2), `${part("x")}--b`, "--b\r\n\r\n\r\n\r\nx\r\n--b--",
    `${part("x", "filename=\"f\"")}--b--`, `${part("x", `name="${"n".repeat(5000)}"`)}--b--`, ` ${part("x")}--b--`, `${part("x").replace("--b", "--bb")}--b--`]) {
    assert.throws(() => read(text), Error, JSON.stringify(text.slice(0, 60)));
  }
  for (const type of ["multipart/form-data", "multipart/form-data; boundary=", `multipart/form-data; boundary=${"b".repeat(71)}`]) {
    assert.throws(() => read(`${part("x")}--b--`, type), Error, type);
  }
  assert.throws(() => read(`${part("x").repeat(1001)}--b--`), TooMany);
  assert.equal(read(`${part("x").repeat(1000)}--b--`).length, 1000);
});

test("a boundary is found wherever it is, in bytes that look like it", () => {
  let seed = 7;
  const random = (n) => { seed = (Math.imul(seed, 1103515245) + 12345) >>> 0; return (seed >>> 16) % n; };
  for (let i = 0; i < 5000; i++) {
    const boundary = Array.from({ length: 1 + random(4) }, () => "-b"[random(2)]).join("");
    const data = Array.from({ length: random(40) }, () => "\r\n-b"[random(4)]).join("");
    const text = `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n${data}\r\n--${boundary}--`;
    const whole = `\r\n${data}\r\n--${boundary}`;
    const expected = whole.slice(2, Math.max(2, whole.indexOf(`\r\n--${boundary}`)));
    let parts;
    try {
      parts = read(text, `multipart/form-data; boundary=${boundary}`);
    } catch {
      assert.ok(data.includes(`--${boundary}`), JSON.stringify([boundary, data]));
      continue;
    }
    assert.equal(parts[0][2], expected, JSON.stringify([boundary, data]));
  }
});
