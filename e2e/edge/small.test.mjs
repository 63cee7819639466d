// Pictures of other servers beside titles, as the shim asks for them where the zone has image transformations. Those are not simulated by
// `wrangler dev`, so here fetch is a function of the test.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { bridgeOf } from "../../worker/edge/shim/io.mjs";
import { HOSTILE, png } from "./pictures.mjs";

const LIMIT = 100 << 10;
const whole = png(1200, 900, [], [], Buffer.alloc(200_000));
const made = png(320, 240, [], [], Buffer.alloc(9000));
const page = Buffer.from("<html>".repeat(20_000));

const { fetch } = globalThis;
afterEach(() => { globalThis.fetch = fetch; });

/** ask has the shim fetch an address, and returns what Go hears, what is kept, and the requests. The answers come in turn. */
async function ask(results, env, beyond = "small") {
  const asked = [];
  globalThis.fetch = async (url, options) => {
    asked.push({ url, ...options });
    const response = results[asked.length - 1];
    if (response instanceof Error) throw response;
    return response instanceof Response ? response : new Response(response);
  };
  const turn = { id: 1, env, kept: undefined };
  const heard = await new Promise((resolve) => {
    const instance = { turn, turns: new Map(), seed: null, refused: 0, resume: (_, op, code, text, bytes) => resolve({ code, text, bytes }) };
    const head = `GET\nhttps://pics.example/a.png\n5000\n${LIMIT + 1}\n${beyond}\nAccept\nimage/webp`;
    assert.equal(bridgeOf(instance).fetch(1, 1, head, null), null);
  });
  return { ...heard, kept: turn.kept, asked };
}
const facts = ({ text }) => /x-plaza-kept\n(.*)\n/.exec(text)?.[1];

test("with the variable, Cloudflare makes a picture small", async () => {
  const it = await ask([whole, made], { IMAGE_RESIZING: "1" });
  assert.equal(facts(it), `image/png 320 240 76800 ${made.length}`);
  assert.equal(Buffer.compare(it.kept, made), 0);
  assert.equal(it.bytes, null, "none of it is Go's");
  const [first, second] = it.asked;
  assert.equal(first.cf, undefined, "redirects are Go's to follow, so the address is asked without it first");
  assert.deepEqual(second.cf, { image: { width: 320, height: 320, fit: "scale-down", format: "webp", quality: 75, anim: false } });
  for (const { url, redirect, headers, signal } of it.asked) {
    assert.deepEqual([url, redirect, new Headers(headers).get("accept"), signal.aborted], ["https://pics.example/a.png", "manual", "image/webp", false]);
  }
});

test("what is not to be made small is asked for once", async () => {
  const light = png(300, 300, [], [], Buffer.alloc(20_000));
  const redirect = () => new Response(null, { status: 302, headers: { location: "http://127.0.0.1/" } });
  for (const [response, env, beyond, is] of [[light, { IMAGE_RESIZING: "1" }, "small", `image/png 300 300 90000 ${light.length}`],
    [page, { IMAGE_RESIZING: "1" }, "small", `- 0 0 0 ${LIMIT + 1}`], [redirect(), { IMAGE_RESIZING: "1" }, "small", undefined],
    [HOSTILE["photo.avif"][0], { IMAGE_RESIZING: "1" }, "small", undefined], [made, { IMAGE_RESIZING: "1" }, "keep", `image/png 320 240 76800 ${made.length}`],
    [whole, {}, "small", `- 0 0 0 ${LIMIT + 1}`], [whole, { IMAGE_RESIZING: "" }, "small", `- 0 0 0 ${LIMIT + 1}`]]) {
    const it = await ask([response], env, beyond);
    assert.deepEqual([facts(it), it.asked.length], [is, 1]);
  }
});

test("when nothing comes of it, the picture is shown as it is, if it is short enough", async () => {
  const short = png(300, 300, [], [], Buffer.alloc(90_000));
  for (const second of [new Error("no more this month"), new Response("ERROR 9422", { status: 429 }), page.subarray(0, 500), whole]) {
    assert.equal(facts(await ask([short, second], { IMAGE_RESIZING: "1" })), `image/png 300 300 90000 ${short.length}`);
  }
  const long = await ask([whole, new Response(whole)], { IMAGE_RESIZING: "1" }); // as a zone without transformations answers
  assert.deepEqual([facts(long), long.kept, long.asked.length], [`- 0 0 0 ${LIMIT + 1}`, undefined, 2]);
});
