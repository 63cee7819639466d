// Pictures for tests, made here: of each kind, with all the metadata that there is, and hostile ones.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { checksum } from "../../worker/edge/shim/picture/png.mjs";
import { root } from "./harness.mjs";

const bytes = (...parts) => new Uint8Array(Buffer.concat(parts.map((part) => (
  typeof part === "number" ? Buffer.of(part) : typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part)))));
const be16 = (n) => [n >> 8, n & 255];
const be32 = (n) => [n >>> 24, (n >> 16) & 255, (n >> 8) & 255, n & 255];
const le16 = (n) => [n & 255, n >> 8];
const le32 = (n) => be32(n).reverse();

/** SECRET stands in all metadata. */
export const SECRET = "GPS 59.332547 18.064941 secret";

/** exif is a TIFF structure with an orientation, and the secret as the maker. */
export const exif = (orientation) => bytes("II*\0", le32(8), le16(2), le16(0x10f), le16(2), le32(SECRET.length), le32(38), le16(0x112), le16(3),
  le32(1), le16(orientation), le16(0), le32(0), SECRET);

const go = execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim();
/** sample reads one of the pictures that come with Go. */
export const sample = (name) => bytes(readFileSync(join(go, "src/image/testdata", name)));
const webp = (name) => bytes(readFileSync(join(root, "protocol/unfurl/testdata", `${name}.webp`)));

export const segment = (marker, content) => bytes(0xff, marker, be16(content.length + 2), content);
/** jpegWith puts segments behind the beginning of a JPEG. */
export const jpegWith = (...segments) => bytes([0xff, 0xd8], ...segments, sample("video-001.jpeg").subarray(2));

export const chunk = (type, content) => {
  const named = bytes(type, content);
  return bytes(be32(content.length), named, be32(checksum(named)));
};
/** png makes a gray picture with chunks before and behind the data. */
export const png = (width, height, before = [], after = [], data = deflateSync(Buffer.alloc((width + 1) * height))) => bytes("\x89PNG\r\n\x1a\n",
  chunk("IHDR", bytes(be32(width), be32(height), 8, 0, 0, 0, 0)), ...before, chunk("IDAT", data), ...after, chunk("IEND", []));

export const frame = bytes(0x2c, le16(0), le16(0), le16(2), le16(2), 0, 2, 3, [0x84, 0x8f, 0x05], 0);
export const control = bytes([0x21, 0xf9, 4, 0, 10, 0, 0, 0]);
export const loop = bytes([0x21, 0xff, 11], "NETSCAPE2.0", [3, 1, 0, 0, 0]);
export const comment = (text) => bytes([0x21, 0xfe, text.length], text, 0);
/** gif makes one of 2 by 2 pixels of blocks. */
export const gif = (...blocks) => bytes("GIF89a", le16(2), le16(2), 0x80, 0, 0, [0, 0, 0, 255, 255, 255], ...blocks, 0x3b);

export const riff = (type, content) => bytes(type, le32(content.length), content, content.length % 2 ? 0 : "");
/** webpWith is a picture of 300 by 200 pixels with chunks behind it, and flags that announce some. */
export const webpWith = (name, flags, ...chunks) => {
  const content = bytes(webp(name).subarray(8), ...chunks);
  content[12] |= flags;
  return riff("RIFF", content);
};

/** WHOLE are pictures of all kinds with metadata: their names, bytes, and what they are. */
export const WHOLE = {
  "baseline.jpg": [sample("video-001.jpeg"), 150, 103, 1],
  "progressive.jpg": [sample("video-001.progressive.jpeg"), 150, 103, 1],
  "cmyk.jpg": [sample("video-001.cmyk.jpeg"), 150, 103, 1],
  "restarts.jpg": [sample("video-001.restart2.jpeg"), 150, 103, 1],
  "turned.jpg": [jpegWith(segment(0xe1, bytes("Exif\0\0", exif(6)))), 103, 150, 1],
  "metadata.jpg": [jpegWith(segment(0xe1, bytes("http://ns.adobe.com/xap/1.0/\0", SECRET)), segment(0xed, bytes("Photoshop 3.0\0", SECRET)),
    segment(0xfe, bytes(SECRET)), segment(0xe7, bytes(SECRET)), segment(0xe2, bytes("MPF\0", SECRET)), segment(0xe0, bytes("JFXX\0", SECRET))), 150, 103, 1],
  "plain.png": [sample("video-001.png"), 150, 103, 1],
  "metadata.png": [png(30, 20, [chunk("tEXt", bytes("Comment\0", SECRET)), chunk("eXIf", exif(8)), chunk("iTXt", bytes("XML:com.adobe.xmp\0\0\0\0\0", SECRET)),
    chunk("zTXt", bytes("a\0\0", deflateSync(SECRET))), chunk("tIME", bytes([7, 234, 1, 1, 1, 1, 1])), chunk("prVt", bytes(SECRET)),
    chunk("gAMA", be32(45455)), chunk("pHYs", bytes(be32(1), be32(1), 1))], [chunk("tEXt", bytes("Late\0", SECRET))]), 20, 30, 1],
  "animated.png": [png(2, 2, [chunk("acTL", bytes(be32(2), be32(0))), chunk("fcTL", bytes(be32(0), be32(2), be32(2), be32(0), be32(0), be16(1), be16(1), 0, 0))],
    [chunk("fcTL", bytes(be32(1), be32(2), be32(2), be32(0), be32(0), be16(1), be16(1), 0, 0)),
      chunk("fdAT", bytes(be32(2), deflateSync(Buffer.alloc(6))))]), 2, 2, 2],
  "metadata.gif": [gif(loop, comment(SECRET), bytes([0x21, 0xff, 11], "XMP DataXMP", SECRET.length, SECRET, 0), control, frame, comment(SECRET), control, frame,
    bytes([0x21, 0x01, 12], le16(0), le16(0), le16(2), le16(2), [1, 1, 0, 1], SECRET.length, SECRET, 0)), 2, 2, 2],
  "interlaced.gif": [sample("video-001.interlaced.gif"), 150, 103, 1],
  "metadata.webp": [webpWith("alpha", 0x0c, riff("EXIF", exif(6)), riff("XMP ", bytes(SECRET)), riff("junk", bytes(SECRET))), 300, 200, 1],
  "animated.webp": [webpWith("anim", 0x0c, riff("EXIF", bytes("Exif\0\0", exif(1))), riff("XMP ", bytes(SECRET))), 300, 200, 3],
};

/** cameras are pictures with what real cameras wrote in front of them. */
export const cameras = () => readdirSync(join(root, "e2e/edge/cameras")).filter((name) => name.endsWith(".jpg")).map((name) => (
  [name, bytes(readFileSync(join(root, "e2e/edge/cameras", name)), sample("video-001.progressive.jpeg").subarray(20))]));

const EVIL = "<script>alert(document.domain)</script>";
const zip = bytes("PK\x03\x04", Buffer.alloc(26), EVIL, "PK\x05\x06", Buffer.alloc(18));

/** HOSTILE are pictures that are other things as well, or none; null is for what must be cleaned and not refused. */
export const HOSTILE = {
  "drawing.png": [bytes(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">${EVIL}</svg>`), "kind"],
  "page.jpg": [bytes(`<!doctype html>${EVIL}`), "kind"],
  "page.gif": [bytes(`GIF89a${EVIL}`), "broken"],
  "script.gif": [bytes("GIF89a/*", Buffer.alloc(40), `*/=1;${EVIL}`), "broken"],
  "short.gif": [bytes("GIF89a"), "broken"],
  "short.png": [bytes("\x89PNG\r\n\x1a\n"), "broken"],
  "short.jpg": [bytes([0xff, 0xd8, 0xff]), "broken"],
  "short.webp": [bytes("RIFF", le32(4), "WEBP", "VP8 "), "broken"],
  "paper.pdf": [bytes(`%PDF-1.7 ${EVIL}`), "kind"],
  "archive.zip": [zip, "kind"],
  "photo.heic": [bytes(be32(24), "ftypheic", Buffer.alloc(12)), "kind"],
  "photo.avif": [bytes(readFileSync(join(root, "protocol/unfurl/testdata/still.avif"))), "kind"],
  "photo.bmp": [bytes("BM", Buffer.alloc(60)), "kind"],
  "photo.tiff": [exif(1), "kind"],
  "zip behind.jpg": [bytes(sample("video-001.jpeg"), zip), null],
  "zip behind.png": [bytes(png(3, 3), zip), null],
  "zip behind.gif": [bytes(gif(frame), zip), null],
  "zip behind.webp": [bytes(webp("alpha"), zip), null],
  "page in a comment.jpg": [jpegWith(segment(0xfe, bytes(`--><html>${EVIL}`))), null],
  "page in a comment.gif": [gif(comment(`*/${EVIL}`), frame), null],
  "pdf in a segment.jpg": [jpegWith(segment(0xe5, bytes(`%PDF-1.7 ${EVIL}`))), null],
  "script in the first segment.jpg": [jpegWith(segment(0xe0, bytes("JFIF\0\x01\x01\0\0\x01\0\x01\x20\x20", `*/=1;${EVIL}/*`))), null],
  "page in a thumbnail.jpg": [jpegWith(segment(0xe1, bytes("Exif\0\0", exif(1), EVIL))), null],
  "page as a color profile.jpg": [jpegWith(segment(0xe2, bytes("ICC_PROFILE\0\x01\x01", EVIL, Buffer.alloc(128)))), null],
  "page as gamma.png": [png(3, 3, [chunk("gAMA", bytes(EVIL))]), null],
  "an unknown chunk that matters.png": [png(3, 3, [chunk("EVIL", bytes(EVIL))]), "broken"],
  "wrong checksum.png": [png(3, 3).map((byte, i, all) => (i === all.length - 1 ? byte ^ 1 : byte)), "broken"],
  "no data.png": [bytes("\x89PNG\r\n\x1a\n", chunk("IHDR", bytes(be32(3), be32(3), 8, 0, 0, 0, 0)), chunk("IEND", [])), "broken"],
  "no palette.png": [bytes("\x89PNG\r\n\x1a\n", chunk("IHDR", bytes(be32(3), be32(3), 8, 3, 0, 0, 0)), chunk("IDAT", [0]), chunk("IEND", [])), "broken"],
  "too wide.png": [png(20_000, 2), "pixels"],
  "a bomb.png": [png(10_000, 10_000, [], [], bytes([0x78, 0x9c, 3, 0, 0, 0, 0, 1])), "pixels"],
  "a bomb of frames.gif": [gif(...Array.from({ length: 300 }, () => Uint8Array.from(frame, (byte, i) => (i === 6 || i === 8 ? 2 : byte)))), "pixels"],
  "a bomb of scans.jpg": [(() => {
    const whole = sample("video-001.progressive.jpeg");
    const scan = Buffer.from(whole).lastIndexOf(Buffer.of(0xff, 0xda));
    const last = whole.subarray(scan, whole.length - 2);
    return bytes(whole.subarray(0, scan), ...Array.from({ length: 120 }, () => last), [0xff, 0xd9]);
  })(), "broken"],
  "no size.png": [png(0, 3), "broken"],
  "no size.jpg": [(() => { const it = sample("video-001.jpeg"); it.set([0, 0, 0, 0], it.indexOf(0xc0) + 4); return it; })(), "broken"],
  "two sizes.webp": [(() => { const it = webp("alpha"); it[24] ^= 1; return it; })(), "broken"],
  "nothing.jpg": [bytes(), "empty"],
  "five megabytes.jpg": [bytes(sample("video-001.jpeg"), Buffer.alloc(5 << 20)), "large"],
};
for (const [name, [it]] of Object.entries(WHOLE)) HOSTILE[`cut ${name}`] = [it.subarray(0, it.length - 2), "broken"];

/** mutated changes a picture at random, as a generator with a seed says: bytes, pieces that are cut out, doubled or exchanged, its end. */
export function mutated(it, random) {
  const pick = (n) => Math.floor(random() * n);
  let out = Buffer.from(it);
  for (let i = 1 + pick(6); i > 0; i--) {
    const [at, size] = [pick(out.length), 1 + pick(Math.min(64, out.length))];
    switch (pick(6)) {
      case 0: out[at] = pick(256); break;
      case 1: out[at] ^= 1 << pick(8); break;
      case 2: out = Buffer.concat([out.subarray(0, at), out.subarray(at + size)]); break;
      case 3: out = Buffer.concat([out.subarray(0, at), out.subarray(at, at + size), out.subarray(at)]); break;
      case 4: out = Buffer.concat([out.subarray(0, at), Buffer.from(EVIL), out.subarray(at)]); break;
      default: if (at + 4 <= out.length) out.writeUInt32BE([0, 0xffffffff, 0x7fffffff, 0x80000000][pick(4)], at);
    }
  }
  return new Uint8Array(out);
}
