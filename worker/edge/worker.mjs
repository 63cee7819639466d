// Plaza's entry on Cloudflare Workers: events come in here, are served from the edge cache or by the shared Go instance,
// and always get a response. Built into build/worker.mjs beside wasm_exec.js (the compiler's own) and app.wasm.

import * as platform from "cloudflare:workers";
import "./wasm_exec.js";
import snapshot from "plaza:snapshot"; // made by build.sh, with app.wasm
import module from "./app.wasm";
import { Supervisor } from "./shim/supervisor.mjs";
import { addCounts } from "./shim/counts.mjs";
import { hasPictures, readForm } from "./shim/form.mjs";
import { front } from "./shim/front.mjs";
import { requestHead } from "./shim/head.mjs";
import { readBytes } from "./shim/io.mjs";
import { errorPage } from "./shim/pages.mjs";
import { limitsOf } from "./shim/limits.mjs";
import { Upload } from "./shim/room.mjs";
import { tool } from "./shim/tools.mjs";

// The Go runtime itself writes texts, such as the stack of a crashed program, in small pieces. They are logged together, as
// one error.
const decoder = new TextDecoder();
let written = "";
globalThis.fs.writeSync = (fd, bytes) => {
  if (written === "") {
    queueMicrotask(() => {
      console.error(written.trimEnd());
      written = "";
    });
  }
  written += decoder.decode(bytes, { stream: true });
  return bytes.length;
};

const supervisor = new Supervisor(module, snapshot);
supervisor.startEarly(platform.env);

const quiet = () => {};
const KEPT = "x-plaza-body"; // Go sets it if the body is the picture that another server has sent (keepReply in shim/io.mjs)
const NO_BODY = new Set([101, 204, 205, 304]);

/** ask lets Go handle the request, and returns its Response. */
async function ask(request, env, ctx, shared) {
  if (hasPictures(request)) return askWithPictures(request, env, ctx);
  let body = null;
  if (request.body !== null) {
    const limits = limitsOf(env);
    try {
      body = await readBytes(request, limits.body, limits.arrival);
    } catch (error) {
      if (error?.name === "TimeoutError") return errorPage(request, 408);
      throw error;
    }
    if (body === null) return errorPage(request, 413);
  }
  return askGo(request, env, ctx, shared, body, null);
}

// askWithPictures is ask for a form that may have pictures.
async function askWithPictures(request, env, ctx) {
  const limits = limitsOf(env);
  const sender = supervisor.senderOf(request, env, limits);
  const upload = sender ? new Upload(sender) : null;
  try {
    const { status, body, pictures } = await readForm(request, upload, limits);
    return status ? errorPage(request, status, "pictures") : await askGo(request, env, ctx, null, body, pictures);
  } finally {
    upload?.leave();
  }
}

async function askGo(request, env, ctx, shared, body, pictures) {
  const limits = limitsOf(env);
  const turn = supervisor.open(limits, { env, body, pictures, limit: limits.watchdog });
  turn.head = requestHead(turn.id, request, body, shared, limits.addressHeader, pictures);
  turn.begin(ctx, () => turn.instance.bridge.request());
  const { code, text, bytes: received } = await turn.response;
  const headers = new Headers();
  const lines = text.split("\n");
  for (let i = 0; i + 1 < lines.length; i += 2) headers.append(lines[i], lines[i + 1]); // as a list for Headers they take three times as long
  const bytes = headers.has(KEPT) ? turn.kept : received;
  headers.delete(KEPT);
  turn.kept = null;
  const empty = bytes === null || (request.method === "HEAD" && !shared) || NO_BODY.has(code);
  return new Response(empty ? null : bytes, { status: code, headers });
}

const fetch = front(ask, tool);

/** Site is for the gateway (gateway.mjs), which has the edge cache itself and calls ask only for what Go makes. */
export class Site extends platform.WorkerEntrypoint {
  fetch(request) {
    return fetch(request, this.env, this.ctx);
  }

  ask(request, shared, counts) {
    addCounts(counts);
    return ask(request, this.env, this.ctx, shared);
  }
}

async function queue(batch, env, ctx) {
  const limits = limitsOf(env);
  try {
    const messages = batch.messages.map(({ id, attempts, body, timestamp }) => (
      { id, attempts, body: typeof body === "string" ? body : JSON.stringify(body), sentAt: timestamp?.getTime() ?? 0 }));
    const turn = supervisor.open(limits, { env, messages, limit: limits.batchWatchdog });
    turn.head = `${turn.id}\n${batch.queue}`;
    turn.begin(ctx, () => {
      turn.instance.binding.handleQueueMessageBatch({ queue: batch.queue, messages: [] }).catch(quiet);
    });
    const { code, text } = await turn.response; // code: the delay in seconds; text: which messages to deliver again
    const again = new Set(text === "" ? [] : text.split(",").map(Number));
    batch.messages.forEach((message, i) => { if (again.has(i)) message.retry({ delaySeconds: code }); else message.ack(); });
  } catch (error) {
    console.error(`plaza: batch of ${batch.messages.length} from ${batch.queue}: ${error?.stack || error}`);
    batch.retryAll({ delaySeconds: 2 });
  }
}

async function scheduled(event, env, ctx) {
  const limits = limitsOf(env);
  try {
    const turn = supervisor.open(limits, { env, limit: limits.batchWatchdog });
    turn.head = `${turn.id}\n${event.scheduledTime}`;
    turn.begin(ctx, () => {
      turn.instance.binding.runScheduler({ scheduledTime: event.scheduledTime, cron: event.cron }).catch(quiet);
    });
    await turn.response;
  } catch (error) {
    console.error(`plaza: cron: ${error?.stack || error}`);
  }
}

export default { fetch, queue, scheduled };
