// Bodies that come slowly, end half-way, or are made to keep the worker busy: others get through meanwhile, and nothing is left of them.

import assert from "node:assert/strict";
import http from "node:http";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { form, formsOf, FORM, JSON_MEMBER } from "./forms.mjs";
import { eventually, MEMBER, startEdge } from "./harness.mjs";
import { jpegWith, png, segment } from "./pictures.mjs";

const LONG = Boolean(process.env.PLAZA_LONG);

let edge;
before(async () => { edge = await startEdge(); });
after(() => edge?.stop());
const { send, sent, listed } = formsOf(() => edge);

/** unfinished sends the beginning of a body of `announced` bytes, and returns the status of the response; 0 for none in 40 seconds, or at `stop`. */
const unfinished = (path, announced, text, headers, trickles = false, stop = null) => new Promise((resolve, reject) => {
  const { hostname, port } = new URL(edge.url);
  const socket = connect({ host: hostname, port });
  const end = (value) => { clearInterval(trickle); socket.destroy(); resolve(value); };
  stop?.addEventListener("abort", () => end(0));
  const trickle = trickles ? setInterval(() => socket.write("x"), 1000) : null;
  socket.write(`POST ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-length: ${announced}\r\n`
    + `${Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${text}`);
  socket.once("data", (data) => end(Number(String(data).split(" ")[1])));
  socket.on("error", reject);
  setTimeout(() => end(0), 40_000).unref();
});

test("who sends nothing for some seconds is answered, and who has no session at once", async () => {
  const files = { "content-type": "multipart/form-data; boundary=b" };
  const plain = { "content-type": "application/x-www-form-urlencoded" };
  const part = '--b\r\ncontent-disposition: form-data; name="pictures"; filename="a.png"\r\n\r\n';
  const forged = { cookie: "__Host-session=forged" };
  const much = "x".repeat(1 << 20);
  const cases = {
    "an upload without a session": [FORM, 12 << 20, part, files, 200],
    "an upload with a forged session": [FORM, 12 << 20, part + much, { ...files, ...forged }, 200],
    "an upload without a session of 1 MB": [FORM, 1 << 20, part, files, 408],
    "an upload of a member that pauses at once": [FORM, 12 << 20, "", { ...files, ...MEMBER }, 408],
    "an upload of a member that pauses after most of it": [FORM, 6 << 20, part + much.repeat(5), { ...files, ...MEMBER }, 408],
    "a plain form of 1 MB": ["/__test/echo", 1 << 20, "a=".padEnd(1 << 19, "x"), plain, 408],
    "a plain form of 20 KB": ["/__test/echo", 20_000, "a=", plain, 408],
    "a plain form, piece by piece": ["/__test/echo", 1 << 20, "a=", plain, 408, true],
    "a short form, piece by piece": ["/__test/echo", 1000, "a=", plain, 408, true],
  };
  const picture = jpegWith(...Array.from({ length: 60 }, (_, k) => segment(0xe2, Buffer.concat([Buffer.from("ICC_PROFILE\0\x02\x02"), Buffer.alloc(61_000, k)]))));
  let trickled = 0; // of those that send a byte a second: how many were refused, because the whole took too long
  const idle = Promise.all(Object.entries(cases).map(async ([name, [path, announced, text, headers, want, trickles]]) => {
    assert.equal(await unfinished(path, announced, text, headers, trickles), want, name);
    if (trickles) trickled++;
    else assert.equal(trickled, 0, `${name}: before those that trickle`);
  }));
  // The site waits for this upload for a minute, since a byte of it arrives each second.
  const stop = new AbortController();
  let released = false;
  const held = unfinished(FORM, 6 << 20, part + much, { ...files, ...MEMBER }, true, stop.signal).then(() => { released = true; });
  const other = (body) => send(body, { ...JSON_MEMBER, cookie: "__Host-session=another" });
  assert.equal((await other(form(["title", "x"], ["pictures", png(3, 3), "a.png"]))).status, 200);
  assert.equal((await other(form(["title", "x"]))).status, 200);
  assert.equal((await other(form(["pictures", picture, "a.jpg"], ["pictures", picture, "b.jpg"]))).status, 200);
  assert.equal(released, false, "others do not wait for them");
  stop.abort();
  await Promise.all([idle, held]);
});

test("a form that is made to be slow is read in no time", async () => {
  const send = (body) => edge.get(FORM, { ...JSON_MEMBER, "content-type": "multipart/form-data; boundary=b" }, { method: "POST", body });
  const tiny = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n';
  for (const [body, status] of [[`${tiny.repeat(200_000)}--b--\r\n`, 413], [`--b\r\n${"\r\n--".repeat(2 << 20)}`, 400],
    [`${tiny.slice(0, -3)}${"\r\n--".repeat(2 << 20)}`, 400], [tiny.replace('"a"', `"${"=;".repeat(5 << 20)}"`), 400]]) {
    assert.equal((await send(body)).status, status);
  }
});

test("large forms that come at once wait for each other, and all get through", async () => {
  const large = (i) => jpegWith(...Array.from({ length: 60 }, (_, k) => segment(0xe2, Buffer.concat([Buffer.from("ICC_PROFILE\0\x02\x02"),
    Buffer.alloc(61_000, i * 60 + k)]))));
  const results = await Promise.all(Array.from({ length: 3 }, async (_, i) => (
    sent(["keep", "no"], ["pictures", large(i), "a.jpg"], ["pictures", large(i + 6), "b.jpg"], ["pictures", large(i + 12), "c.jpg"]))));
  for (const { received } of results) assert.deepEqual(received.map(({ problem, bytes }) => [problem, bytes > 3_600_000]), [["", true], ["", true], ["", true]]);
});

test("uploads that end half-way leave the bucket as it was", async () => {
  const before = await listed();
  const { hostname, port } = new URL(edge.url);
  const times = LONG ? 500 : 50;
  const abort = (i) => new Promise((resolve) => {
    const request = http.request({ hostname, port, path: FORM, method: "POST", headers: {
      ...JSON_MEMBER, "content-type": "multipart/form-data; boundary=b", "content-length": 300_000 } });
    request.on("error", resolve).on("response", (response) => response.resume().on("end", resolve));
    request.write(Buffer.concat([Buffer.from(`--b\r\nContent-Disposition: form-data; name="pictures"; filename="${i}.png"\r\n\r\n`),
      png(200, 100 + i), Buffer.alloc(i * 100)]), () => setImmediate(() => request.destroy()));
  });
  for (let i = 0; i < times; i += 10) await Promise.all(Array.from({ length: 10 }, (_, k) => abort(i + k)));
  // Whole ones that Go doesn't want are as good as aborted.
  for (let i = 0; i < 10; i++) await sent(["keep", "no"], ["pictures", png(60, 61 + i), "a.png"]);
  await eventually(async () => {
    const { waiting, shim } = await edge.json("/__test/stats");
    assert.deepEqual([waiting, shim.turns], [0, 1]);
  });
  assert.deepEqual(await listed(), before);
});
