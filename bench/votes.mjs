// Votes a second through plain workerd, on one hot post and over 10,000 posts: the site, whose consumer counts votes by the
// hundred, against the same site with every counter, index and set updated before the voter is answered (bench/votes/inline). Each on an sqld and Redis of its own, by turns, with as many
// connections as do it good; then nothing may be lost.
//
//   ./build.sh bench votes [--seconds 4] [--rounds 3] [--connections 32] [--peer-connections 4] [--json]

import { execFileSync, spawn } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { freePort, root } from "../e2e/edge/harness.mjs";

const { values: options } = parseArgs({ options: {
  seconds: { type: "string", default: "4" },
  rounds: { type: "string", default: "3" },
  connections: { type: "string", default: "32" },
  "peer-connections": { type: "string", default: "4" }, // as fast as with 8, where its writers begin to make sqld 0.24 stall
  json: { type: "boolean", default: false },
} });

const dir = await mkdtemp(join(tmpdir(), "plaza-bench-"));
const running = [];
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

/** start runs a program until the benchmark ends. */
function start(program, args, stdio) {
  const child = spawn(program, args, { cwd: root, stdio });
  const exited = new Promise((resolve) => { child.on("exit", resolve); });
  running.push(async () => { child.kill("SIGKILL"); await exited; });
  process.on("exit", () => child.kill("SIGKILL"));
  return child;
}

/** startStack starts bench/votes and returns what it said first, and ask(command). */
async function startStack() {
  execFileSync("go", ["build", "-o", join(dir, "votes"), "./bench/votes"], { cwd: root, stdio: "inherit" });
  const child = spawn(join(dir, "votes"), { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
  const exited = new Promise((resolve) => { child.on("exit", resolve); });
  running.push(async () => { child.stdin.end(); await exited; });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await Promise.race([lines.next(), exited.then(() => ({ done: true }))]);
    if (done) throw new Error("bench/votes ended");
    return JSON.parse(value);
  };
  const { vars } = await next();
  return { vars, pid: child.pid, ask: (command) => { child.stdin.write(`${JSON.stringify(command)}\n`); return next(); } };
}

/** startSite serves a build on workerd, with a queue each for votes and events beside it (broker.mjs). */
async function startSite(name, program, vars) {
  const at = join(dir, name);
  execFileSync(join(root, "worker/edge/build.sh"), [at, program], { stdio: "inherit" });
  copyFileSync(join(root, "bench/votes/broker.mjs"), join(at, "broker.mjs"));
  const [port, queuePort] = [await freePort(), await freePort()];
  const text = ([key, value]) => `(name = "${key}", text = ${JSON.stringify(String(value))})`;
  const broker = (queue) => `(
  compatibilityDate = "2026-11-01", compatibilityFlags = ["nodejs_compat", "service_binding_extra_handlers"],
  modules = [(name = "broker.mjs", esModule = embed "broker.mjs")],
  bindings = [(name = "SITE", service = "main"), (name = "QUEUE", text = "${queue}")],
)`;
  writeFileSync(join(at, "config.capnp"), `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main), (name = "votes", worker = .votes), (name = "events", worker = .events),
    (name = "internet", network = (allow = ["public", "private"], tlsOptions = (trustBrowserCas = true))),
  ],
  sockets = [
    (name = "http", address = "127.0.0.1:${port}", http = (), service = "main"),
    (name = "queue", address = "127.0.0.1:${queuePort}", http = (), service = "votes"),
  ],
);
const main :Workerd.Worker = (
  compatibilityDate = "2026-11-01",
  modules = [(name = "worker.mjs", esModule = embed "worker.mjs"), (name = "wasm_exec.js", esModule = embed "wasm_exec.js"), (name = "app.wasm", wasm = embed "app.wasm")],
  bindings = [(name = "VOTES", queue = "votes"), (name = "EVENTS", queue = "events"), ${Object.entries(vars).map(text).join(", ")}],
);
const votes :Workerd.Worker = ${broker("plaza-votes")};
const events :Workerd.Worker = ${broker("plaza-events")};
`);
  const { default: workerd } = createRequire(import.meta.url)("workerd");
  const child = start(workerd, ["serve", "--experimental", join(at, "config.capnp"), "config"], ["ignore", "pipe", "pipe"]);
  let log = "";
  child.stdout.on("data", (data) => { log += data; });
  child.stderr.on("data", (data) => { log += data; });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; ; tries += 1) {
    if (child.exitCode !== null || tries > 150) throw new Error(`workerd did not start:\n${log}`);
    try {
      await fetch(`${url}/login`);
      break;
    } catch {
      await setTimeout(100);
    }
  }
  const queue = `http://127.0.0.1:${queuePort}`;
  let open = true;
  const consume = async () => { // one delivery after the other, for as long as the benchmark runs
    while (open) {
      await fetch(`${queue}/deliver`).then((response) => response.json()).catch((error) => { if (open) console.error(`queue: ${error}`); });
    }
  };
  void consume();
  running.push(() => { open = false; });
  return {
    url, pid: child.pid, log: () => log,
    /** drained waits until the queue is empty and its last batch is done, and returns for how many ms. */
    async drained() {
      const began = Date.now();
      for (let left = 1; left > 0; await setTimeout(20)) {
        ({ left } = await (await fetch(`${queue}/left`)).json());
        if (Date.now() - began > 30_000) throw new Error(`${left} messages are still in the queue after 30 s: does sqld stall?\n${log.slice(-600)}`);
      }
      return Date.now() - began;
    },
  };
}

const fields = (pid) => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");

// cpuOf returns the CPU time of a process in ms, where Linux tells it: it hardly depends on what else the machine does.
function cpuOf(pid) {
  try {
    return (Number(fields(pid)[11]) + Number(fields(pid)[12])) * 10;
  } catch {
    return NaN;
  }
}

/** sqldOf returns the sqld that a process has started, 0 where that can't be found out. */
function sqldOf(parent) {
  try {
    return Number(readdirSync("/proc").find((pid) => {
      try {
        return readFileSync(`/proc/${pid}/comm`, "utf8") === "sqld\n" && Number(fields(pid)[1]) === parent;
      } catch {
        return false; // no process, or it has ended
      }
    }) ?? 0);
  } catch {
    return 0;
  }
}

const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];

try {
  // A database each: what one does to it must not slow down the other.
  const sites = {};
  for (const [name, program] of [["queue", ""], ["inline", "bench/votes/inline"]]) {
    const stack = await startStack();
    sites[name] = { ...await startSite(name, program, { SITE_URL: "http://127.0.0.1", SITE_NAME: "Plaza", ...stack.vars }), ask: stack.ask, sqld: sqldOf(stack.pid), connections: options[name === "queue" ? "connections" : "peer-connections"] };
  }
  const spreads = { "one hot post": 1, "10,000 posts": 10_000 };
  const result = {};
  const seconds = Number(options.seconds);
  const vote = (site, posts, time) => site.ask({ do: "vote", url: site.url, posts, seconds: time, connections: Number(site.connections) });
  for (const site of Object.values(sites)) await vote(site, 10_000, 1); // warm
  for (let round = 0; round < Number(options.rounds); round += 1) {
    for (const [spread, posts] of Object.entries(spreads)) {
      for (const [name, site] of Object.entries(sites)) {
        await site.drained();
        const before = [cpuOf(site.pid), cpuOf(site.sqld)];
        const one = await vote(site, posts, seconds);
        one.drained_ms = await site.drained();
        one.cpu_ms = { workerd: (cpuOf(site.pid) - before[0]) / one.votes, sqld: (cpuOf(site.sqld) - before[1]) / one.votes };
        console.error(`  round ${round + 1}, ${spread}, ${name}: ${one.per_second.toFixed(0)} votes/s, p99 ${one.p99_ms.toFixed(0)} ms, ${one.failures} failed${one.failures > 0 ? ` (${one.first_failure})` : ""}, counted ${one.drained_ms} ms later, CPU ${one.cpu_ms.workerd.toFixed(2)} + ${one.cpu_ms.sqld.toFixed(2)} ms each`);
        ((result[spread] ??= {})[name] ??= []).push(one);
        if (one.failures > one.votes) throw new Error(`${spread}, ${name}: ${one.failures} votes failed, ${one.votes} did not: ${one.first_failure}\n${site.log().slice(-600)}`);
      }
    }
  }
  await sites.queue.drained();
  // What no message led to, the deltas keep for the retry job.
  const { applied } = await sites.queue.ask({ do: "apply" });
  const checked = await sites.queue.ask({ do: "check" });
  for (const [spread, posts] of Object.entries(spreads)) result[spread].rows = await sites.queue.ask({ do: "cost", posts });
  if (options.json) console.log(JSON.stringify({ result, applied, checked }));
  else {
    console.log(`POST /vote, ${options.connections} connections, inline ${options["peer-connections"]}, median of ${options.rounds} rounds of ${seconds} s`);
    for (const [spread, { rows, ...variants }] of Object.entries(result)) {
      const of = (name, get) => median(variants[name].map(get));
      for (const name of ["queue", "inline"]) {
        const written = rows.cast + (name === "queue" ? rows.batched : rows.inline);
        console.log(`  ${spread}, ${name.padEnd(7)}${variants[name].map((one) => one.per_second.toFixed(0)).join(" ").padEnd(20)}→ ${of(name, (one) => one.per_second).toFixed(0)} votes/s, ${variants[name].reduce((sum, one) => sum + one.failures, 0)} failed, p50 ${of(name, (one) => one.p50_ms).toFixed(1)} ms, p99 ${of(name, (one) => one.p99_ms).toFixed(1)} ms, ${written.toFixed(1)} rows written each, CPU ${of(name, (one) => one.cpu_ms.workerd).toFixed(2)} ms workerd and ${of(name, (one) => one.cpu_ms.sqld).toFixed(2)} ms sqld each`);
      }
      console.log(`  ${spread}, ratio ${(of("queue", (one) => one.per_second) / of("inline", (one) => one.per_second)).toFixed(1)}`);
    }
    const p99 = (spread) => median(result[spread].queue.map((one) => one.p99_ms));
    console.log(`  p99 of a vote, all on one post against spread over 10,000: ${p99("one hot post").toFixed(0)} ms to ${p99("10,000 posts").toFixed(0)} ms`);
    const lost = checked.lost + checked.wrong + checked.pending + checked.stale;
    console.log(`  lost: ${lost} of ${checked.accepted} votes (missing ${checked.lost}, posts miscounted ${checked.wrong}, not yet counted ${checked.pending}, stale in sets ${checked.stale}); ${applied} posts were left to the retry job`);
    if (lost > 0) process.exitCode = 1;
  }
} finally {
  for (const stop of running.reverse()) await stop();
  await rm(dir, { recursive: true, force: true });
}
