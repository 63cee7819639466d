// PNG without metadata. https://www.w3.org/TR/png-3/

import { be32, check, joined, letters, Reader } from "./bytes.mjs";
import { exifWith, orientationOf, shown } from "./exif.mjs";

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const DEPTHS = { 0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16] }; // by color type
const INDEXED = 3;
// The chunks about colors, and how long each may be. A profile is compressed, by a factor of at most 1,032 (zlib's manual,
// "Maximum Compression Factor"). So browsers unpack at most about 8 MB. Without a profile they treat the colors as sRGB.
const COLORS = { tRNS: 256, gAMA: 4, cHRM: 32, sRGB: 1, sBIT: 4, bKGD: 6, pHYs: 9, cICP: 4, mDCV: 24, cLLI: 8, iCCP: 8 << 10 };

/** isPNG reports whether the first bytes are those of PNG. */
export const isPNG = (bytes) => SIGNATURE.every((byte, i) => bytes[i] === byte);

/**
 * readPNG checks the structure with all checksums, and returns the size as shown, the frames of an animation, and the bytes without
 * metadata. Kept are the picture, its frames, the chunks about colors, and an orientation. What follows the end is dropped.
 */
export function readPNG(bytes) {
  const reader = new Reader(bytes);
  const kept = [];
  const seen = new Set();
  const animation = { frames: 0, declared: 0, next: 0, pixels: 0 };
  let header = null;
  let orientation = 1;
  let last = "";
  for (let at = SIGNATURE.length; ;) {
    const length = reader.u32(at);
    const type = reader.text(at + 4, 4);
    const chunk = reader.slice(at, at + 12 + length);
    const data = at + 8;
    check((header === null) === (type === "IHDR"), "the header comes first, and once");
    let keep = true;
    if (type === "IHDR") {
      header = readHeader(reader, data, length);
    } else if (type === "PLTE") {
      check(!seen.has("PLTE") && !seen.has("IDAT") && length > 0 && length <= 768 && length % 3 === 0, "the palette");
    } else if (type === "IDAT") {
      check(!seen.has("IDAT") || last === "IDAT", "the data in pieces");
      check(header.color !== INDEXED || seen.has("PLTE"), "no palette");
    } else if (type === "IEND") {
      check(length === 0, "the end");
    } else if (type === "acTL") {
      keep = length === 8 && !seen.has("IDAT") && !seen.has("acTL");
      if (keep) animation.declared = reader.u32(data);
    } else if (type === "fcTL" || type === "fdAT") {
      keep = animation.declared > 0;
      if (keep) readFrame(reader, type, data, length, animation, header);
    } else if (type === "eXIf") {
      orientation = orientationOf(reader.slice(data, data + length));
      keep = false;
    } else {
      check(type.charCodeAt(0) & 32, `an unknown chunk that readers must know: ${type}`);
      keep = length <= (COLORS[type] ?? -1) && !seen.has(type) && !seen.has("IDAT");
    }
    if (keep) {
      check(reader.u32(data + length) === checksum(reader.slice(at + 4, data + length)), `the checksum of ${type}`);
      kept.push(chunk);
      seen.add(type);
    }
    last = type;
    at += chunk.length;
    if (type === "IEND") break;
  }
  check(seen.has("IDAT"), "no data");
  check(animation.frames === animation.declared, "frames that are not there");
  if (orientation > 1) kept.splice(1, 0, chunkOf("eXIf", exifWith(orientation)));
  const pixels = Math.max(animation.pixels, header.width * header.height);
  return { ...shown(header.width, header.height, orientation), frames: animation.frames || 1, pixels, bytes: joined([SIGNATURE, ...kept]) };
}

function readHeader(reader, at, length) {
  check(length === 13, "the header");
  const header = { width: reader.u32(at), height: reader.u32(at + 4), color: reader.u8(at + 9) };
  check(header.width > 0 && header.height > 0 && header.width < 2 ** 31 && header.height < 2 ** 31, "no size");
  check(DEPTHS[header.color]?.includes(reader.u8(at + 8)), "color type and depth");
  check(reader.u8(at + 10) === 0 && reader.u8(at + 11) === 0 && reader.u8(at + 12) <= 1, "an unknown method");
  return header;
}

// readFrame checks the number and the place of a frame of an animation.
function readFrame(reader, type, at, length, animation, { width, height }) {
  check(length >= 4 && reader.u32(at) === animation.next++, "the order of frames");
  if (type === "fdAT") return;
  check(length === 26, "a frame");
  const [w, h, x, y] = [4, 8, 12, 16].map((offset) => reader.u32(at + offset));
  check(w > 0 && h > 0 && x + w <= width && y + h <= height, "the place of a frame");
  animation.frames++;
  animation.pixels += w * h;
}

function chunkOf(type, data) {
  const named = joined([letters(type), data]);
  return joined([be32(data.length), named, be32(checksum(named))]);
}

// The checksum of PNG is CRC-32 (annex D). With four tables, each step handles four bytes.
const TABLES = Array.from({ length: 4 }, () => new Uint32Array(256));
for (let n = 0; n < 256; n++) {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  TABLES[0][n] = c;
}
for (let n = 0; n < 256; n++) {
  for (let k = 1; k < 4; k++) TABLES[k][n] = (TABLES[k - 1][n] >>> 8) ^ TABLES[0][TABLES[k - 1][n] & 255];
}

/** checksum returns the CRC-32 of bytes. */
export function checksum(bytes) {
  const [t0, t1, t2, t3] = TABLES;
  const whole = bytes.length & ~3;
  let c = -1;
  let i = 0;
  for (; i < whole; i += 4) {
    c ^= bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
    c = t3[c & 255] ^ t2[(c >>> 8) & 255] ^ t1[(c >>> 16) & 255] ^ t0[c >>> 24];
  }
  for (; i < bytes.length; i++) c = t0[(c ^ bytes[i]) & 255] ^ (c >>> 8);
  return (c ^ -1) >>> 0;
}
