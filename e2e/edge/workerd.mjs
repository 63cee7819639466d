// Starts a build of the worker on workerd alone: no simulator, no proxy, no queues, no cache. For load, for what a fresh isolate does, and for
// settings of the platform that Miniflare does not have.

import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asking, FAULTS } from "./harness.mjs";

const { default: binary } = createRequire(import.meta.url)("workerd");
const text = (value) => JSON.stringify(String(value));

/** MODULES are those of a build, for a configuration that finds them in a folder. */
export const MODULES = `(name = "worker.mjs", esModule = embed "/worker.mjs"), (name = "wasm_exec.js", esModule = embed "/wasm_exec.js"),
    (name = "app.wasm", wasm = embed "/app.wasm")`;

/**
 * startWorkerd serves a build with vars as its variables: that in dir, unless other modules are given. It may reach networks of these kinds.
 * startWorkerd returns when the isolate is there, its global scope has run and the socket listens; no request has been sent by then.
 */
export function startWorkerd(vars = {}, { dir = FAULTS, modules = MODULES, flags = [], networks = ["public", "private"] } = {}) {
  return serve(`using Workerd = import "/workerd/workerd.capnp";
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
  modules = [${modules}],
  bindings = [${Object.entries(vars).map(([name, value]) => `(name = "${name}", text = ${text(value)})`).join(", ")}],
);
`, dir);
}

/** serve starts workerd with a configuration, which embeds modules of the folder by names like "/app.wasm". The socket "http" is asked. */
export async function serve(config, dir = FAULTS) {
  const own = await mkdtemp(join(tmpdir(), "plaza-workerd-"));
  const file = join(own, "config.capnp");
  await writeFile(file, config);
  const child = spawn(binary, ["serve", "--control-fd=3", `--import-path=${dir}`, file, "config"], { stdio: ["ignore", "pipe", "pipe", "pipe"] });
  let log = "";
  child.stdout.on("data", (data) => { log += data; });
  child.stderr.on("data", (data) => { log += data; });
  const exited = new Promise((resolve) => { child.on("exit", resolve); });
  const kill = () => child.kill("SIGKILL");
  process.on("exit", kill);
  const ports = {};
  try {
    await new Promise((resolve, reject) => {
      let said = "";
      child.stdio[3].on("data", (data) => {
        said += data;
        for (const line of said.split("\n").slice(0, -1)) {
          const message = JSON.parse(line);
          if (message.event === "listen") ports[message.socket] = message.port;
        }
        if (ports.http) resolve();
      });
      void exited.then(() => reject(new Error(`workerd did not start:\n${log}`)));
    });
  } finally {
    await rm(own, { recursive: true });
  }
  return {
    ...asking(`http://127.0.0.1:${ports.http}`), ports, log: () => log,
    stop: () => { process.off("exit", kill); kill(); return exited; },
  };
}
