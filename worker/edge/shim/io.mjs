// What Go may ask of the platform, all of it on behalf of the turn it is in. Operations start here and end in
// Instance.resume, which puts the turn back before Go hears the result: so a goroutine only ever wakes in its own event.

import { drop, keep, list } from "./bucket.mjs";
import { limitsOf } from "./limits.mjs";
import { clean, kindOf } from "./picture.mjs";

const MAX_REPLY = 16 << 20; // bytes; an answer from elsewhere must fit into the instance's memory beside everything else
// When a body is too long, so many more bytes are read and dropped. If the connection were cut while the sender is writing,
// the sender would not get the answer that says so.
const LEFTOVER = 32 << 20;
const BUCKET_LIMIT = 15_000; // ms for one operation of the bucket
// The beginning of a request's body stays in memory until the rest has come. So a sender who pauses this long, in ms, gets an answer.
const PAUSE = 5000;
const SHORT_BODY = 16 << 10; // bytes; a body of at most so many may pause

/** bridgeOf returns the functions that Go finds in `context.plaza`, made for one instance. */
export function bridgeOf(instance) {
  // begin starts an operation, or says why it must not. Go turns the string into an error.
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

  // bucket begins an operation of the bucket, which brings lines or nothing.
  const bucket = (id, op, what, work) => begin(id, op, what, async (turn) => [0, (await within(BUCKET_LIMIT, work(turn))) ?? "", null]);

  // say passes on what Go answers about a turn: at once if it is that turn, and otherwise when the turn's own timer fires.
  const say = (id, what, change) => {
    const turn = instance.turn?.id === id ? instance.turn : instance.turns.get(id);
    if (!turn || turn.over) return;
    if (turn !== instance.turn) console.error(`plaza: ${what} of event ${id} came in another event's turn`);
    change(turn);
  };

  return {
    // Set by Go, which calls each of them a callback: `begin` makes the site, `request` is called for a request, and `resume` when an operation
    // is over. Of both Go reads what it needs by its memory (memory.mjs), as it does with fetch and answer. `senderOf` returns the
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
    list: (id, op, after, most) => bucket(id, op, "list", async (turn) => asLines(await list(turn.env, after, most))),
    send: (id, op, limit, delay, binding, ...bodies) => (
      begin(id, op, "send", (turn) => within(limit, sendBatch(turn.env, binding, bodies, delay)))),

    /** point hands a data point to the Analytics Engine that is bound. Nobody waits for it. */
    point: (id, text) => say(id, "a data point", (turn) => turn.env.METRICS?.writeDataPoint(JSON.parse(text))),

    /** respond brings Go's response; `last` when it ends the event too. */
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

// fetchBytes sends a request of which head is "method, URL, time limit in ms, longest reply in bytes, what to do with a
// longer one (refuse or cut; keep cuts it, and keeps a picture as the turn's; small keeps one that is short enough, or made so), then
// header names and values", a line each, and returns status, header lines and the bytes. Of an answer that is refused when it is too long,
// as databases' are, Go is told only the headers that it looks at.
async function fetchBytes(turn, head, body) {
  const [method, url, limit, longest, beyond, ...lines] = head.split("\n");
  const headers = [];
  for (let i = 0; i + 1 < lines.length; i += 2) headers.push([lines[i], lines[i + 1]]);
  const options = { method, headers, body, redirect: "manual", signal: AbortSignal.timeout(Number(limit)) };
  const response = await fetch(url, options);
  const most = Math.min(Number(longest) || MAX_REPLY, MAX_REPLY);
  let text = "";
  if (beyond === "refuse") {
    for (const name of LOOKED_AT) {
      const value = response.headers.get(name);
      if (value !== null) text += `${name}\n${value}\n`;
    }
    return [response.status, text, await readAll(response, most)];
  }
  for (const [name, value] of response.headers) {
    if (name !== "content-encoding" && name !== "content-length" && !name.startsWith("x-plaza-")) text += `${name}\n${value}\n`;
  }
  let bytes = await readStart(response, most);
  if (beyond === "cut" || !response.ok) return [response.status, text, bytes];
  if (beyond === "small") {
    if (limitsOf(turn.env).resizes && bytes.length > LIGHT && kindOf(bytes)) bytes = (await resized(url, options, most)) ?? bytes;
    if (bytes.length === most) return [response.status, `${text}x-plaza-kept\n- 0 0 0 ${most}\n`, null]; // there is more of it
  }
  const { facts, rest } = keepReply(turn, bytes);
  return [response.status, facts ? `${text}x-plaza-kept\n${facts}\n` : text, rest];
}

const LOOKED_AT = ["content-type", "retry-after"];

// What Cloudflare makes of a picture that stands beside a title: as large as the small version of an uploaded one, and still
// (https://developers.cloudflare.com/images/optimization/transformations/transform-via-workers/).
const SMALL = { width: 320, height: 320, fit: "scale-down", format: "webp", quality: 75, anim: false };
const LIGHT = 25_000; // bytes; a picture of fewer passes as it is, since each transformation is billed

// resized asks for a picture once more, made small on the way. Its address has just answered without a redirect, so it is the one that Go
// has checked. It returns null when nothing shorter than `most` bytes comes of it: the zone has no transformations, or no more this month.
async function resized(url, options, most) {
  try {
    const response = await fetch(url, { ...options, cf: { image: SMALL } });
    const bytes = await readStart(response, most);
    return response.ok && bytes.length < most && kindOf(bytes) ? bytes : null;
  } catch (error) {
    console.error(`plaza: a picture was not made small: ${error?.message || error}`);
    return null;
  }
}

const SHORT = 64; // bytes, by which Go knows that something is no picture

// keepReply keeps a picture that another server has sent, without its metadata, as the turn's: Go may make it the body of its answer. It
// returns what Go is told, which is the type, width, height, pixels and the length as sent, or else the bytes that Go looks at itself: of
// AVIF, and of a picture with a wrong structure, which browsers may show all the same, they are all.
function keepReply(turn, sent) {
  const { type, width = 0, height = 0, pixels = 0, bytes = null, problem } = clean(sent);
  turn.kept = bytes;
  if (!type && !isBoxes(sent)) return { rest: sent.subarray(0, SHORT) };
  if (!type || problem === "broken") return { rest: sent };
  return { facts: `${type} ${width} ${height} ${pixels} ${sent.length}`, rest: null };
}

// isBoxes tells whether bytes begin as AVIF does.
const isBoxes = (bytes) => String.fromCharCode(...bytes.subarray(4, 8)) === "ftyp";

async function readAll(response, limit) {
  const bytes = await readBytes(response, limit);
  if (bytes === null) throw new Error(`the reply is longer than ${limit} bytes`);
  return bytes;
}

// asLines tells Go what list returns, three lines a picture.
const asLines = (pictures) => pictures.map(({ sum, bytes, kept }) => `${sum}\n${bytes}\n${kept}\n`).join("");

/**
 * readBytes returns the body of a Request or Response, or null when it is longer than limit bytes. Of a request, `whole` is how many ms it
 * may take; it throws a TimeoutError when it takes longer, or pauses. With `take`, it asks that function before it keeps more bytes, and
 * returns undefined when the answer is false.
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

// inTime yields the pieces of a body. It throws a TimeoutError when the next does not come within PAUSE, or all within `whole` ms.
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
  const most = announced >= 0 ? Math.min(announced, limit) : limit;
  const bytes = new Uint8Array(most); // not always limit bytes: many replies are read at once, and most are small
  let length = 0;
  for await (const chunk of response.body) {
    bytes.set(chunk.subarray(0, most - length), length);
    length = Math.min(length + chunk.byteLength, most);
    if (length === most) break; // leaving the loop cancels the stream
  }
  return bytes.subarray(0, length);
}

// within returns what the promise brings. It throws a TimeoutError after limit milliseconds; the work behind the promise goes on.
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
