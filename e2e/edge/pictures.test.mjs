// Uploads, the bucket and downloads: forms with pictures reach Go without a byte of them, and browsers get pictures without Go.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import http from "node:http";
import { after, before, test } from "node:test";
import { form, formsOf, FORM, JSON_MEMBER } from "./forms.mjs";
import { eventually, MEMBER, startEdge } from "./harness.mjs";
import { cameras, HOSTILE, jpegWith, png, SECRET, segment, WHOLE } from "./pictures.mjs";
import { startWorkerd } from "./workerd.mjs";

const TOOL = { authorization: "Bearer 0123456789abcdef0123456789abcdef" };
const LONG = Boolean(process.env.PLAZA_LONG);

let edge;
before(async () => { edge = await startEdge({ PICTURES_TOKEN: TOOL.authorization.slice(7) }); });
after(() => edge?.stop());
const { send, sent, listed } = formsOf(() => edge);

const sumOf = (bytes) => createHash("sha256").update(bytes).digest("hex");
const isIn = async (sum) => (await listed()).includes(sum);

test("a form with pictures reaches Go as texts, and as what the pictures are", async () => {
  const [photo] = WHOLE["turned.jpg"];
  const result = await sent(["title", "Grüße & \r\nmore"], ["tags", "a"], ["tags", "b"], ["pictures", photo, "my cat.jpg"],
    ["banner", WHOLE["metadata.gif"][0], 'a"ü\n.gif']);
  assert.equal(result.header["Content-Type"].join(), "application/x-www-form-urlencoded");
  const texts = new URLSearchParams(result.body);
  assert.deepEqual([texts.get("title"), texts.getAll("tags"), [...texts.keys()].length], ["Grüße & \r\nmore", ["a", "b"], 3]);
  const [first, second] = result.received;
  assert.deepEqual({ ...first, sum: "", bytes: 0 }, { index: 0, field: "pictures", name: "my cat.jpg", type: "image/jpeg", width: 103, height: 150,
    frames: 1, bytes: 0, sum: "", small: false, problem: "" });
  assert.deepEqual([second.index, second.field, second.type, second.frames, result.received.length], [1, "banner", "image/gif", 2, 2]);
  assert.deepEqual(result.kept, ["<nil>", "<nil>"]);
  const shown = await edge.get(`/picture/${first.sum}`, {});
  assert.equal(shown.status, 200);
  const bytes = Buffer.from(await shown.arrayBuffer());
  assert.equal(sumOf(bytes), first.sum, "the sum is that of the bytes that are kept");
  assert.equal(bytes.length, first.bytes);
  assert.ok(!bytes.includes(SECRET) && Buffer.from(photo).includes(SECRET));
});

test("the script's way: a picture with its small version", async () => {
  const [picture, small] = [png(400, 300), png(320, 240)];
  const { received: [facts], kept } = await sent(["picture", picture, "a.png"], ["small", small, "small.png"], ["colour", "#a0b0c0"]);
  assert.deepEqual([facts.small, facts.sum, kept], [true, sumOf(picture), ["<nil>"]]);
  const get = async (path) => sumOf(Buffer.from(await (await edge.get(path, {})).arrayBuffer()));
  assert.equal(await get(`/picture/${facts.sum}`), sumOf(picture));
  assert.equal(await get(`/picture/${facts.sum}/small`), sumOf(small));
  // Who sends it again doesn't change the small version.
  await sent(["picture", picture, "a.png"], ["small", png(300, 225), "small.png"]);
  assert.equal(await get(`/picture/${facts.sum}/small`), sumOf(small));
  for (const [bytes, why] of [[png(321, 3), "too wide"], [png(300, 300, [], [], Buffer.alloc(30_000)), "too many bytes"],
    [WHOLE["animated.png"][0], "moves"], [HOSTILE["drawing.png"][0], "no picture"]]) {
    const { received } = await sent(["picture", png(50, 51 + why.length), "b.png"], ["small", bytes, "small.png"]);
    assert.deepEqual(received.map(({ small, problem }) => [small, problem]), [[false, ""]], why);
  }
  const alone = await sent(["picture", png(51, 51), "c.png"]);
  assert.equal(await get(`/picture/${alone.received[0].sum}/small`), alone.received[0].sum, "without a small version the picture is shown");
});

test("what is no picture is told, and nothing of it is kept", async () => {
  const before = await listed();
  for (const [name, [bytes, problem]] of Object.entries(HOSTILE)) {
    if (problem === null) continue;
    const { received, kept } = await sent(["pictures", bytes, name]);
    assert.deepEqual([received.map((it) => it.problem), kept], [[problem], []], name);
    assert.equal(received[0].name, name);
  }
  assert.deepEqual(await listed(), before);
});

test("hostile pictures and those of cameras are shown clean", async () => {
  const all = [...Object.entries(HOSTILE).filter(([, [, problem]]) => problem === null).map(([name, [bytes]]) => [name, bytes]), ...cameras()];
  for (const [name, bytes] of all) {
    const { received: [facts], kept } = await sent(["pictures", bytes, name]);
    assert.deepEqual([facts.problem, kept], ["", ["<nil>"]], name);
    const shown = await edge.get(`/picture/${facts.sum}`, {});
    const text = Buffer.from(await shown.arrayBuffer()).toString("latin1");
    assert.doesNotMatch(text, /<script|GPS|http|Canon|iPhone|%PDF/, name);
    assert.ok(!text.includes("PK\x03"), `${name} holds a ZIP file`);
    assert.equal(shown.headers.get("content-type"), facts.type, name);
    assert.equal(shown.headers.get("x-content-type-options"), "nosniff");
    assert.match(shown.headers.get("content-security-policy"), /default-src 'none'; sandbox/);
  }
});

test("a client cannot tell of pictures that it did not send", async () => {
  const forged = JSON.stringify([{ index: 0, field: "pictures", sum: "0".repeat(64), problem: "" }]);
  for (const body of [form(["title", "x"]), new URLSearchParams({ title: "x" })]) {
    const { received, header } = await (await send(body, { ...JSON_MEMBER, "x-plaza-pictures": forged })).json();
    assert.equal(received?.length ?? 0, 0);
    assert.notEqual(header["X-Plaza-Pictures"]?.[0], forged);
  }
  assert.match(await edge.text("/__test/keep"), /no such picture/);
});

test("who is not logged in can't have pictures looked at", async () => {
  const { received, body } = await (await send(form(["title", "x"], ["pictures", png(3, 3), "a.png"]), { accept: "application/json" })).json();
  assert.deepEqual([received, body], [[], "title=x"]);
});

test("a form at another address keeps its own body, for Go to refuse", async () => {
  const echo = await (await send(form(["pictures", png(3, 3), "a.png"]), JSON_MEMBER, "/__test/echo")).json();
  assert.match(echo.header["Content-Type"][0], /^multipart\/form-data/);
  assert.equal(echo.header["X-Plaza-Pictures"], undefined);
});

test("too much is refused with a page that says how much fits", async () => {
  const eleven = form(...Array.from({ length: 11 }, (_, i) => ["pictures", png(3, 3 + i), `${i}.png`]));
  const thirteen = form(...Array.from({ length: 4 }, (_, i) => ["pictures", new Uint8Array(3.3 * 1048576), `${i}.png`]));
  const words = form(["text", "x".repeat(1 << 20)], ["pictures", png(3, 3), "a.png"]);
  for (const body of [eleven, thirteen, words]) {
    const page = await send(body, MEMBER);
    assert.equal(page.status, 413);
    assert.match(await page.text(), /10 pictures, of 4 MB each and 12 MB together/);
    const facts = await (await send(body)).json();
    assert.deepEqual([facts.error.code, facts.error.field], ["too_large", "picture"]);
  }
  // A form without an announced length is read all the same, and measured on the way.
  const stream = async (body) => {
    const it = new Response(body);
    return send(it.body, { ...JSON_MEMBER, "content-type": it.headers.get("content-type") }, FORM, { duplex: "half" });
  };
  assert.equal((await (await stream(form(["pictures", png(3, 3), "a.png"]))).json()).received.length, 1);
  assert.equal((await stream(thirteen)).status, 413);
  const broken = await send("--x\r\nnonsense", { ...JSON_MEMBER, "content-type": "multipart/form-data; boundary=y" });
  assert.deepEqual([broken.status, (await broken.json()).error.code], [400, "invalid"]);
  assert.equal((await edge.get("/__test/hello")).status, 200);
});

test("a picture has one address, and is nothing but a picture there", async () => {
  const { received: [{ sum, type }] } = await sent(["pictures", png(7, 7), "a.png"]);
  const shown = await edge.get(`/picture/${sum}`, {});
  assert.equal(shown.headers.get("cache-control"), "public, max-age=31536000, immutable");
  assert.equal(shown.headers.get("content-type"), type);
  for (const name of ["cross-origin-resource-policy", "referrer-policy"]) assert.ok(shown.headers.has(name), name);
  const tag = shown.headers.get("etag");
  const again = await edge.get(`/picture/${sum}`, { "if-none-match": tag });
  assert.deepEqual([again.status, await again.text()], [304, ""]);
  const head = await edge.get(`/picture/${sum}`, {}, { method: "HEAD" });
  assert.deepEqual([head.status, head.headers.get("content-type"), await head.text()], [200, type, ""]);
  const { served } = (await edge.json("/__test/stats")).shim;
  for (const path of [`/picture/${sum}?x=1`, `/picture/${sum}/`, `/picture/${sum.toUpperCase()}`, `/picture/${sum}/large`,
    `/picture/${"0".repeat(64)}`, `/picture/${"0".repeat(64)}/small`, "/picture/"]) {
    const missing = await edge.get(path, {});
    assert.equal(missing.status, 404, path);
    assert.match(await missing.text(), /no picture here/);
    assert.equal(missing.headers.get("cache-control"), "no-store");
  }
  const entered = (await edge.json("/__test/stats")).shim.served - served;
  assert.ok(entered <= 2, `of seven pictures and this request ${entered} entered Go, where one may ask where the site is closed (shim/place.mjs)`);
});

test("an edge keeps for a moment that there is no picture", async () => {
  const status = async (path) => (await edge.get(path, {})).status;
  let width = 32;
  await eventually(async () => { // a busy machine may take longer than the ten seconds for which this edge keeps that there is none
    const late = png(width++, 32);
    const path = `/picture/${sumOf(late)}`;
    assert.equal(await status(path), 404);
    await sent(["pictures", late, "a.png"]);
    assert.equal(await status(path), 404, "kept for some seconds");
    assert.equal(await status(`${path}/small`), 200);
  });
});

test("this edge keeps a picture for a minute at most, and a deleted one is gone from the bucket", async () => {
  const { received: [{ sum }] } = await sent(["pictures", png(9, 9), "a.png"]);
  const state = async () => (await edge.get(`/picture/${sum}`, {})).headers.get("x-cache");
  assert.equal(await state(), "MISS");
  await eventually(async () => assert.equal(await state(), "HIT"));
  const small = await edge.get(`/picture/${sum}/small`, {}); // not yet in the cache
  assert.equal(small.status, 200);
  assert.ok(await isIn(sum));
  assert.equal(await edge.text(`/__test/drop?sum=${sum}&sum=${"1".repeat(64)}`), "<nil>");
  assert.ok(!(await isIn(sum)));
  assert.match(await edge.text("/__test/drop?sum=../p/x"), /sums of pictures that are none/);
});

test("a tool with the secret lists, keeps and deletes; nobody else finds it", async () => {
  const TOOLS = "/tools/pictures";
  const ask = async (path, method = "GET", body = undefined, headers = TOOL) => edge.get(TOOLS + path, headers, { method, body });
  for (const headers of [{}, MEMBER, { authorization: "Bearer 0123456789abcdef0123456789abcdee" }, { authorization: TOOL.authorization.slice(7) }]) {
    for (const method of ["GET", "PUT", "DELETE"]) assert.equal((await ask(`/${"a".repeat(64)}`, method, undefined, headers)).status, 404);
    assert.equal((await ask("", "GET", undefined, headers)).status, 404);
  }
  const [picture, small] = [png(77, 78), png(70, 71)];
  const sum = sumOf(picture);
  assert.equal((await ask(`/${sum}`, "PUT", picture)).status, 204);
  assert.equal((await ask(`/${sum}/small`, "PUT", small)).status, 204);
  const bytes = async (path) => Buffer.from(await (await edge.get(path, {})).arrayBuffer());
  assert.equal(Buffer.compare(await bytes(`/picture/${sum}`), picture), 0);
  assert.equal(Buffer.compare(await bytes(`/picture/${sum}/small`), small), 0);
  assert.deepEqual([(await ask(`/${sum}`, "PUT", small)).status, (await ask(`/${sum}/small`, "PUT", png(321, 2))).status], [422, 422]);
  const [facts] = WHOLE["metadata.png"];
  assert.equal((await ask(`/${sumOf(facts)}`, "PUT", facts)).status, 422, "a picture with metadata");
  assert.equal((await ask(`/${sum}`, "PUT", new Uint8Array(5 << 20))).status, 422);
  // A small version without its picture shows up too.
  const lost = "f".repeat(64);
  assert.equal((await ask(`/${lost}/small`, "PUT", small)).status, 204);
  for (const most of [500, 2, 1]) {
    const all = [];
    for (let more = [null]; more.length > 0; all.push(...more)) more = (await (await ask(`?most=${most}&after=${all.at(-1)?.sum ?? ""}`)).json()).pictures;
    const sums = all.map((it) => it.sum);
    assert.deepEqual(sums, [...new Set([...await listed(), lost])].sort(), `${most} at once`);
    const { kept, smallKept, ...mine } = all.find((it) => it.sum === sum);
    assert.deepEqual(mine, { sum, type: "image/png", bytes: picture.length, small: small.length, smallType: "image/png" });
    for (const time of [kept, smallKept]) assert.ok(Math.abs(time - Date.now()) < 600_000);
    assert.deepEqual([all.at(-1).bytes, all.at(-1).small], [0, small.length]);
  }
  const raw = async (path) => Buffer.from(await (await ask(path)).arrayBuffer());
  assert.equal(Buffer.compare(await raw(`/${sum}`), picture), 0);
  assert.equal(Buffer.compare(await raw(`/${sum}/small`), small), 0);
  assert.deepEqual([(await ask(`/${lost}`)).status, (await ask(`/${lost}/small`)).headers.get("content-type")], [404, "image/png"]);
  assert.equal((await ask(`/${sum}/small`, "DELETE")).status, 204);
  assert.deepEqual([(await ask(`/${sum}/small`)).status, (await ask(`/${sum}`)).status], [404, 200], "nothing in its stead");
  for (const it of [sum, lost, lost]) assert.equal((await ask(`/${it}`, "DELETE")).status, 204);
  assert.ok(!(await isIn(sum)));
});

test("a picture of another server is passed on without a byte of it in Go, and without metadata", async () => {
  const results = { "/large": new Uint8Array((4 << 20) + 5).fill(1).fill(0xff, 0, 1), "/page": Buffer.from("<html>".repeat(20_000)) };
  results["/large"].set([0xff, 0xd8, 0xff]);
  const [photo] = WHOLE["metadata.jpg"];
  const heavy = jpegWith(...Array.from({ length: 12 }, (_, i) => segment(0xe2, Buffer.concat([Buffer.from("ICC_PROFILE\0\x02\x02"), Buffer.alloc(60_000, i)]))));
  Object.assign(results, { "/metadata": photo, "/heavy": heavy, "/avif": HOSTILE["photo.avif"][0], "/cut": HOSTILE["cut metadata.jpg"][0], "/bomb": HOSTILE["a bomb of frames.gif"][0],
    "/moves": WHOLE["animated.webp"][0] });
  const server = http.createServer((request, response) => {
    response.setHeader("x-plaza-kept", "image/svg+xml 1 1 1 1");
    response.statusCode = request.url === "/metadata?missing" ? 404 : 200;
    response.end(results[request.url.split("?")[0]]);
  });
  await new Promise((resolve) => { server.listen(0, "127.0.0.1", resolve); });
  const pass = async (path) => {
    const response = await edge.get(`/__test/passed?url=${encodeURIComponent(`http://127.0.0.1:${server.address().port}${path}`)}`);
    for (const name of response.headers.keys()) assert.doesNotMatch(name, /^x-plaza/);
    return { facts: response.headers.get("x-kept"), bytes: Buffer.from(await response.arrayBuffer()) };
  };
  try {
    const passed = await pass("/metadata");
    assert.equal(passed.facts, `image/jpeg 150 103 15450 ${photo.length}`);
    assert.ok(!passed.bytes.includes(SECRET) && passed.bytes.length > 20_000);
    assert.equal((await pass("/moves")).facts, `image/webp 300 200 149800 ${results["/moves"].length}`);
    const bomb = await pass("/bomb");
    assert.deepEqual([bomb.facts.split(" ")[3] > 40_000_000, bomb.bytes.length], [true, 0]);
    assert.deepEqual([(await pass("/large")).facts, (await pass("/large")).bytes.length], [`image/jpeg 0 0 0 ${(4 << 20) + 1}`, 0]);
    assert.deepEqual([(await pass("/page")).facts, (await pass("/page")).bytes.length], ["", 64]);
    for (const path of ["/avif", "/cut", "/metadata?missing"]) {
      const it = await pass(path);
      assert.equal(it.facts, "", path);
      assert.equal(Buffer.compare(it.bytes, results[path.split("?")[0]]), 0, path);
    }
    const before = await edge.json("/__test/stats?gc");
    for (let i = 0; i < (LONG ? 500 : 30); i++) assert.equal((await pass("/heavy")).bytes.length, heavy.length);
    const after = await edge.json("/__test/stats?gc");
    assert.ok(after.shim.bytes <= before.shim.bytes + (4 << 20), `instance memory ${before.shim.bytes} → ${after.shim.bytes}`);
    assert.ok(after.heap < before.heap + 50_000, `heap ${before.heap} → ${after.heap}`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

test("beside a title a picture of another server has 100 KB at most, and Go gets not a byte of a longer one", async () => {
  const sizes = { "/light": 90_000, "/heavy": 200_000, "/slow": 200_000 };
  const server = http.createServer((request, response) => {
    const bytes = png(300, 300, [], [], Buffer.alloc(sizes[request.url]));
    if (request.url !== "/slow") response.setHeader("content-length", bytes.length); // else it comes in chunks
    response.write(bytes.subarray(0, 50_000));
    response.end(bytes.subarray(50_000));
  });
  await new Promise((resolve) => { server.listen(0, "127.0.0.1", resolve); });
  const pass = async (path, how) => {
    const response = await edge.get(`/__test/passed?${how}url=${encodeURIComponent(`http://127.0.0.1:${server.address().port}${path}`)}`);
    return [response.headers.get("x-kept"), (await response.arrayBuffer()).byteLength];
  };
  try {
    const [facts, length] = await pass("/light", "small&");
    assert.deepEqual([facts, length], [`image/png 300 300 90000 ${length}`, length]);
    assert.ok(length > 90_000 && length < 91_000, `${length} bytes`);
    for (const path of ["/heavy", "/slow"]) {
      assert.deepEqual(await pass(path, "small&"), [`- 0 0 0 ${(100 << 10) + 1}`, 0], path);
      assert.ok((await pass(path, ""))[1] > 200_000, "the whole one is passed on");
    }
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

test("without a bucket Go is told so, and nothing is kept or found", async () => {
  const bare = await startWorkerd({ PICTURES_TOKEN: TOOL.authorization.slice(7) });
  try {
    const { get } = bare;
    const { bound, error } = await bare.json("/__test/list");
    assert.deepEqual([bound, /no bucket is bound/.test(error)], [false, true]);
    const { received: [facts], kept: [kept] } = await (await get(FORM, JSON_MEMBER, { method: "POST", body: form(["pictures", png(3, 3), "a.png"]) })).json();
    assert.equal(facts.problem, "");
    assert.match(kept, /no bucket is bound/);
    assert.equal((await get(`/picture/${facts.sum}`, {})).status, 404);
    assert.equal((await get("/tools/pictures", TOOL)).status, 404);
  } finally {
    await bare.stop();
  }
});

test("memory of the instance stays flat over uploads and downloads", async () => {
  const photo = (i) => jpegWith(segment(0xe2, Buffer.concat([Buffer.from("ICC_PROFILE\0\x02\x02"), Buffer.alloc(60_000, i), Buffer.from(String(i))])));
  const upload = async (i) => {
    const { received: [{ sum }] } = await sent(["pictures", photo(i), "a.jpg"]);
    return sum;
  };
  const stats = async () => {
    const it = await edge.json("/__test/stats?gc");
    assert.deepEqual([it.waiting, it.shim.turns], [0, 1]);
    return it;
  };
  const uploads = async (from, to) => {
    const sums = [];
    for (let i = from; i < to; i += 4) sums.push(...await Promise.all([0, 1, 2, 3].map((k) => upload(i + k))));
    return sums;
  };
  const sums = await uploads(0, 40);
  const before = await eventually(stats);
  sums.push(...await uploads(40, LONG ? 540 : 100));
  const between = await eventually(stats);
  let bytes = 0;
  for (let i = 0; i < (LONG ? 5000 : 200); i += 8) {
    await Promise.all(Array.from({ length: 8 }, async (_, k) => {
      const response = await edge.get(`/picture/${sums[(i + k) % sums.length]}`, {});
      const body = await response.arrayBuffer();
      bytes += body.byteLength;
      assert.equal(response.status, 200);
    }));
  }
  const after = await eventually(stats);
  const grown = after.shim.bytes - before.shim.bytes;
  console.log(`instance ${before.shim.bytes} → ${between.shim.bytes} → ${after.shim.bytes} bytes, heap ${before.heap} → ${after.heap}, ${(bytes / 1e6).toFixed(0)} MB sent`);
  assert.equal(after.shim.instance, before.shim.instance, "one instance served them all");
  assert.equal(after.shim.bytes, between.shim.bytes, "downloads don't enter Go");
  // Go's memory settles within its garbage (memory.test.mjs). The pictures have ten times as much.
  assert.ok(grown <= 4 << 20, `instance memory ${before.shim.bytes} → ${after.shim.bytes}`);
  assert.ok(after.heap < before.heap + 100_000, `heap ${before.heap} → ${after.heap}`);
  assert.ok(after.shim.values <= before.shim.values + 10, `JavaScript values ${before.shim.values} → ${after.shim.values}`);
});

// The processor time of a process is in /proc (Linux only). Unlike elapsed time, it hardly depends on what else the machine does.
test("what an upload and a download cost", { skip: !LONG && "PLAZA_LONG=1 measures it" }, async (t) => {
  const group = readdirSync("/proc").filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ")[1] === String(process.pid);
    } catch {
      return false; // no process, or one that is over
    }
  });
  const cpu = () => group.reduce((sum, pid) => sum + readdirSync(`/proc/${pid}/task`).reduce((of, thread) =>
    of + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]) / 1e6, 0), 0);
  const photo = (parts, i) => jpegWith(...Array.from({ length: parts }, (_, k) => segment(0xe2, Buffer.concat([
    Buffer.from("ICC_PROFILE\0\x02\x02"), Buffer.alloc(60_000, k), Buffer.from(String(i))]))));
  let made = 0;
  const upload = async (parts, ...more) => (await sent(...more, ...parts ? [["pictures", photo(parts, ++made), "a.jpg"]] : [["title", "none"]])).received?.[0]?.sum;
  const kept = { 6: await upload(6), 60: await upload(60) };
  const download = async (parts) => (await edge.get(`/picture/${kept[parts]}`, {})).arrayBuffer();
  const acts = { "a form without pictures": () => upload(0), [`an upload of ${photo(6, 0).length} bytes`]: () => upload(6),
    [`an upload of ${photo(60, 0).length} bytes`]: () => upload(60), [`a download of ${photo(6, 0).length} bytes`]: () => download(6),
    [`an upload of ${photo(60, 0).length} bytes that Go does not keep`]: () => upload(60, ["keep", "no"]),
    [`a download of ${photo(60, 0).length} bytes`]: () => download(60) };
  const spent = Object.fromEntries(Object.keys(acts).map((name) => [name, []]));
  for (let round = 0; round < 12; round++) {
    for (const [name, act] of Object.entries(acts)) {
      const before = cpu();
      for (let i = 0; i < 5; i++) await act();
      if (round > 1) spent[name].push((cpu() - before) / 5);
    }
  }
  for (const [name, ms] of Object.entries(spent)) t.diagnostic(`${name}: ${ms.sort((a, b) => a - b)[ms.length >> 1].toFixed(1)} ms of processor time in workerd`);
});
