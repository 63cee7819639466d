// WebP without metadata. https://www.rfc-editor.org/rfc/rfc9649; VP8 https://www.rfc-editor.org/rfc/rfc6386, 9.1

import { check, joined, le32, letters, Reader } from "./bytes.mjs";
import { exifWith, orientationOf } from "./exif.mjs";

const [ANIMATED, XMP, EXIF, PROFILE] = [0x02, 0x04, 0x08, 0x20];
const EXIF_PREFIX = "Exif\0\0"; // some encoders write it as in JPEG

/** isWebP reports whether the first bytes are those of WebP. */
export const isWebP = (bytes) => bytes.length >= 16 && new Reader(bytes).text(0, 4) === "RIFF" && new Reader(bytes).text(8, 4) === "WEBP";

/**
 * readWebP checks the structure, and returns the size, the number of frames, and the bytes without metadata. Kept are frames, their
 * transparency, the color profile and an orientation. Chromium ignores the orientation, so the size is as stored. What follows the end is
 * dropped.
 */
export function readWebP(bytes) {
  const whole = new Reader(bytes);
  const end = 8 + whole.le32(4);
  const reader = new Reader(whole.slice(0, end));
  const chunks = chunksOf(reader, 12, end);
  check(chunks.length > 0, "nothing");
  if (chunks[0].type !== "VP8X") {
    const size = pictureSize(reader, chunks[0]);
    return { ...size, frames: 1, pixels: size.width * size.height, bytes: fileOf([chunks[0].bytes]) };
  }
  return readExtended(reader, chunks);
}

function readExtended(reader, [header, ...chunks]) {
  check(header.length === 10, "the header");
  const flags = reader.u8(header.data);
  const canvas = { width: 1 + reader.le24(header.data + 4), height: 1 + reader.le24(header.data + 7) };
  const animated = (flags & ANIMATED) !== 0;
  const kept = [];
  let orientation = 1;
  let alpha = null; // belongs to the picture that follows
  let profile = 0;
  let frames = 0;
  let moving = 0; // pixels of all frames of an animation
  for (const chunk of chunks) {
    switch (chunk.type) {
      case "ICCP":
        if (frames > 0 || profile) break;
        profile = PROFILE;
        kept.push(chunk.bytes);
        break;
      case "ANIM":
        check(animated && frames === 0 && chunk.length === 6, "an animation");
        kept.push(chunk.bytes);
        break;
      case "ANMF":
        check(animated, "a frame");
        kept.push(readFrame(reader, chunk, canvas));
        moving += (1 + reader.le24(chunk.data + 6)) * (1 + reader.le24(chunk.data + 9));
        frames++;
        break;
      case "ALPH":
        alpha = chunk.bytes;
        break;
      case "VP8 ":
      case "VP8L": {
        check(!animated && frames === 0, "a second picture");
        const size = pictureSize(reader, chunk);
        check(size.width === canvas.width && size.height === canvas.height, "two sizes");
        if (alpha && chunk.type === "VP8 ") kept.push(alpha);
        kept.push(chunk.bytes);
        frames++;
        break;
      }
      case "EXIF":
        orientation = orientationOf(tiffOf(reader, chunk));
        break;
      default: // XMP and unknown chunks
    }
  }
  check(frames > 0, "no picture");
  const turned = orientation > 1 ? [chunkOf("EXIF", exifWith(orientation))] : [];
  const canvasHeader = header.bytes.slice();
  canvasHeader[8] = (flags & ~(EXIF | XMP | PROFILE)) | profile | (turned.length ? EXIF : 0);
  return { ...canvas, frames, pixels: Math.max(moving, canvas.width * canvas.height), bytes: fileOf([canvasHeader, ...kept, ...turned]) };
}

// readFrame returns a frame of an animation with only its picture.
function readFrame(reader, chunk, canvas) {
  check(chunk.length >= 16, "a frame");
  const at = chunk.data;
  const [x, y] = [2 * reader.le24(at), 2 * reader.le24(at + 3)];
  const [width, height] = [1 + reader.le24(at + 6), 1 + reader.le24(at + 9)];
  check(x + width <= canvas.width && y + height <= canvas.height, "the place of a frame");
  const parts = chunksOf(reader, at + 16, at + chunk.length);
  const picture = parts.find(({ type }) => type === "VP8 " || type === "VP8L");
  check(picture, "a frame without a picture");
  const size = pictureSize(reader, picture);
  check(size.width === width && size.height === height, "two sizes of a frame");
  const alpha = picture.type === "VP8 " && parts.find(({ type }) => type === "ALPH");
  return chunkOf("ANMF", joined([reader.slice(at, at + 16), alpha ? alpha.bytes : [], picture.bytes]));
}

// pictureSize reads the size from the data of a picture.
function pictureSize(reader, { type, data, length }) {
  if (type === "VP8L") {
    check(length > 5 && reader.u8(data) === 0x2f && reader.u8(data + 4) >> 5 === 0, "the data");
    const bits = reader.le32(data + 1);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  check(type === "VP8 " && length > 10, "no picture");
  const frame = reader.le24(data);
  check((frame & 1) === 0 && frame >>> 5 <= length - 10 && reader.text(data + 3, 3) === "\x9d\x01\x2a", "the data");
  const size = { width: reader.le16(data + 6) & 0x3fff, height: reader.le16(data + 8) & 0x3fff };
  check(size.width > 0 && size.height > 0, "no size");
  return size;
}

// chunksOf lists the chunks between two places: type, place of the data, length of the data, and all bytes.
function chunksOf(reader, at, end) {
  const chunks = [];
  while (at < end) {
    const length = reader.le32(at + 4);
    const next = at + 8 + length + (length % 2);
    check(next <= end, "a chunk");
    chunks.push({ type: reader.text(at, 4), data: at + 8, length, bytes: reader.slice(at, next) });
    at = next;
  }
  return chunks;
}

function tiffOf(reader, { data, length }) {
  const prefixed = length > EXIF_PREFIX.length && reader.text(data, EXIF_PREFIX.length) === EXIF_PREFIX;
  return reader.slice(prefixed ? data + EXIF_PREFIX.length : data, data + length);
}

const chunkOf = (type, data) => joined([letters(type), le32(data.length), data, data.length % 2 ? [0] : []]);

function fileOf(chunks) {
  const content = joined([letters("WEBP"), ...chunks]);
  return joined([letters("RIFF"), le32(content.length), content]);
}
