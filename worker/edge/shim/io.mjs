// The operations that Go can start on the platform, each for the turn that it is in. They start here and end in
// Instance.resume, which restores the turn before Go gets the result: so a goroutine only ever wakes in its own event.

import { drop, keep, list } from "./bucket.mjs";
import { limitsOf } from "./limits.mjs";
import { clean, kindOf } from "./picture.mjs";

const MAX_REPLY = 16 << 20; // bytes; a reply from elsewhere must fit into the instance's memory beside everything else
// If a body is too long, so many more bytes are read and dropped. If the connection were cut while the sender is writing,
// the sender would not get the response that says so.
const LEFTOVER = 32 << 20;
const BUCKET_LIMIT = 15_000; // ms for one operation of the bucket
// The beginning of a request's body stays in memory until the rest has arrived. So a sender who pauses this long, in ms, gets a 408.
const PAUSE = 5000;
const SHORT_BODY = 16 << 10; // bytes; a body of at most so many may pause

/** bridgeOf returns the functions that Go finds in `context.plaza`, made for one instance. */
export function bridgeOf(instance) {
  // begin starts an operation, or returns why it must not. Go turns the string into an error.
  const begin = (id, op, what, operation) => {
    const turn = instance.turn;
    if (turn === null || turn.id !== id) {
      instance.refused++;
      const why = `${what} of event ${id} refused in the turn of ${turn === null ? "no event" : `event ${turn.id}`}`;
      console.error(`plaza: ${why}`);
      return why;
    }
    operation(turn).then(
      ([code, text, bytes]) => instance.resume(turn, op, code, text, bytes),
      (error) => instance.resume(turn, op, error?.name === "TimeoutError" ? -2 : -1, String(error?.message || error), null),
    );
    return null;
  };

  // bucket begins an operation of the bucket, which returns lines or nothing.
  const bucket = (id, op, what, run) => begin(id, op, what, async (turn) => [0, (await within(BUCKET_LIMIT, run(turn))) ?? "", null]);

  // say applies to a turn what Go says about it. It has effect at once if Go is in that turn, else when the turn's own timer fires.
  const say = (id, what, change) => {
    const turn = instance.turn?.id === id ? instance.turn : instance.turns.get(id);
    if (!turn || turn.over) return;
    if (turn !== instance.turn) console.error(`plaza: ${what} of event ${id} came in another event's turn`);
    change(turn);
  };

  return {
    // Callbacks that Go sets: `begin` makes the site, `request` is called for a request, and `resume` when an operation is over. For the
    // last two, Go reads what it needs through its memory (memory.mjs), as it passes on fetch and respond. `senderOf` returns the
    // id of the member whose session or token these headers Cookie and Authorization have; "" if the site has not signed it.
    begin: null,
    request: null,
    resume: null,
    senderOf: null,
    messages: () => instance.turn.messages,

    fetch: (id, op, head, body) => begin(id, op, "fetch", (turn) => fetchBytes(turn, head, body)),
    sleep: (id, op, ms) => begin(id, op, "sleep", () => new Promise((resolve) => { setTimeout(resolve, ms, [0, "", null]); })),
    keep: (id, op, index, small) => bucket(id, op, "keep", (turn) => keep(turn.env, turn.pictures?.[index], small)),
    drop: (id, op, ...sums) => bucket(id, op, "drop", (turn) => drop(turn.env, sums)),
    list: (id, op, after, limit) => bucket(id, op, "list", async (turn) => asLines(await list(turn.env, after, limit))),
    send: (id, op, limit, delay, binding, ...bodies) => (
      begin(id, op, "send", (turn) => within(limit, sendBatch(turn.env, binding, bodies, delay)))),

    /** point passes a data point to the Analytics Engine that is bound. Nothing waits for it. */
    point: (id, text) => say(id, "a data point", (turn) => turn.env.METRICS?.writeDataPoint(JSON.parse(text))),

    /** respond passes on Go's response; `last` if it ends the event too. */
    respond: (id, code, text, bytes, last) => say(id, "the response", (turn) => {
      turn.outcome = { code, text, bytes };
      turn.ended = last;
    }),
    end: (id) => say(id, "the end", (turn) => { turn.ended = true; }),
    stats: () => JSON.stringify({
      instance: instance.number, early: instance.early, bytes: instance.bytes, served: instance.served, refused: instance.refused,
      turns: instance.turns.size, values: instance.go._values.length - instance.go._idPool.length,
    }),
  };
}

// fetchBytes sends a request. head is "method, URL, time limit in ms, maximum of the reply in bytes, what to do with a
// longer one (refuse or cut; keep cuts it, and keeps a picture as the turn's; small keeps a picture that is or is made small enough), then
// header names and values", a line each. It returns status, header lines and the bytes. With refuse, as for databases, the header
// lines are only those that Go needs.
async function fetchBytes(turn, head, body) {
  const [method, url, limit, maxBytes, beyond, ...lines] = head.split("\n");
  const headers = [];
  for (let i = 0; i + 1 < lines.length; i += 2) headers.push([lines[i], lines[i + 1]]);
  const options = { method, headers, body, redirect: "manual", signal: AbortSignal.timeout(Number(limit)) };
  const response = await fetch(url, options);
  const max = Math.min(Number(maxBytes) || MAX_REPLY, MAX_REPLY);
  let text = "";
  if (beyond === "refuse") {
    for (const name of NEEDED) {
      const value = response.headers.get(name);
      if (value !== null) text += `${name}\n${value}\n`;
    }
    return [response.status, text, await readAll(response, max)];
  }
  for (const [name, value] of response.headers) {
    if (name !== "content-encoding" && name !== "content-length" && !name.startsWith("x-plaza-")) text += `${name}\n${value}\n`;
  }
  let bytes = await readStart(response, max);
  if (beyond === "cut" || !response.ok) return [response.status, text, bytes];
  if (beyond === "small") {
    if (limitsOf(turn.env).resizes && bytes.length > LIGHT && kindOf(bytes)) bytes = (await resized(url, options, max)) ?? bytes;
    if (bytes.length === max) return [response.status, `${text}x-plaza-kept\n- 0 0 0 ${max}\n`, null]; // there is more of it
  }
  const { facts, rest } = keepReply(turn, bytes);
  return [response.status, facts ? `${text}x-plaza-kept\n${facts}\n` : text, rest];
}

const NEEDED = ["content-type", "retry-after"];

// How Cloudflare transforms a picture that is shown beside a title: to the size of an uploaded picture's small version, without animation
// (https://developers.cloudflare.com/images/optimization/transformations/transform-via-workers/).
const SMALL = { width: 320, height: 320, fit: "scale-down", format: "webp", quality: 75, anim: false };
const LIGHT = 25_000; // bytes; a smaller picture is not transformed, because each transformation is billed

// resized fetches a picture once more, transformed by Cloudflare. Its address has just responded without a redirect, so it is the one that
// Go has checked. It returns null if the result is not shorter than `max` bytes: the zone has no transformations, or no more this month.
async function resized(url, options, max) {
  try {
    const response = await fetch(url, { ...options, cf: { image: SMALL } });
    const bytes = await readStart(response, max);
    return response.ok && bytes.length < max && kindOf(bytes) ? bytes : null;
  } catch (error) {
    console.error(`plaza: a picture was not made small: ${error?.message || error}`);
    return null;
  }
}

const SHORT = 64; // bytes from which Go sees that a body is no picture

// keepReply keeps a picture that another server has sent, without its metadata, as the turn's: Go may make it the body of its response. It
// returns as facts the type, width, height, pixels and the length as sent, or else as rest the bytes that Go checks itself: all of AVIF,
// and of a picture with a wrong structure, which browsers may show nevertheless.
function keepReply(turn, sent) {
  const { type, width = 0, height = 0, pixels = 0, bytes = null, problem } = clean(sent);
  turn.kept = bytes;
  if (!type && !isBoxes(sent)) return { rest: sent.subarray(0, SHORT) };
  if (!type || problem === "broken") return { rest: sent };
  return { facts: `${type} ${width} ${height} ${pixels} ${sent.length}`, rest: null };
}

// isBoxes reports whether bytes begin as AVIF does.
const isBoxes = (bytes) => String.fromCharCode(...bytes.subarray(4, 8)) === "ftyp";

async function readAll(response, limit) {
  const bytes = await readBytes(response, limit);
  if (bytes === null) throw new Error(`the reply is longer than ${limit} bytes`);
  return bytes;
}

// asLines encodes the result of list for Go, in three lines for each picture.
const asLines = (pictures) => pictures.map(({ sum, bytes, kept }) => `${sum}\n${bytes}\n${kept}\n`).join("");

/**
 * readBytes returns the body of a Request or Response, or null if it is longer than limit bytes. For a request, `whole` is how many ms it
 * may take; it throws a TimeoutError if it takes longer, or pauses. With `take`, it calls that function before it keeps more bytes, and
 * returns undefined if that returns false.
 */
export async function readBytes(message, limit, whole = 0, take = null) {
  if (message.body === null) return new Uint8Array(0);
  const { headers } = message;
  const announced = Number(headers.get("content-length") ?? NaN);
  if (take === null && announced <= (whole ? SHORT_BODY : limit) && !headers.has("content-encoding")) {
    const all = message.arrayBuffer();
    return new Uint8Array(await (whole ? within(whole, all) : all));
  }
  const chunks = [];
  let length = 0;
  for await (const chunk of whole ? inTime(message.body, whole) : message.body) {
    length += chunk.byteLength;
    if (length <= limit) {
      if (take !== null && !(await take(chunk.byteLength))) return undefined;
      chunks.push(chunk);
    } else if (length > limit + LEFTOVER) break;
  }
  if (length > limit) return null;
  if (chunks.length === 1) return chunks[0];
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

// inTime yields the pieces of a body. It throws a TimeoutError if the next does not arrive within PAUSE, or all within `whole` ms.
async function* inTime(body, whole) {
  const reader = body.getReader();
  const end = Date.now() + whole;
  try {
    for (;;) {
      const { done, value } = await within(Math.max(0, Math.min(PAUSE, end - Date.now())), reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

// readStart returns the first bytes of a body, limit at most, and cancels the rest.
async function readStart(response, limit) {
  if (response.body === null) return new Uint8Array(0);
  const announced = response.headers.has("content-encoding") ? NaN : Number(response.headers.get("content-length") ?? NaN);
  const size = announced >= 0 ? Math.min(announced, limit) : limit;
  const bytes = new Uint8Array(size); // not always limit bytes: many replies are read at once, and most are small
  let length = 0;
  for await (const chunk of response.body) {
    bytes.set(chunk.subarray(0, size - length), length);
    length = Math.min(length + chunk.byteLength, size);
    if (length === size) break; // leaving the loop cancels the stream
  }
  return bytes.subarray(0, length);
}

// within returns the value of the promise. It throws a TimeoutError after limit milliseconds; the promise's operation goes on.
async function within(limit, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new DOMException(`no answer within ${limit} ms`, "TimeoutError")), limit);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function sendBatch(env, binding, bodies, delaySeconds) {
  const queue = env[binding];
  if (!queue) throw new Error(`no queue is bound as ${binding}`);
  await queue.sendBatch(bodies.map((body) => ({ body, contentType: "text" })), { delaySeconds });
  return [0, "", null];
}
