// A push service for tests: browsers with real keys behind HTTP. It prints its address.
//   POST /devices              makes a device and answers endpoint (a path), p256dh and auth
//   POST /push/ID              takes a message (RFC 8030, RFC 8291, RFC 8292), if it is one that a push service takes
//   PUT /push/ID               has the next messages to a device answered so: a list of {status, headers} in JSON
//   GET /messages              what the devices have read, in the order in which it came

import { createServer } from "node:http";
import { newDevice, read, sender } from "./push_browser.mjs";

const devices = new Map();
const messages = [];
let last = 0;

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** take reads a message as its device does. It throws a reason why no push service or browser takes it. */
async function take(id, device, request, body) {
  const { headers } = request;
  if (headers["content-encoding"] !== "aes128gcm") throw new Error("Content-Encoding");
  if (!/^\d+$/.test(headers.ttl)) throw new Error("TTL");
  if (!/^[A-Za-z0-9_-]{1,32}$/.test(headers.topic)) throw new Error("Topic");
  if (!["very-low", "low", "normal", "high"].includes(headers.urgency)) throw new Error("Urgency");
  if (body.length > 4096) throw new Error("too long");
  // The clock of the site under test is its own, so the token is checked as of the hour before it ends.
  const claimed = JSON.parse(Buffer.from(headers.authorization.split(".")[1], "base64url"));
  const { key, claims } = await sender(headers.authorization, new Date((claimed.exp - 3600) * 1000));
  if (claims.aud !== `https://${headers.host}`) throw new Error(`aud is ${claims.aud}`);
  if (!/^(https:|mailto:)/.test(claims.sub)) throw new Error(`sub is ${claims.sub}`);
  return { device: id, key, exp: claims.exp, ttl: Number(headers.ttl), topic: headers.topic, urgency: headers.urgency, said: JSON.parse(read(device, body)) };
}

createServer(async (request, response) => {
  const respond = (status, value, more = {}) => {
    response.writeHead(status, { "content-type": "application/json", ...more });
    response.end(JSON.stringify(value ?? null));
  };
  try {
    const [, what, id] = request.url.split("/");
    const body = await bodyOf(request);
    const device = devices.get(id);
    if (what === "devices") {
      last += 1;
      const created = { ...newDevice(), statuses: [] };
      devices.set(String(last), created);
      return respond(201, { endpoint: `/push/${last}`, p256dh: created.p256dh, auth: created.auth });
    }
    if (what === "messages") return respond(200, messages);
    if (what !== "push" || !device) return respond(404);
    if (request.method === "PUT") {
      device.statuses = JSON.parse(body);
      return respond(200);
    }
    const message = await take(id, device, request, body);
    const next = device.statuses.shift() ?? { status: 201 };
    if (next.status < 300) messages.push(message);
    return respond(next.status, null, next.headers);
  } catch (error) {
    console.error(error);
    return respond(400, String(error));
  }
}).listen(0, "127.0.0.1", function listening() { console.log(`http://127.0.0.1:${this.address().port}`); });
