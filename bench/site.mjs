// A local site for measurements: `plaza dev` on a free port with data of its own, a logged-in member, and the variables of
// its worker.

import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().on("error", reject).listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** startSite starts `plaza dev` and returns { url, vars, stop }. Its data are in a new directory that goes away, or in one that stays. */
export async function startSite(data) {
  const dir = data ? undefined : await mkdtemp(join(tmpdir(), "plaza-bench-"));
  data ??= join(dir, "data");
  const port = await freePort();
  const child = spawn(join(root, "build/plaza"), ["dev", "--port", String(port), "--data", data], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  const exited = new Promise((resolve) => child.on("exit", resolve));
  const end = () => child.kill("SIGTERM"); // when the measurement ends before it stops the site
  process.on("exit", end);
  await new Promise((resolve, reject) => {
    let out = "";
    child.stdout.on("data", (data) => { out += data; if (out.includes("Plaza is ready")) resolve(); });
    void exited.then(() => reject(new Error("plaza dev ended before it was ready")));
  });
  const vars = Object.fromEntries((await readFile(join(data, "worker.env"), "utf8")).split("\n").filter((line) => line.includes("="))
    .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1).replace(/^'(.*)'$/, "$1")]));
  vars.LIMIT_FACTOR = "1000000"; // one reader reads what thousands would
  return {
    url: `http://127.0.0.1:${port}`,
    vars,
    async stop() {
      process.off("exit", end);
      child.kill("SIGTERM");
      await exited;
      if (dir) await rm(dir, { recursive: true, force: true });
    },
  };
}

/** signUp makes a member and returns their Cookie header. */
export async function signUp(url, username) {
  const response = await fetch(`${url}/signup`, {
    method: "POST", redirect: "manual", headers: { origin: new URL(url).origin, "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ username, password: "correct horse" }),
  });
  if (response.status !== 303) throw new Error(`${url}/signup answered ${response.status}`);
  return response.headers.getSetCookie()[0].split(";")[0];
}
