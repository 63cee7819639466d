// Reading and writing the bytes of pictures. Reading outside of them throws Broken.

/** Broken is the error of a picture whose structure is wrong. */
export class Broken extends Error {}

/** check throws Broken unless a condition holds. */
export function check(holds, why) {
  if (!holds) throw new Broken(why);
}

/** Reader reads numbers at places of bytes: u16 and u32 in big-endian, le16, le24 and le32 in little-endian. */
export class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.length = bytes.length;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  within(at, size) { check(at >= 0 && size >= 0 && at + size <= this.length, `${size} bytes at ${at} of ${this.length}`); }
  u8(at) { this.within(at, 1); return this.bytes[at]; }
  u16(at) { this.within(at, 2); return this.view.getUint16(at); }
  u32(at) { this.within(at, 4); return this.view.getUint32(at); }
  le16(at) { this.within(at, 2); return this.view.getUint16(at, true); }
  le24(at) { this.within(at, 3); return this.view.getUint16(at, true) + 65536 * this.bytes[at + 2]; }
  le32(at) { this.within(at, 4); return this.view.getUint32(at, true); }
  slice(at, end) { this.within(at, end - at); return this.bytes.subarray(at, end); }
  /** text returns so many bytes as letters of Latin-1. */
  text(at, size) { return String.fromCharCode(...this.slice(at, at + size)); }
}

/** joined joins arrays into one. */
export function joined(parts) {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** letters returns the bytes of a text of Latin-1. */
export const letters = (text) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
/** be32 and le32 return the four bytes of a number. */
export const be32 = (n) => [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255];
export const le32 = (n) => be32(n).reverse();
