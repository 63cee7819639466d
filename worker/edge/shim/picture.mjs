// Recognises uploaded pictures, and removes their metadata: where, when and with what they were taken, and previews that show what was
// cropped. Nothing is decoded: the structure is read and the parts that browsers need are joined again, so that nothing hidden between or
// after them remains. All functions are pure.

import { Broken } from "./picture/bytes.mjs";
import { isGIF, readGIF } from "./picture/gif.mjs";
import { isJPEG, readJPEG } from "./picture/jpeg.mjs";
import { isPNG, readPNG } from "./picture/png.mjs";
import { isWebP, readWebP } from "./picture/webp.mjs";

/** MOST_BYTES is the maximum size of a picture. */
export const MOST_BYTES = 4 << 20;
// Limits for readers' browsers: a few kilobytes can decode to gigabytes of memory. links.Pictures in Go has the same.
const MAX_SIDE = 16_384;
const MAX_PIXELS = 40_000_000; // of all frames together

const KINDS = [
  ["image/jpeg", isJPEG, readJPEG],
  ["image/png", isPNG, readPNG],
  ["image/gif", isGIF, readGIF],
  ["image/webp", isWebP, readWebP],
];

/** kindOf returns the type of a picture by its first bytes; "" if the site does not accept it. */
export const kindOf = (bytes) => KINDS.find(([, is]) => is(bytes))?.[0] ?? "";

/**
 * clean returns a picture without metadata, as { type, width, height, frames, pixels, bytes }, or { type, problem }. Width and height are
 * as shown; pixels are those of all frames. Problems are those that package pictures lists in Go.
 */
export function clean(bytes) {
  const kind = KINDS.find(([, is]) => is(bytes));
  const type = kind?.[0] ?? "";
  if (bytes.length === 0) return { type, problem: "empty" };
  if (bytes.length > MOST_BYTES) return { type, problem: "large" };
  if (!kind) return { type, problem: "kind" };
  try {
    const picture = { type, ...kind[2](bytes) };
    const { width, height, frames, pixels } = picture;
    const tooLarge = width > MAX_SIDE || height > MAX_SIDE || pixels > MAX_PIXELS;
    return tooLarge ? { type, width, height, frames, pixels, problem: "pixels" } : picture;
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    return { type, problem: "broken" };
  }
}
