// Starts the worker of the faults build (e2e/builds) as `wrangler dev` does, on its simulator Miniflare with the settings of wrangler.toml:
// R2, queues, cron and cache. And an upstream that answers when told to. Each test file has its own.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
/** FAULTS is the folder of the faults build, SITE that of the worker which is deployed. */
export const [FAULTS, SITE] = [join(root, "build/faults"), join(root, "build")];
export const MEMBER = { cookie: "__Host-session=test" }; // past the cache, every header seen by Go

/**
 * freePort returns a port that nobody listened on a moment ago, for programs that can't choose one themselves. It is not one of those that the
 * system gives to connections, and to whoever asks for any port: before somebody listens, one of these would be taken now and then.
 */
export async function freePort() {
  for (;;) {
    const port = 12000 + Math.floor(Math.random() * 20000);
    const free = await new Promise((resolve) => {
      const server = createServer().on("error", () => resolve(false)).listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
    });
    if (free) return port;
  }
}

/** asking has the ways to ask a worker at url. Who asks is a member, unless other headers are given. */
export function asking(url) {
  const get = (path, headers = MEMBER, more = {}) => fetch(url + path, { headers, redirect: "manual", ...more });
  return {
    url, get,
    text: async (path, headers) => (await get(path, headers)).text(),
    json: async (path, headers) => (await get(path, headers)).json(),
  };
}

const wrangler = createRequire(createRequire(import.meta.url).resolve("wrangler/package.json"));

/** startEdge starts the worker with vars in place of the variables of wrangler.toml. */
export async function startEdge(vars = {}) {
  const { Miniflare, convertV4MiniflareOptions, Log, LogLevel } = wrangler("miniflare");
  const settings = JSON.parse(await readFile(join(FAULTS, "miniflare.json"), "utf8"));
  const files = await mkdtemp(join(tmpdir(), "plaza-edge-"));
  await writeFile(join(files, "asset.txt"), "a static file");
  let log = "";
  const module = (type, name) => ({ type, path: join(FAULTS, name) });
  const edge = new Miniflare(convertV4MiniflareOptions({
    host: "127.0.0.1", port: 0, cf: false, unsafeTriggerHandlers: true, logRequests: false, log: new Log(LogLevel.NONE),
    handleStructuredLogs: ({ message }) => { log += `${message}\n`; },
    workers: [{
      ...settings, name: "plaza", bindings: { ...settings.bindings, ...vars }, assets: { ...settings.assets, directory: files },
      modulesRoot: FAULTS, modules: [module("ESModule", "worker.mjs"), module("ESModule", "wasm_exec.js"), module("CompiledWasm", "app.wasm")],
    }],
  }));
  const { origin } = await edge.ready.catch((error) => { throw new Error(`the worker did not start:\n${log}`, { cause: error }); });
  return {
    ...asking(origin),
    log: () => log,
    async stop() {
      await edge.dispose();
      await rm(files, { recursive: true, force: true });
    },
  };
}

/**
 * startUpstream answers every request with its token and step, after `delay` ms; `say` overrides the answer, and `hang` is
 * a promise that all answers wait for.
 */
export async function startUpstream() {
  const upstream = { seen: [], say: null, hang: null, open: 0 };
  const server = http.createServer(async (request, response) => {
    const url = new URL(request.url, "http://x");
    upstream.seen.push(`${url.searchParams.get("token")}/${url.searchParams.get("step")}`);
    upstream.open++;
    await setTimeout(Number(url.searchParams.get("delay") || 0));
    await upstream.hang;
    upstream.open--;
    response.end(upstream.say ?? `${url.searchParams.get("token")}/${url.searchParams.get("step")}`);
  });
  await new Promise((resolve) => { server.listen(0, "127.0.0.1", resolve); });
  server.unref();
  upstream.url = (token, delay = 0) => encodeURIComponent(`http://127.0.0.1:${server.address().port}/?token=${token}&delay=${delay}`);
  upstream.stop = () => new Promise((resolve) => { server.close(resolve); server.closeAllConnections(); });
  return upstream;
}

/** eventually repeats a check until it does not throw, for a minute. */
export async function eventually(check) {
  const end = Date.now() + 60_000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await setTimeout(25);
    }
  }
}

/** past waits until it is later than ms milliseconds after a time of Date.now(): what was to end by then has ended. */
export const past = (began, ms) => eventually(() => assert.ok(Date.now() > began + ms));

