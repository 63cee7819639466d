// The functions that Go imports to exchange texts and bytes through its memory (memory_js.go), without a JavaScript value for each.

const HEAD = 0, BODY = 1, LINES = 2, OP = 4; // what Go reads, as in memory_js.go
const RUNS = 0, REFUSED = 1;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const NOTHING = new Uint8Array(0);

/** memoryOf returns what an instance's Go imports from "plaza". */
export function memoryOf(instance, go) {
  const { bridge } = instance;
  const view = (at, length) => new Uint8Array(go.mem.buffer, at >>> 0, length);
  const text = (at, length) => decoder.decode(view(at, length));
  const bytes = (at, length) => (length === 0 ? null : view(at, length).slice());
  let head = null; // of the turn, encoded
  const has = (what) => {
    switch (what) {
      case HEAD: return (head ??= encoder.encode(instance.turn.head));
      case BODY: return instance.turn.body ?? NOTHING;
      case LINES: return (instance.reply.encoded ??= encoder.encode(instance.reply.text));
      default: return instance.reply.bytes ?? NOTHING;
    }
  };
  return {
    fetch: (turn, op, at, length, body, size) => {
      const refused = bridge.fetch(turn, op, text(at, length), bytes(body, size));
      if (refused === null) return RUNS;
      instance.reply = { op, code: 0, text: refused, bytes: null };
      return REFUSED;
    },
    respond: (turn, code, at, length, body, size, last) => bridge.respond(turn, code, text(at, length), bytes(body, size), last !== 0),
    length: (what) => has(what).byteLength,
    read: (what, into) => {
      const it = has(what);
      view(into, it.byteLength).set(it);
      if (what === HEAD) head = null;
    },
    number: (what) => (what === OP ? instance.reply.op : instance.reply.code),
  };
}
