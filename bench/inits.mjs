// What each package of the module does as the program starts: CPU time (compiling included), bytes and allocations, the dearest
// first. Medians of fresh processes, on Node.
//
//   node bench/inits.mjs [--runs 9] [--top 25] [--dir build]

import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { root } from "./site.mjs";

const { values: options } = parseArgs({ options: {
  runs: { type: "string", default: "9" },
  top: { type: "string", default: "25" },
  dir: { type: "string", default: join(root, "build") },
  once: { type: "boolean", default: false }, // in a process of its own: print Go's own trace
} });
const dir = resolve(options.dir);

if (options.once) {
  await import(pathToFileURL(join(dir, "wasm_exec.js")).href);
  const { Supervisor } = await import("../worker/edge/shim/supervisor.mjs");
  const { limitsOf } = await import("../worker/edge/shim/limits.mjs");
  const decoder = new TextDecoder();
  globalThis.fs.writeSync = (fd, bytes) => { process.stdout.write(decoder.decode(bytes)); return bytes.length; };
  globalThis.Go = class extends globalThis.Go {
    constructor() {
      super();
      this.env = { GODEBUG: "inittrace=1" };
    }
  };
  // Node makes these when they are first looked at, which Go's packages do.
  for (const name of ["Request", "Response", "Headers", "ReadableStream", "FixedLengthStream", "fetch", "crypto"]) void globalThis[name];
  // Go's clock is the CPU's, of which there is one thread (see the flags below), so it does not matter what else the machine does.
  performance.now = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  const env = { SITE_URL: "http://127.0.0.1", LIBSQL_URL: "http://127.0.0.1", SESSION_SECRET: "only for measuring, never for people" };
  const supervisor = new Supervisor(new WebAssembly.Module(await readFile(join(dir, "app.wasm"))));
  const began = performance.now();
  const { bytes } = supervisor.instance(env, limitsOf(env));
  process.stdout.write(`init all @0 ms, ${performance.now() - began} ms clock, ${bytes} bytes, 0 allocs\n`);
  process.exit();
}

const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
const found = new Map();
for (let run = 0; run < Number(options.runs); run++) {
  const trace = execFileSync(process.execPath, ["--single-threaded", "--liftoff-only", fileURLToPath(import.meta.url), "--once", "--dir", dir], { encoding: "utf8" });
  for (const [, name, ms, bytes, allocs] of trace.matchAll(/^init (\S+) @\S+ ms, (\S+) ms clock, (\d+) bytes, (\d+) allocs/gm)) {
    if (!found.has(name)) found.set(name, { ms: [], bytes: Number(bytes), allocs: Number(allocs) });
    found.get(name).ms.push(Number(ms));
  }
}
const { ms, bytes } = found.get("all");
found.delete("all");
const rows = [...found].map(([name, it]) => ({ name, µs: Math.round(median(it.ms) * 1000), bytes: it.bytes, allocs: it.allocs })).sort((a, b) => b.µs - a.µs);
for (const row of rows.slice(0, Number(options.top))) console.log(`${String(row.µs).padStart(8)} µs ${String(row.bytes).padStart(9)} bytes ${String(row.allocs).padStart(6)} allocations  ${row.name}`);
const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
console.log(`${String(sum("µs")).padStart(8)} µs ${String(sum("bytes")).padStart(9)} bytes ${String(sum("allocs")).padStart(6)} allocations  ${rows.length} packages together`);
console.log(`the start takes ${median(ms).toFixed(1)} ms and leaves ${(bytes / 1e6).toFixed(1)} MB of memory`);
