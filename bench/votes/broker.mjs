// A queue for plain workerd: takes what a producer's binding sends, and on GET /deliver brings up to 100 messages to the
// site's queue handler, once there are as many or a second has passed, as wrangler.toml asks of the platform. A message that was
// sent with a delay waits for so long first. Deliveries come one after the other (max_concurrency = 1), for the benchmark asks for
// one at a time. GET /deliver?now brings what there is at once, and GET /tick?at=TIME runs the scheduled job of that time.

import { Buffer } from "node:buffer";

const waiting = [];
let under = 0; // messages under delivery
const SIZE = 100;
const PATIENCE = 1000; // ms

const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

// take takes up to SIZE messages: those whose delay is over, or with `all` any.
function take(all) {
  const now = Date.now();
  const batch = waiting.filter(({ due }) => all || due <= now).slice(0, SIZE);
  for (const message of batch) waiting.splice(waiting.indexOf(message), 1);
  return batch.map(({ due, ...message }) => message);
}

async function deliver(env, patience) {
  const until = Date.now() + patience;
  const ready = () => waiting.filter(({ due }) => due <= Date.now()).length;
  while (Date.now() < until && ready() < SIZE) await sleep(10);
  const batch = take(patience === 0);
  if (batch.length === 0) return { delivered: 0, again: 0 };
  under = batch.length;
  let result;
  try {
    result = await env.SITE.queue(env.QUEUE, batch);
  } catch (error) {
    console.error(`broker: ${error}`);
    result = { outcome: "exception", retryMessages: [], retryBatch: { retry: true } };
  } finally {
    under = 0;
  }
  const again = new Set(result.retryMessages.map(({ msgId }) => msgId));
  const back = result.outcome !== "ok" || result.retryBatch.retry ? batch : batch.filter(({ id }) => again.has(id));
  for (const message of back) waiting.push({ ...message, attempts: message.attempts + 1, due: Date.now() });
  return { delivered: batch.length, again: back.length };
}

let last = 0;
export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/deliver") return Response.json(await deliver(env, searchParams.has("now") ? 0 : PATIENCE));
    if (pathname === "/tick") return Response.json(await env.SITE.scheduled({ cron: "* * * * *", scheduledTime: new Date(Number(searchParams.get("at"))) }));
    if (pathname === "/left") return Response.json({ left: waiting.length + under });
    const bodies = pathname === "/batch"
      ? (await request.json()).messages.map(({ body }) => Buffer.from(body, "base64").toString())
      : [await request.text()];
    const due = Date.now() + 1000 * Number(request.headers.get("X-Msg-Delay-Secs"));
    for (const body of bodies) waiting.push({ id: String(++last), timestamp: new Date(), attempts: 1, body, due });
    return Response.json({ metadata: { metrics: { backlogCount: 0, backlogBytes: 0, oldestMessageTimestamp: 0 } } });
  },
};
