// Starts a `plaza dev` for each worker, with the content that every clone has, before the first test. They end after the last one.

import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "./edge/harness.mjs";

const root = join(import.meta.dirname, "..");

async function start(data) {
  const port = await freePort();
  const child = spawn("build/plaza", ["dev", "--port", String(port), "--data", data], {
    cwd: root, stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, PLAZA_DEMO_DATA: "cmd/plaza/sample" },
  });
  let said = "";
  const over = new Promise((resolve) => { child.on("close", resolve); });
  await new Promise((ready, fail) => {
    child.stderr.on("data", (data) => { said += data; });
    child.stdout.on("data", (data) => { if (String(data).includes("Plaza is ready")) ready(); });
    child.on("error", fail);
    void over.then((code) => fail(new Error(`plaza dev ended with ${code} before it was ready:\n${said}`)));
  });
  return {
    url: `http://localhost:${port}`, env: join(data, "worker.env"),
    async stop() {
      child.kill("SIGTERM");
      const code = await over;
      return code === 0 ? "" : `plaza dev ended with ${code}:\n${said}`;
    },
  };
}

export default async function setup({ workers }) {
  await promisify(execFile)("go", ["build", "-o", "build/plaza", "./cmd/plaza"], { cwd: root, env: { GOFLAGS: "-trimpath", ...process.env } });
  const folder = await mkdtemp(join(tmpdir(), "plaza-e2e-"));
  const started = await Promise.allSettled(Array.from({ length: workers }, (_, n) => start(join(folder, String(n)))));
  const sites = started.flatMap(({ value }) => value ?? []);
  const stop = async () => {
    const ends = await Promise.all(sites.map((site) => site.stop()));
    await rm(folder, { recursive: true, force: true });
    return ends.join("");
  };
  const failed = started.find(({ reason }) => reason);
  if (failed) {
    await stop();
    throw failed.reason;
  }
  process.env.PLAZA_SITES = JSON.stringify(sites.map(({ url, env }) => ({ url, env })));
  return async () => {
    const said = await stop();
    if (said) throw new Error(said);
  };
}
