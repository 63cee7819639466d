// GIF without metadata. https://www.w3.org/Graphics/GIF/spec-gif89a.txt; the number of loops is in the NETSCAPE extension.

import { check, joined, Reader } from "./bytes.mjs";

const [EXTENSION, IMAGE, TRAILER] = [0x21, 0x2c, 0x3b];
const [CONTROL, APPLICATION] = [0xf9, 0xff];
const LOOPS = new Set(["NETSCAPE2.0", "ANIMEXTS1.0"]);

/** isGIF reports whether the first bytes are those of GIF. */
export const isGIF = (bytes) => /^GIF8[79]a$/.test(String.fromCharCode(...bytes.subarray(0, 6)));

/**
 * readGIF checks the structure, and returns the size, the number of frames, and the bytes without metadata. Kept are frames, their
 * controls, and the number of loops. Comments, texts, other applications' data, and what follows the end are dropped.
 */
export function readGIF(bytes) {
  const reader = new Reader(bytes);
  let width = reader.le16(6);
  let height = reader.le16(8);
  let at = 13 + tableSize(reader.u8(10));
  const kept = [reader.slice(0, at)];
  let control = null; // belongs to the next frame
  let frames = 0;
  let pixels = 0;
  for (;;) {
    const kind = reader.u8(at);
    if (kind === TRAILER) break;
    check(kind === EXTENSION || kind === IMAGE, `a block ${kind}`);
    if (kind === IMAGE) {
      const [x, y, w, h] = [1, 3, 5, 7].map((offset) => reader.le16(at + offset));
      check(w > 0 && h > 0, "a frame of no size");
      // The first frame makes the screen larger; of later ones, only what lies inside is shown.
      if (frames === 0) [width, height] = [Math.max(width, x + w), Math.max(height, y + h)];
      const data = at + 10 + tableSize(reader.u8(at + 9));
      check(reader.u8(data) >= 1 && reader.u8(data) <= 11, "the size of codes");
      const end = endOfBlocks(reader, data + 1);
      if (control) kept.push(control);
      kept.push(reader.slice(at, end));
      control = null;
      pixels += w * h;
      frames++;
      at = end;
      continue;
    }
    const end = endOfBlocks(reader, at + 2);
    const label = reader.u8(at + 1);
    if (label === CONTROL) {
      check(end === at + 8 && reader.u8(at + 2) === 4, "a frame's control");
      control = reader.slice(at, end);
    } else if (label === APPLICATION && isLoop(reader, at)) {
      kept.push(joined([reader.slice(at, at + 18), [0]]));
    }
    at = end;
  }
  check(frames > 0, "no frame");
  return { width, height, frames, pixels: Math.max(pixels, width * height), bytes: joined([...kept, [TRAILER]]) };
}

// tableSize returns the length of the color table that these flags announce.
const tableSize = (flags) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);

// isLoop reports whether an application's extension begins with the number of loops.
function isLoop(reader, at) {
  return reader.u8(at + 2) === 11 && LOOPS.has(reader.text(at + 3, 11)) && reader.u8(at + 14) === 3 && (reader.u8(at + 15) & 7) === 1;
}

// endOfBlocks returns where a row of blocks ends.
function endOfBlocks(reader, at) {
  for (let size; (size = reader.u8(at)) > 0;) at += 1 + size;
  return at + 1;
}
