// Starts a worker on plain workerd, with what Cloudflare gives it: queues, a cron trigger, an edge cache and a bucket of pictures. All that
// it calls goes through bench/network.

import { execFileSync, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { copyFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { root } from "../site.mjs";

const { default: workerd } = createRequire(import.meta.url)("workerd");
const kinds = { mjs: "esModule", js: "esModule", wasm: "wasm", bin: "data" };
const running = new Set();
process.on("exit", () => { for (const child of running) child.kill("SIGKILL"); });
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

/** started runs a program until stop, or until this process ends. */
function started(program, args, stdio) {
  const child = spawn(program, args, { cwd: root, stdio });
  running.add(child);
  const exited = new Promise((resolve) => { child.on("exit", () => { running.delete(child); resolve(); }); });
  return { child, exited, stop: () => { child.kill("SIGKILL"); return exited; } };
}

/** startNetwork starts bench/network before the databases of a site. ask sends it a command and returns what passed since the last one. */
export async function startNetwork(dir, { LIBSQL_URL, UPSTASH_REDIS_REST_URL }) {
  execFileSync("go", ["build", "-o", join(dir, "network"), "./bench/network"], { cwd: root, stdio: "inherit" });
  const { child, stop } = started(join(dir, "network"), ["-database", LIBSQL_URL, "-redis", UPSTASH_REDIS_REST_URL], ["pipe", "pipe", "inherit"]);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error("bench/network has ended");
    return JSON.parse(value);
  };
  const addresses = await next();
  return { ...addresses, ask: (command = {}) => { child.stdin.write(`${JSON.stringify(command)}\n`); return next(); }, stop };
}

/**
 * configure writes the configuration of a worker into dir, as workerd reads it fastest: a module is not read out of a text. The worker that is
 * measured comes last, because each isolate that starts has V8 forget what it has compiled for others (docs/performance.md).
 */
export async function configure(dir, { files, vars, network, cache = true }) {
  await copyFile(join(root, "bench/votes/broker.mjs"), join(dir, "broker.mjs"));
  const text = ([name, value]) => `(name = "${name}", text = ${JSON.stringify(String(value))})`;
  const module = (file) => `(name = "${file}", ${kinds[file.split(".").pop()]} = embed "${file}")`;
  const broker = (queue) => `(
  compatibilityDate = "2026-11-01", compatibilityFlags = ["nodejs_compat", "service_binding_extra_handlers"],
  modules = [(name = "broker.mjs", esModule = embed "broker.mjs")],
  bindings = [(name = "SITE", service = "main"), (name = "QUEUE", text = "${queue}")],
)`;
  await writeFile(join(dir, "config.capnp"), `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "votes", worker = .votes), (name = "events", worker = .events), (name = "main", worker = .main),
    (name = "way", external = (address = "${network.way}", http = ())),
    (name = "cache", external = (address = "${network.cache}", http = ())),
    (name = "bucket", external = (address = "${network.bucket}", http = ())),
  ],
  sockets = [
    (name = "http", address = "127.0.0.1:0", http = (), service = "main"),
    (name = "votes", address = "127.0.0.1:0", http = (), service = "votes"),
    (name = "events", address = "127.0.0.1:0", http = (), service = "events"),
  ],
);
const main :Workerd.Worker = (
  compatibilityDate = "2026-11-01",
  modules = [${files.map(module).join(", ")}],
  globalOutbound = "way",${cache ? ` cacheApiOutbound = "cache",` : ""}
  bindings = [
    (name = "VOTES", queue = "votes"), (name = "EVENTS", queue = "events"), (name = "PICTURES", r2Bucket = "bucket"),
    ${Object.entries(vars).map(text).join(", ")}
  ],
);
const votes :Workerd.Worker = ${broker("plaza-votes")};
const events :Workerd.Worker = ${broker("plaza-events")};
`);
  const binary = execFileSync(workerd, ["compile", "--config-only", join(dir, "config.capnp"), "config"], { maxBuffer: 1 << 28 });
  await writeFile(join(dir, "config.bin"), binary);
}

/** startWorker serves what configure wrote, and returns when the global scope has run and workerd listens. */
export async function startWorker(dir) {
  const { child, exited, stop } = started(workerd, ["serve", "--experimental", "--binary", "--control-fd=3", join(dir, "config.bin")],
    ["ignore", "pipe", "pipe", "pipe"]);
  let log = "";
  child.stdout.on("data", (data) => { log += data; });
  child.stderr.on("data", (data) => { log += data; });
  const ports = {};
  await new Promise((resolve, reject) => {
    let said = "";
    child.stdio[3].on("data", (data) => {
      said += data;
      const lines = said.split("\n");
      said = lines.pop();
      for (const line of lines) {
        const { event, socket, port } = JSON.parse(line);
        if (event === "listen") ports[socket] = port;
      }
      if (Object.keys(ports).length === 3) resolve();
    });
    void exited.then(() => reject(new Error(`workerd did not start:\n${log.slice(-3000)}`)));
  });
  const ask = async (queue, path) => (await fetch(`http://127.0.0.1:${ports[queue]}${path}`)).json();
  const worker = {
    pid: child.pid, port: ports.http, url: `http://127.0.0.1:${ports.http}`, log: () => log, stop,
    /** cpu is the CPU time that the process has used, in ms. */
    cpu: () => cpuOf(child.pid),
    /** deliver brings what is in the queues to the worker, until they are empty, and returns how many messages that were. */
    async deliver() {
      let count = 0;
      for (let empty = false; !empty;) {
        empty = true;
        for (const queue of ["votes", "events"]) {
          if ((await ask(queue, "/left")).left === 0) continue;
          empty = false;
          count += (await ask(queue, "/deliver?now")).delivered;
        }
      }
      return count;
    },
    /** consume delivers while work runs, as the platform does, and then until the queues are empty. It returns what work returns. */
    async consume(work) {
      let open = true;
      const loop = async (queue) => { while (open) await ask(queue, "/deliver"); };
      const loops = [loop("votes"), loop("events")];
      try {
        return await work();
      } finally {
        open = false;
        await Promise.all(loops);
        await worker.deliver();
      }
    },
    /** tick runs the job of a minute. */
    tick: (minute) => ask("events", `/tick?at=${minute * 60_000}`),
  };
  return worker;
}

/** cpuOf is the CPU time of all threads of a process in ms, where Linux tells it; it hardly depends on what else the machine does. */
export function cpuOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => (
      sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]) / 1e6), 0);
  } catch {
    return NaN;
  }
}

/**
 * wasmMemory is how many bytes of Wasm memory a process has: V8 reserves 4 GB or more for a memory, of which the part in use comes first.
 * NaN where /proc does not say.
 */
export function wasmMemory(pid) {
  try {
    const maps = readFileSync(`/proc/${pid}/maps`, "utf8").trim().split("\n").map((line) => {
      const [, from, to, mode] = /^(\w+)-(\w+) (\S+)/.exec(line);
      return { from: parseInt(from, 16), to: parseInt(to, 16), mode };
    });
    const sizes = maps.filter((map, i) => map.mode === "rw-p" && maps[i + 1]?.from === map.to && maps[i + 1].mode === "---p"
      && maps[i + 1].to - map.from >= 4 * 2 ** 30).map(({ from, to }) => to - from);
    return sizes.length > 0 ? Math.max(...sizes) : NaN;
  } catch {
    return NaN;
  }
}
