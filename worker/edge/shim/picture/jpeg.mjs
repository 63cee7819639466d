// JPEG without metadata. https://www.w3.org/Graphics/JPEG/itu-t81.pdf, annex B; APP0 https://www.w3.org/Graphics/JPEG/jfif3.pdf

import { check, joined, letters, Reader } from "./bytes.mjs";
import { exifWith, orientationOf, shown } from "./exif.mjs";

const [SOI, EOI, SOS, DQT, DHT, DRI, COM] = [0xd8, 0xd9, 0xda, 0xdb, 0xc4, 0xdd, 0xfe];
const APP = 0xe0; // APP0; the others follow
const FRAMES = new Set([0xc0, 0xc1, 0xc2]); // baseline, extended and progressive: browsers show no others
const TABLES = new Set([DQT, DHT, DRI]);
const JFIF = "JFIF\0";
const EXIF = "Exif\0\0";
const ICC = "ICC_PROFILE\0";
const ADOBE = "Adobe";
const MAX_SCANS = 100; // browsers read the whole picture again for each; encoders make ten

/** isJPEG reports whether the first bytes are those of JPEG. */
export const isJPEG = (bytes) => bytes[0] === 0xff && bytes[1] === SOI && bytes[2] === 0xff;

/**
 * readJPEG checks the structure, and returns the size as shown, and the bytes without metadata. Kept are tables, scans, the color profile,
 * the kind of colors (JFIF, Adobe), and an orientation, in a new EXIF segment. What follows the end is dropped.
 */
export function readJPEG(bytes) {
  const reader = new Reader(bytes);
  const kept = [];
  let jfif = null;
  let size = null;
  let orientation = 0;
  let scans = 0;
  for (let at = 2; ;) {
    check(reader.u8(at) === 0xff, "no marker");
    while (reader.u8(at + 1) === 0xff) at++; // fill bytes
    const marker = reader.u8(at + 1);
    if (marker === EOI) break;
    const end = at + 2 + reader.u16(at + 2);
    const segment = reader.slice(at, end);
    check(segment.length >= 4, "a segment without its length");
    const begins = (name) => segment.length >= 4 + name.length && reader.text(at + 4, name.length) === name;
    if (FRAMES.has(marker)) {
      check(size === null && segment.length === 10 + 3 * reader.u8(at + 9), "the frame");
      size = { width: reader.u16(at + 7), height: reader.u16(at + 5) };
      check(size.width > 0 && size.height > 0, "no size");
      kept.push(segment);
    } else if (marker === SOS) {
      check(size !== null && segment.length === 8 + 2 * reader.u8(at + 4) && ++scans <= MAX_SCANS, "a scan");
      const next = endOfScan(reader, end);
      kept.push(reader.slice(at, next));
      at = next;
      continue;
    } else if (marker === APP && begins(JFIF) && jfif === null) {
      jfif = withoutThumbnail(reader.slice(at, at + 16));
    } else if (marker === APP + 1 && begins(EXIF) && orientation === 0) {
      orientation = orientationOf(segment.subarray(10));
    } else if (marker === APP + 2 && begins(ICC) && isProfile(reader, at, segment.length)) {
      kept.push(segment);
    } else if (marker === APP + 14 && begins(ADOBE) && segment.length >= 16) {
      kept.push(joined([[0xff, marker, 0, 14], segment.subarray(4, 16)]));
    } else if (TABLES.has(marker)) {
      kept.push(segment);
    } else {
      check((marker >= APP && marker < APP + 16) || marker === COM, `marker ${marker}`);
    }
    at = end;
  }
  check(scans > 0, "no scan");
  const turned = orientation > 1 ? exifSegment(orientation) : [];
  return { ...shown(size.width, size.height, orientation), frames: 1, pixels: size.width * size.height, bytes: joined([[0xff, SOI], jfif ?? [], turned, ...kept, [0xff, EOI]]) };
}

// endOfScan returns the place of the marker that ends a scan's data.
function endOfScan(reader, at) {
  for (;;) {
    at = reader.bytes.indexOf(0xff, at);
    check(at !== -1, "no end");
    const next = reader.u8(at + 1);
    if (next === 0xff) at += 1;
    else if (next === 0 || (next >= 0xd0 && next <= 0xd7)) at += 2; // a byte of data; a restart
    else return at;
  }
}

// withoutThumbnail returns a JFIF segment of 18 bytes, whose thumbnail has no pixels.
function withoutThumbnail(start) {
  check(start.length === 16, "JFIF");
  return joined([[0xff, APP, 0, 16], start.subarray(4, 16), [0, 0]]);
}

// isProfile reports whether a segment is a part of a color profile. The first part must have the signature of profiles.
function isProfile(reader, at, length) {
  const start = at + 4 + ICC.length;
  if (length < 4 + ICC.length + 2) return false;
  return reader.u8(start) !== 1 || (length >= 4 + ICC.length + 2 + 40 && reader.text(start + 2 + 36, 4) === "acsp");
}

function exifSegment(orientation) {
  const content = joined([letters(EXIF), exifWith(orientation)]);
  return joined([[0xff, APP + 1, 0, content.length + 2], content]);
}
