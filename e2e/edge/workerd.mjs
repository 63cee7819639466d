// Starts a build of the worker on workerd alone: no wrangler, no proxy, no queues, no cache. For load, for what a fresh isolate
// does, and for settings of the platform that wrangler does not have.

import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";

const modules = {
  "worker.mjs": "esModule", "runtime.mjs": "esModule", "wasm_exec.js": "esModule", "app.wasm": "wasm",
};

let started = 0;
const text = (value) => JSON.stringify(String(value));

/**
 * startWorkerd serves the modules in dir (a result of worker/edge/build.sh; files names them) with vars as its variables. It may
 * reach networks of these kinds. startWorkerd returns when the isolate is there, its global scope has run and the socket
 * listens; no request has been sent by then.
 */
export async function startWorkerd(dir, vars = {}, files = ["worker.mjs", "wasm_exec.js", "app.wasm"], flags = [], networks = ["public", "private"]) {
  return serve(dir, `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    (name = "internet", network = (allow = [${networks.map(text).join(", ")}], tlsOptions = (trustBrowserCas = true))),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const main :Workerd.Worker = (
  compatibilityDate = "2026-11-01",
  compatibilityFlags = [${flags.map(text).join(", ")}],
  modules = [${files.map((file) => `(name = "${file}", ${modules[file]} = embed "${file}")`).join(", ")}],
  bindings = [${Object.entries(vars).map(([name, value]) => `(name = "${name}", text = ${text(value)})`).join(", ")}],
);
`);
}

/** serve starts workerd with a configuration in dir, whose modules it embeds. The first of its sockets is the one that is asked. */
export async function serve(dir, config) {
  const file = join(dir, `config${++started}.capnp`);
  await writeFile(file, config);
  const { default: binary } = createRequire(import.meta.url)("workerd");
  const child = spawn(binary, ["serve", "--control-fd=3", file, "config"], { stdio: ["ignore", "pipe", "pipe", "pipe"] });
  let log = "";
  child.stdout.on("data", (data) => { log += data; });
  child.stderr.on("data", (data) => { log += data; });
  const exited = new Promise((resolve) => { child.on("exit", resolve); });
  const kill = () => child.kill("SIGKILL");
  process.on("exit", kill);
  const ports = {};
  const port = await new Promise((resolve, reject) => {
    let said = "";
    child.stdio[3].on("data", (data) => {
      said += data;
      for (const line of said.split("\n").slice(0, -1)) {
        const message = JSON.parse(line);
        if (message.event === "listen") ports[message.socket] = message.port;
        if (message.event === "listen" && message.socket === "http") resolve(message.port);
      }
    });
    exited.then(() => reject(new Error(`workerd did not start:\n${log}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`, port, ports, pid: child.pid, log: () => log,
    stop: () => { process.off("exit", kill); kill(); return exited; },
  };
}
