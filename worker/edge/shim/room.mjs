// Room for the bytes of uploads. An isolate has 128 MB for everything, and many forms with pictures may arrive in it at once. So each asks
// for room before it takes in more bytes; while there is none, its sender waits. The oldest never waits, so all get through.

const MOST = 16 << 20; // bytes of all together; each is in memory up to three times, as received in pieces, as a form and cleaned
const LOOK = 25; // ms between two looks
const PATIENCE = 10_000; // ms of waiting
const FORGOTTEN = 60_000; // ms after which an upload counts no more: the platform has ended its event

const holders = new Map(); // in the order of their beginning: [bytes, since]

/** Upload holds room from its beginning to leave(). */
export class Upload {
  constructor() {
    holders.set(this, { bytes: 0, since: Date.now() });
  }

  /** take waits for room for so many more bytes; false when it takes too long. */
  async take(bytes) {
    for (const end = Date.now() + PATIENCE; !hasRoom(this, bytes);) {
      if (Date.now() >= end) return false;
      await new Promise((resolve) => { setTimeout(resolve, LOOK); });
    }
    const mine = holders.get(this);
    if (mine) mine.bytes += bytes;
    return true;
  }

  leave() {
    holders.delete(this);
  }
}

function hasRoom(upload, more) {
  let held = 0;
  let oldest = null;
  for (const [it, { bytes, since }] of holders) {
    if (Date.now() - since > FORGOTTEN) {
      holders.delete(it);
      continue;
    }
    oldest ??= it;
    held += bytes;
  }
  return held + more <= MOST || oldest === upload || !holders.has(upload);
}
