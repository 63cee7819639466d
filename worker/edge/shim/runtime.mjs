// What Go's runtime needs from the platform: the time, random bytes and timers. Go starts where there is none of the three: at build
// time (snapshot/take.mjs), and then in the worker's global scope, which the platform runs before the first event. So Go gets substitutes
// there, until its start is over (`instance.starting` is true until then).

let steady = 1;
let before = null; // performance.now() less steadyTime()

// steadyTime is Go's monotonic clock, in milliseconds. It begins at 1, because 0 means a broken clock to Go. It does not run
// before the first event, and never goes back.
function steadyTime() {
  const now = performance.now();
  before ??= now - steady;
  steady = Math.max(steady, now - before);
  return steady;
}

const TOO_EARLY = "random bytes were asked for before the first event";
const SEED_BYTES = 32; // what Go's runtime reads once, when it begins

/**
 * Seed has the only random bytes that may be read before the first event. Go's runtime reads them when the snapshot is taken, for the
 * hashes of maps and the like. The bytes are a secret of the build (build.sh), so they can't be guessed, but all instances of the build
 * have the same. Other code might make a secret of them, so if it reads any, that is an error and ends the program.
 */
export class Seed {
  constructor(hex) {
    this.bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
    if (this.bytes.length !== SEED_BYTES) throw new Error("this build has no seed");
  }

  fill(bytes) {
    if (this.bytes === null || bytes.length !== SEED_BYTES) throw new Error(TOO_EARLY);
    bytes.set(this.bytes);
    this.bytes = null;
  }
}

/** supplyRuntime replaces some of the functions that the instance's Go imports. */
export function supplyRuntime(instance, go) {
  const { gojs } = go.importObject;
  const number = (at) => go.mem.getUint32(at, true) + go.mem.getInt32(at + 4, true) * 4294967296;
  const setNumber = (at, value) => {
    go.mem.setUint32(at, value, true);
    go.mem.setUint32(at + 4, Math.floor(value / 4294967296), true);
  };

  gojs["runtime.nanotime1"] = (sp) => setNumber((sp >>> 0) + 8, (instance.starting ? steady : steadyTime()) * 1e6);
  // Before the first event it is 1970, as on the platform; local servers have the real time there.
  gojs["runtime.walltime"] = (sp) => {
    sp >>>= 0;
    const now = instance.starting ? 0 : Date.now();
    setNumber(sp + 8, Math.floor(now / 1000));
    go.mem.setInt32(sp + 16, (now % 1000) * 1e6, true);
  };

  gojs["runtime.getRandomData"] = (sp) => {
    sp >>>= 0;
    const bytes = new Uint8Array(go.mem.buffer, number(sp + 8), number(sp + 16));
    if (!instance.starting) {
      crypto.getRandomValues(bytes);
      return;
    }
    try {
      if (instance.seed === null) throw new Error(TOO_EARLY);
      instance.seed.fill(bytes);
    } catch (error) {
      instance.die(error);
      throw error;
    }
  };

  // A timer belongs to the event that set it and ends with it. The site sets none in Go; Go's runtime may, for its garbage
  // collector. A timer that is set before the first event never fires, which does no harm: Go checks its timers whenever an
  // event enters.
  const timers = new Map();
  let timer = 0;
  gojs["runtime.scheduleTimeoutEvent"] = (sp) => {
    sp >>>= 0;
    const id = (timer = (timer + 1) & 0x3fffffff);
    go.mem.setInt32(sp + 16, id, true);
    if (instance.starting) return;
    const { turn } = instance;
    timers.set(id, setTimeout(() => {
      timers.delete(id);
      if (!instance.noticeExit()) instance.enter(turn, () => go._resume());
    }, number(sp + 8)));
  };
  gojs["runtime.clearTimeoutEvent"] = (sp) => {
    const id = go.mem.getInt32((sp >>> 0) + 8, true);
    clearTimeout(timers.get(id));
    timers.delete(id);
  };
}
