// Room for the bytes of uploads. An isolate has 128 MB for everything, and many forms with pictures may arrive in it at once. So each asks
// for room before it reads more bytes; while there is none, its sender waits. The oldest never waits, so all get through. A short form,
// such as one without a file or with a picture made small by a script, never waits either. Each member's long forms arrive one by one.

const MAX_BYTES = 16 << 20; // of all together; each is in memory up to three times, as received in pieces, as a form and cleaned
const SHORT = 512 << 10; // bytes
const CHECK = 25; // ms between two checks
const PATIENCE = 10_000; // ms of waiting
const FORGOTTEN = 60_000; // ms after which an upload doesn't count any more: the platform has ended its event

const holders = new Map(); // upload → { who, bytes, since }, in the order in which they began

/** Upload holds room from its beginning to leave(). `who` is the member who sends it. */
export class Upload {
  constructor(who) {
    holders.set(this, { who, bytes: 0, since: Date.now() });
  }

  /** take waits for room for so many more bytes. It returns false if that takes too long. */
  async take(bytes) {
    for (const end = Date.now() + PATIENCE; !hasRoom(this, bytes);) {
      if (Date.now() >= end) return false;
      await new Promise((resolve) => { setTimeout(resolve, CHECK); });
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
  const mine = holders.get(upload);
  if (!mine || mine.bytes + more <= SHORT) return true;
  let inUse = more;
  let oldest = null;
  for (const [it, { who, bytes, since }] of holders) {
    if (Date.now() - since > FORGOTTEN) {
      holders.delete(it);
    } else if (it === upload || bytes > SHORT) {
      if (it !== upload && who === mine.who) return false;
      oldest ??= it;
      inUse += bytes;
    }
  }
  return inUse <= MAX_BYTES || oldest === upload;
}
