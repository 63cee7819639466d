// What uploaded bytes are, and the same picture without what its maker did not mean to tell: where it was taken, when, with what, and what
// was cut away. Nothing is decoded: the structure is read and the parts that browsers need are put together anew, so that what hides
// between or behind them is gone. All functions are pure.

import { Broken } from "./picture/bytes.mjs";
import { isGIF, readGIF } from "./picture/gif.mjs";
import { isJPEG, readJPEG } from "./picture/jpeg.mjs";
import { isPNG, readPNG } from "./picture/png.mjs";
import { isWebP, readWebP } from "./picture/webp.mjs";

/** MOST_BYTES is how large a picture may be. */
export const MOST_BYTES = 4 << 20;
// What a reader's browser is asked to draw: a few kilobytes can ask for gigabytes of memory. links.Pictures in Go has the same.
const MOST_SIDE = 16_384;
const MOST_PIXELS = 40_000_000; // of all frames together

const KINDS = [
  ["image/jpeg", isJPEG, readJPEG],
  ["image/png", isPNG, readPNG],
  ["image/gif", isGIF, readGIF],
  ["image/webp", isWebP, readWebP],
];

/** kindOf is the type that the first bytes have, "" if it is none that the site takes. */
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
    const much = width > MOST_SIDE || height > MOST_SIDE || pixels > MOST_PIXELS;
    return much ? { type, width, height, frames, pixels, problem: "pixels" } : picture;
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    return { type, problem: "broken" };
  }
}
