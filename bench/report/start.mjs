// What a new isolate costs. Every first request has a workerd process of its own. workerd gets its configuration in binary, and what remains
// of reading a large module is taken out: beside Plaza a JavaScript worker starts that carries as many bytes as data.

import { cpSync, mkdirSync, readFileSync, statSync } from "node:fs";
import net from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { root } from "../site.mjs";
import { median } from "./numbers.mjs";
import { startWorker, wasmMemory } from "./worker.mjs";

/** measureStart returns medians, in ms. Where it says CPU, it is that of the whole process. */
export async function measureStart(it, { isolates, say }) {
  const app = join(root, "build/app.wasm");
  const listing = `/c/${it.community}`;
  const member = { cookie: it.members[0] };
  const script = (name, file) => {
    const at = join(it.dir, name);
    mkdirSync(at, { recursive: true });
    cpSync(join(root, file), join(at, "worker.mjs"));
    return at;
  };
  const compiled = script("compiled", "bench/peers/compiled.mjs");
  cpSync(app, join(compiled, "app.wasm"));
  const carrying = script("carrying", "bench/peers/cached.mjs");
  cpSync(app, join(carrying, "app.bin"));
  const plain = script("cached", "bench/peers/cached.mjs");
  const variants = {
    plaza: { at: it.deployed("early"), headers: member },
    compiled: { at: compiled, headers: {}, files: ["worker.mjs", "app.wasm"] },
    gateway: { at: script("gateway", "build/gateway.mjs"), headers: {}, files: ["worker.mjs"] },
    visitor: { at: it.deployed("visitor"), headers: {} },
    carrying: { at: carrying, headers: {}, files: ["worker.mjs", "app.bin"] },
    plain: { at: plain, headers: {}, files: ["worker.mjs"] },
  };
  let memory = NaN, filling;
  for (const variant of Object.values(variants)) {
    const worker = await it.serve(variant.at, {}, variant.files);
    if (variant === variants.plaza) {
      await get(worker.port, listing, member);
      memory = wasmMemory(worker.pid);
    }
    if (variant === variants.visitor) filling = worker; // it keeps the cache filled
    else await worker.stop();
    variant.found = { listening: [], startCPU: [], first: [], firstCPU: [] };
  }
  for (let round = 0; round < isolates; round += 1) {
    for (const [name, { at, headers, found }] of Object.entries(variants)) {
      const fromCache = name === "visitor" || name === "gateway";
      if (fromCache) await fillCache(it, filling, listing);
      const began = performance.now();
      const worker = await startWorker(at);
      found.listening.push(performance.now() - began);
      const started = worker.cpu();
      found.startCPU.push(started);
      const { ms, head } = await get(worker.port, listing, headers);
      if (fromCache && !/x-cache: HIT/i.test(head)) throw new Error(`a visitor's page did not come from the cache:\n${head}`);
      found.first.push(ms);
      found.firstCPU.push(worker.cpu() - started);
      await worker.stop();
    }
    say(`isolate ${round + 1} of ${isolates}`);
  }
  await filling.stop();
  const of = (name, key) => median(variants[name].found[key]);
  const whole = (name) => median(variants[name].found.startCPU.map((cpu, i) => cpu + variants[name].found.firstCPU[i]));
  const bytes = readFileSync(app);
  return {
    appBytes: statSync(app).size, appGzip: gzipSync(bytes, { level: 6 }).length, memory,
    compileCPU: of("compiled", "startCPU") - of("carrying", "startCPU"),
    goCPU: of("plaza", "startCPU") - of("compiled", "startCPU"),
    firstCPU: of("plaza", "firstCPU"), first: of("plaza", "first"), firstPlain: of("carrying", "first"),
    listening: of("plaza", "listening") - of("carrying", "listening"),
    visitorCPU: whole("visitor") - (whole("carrying") - whole("plain")), gatewayCPU: whole("gateway"), visitorPlainCPU: whole("plain"),
  };
}

// fillCache has a new copy of a visitor's page kept: a copy is fresh for some seconds.
async function fillCache(it, worker, path) {
  await it.network.ask({ forget: true });
  for (let tries = 0; tries < 50; tries += 1) {
    if (/x-cache: HIT/i.test((await get(worker.port, path, {})).head)) return;
    await new Promise((resolve) => { setTimeout(resolve, 100); });
  }
  throw new Error("the edge cache keeps no page");
}

/** get returns the milliseconds from connect() to the answer's first byte, and the head of the answer. */
function get(port, path, headers) {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    let first = 0;
    const chunks = [];
    const lines = Object.entries({ host: "plaza.bench", accept: "text/html", "cf-ray": "8f00000000000000-FRA", connection: "close", ...headers });
    const socket = net.connect(port, "127.0.0.1", () => {
      socket.write(`GET ${path} HTTP/1.1\r\n${lines.map((line) => line.join(": ")).join("\r\n")}\r\n\r\n`);
    });
    socket.setNoDelay(true);
    socket.on("data", (data) => { first ||= performance.now() - began; chunks.push(data); });
    socket.on("error", reject);
    socket.on("end", () => {
      const text = Buffer.concat(chunks).toString("latin1");
      if (text.split(" ")[1] === "200") resolve({ ms: first, head: text.slice(0, text.indexOf("\r\n\r\n")) });
      else reject(new Error(`${path}: ${text.slice(0, 500)}`));
    });
  });
}
