// Measures requests a second of the same site, on workerd alone, served (a) by Plaza's shim from one shared Go instance and
// (b) by the library's own workers.Serve and assets, which start a Go program for every request. Both in one run, by turns.
//
//   node bench/edge/bench.mjs [--path /login] [--cookie "__Host-session=…"] [--seconds 3] [--rounds 3] [--json]
//
// Variables of the worker (LIBSQL_URL, UPSTASH_REDIS_REST_URL, SESSION_SECRET, …) come from the environment.

import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build, root } from "../../e2e/edge/harness.mjs";
import { startWorkerd } from "../../e2e/edge/workerd.mjs";

const { values: options } = parseArgs({ options: {
  path: { type: "string", default: "/login" },
  cookie: { type: "string", default: "__Host-session=bench" }, // a member's, so that no cache plays a part
  seconds: { type: "string", default: "3" },
  rounds: { type: "string", default: "3" },
  connections: { type: "string", default: "32" },
  json: { type: "boolean", default: false },
} });

const NAMES = ["SITE_URL", "SITE_NAME", "LIBSQL_URL", "LIBSQL_SHARD_URLS", "LIBSQL_AUTH_TOKEN", "UPSTASH_REDIS_REST_URL",
  "UPSTASH_REDIS_REST_TOKEN", "SESSION_SECRET", "LIMIT_FACTOR"];
const vars = {
  SITE_URL: "http://127.0.0.1:8787", SITE_NAME: "Plaza", LIBSQL_URL: "http://127.0.0.1:8080",
  UPSTASH_REDIS_REST_URL: "http://127.0.0.1:8079", SESSION_SECRET: "only for measuring, never for people",
};
for (const name of NAMES) if (process.env[name] !== undefined) vars[name] = process.env[name];

const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];

// cpuOf returns the CPU time of a process in ms, where Linux tells it: unlike requests a second it hardly depends on what
// else the machine does.
function cpuOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return NaN;
  }
}

function load(dir, url, seconds) {
  const args = ["-url", url + options.path, "-cookie", options.cookie, "-c", options.connections, "-d", `${seconds}s`];
  return new Promise((resolve, reject) => {
    const child = spawn(join(dir, "load"), args, { stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    child.stdout.on("data", (data) => { text += data; });
    child.on("exit", (code) => (code === 0 ? resolve(JSON.parse(text)) : reject(new Error(`load ended with ${code}`))));
  });
}

const dir = await mkdtemp(join(tmpdir(), "plaza-bench-"));
const running = [];
try {
  build(join(dir, "shared"), "");
  build(join(dir, "stock"), "bench/edge/stock", "plain");
  execFileSync("go", ["tool", "workers-assets-gen", "-mode", "go", "-o", join(dir, "library")], { cwd: root, stdio: "inherit" });
  await cp(join(dir, "library"), join(dir, "stock"), { recursive: true });
  execFileSync("go", ["build", "-o", join(dir, "load"), "./bench/edge/load"], { cwd: root, stdio: "inherit" });
  const variants = {
    shared: await startWorkerd(join(dir, "shared"), vars),
    stock: await startWorkerd(join(dir, "stock"), vars, ["worker.mjs", "runtime.mjs", "wasm_exec.js", "app.wasm"]),
  };
  running.push(...Object.values(variants));
  const rates = { shared: [], stock: [] };
  const cpu = { shared: [], stock: [] };
  const last = {};
  for (const { url } of running) await load(dir, url, 1); // warm
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const [name, { url, pid }] of Object.entries(variants)) {
      const before = cpuOf(pid);
      last[name] = await load(dir, url, Number(options.seconds));
      cpu[name].push((cpuOf(pid) - before) / last[name].requests);
      rates[name].push(last[name].per_second);
      if (last[name].failures > 0 || last[name].requests === 0) {
        throw new Error(`${name}: ${last[name].failures} of ${last[name].requests + last[name].failures} requests failed\n${variants[name].log().slice(-3000)}`);
      }
    }
  }
  const shared = median(rates.shared);
  const stock = median(rates.stock);
  const result = { path: options.path, bytes: last.shared.bytes, shared, stock, ratio: shared / stock,
    cpu: { shared: median(cpu.shared), stock: median(cpu.stock) }, last };
  if (options.json) console.log(JSON.stringify(result));
  else {
    console.log(`${options.path}, ${result.bytes} bytes, ${options.connections} connections, median of ${options.rounds} rounds of ${options.seconds} s`);
    for (const name of ["shared", "stock"]) {
      console.log(`  ${name.padEnd(7)}${rates[name].map((rate) => rate.toFixed(0)).join(" ").padEnd(24)}→ ${median(rates[name]).toFixed(0)} requests/s, p50 ${last[name].p50_ms} ms, p99 ${last[name].p99_ms} ms, CPU ${median(cpu[name]).toFixed(2)} ms each`);
    }
    console.log(`  ratio  ${result.ratio.toFixed(1)} (by CPU time ${(result.cpu.stock / result.cpu.shared).toFixed(1)})`);
  }
} finally {
  await Promise.all(running.map((one) => one.stop()));
  await rm(dir, { recursive: true, force: true });
}
