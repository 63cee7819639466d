// What the shim does to the bytes of pictures (worker/edge/shim/picture.mjs): pure functions, so they are tested here without a worker.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import { clean, kindOf } from "../../worker/edge/shim/picture.mjs";
import { orientationOf } from "../../worker/edge/shim/picture/exif.mjs";
import { cameras, chunk, exif, HOSTILE, mutated, png, SECRET, WHOLE } from "./pictures.mjs";

const TYPES = { jpg: "image/jpeg", png: "image/png", gif: "image/gif", webp: "image/webp" };
const has = (bytes, text) => Buffer.from(bytes).includes(text);
// What metadata has in it: names of EXIF, XMP, Photoshop and makers, and markup.
const FORBIDDEN = [SECRET, "GPS", "http", "xpacket", "Photoshop", "Canon", "NIKON", "Apple", "iPhone", "HTC", "script", "PK\x03\x04", "%PDF"];

/** assertClean checks a picture that was cleaned: nothing told but its orientation, and cleaning it again changes nothing. */
function assertClean(name, { bytes }) {
  for (const word of FORBIDDEN) assert.ok(!has(bytes, word), `${name} tells ${word}`);
  const again = clean(bytes);
  assert.equal(again.problem, undefined, `${name}, once more`);
  assert.deepEqual(Buffer.compare(again.bytes, bytes), 0, `${name} changes when it is cleaned again`);
}

test("pictures of every kind lose what they tell, and keep size, frames and orientation", () => {
  for (const [name, [bytes, width, height, frames]] of Object.entries(WHOLE)) {
    const it = clean(bytes);
    assert.equal(it.type, TYPES[name.split(".").pop()], name);
    assert.equal(it.type, kindOf(bytes), name);
    assert.deepEqual([it.problem, it.width, it.height, it.frames], [undefined, width, height, frames], name);
    assertClean(name, it);
  }
});

test("the data of a picture stay as they are", () => {
  const { bytes } = clean(WHOLE["metadata.png"][0]);
  assert.ok(has(bytes, "gAMA") && has(bytes, "pHYs") && has(bytes, "IDAT"));
  for (const name of ["baseline.jpg", "progressive.jpg", "cmyk.jpg", "restarts.jpg", "interlaced.gif"]) {
    assert.equal(Buffer.compare(clean(WHOLE[name][0]).bytes, WHOLE[name][0]), 0, `${name} has no metadata, so nothing changes`);
  }
  assert.ok(has(clean(WHOLE["metadata.gif"][0]).bytes, "NETSCAPE2.0"), "how often it is shown");
  assert.ok(has(clean(WHOLE["metadata.webp"][0]).bytes, "ALPH"), "its transparency");
});

test("a color profile has bounds as it is sent, and as browsers unpack it", () => {
  for (const [profile, kept] of [[Buffer.alloc(548, "acsp"), true], [Buffer.alloc(3144, "acsp"), true], [randomBytes(8000), true], [Buffer.alloc(7 << 20), true],
    [randomBytes(8 << 10), false], [Buffer.alloc(16 << 20), false], [Buffer.alloc(256 << 20), false]]) {
    const packed = deflateSync(profile, { level: 9 });
    const it = clean(png(3, 3, [chunk("iCCP", Buffer.concat([Buffer.from("profile\0\0"), packed]))]));
    assert.deepEqual([it.problem, has(it.bytes, "iCCP"), it.bytes.length < 8400], [undefined, kept, true], `${profile.length} bytes in ${packed.length}`);
  }
});

test("21 files of real cameras tell nobody where, when and with what they were made", () => {
  const all = cameras();
  assert.equal(all.length, 21);
  let places = 0;
  let turned = 0;
  for (const [name, bytes] of all) {
    const at = Buffer.from(bytes).indexOf("Exif\0\0");
    const before = orientationOf(bytes.subarray(at + 6));
    if (name.includes("gps")) places++;
    const it = clean(bytes);
    assert.equal(it.problem, undefined, name);
    assertClean(name, it);
    assert.deepEqual([it.width, it.height], before >= 5 ? [103, 150] : [150, 103], name);
    const exif = Buffer.from(it.bytes).indexOf("Exif\0\0");
    if (before === 1) assert.equal(exif, -1, `${name} has EXIF and needs none`);
    else {
      turned++;
      assert.equal(orientationOf(it.bytes.subarray(exif + 6)), before, name);
      assert.equal(it.bytes.subarray(exif - 2, exif).join(), "0,34", "our EXIF has one entry");
    }
  }
  assert.deepEqual([places, turned], [5, 3]);
});

test("each orientation is read in both orders of bytes, and nonsense is upright", () => {
  for (let value = 1; value <= 8; value++) assert.equal(orientationOf(exif(value)), value);
  for (const value of [0, 9, 255]) assert.equal(orientationOf(exif(value)), 1);
  const swapped = Uint8Array.from([77, 77, 0, 42, 0, 0, 0, 8, 0, 1, 1, 18, 0, 3, 0, 0, 0, 1, 0, 7, 0, 0, 0, 0, 0, 0]);
  assert.equal(orientationOf(swapped), 7);
  for (let length = 0; length < 22; length++) assert.equal(orientationOf(swapped.subarray(0, length > 19 ? 9 : length)), 1);
});

test("what is no picture, not whole or something else as well is refused or cleaned", () => {
  for (const [name, [bytes, problem]] of Object.entries(HOSTILE)) {
    const it = clean(bytes);
    assert.equal(it.problem ?? null, problem, name);
    if (problem === null) assertClean(name, it);
    else assert.equal(it.bytes, undefined, name);
  }
});

test("three thousand mutated pictures are refused or clean", () => {
  let seed = 24;
  const random = () => { // mulberry32
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const all = [...Object.values(WHOLE).map(([bytes]) => bytes), ...cameras().slice(0, 3).map(([, bytes]) => bytes)];
  const outcomes = {};
  for (let i = 0; i < 3000; i++) {
    const it = clean(mutated(all[i % all.length], random));
    outcomes[it.problem ?? "clean"] = (outcomes[it.problem ?? "clean"] ?? 0) + 1;
    if (it.problem) continue;
    assert.ok(it.width > 0 && it.height > 0 && it.frames > 0, `picture ${i}`);
    const again = clean(it.bytes);
    assert.ok(!again.problem && Buffer.compare(again.bytes, it.bytes) === 0, `picture ${i} changes when it is cleaned again: ${again.problem}`);
  }
  assert.ok(outcomes.broken > 500 && outcomes.clean > 100, JSON.stringify(outcomes));
});
