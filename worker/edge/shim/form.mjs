// Forms with pictures. Go gets the texts of such a form as any other form's, and the facts about the pictures; their bytes stay here, as
// the turn's pictures, until Go has decided (bucket.mjs).

import { readBytes } from "./io.mjs";
import { partsOf, TooMany } from "./multipart.mjs";
import { clean } from "./picture.mjs";
import { PICTURES } from "./table.mjs";

const MAX_FILES = 10;
const MAX_BYTES = 12 << 20; // of a form
const MAX_NAME = 255; // letters of a file's name that Go gets
// A form with one picture may have a small version of it, made by the browser, in the field SMALL.
const PICTURE = "picture";
const SMALL = "small";
const SMALL_BYTES = 25 << 10;
const SMALL_SIDE = 320; // pixels

const utf8 = new TextDecoder();
const addresses = PICTURES.map((pattern) => new RegExp(`^${pattern.replace(/\{\w+\}/g, "[^/]+")}$`));

/** hasPictures reports whether a request is a form with files, at an address that accepts pictures. */
export function hasPictures(request) {
  return request.method === "POST" && request.body !== null && /^multipart\/form-data\s*;/i.test(request.headers.get("content-type") || "")
    && addresses.some((address) => address.test(new URL(request.url).pathname));
}

/**
 * readForm reads such a form. It returns the texts as the body of a form without files, and the pictures: what each is (package pictures
 * in Go has the fields), and its bytes. Or it returns the status of a response: 400, 408 if the body is slow, 413 if it is too large,
 * 503 if there is no room. `upload` holds the room until the caller leaves it. It is null if the sender is not logged in: Go refuses the
 * form, so its pictures are ignored, and nothing is read of a form that is longer than texts may be.
 */
export async function readForm(request, upload, { body: maxText, arrival, arrivalOfPictures }) {
  if (!upload && !(Number(request.headers.get("content-length") ?? NaN) <= maxText)) return { body: new Uint8Array(0), pictures: [] };
  let parts;
  try {
    const bytes = upload ? await readBytes(request, MAX_BYTES, arrivalOfPictures, (more) => upload.take(more))
      : await readBytes(request, maxText, arrival);
    if (bytes === null) return { status: 413 };
    if (bytes === undefined) return { status: 503 };
    parts = partsOf(bytes, request.headers.get("content-type"));
  } catch (error) {
    return { status: error instanceof TooMany ? 413 : error?.name === "TimeoutError" ? 408 : 400 };
  }
  const texts = new URLSearchParams();
  for (const { name, file, data } of parts) if (file === null) texts.append(name, utf8.decode(data));
  // An unused input for files sends a file without a name and bytes.
  const files = parts.filter(({ file, data }) => file || (file !== null && data.length > 0));
  const body = new TextEncoder().encode(texts.toString());
  if (body.length > maxText || files.length > MAX_FILES) return { status: 413 };
  return { body, pictures: upload ? await readPictures(files) : [] };
}

async function readPictures(files) {
  const pictures = [];
  let small = null;
  for (const { name: field, file, data } of files) {
    const { bytes, pixels: _, ...it } = clean(data);
    if (field === SMALL) small ??= { ...it, bytes };
    else {
      pictures.push({ facts: { index: pictures.length, field, name: file.slice(0, MAX_NAME), ...it, bytes: bytes?.length ?? data.length,
        sum: bytes && (await sumOf(bytes)), small: false }, bytes, small: null });
    }
  }
  const own = pictures.find(({ facts }) => facts.field === PICTURE);
  if (own && small && isSmall(small)) {
    own.small = small;
    own.facts.small = true;
  }
  return pictures;
}

/** isSmall reports whether a cleaned picture can be the small version of another. */
export const isSmall = ({ problem, bytes, width, height, frames }) => !problem && bytes.length <= SMALL_BYTES && frames === 1
  && Math.max(width, height) <= SMALL_SIDE;

/** sumOf returns the SHA-256 of bytes in hex, which identifies a picture. */
export async function sumOf(bytes) {
  const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(sum, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

