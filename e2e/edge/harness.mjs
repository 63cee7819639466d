// Starts the worker of the faults build (e2e/builds/faults) under `wrangler dev`, and an upstream that answers when
// told to. Each test file runs its own, on free ports and in a directory of its own that goes away at the end.

import { execFileSync, spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
export const MEMBER = { cookie: "__Host-session=test" }; // past the cache, every header seen by Go

/**
 * freePort returns a port that nobody listened on a moment ago. It is not one of those that the system gives to connections, and to whoever
 * asks for any port: before somebody listens, one of these would be taken now and then.
 */
export async function freePort() {
  for (;;) {
    const port = 12000 + Math.floor(Math.random() * 20000);
    const free = await new Promise((resolve) => {
      const server = createServer().on("error", () => resolve(false)).listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
    });
    if (free) return port;
  }
}

const faults = "e2e/builds/faults";

/**
 * build puts a build of the worker into dir: of the faults, of another program, or of the one that is deployed (""). PLAZA_FAULTS_APP and
 * PLAZA_SITE_APP name modules of the first and the last that were made before: to link one takes seconds.
 */
export function build(dir, program = faults, ...more) {
  const made = { [faults]: process.env.PLAZA_FAULTS_APP, "": process.env.PLAZA_SITE_APP }[program];
  execFileSync(join(root, "worker/edge/build.sh"), [dir, made || program, ...more], { stdio: "inherit" });
}

/**
 * startEdge builds and starts the worker. vars become variables of it, options go to wrangler. Another program may take a
 * port before wrangler does; then it starts again on others, so many times.
 */
export async function startEdge(vars = {}, options = [], again = 2) {
  const dir = await mkdtemp(join(tmpdir(), "plaza-edge-"));
  build(join(dir, "build"));
  await mkdir(join(dir, "public"));
  await writeFile(join(dir, "public/asset.txt"), "a static file");
  await cp(join(root, "wrangler.toml"), join(dir, "wrangler.toml"));
  await writeFile(join(dir, "package.json"), "{}");
  const port = await freePort();
  const args = [join(root, "node_modules/wrangler/bin/wrangler.js"), "dev", "--ip", "127.0.0.1", "--port", String(port),
    "--inspector-port", String(await freePort()), "--persist-to", join(dir, "state"), "--show-interactive-dev-session=false", ...options];
  for (const [name, value] of Object.entries(vars)) args.push("--var", `${name}:${value}`);
  const child = spawn(join(root, "node_modules/.bin/node"), args, {
    cwd: dir, detached: true, stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, WRANGLER_SEND_METRICS: "false", CI: "1", NO_COLOR: "1" },
  });
  let log = "";
  child.stdout.on("data", (data) => { log += data; });
  child.stderr.on("data", (data) => { log += data; });
  const exited = new Promise((resolve) => child.on("exit", resolve));
  const kill = () => { try { process.kill(-child.pid, "SIGKILL"); } catch { /* already over */ } };
  process.on("exit", kill);

  const edge = {
    url: `http://127.0.0.1:${port}`,
    log: () => log,
    pid: child.pid, // of the process group, too
    /** get asks for a path as a member, unless other headers are given. */
    get: (path, headers = MEMBER, more = {}) => fetch(edge.url + path, { headers, redirect: "manual", ...more }),
    text: async (path, headers) => (await edge.get(path, headers)).text(),
    json: async (path, headers) => (await edge.get(path, headers)).json(),
    async stop() {
      try { process.kill(-child.pid, "SIGTERM"); } catch { /* already over */ }
      await Promise.race([exited, wait(5000)]);
      kill();
      await rm(dir, { recursive: true, force: true });
    },
  };
  for (let tries = 0; ; tries++) {
    if (child.exitCode !== null || tries > 900) {
      kill();
      if (again > 0 && log.includes("Address already in use")) {
        await rm(dir, { recursive: true, force: true });
        return startEdge(vars, options, again - 1);
      }
      throw new Error(`wrangler dev did not start:\n${log}`);
    }
    try {
      if ((await fetch(edge.url + "/asset.txt")).ok) break;
    } catch { /* not yet */ }
    await wait(100);
  }
  return edge;
}

/**
 * startUpstream answers every request with its token and step, after `delay` ms; `say` overrides the answer, and `hang` is
 * a promise that all answers wait for.
 */
export async function startUpstream() {
  const upstream = { seen: [], say: null, hang: null, open: 0 };
  const server = http.createServer((request, response) => {
    const url = new URL(request.url, "http://x");
    upstream.seen.push(`${url.searchParams.get("token")}/${url.searchParams.get("step")}`);
    upstream.open++;
    setTimeout(async () => {
      await upstream.hang;
      upstream.open--;
      response.end(upstream.say ?? `${url.searchParams.get("token")}/${url.searchParams.get("step")}`);
    }, Number(url.searchParams.get("delay") || 0));
  });
  await new Promise((resolve) => { server.listen(0, "127.0.0.1", resolve); });
  server.unref();
  upstream.url = (token, delay = 0) => encodeURIComponent(`http://127.0.0.1:${server.address().port}/?token=${token}&delay=${delay}`);
  upstream.stop = () => new Promise((resolve) => { server.close(resolve); server.closeAllConnections(); });
  return upstream;
}

export const wait = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

/** eventually repeats a check until it does not throw, for ms milliseconds. */
export async function eventually(check, ms = 60_000) {
  const end = Date.now() + ms;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await wait(100);
    }
  }
}

