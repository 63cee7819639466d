// Of EXIF, a picture keeps only its orientation. https://www.cipa.jp/std/documents/e/DC-X008-Translation-2023-E.pdf, 4.6

import { be32, Broken, Reader } from "./bytes.mjs";

const ORIENTATION = 0x0112;
const SHORT = 3;
const MAX_ENTRIES = 1000; // cameras write some 15

/** orientationOf reads the orientation, 1 to 8, from EXIF's TIFF structure. Without a valid one it is 1, which is upright. */
export function orientationOf(tiff) {
  try {
    const reader = new Reader(tiff);
    const order = reader.text(0, 2);
    if (order !== "II" && order !== "MM") return 1;
    const [u16, u32] = order === "II" ? ["le16", "le32"] : ["u16", "u32"];
    const start = reader[u32](4);
    const entries = Math.min(reader[u16](start), MAX_ENTRIES);
    for (let i = 0; i < entries; i++) {
      const at = start + 2 + 12 * i;
      if (reader[u16](at) !== ORIENTATION) continue;
      const value = reader[u16](at + 8);
      return reader[u16](at + 2) === SHORT && value >= 1 && value <= 8 ? value : 1;
    }
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
  }
  return 1;
}

/** exifWith returns a TIFF structure that has only the orientation. */
export function exifWith(orientation) {
  return Uint8Array.from([0x4d, 0x4d, 0, 42, ...be32(8), 0, 1, ORIENTATION >> 8, ORIENTATION & 255, 0, SHORT, ...be32(1), 0, orientation, 0, 0,
    ...be32(0)]);
}

/** shown returns a size as viewers show it: the orientations from 5 turn the picture onto its side. */
export const shown = (width, height, orientation) => (orientation >= 5 ? { width: height, height: width } : { width, height });
