// The others that Plaza is measured against (bench/peers, bench/edge/stock).

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../site.mjs";

const peers = join(root, "bench/peers");

/** startHono serves bench/peers/hono.jsx. */
export async function startHono(it, caches) {
  const at = join(it.dir, caches ? "hono-caches" : "hono");
  execFileSync(join(root, "node_modules/.bin/esbuild"), [join(peers, "hono.jsx"), "--bundle", "--format=esm", "--minify", "--conditions=workerd,worker,browser",
    "--jsx=automatic", "--jsx-import-source=hono/jsx", "--log-level=warning", `--outfile=${join(at, "worker.mjs")}`], { cwd: peers, stdio: "inherit" });
  const worker = await it.serve(at, { CACHES: caches ? "1" : "" }, ["worker.mjs"]);
  await it.load(worker, { kind: "get", paths: [`/c/${it.community}`], requests: 1, seconds: 10, connections: 1 });
  return worker;
}

/** startFloor serves bench/peers/floor.mjs for one page: it sends what a worker of Plaza's sends for it, and returns as many bytes. */
export async function startFloor(it, plaza, name, job) {
  const one = { kind: "get", connections: 1, cookies: it.members.slice(0, 1), seconds: 10, ...job };
  await it.load(plaza, { ...one, requests: 5 });
  await it.network.ask({ record: true });
  const { bytes } = await it.load(plaza, { ...one, requests: 1 });
  const { recorded = [] } = await it.network.ask();
  const at = join(it.dir, `floor-${name}`);
  mkdirSync(at, { recursive: true });
  cpSync(join(peers, "floor.mjs"), join(at, "worker.mjs"));
  const requests = recorded.map(({ headers, ...rest }) => ({ ...rest, headers: Object.fromEntries(Object.entries(headers).map(([key, values]) => [key, values[0]])) }));
  return it.serve(at, { REQUESTS: JSON.stringify(requests), BYTES: bytes }, ["worker.mjs"]);
}

/** startStock serves the same handlers by the library's own workers.Serve, with a Go program for each request. */
export async function startStock(it) {
  const at = it.made("stock", "bench/edge/stock", "plain");
  execFileSync("go", ["tool", "workers-assets-gen", "-mode", "go", "-o", join(it.dir, "library")], { cwd: root, stdio: "inherit" });
  cpSync(join(it.dir, "library"), at, { recursive: true });
  return it.serve(at, {}, ["worker.mjs", "runtime.mjs", "wasm_exec.js", "app.wasm"]);
}
