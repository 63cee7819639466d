// Starts a build of the worker on workerd alone: no wrangler, no proxy, no queues, no cache. For load.

import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { freePort, wait } from "./harness.mjs";

const modules = {
  "worker.mjs": "esModule", "runtime.mjs": "esModule", "wasm_exec.js": "esModule", "app.wasm": "wasm",
};

/** startWorkerd serves the modules in dir (a result of worker/edge/build.sh; files names them) with vars as its variables. */
export async function startWorkerd(dir, vars = {}, files = ["worker.mjs", "wasm_exec.js", "app.wasm"]) {
  const port = await freePort();
  const text = (value) => JSON.stringify(String(value));
  await writeFile(join(dir, "config.capnp"), `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    (name = "internet", network = (allow = ["public", "private"], tlsOptions = (trustBrowserCas = true))),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const main :Workerd.Worker = (
  compatibilityDate = "2026-11-01",
  modules = [${files.map((file) => `(name = "${file}", ${modules[file]} = embed "${file}")`).join(", ")}],
  bindings = [${Object.entries(vars).map(([name, value]) => `(name = "${name}", text = ${text(value)})`).join(", ")}],
);
`);
  const { default: binary } = createRequire(import.meta.url)("workerd");
  const child = spawn(binary, ["serve", join(dir, "config.capnp"), "config"], { stdio: ["ignore", "pipe", "pipe"] });
  let log = "";
  child.stdout.on("data", (data) => { log += data; });
  child.stderr.on("data", (data) => { log += data; });
  const exited = new Promise((resolve) => { child.on("exit", resolve); });
  const kill = () => child.kill("SIGKILL");
  process.on("exit", kill);
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; ; tries++) {
    if (child.exitCode !== null || tries > 150) {
      kill();
      throw new Error(`workerd did not start:\n${log}`);
    }
    try {
      await fetch(url, { redirect: "manual" });
      break;
    } catch {
      await wait(100);
    }
  }
  return { url, pid: child.pid, log: () => log, stop: () => { kill(); return exited; } };
}
