// A site of a test's own whose databases fail when told to: `plaza dev --faults` on a free port, empty, with wrangler dev,
// its queues and its cache. Needs build/ (./build.sh) and build/plaza (go build -o build/plaza ./cmd/plaza).
//
//   const site = await startSite();
//   const ann = await site.signUp("ann");                          // { name, cookie }
//   await site.database.set({ fault: "hole" });                    // accepts and never answers
//   await site.redis.set({ fault: "refuse" });
//   await site.database.set({ fault: "lose", writes: true, times: 1 });  // commits one transaction and loses its answer
//   const { status, json, ms } = await site.post("/vote", { target, value: 1 }, ann);  // an action, as a program
//   await site.database.counts();                                  // { rule, requests, faulted, open } since the last set
//   await site.database.set({ fault: "pass" });
//   await site.sql("SELECT count(*) FROM posts");                  // around the proxy
//   await site.stop();
//
// The faults are pass, refuse, drop, hole, delay (ms), answer (status, type, body), lose and mute; share, times, writes and
// holding say which requests meet them. stack/faults.go has the words for each.
//
// By hand: build/plaza dev --faults --empty --port 8800 --data /some/dir, then
//   curl -X PUT $(jq -r .control /some/dir/faults.json)/database -d '{"fault": "hole"}'

import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, root } from "../edge/harness.mjs";

/** startSite returns when the site answers. flags go to plaza dev. Another program may take the port before it does; then it takes another. */
export async function startSite(flags = ["--empty"], again = 2) {
  const dir = await mkdtemp(join(tmpdir(), "plaza-faults-"));
  const port = await freePort();
  const child = spawn(join(root, "build/plaza"), ["dev", "--faults", "--port", String(port), "--data", dir, ...flags],
    { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  const exited = new Promise((resolve) => { child.on("exit", resolve); });
  process.on("exit", () => child.kill("SIGTERM"));
  let said = "";
  child.stderr.on("data", (data) => { said += data; });
  const ready = await new Promise((resolve) => {
    let out = "";
    child.stdout.on("data", (data) => { out += data; if (out.includes("Plaza is ready")) resolve(true); });
    void exited.then(() => resolve(false));
  });
  if (!ready) {
    await rm(dir, { recursive: true, force: true });
    if (again > 0 && /in use/i.test(said)) return startSite(flags, again - 1);
    throw new Error(`plaza dev ended before it was ready:\n${said}`);
  }
  const where = JSON.parse(await readFile(join(dir, "faults.json"), "utf8"));
  const url = `http://127.0.0.1:${port}`;

  const proxy = (name) => ({
    async set(fault) {
      const response = await fetch(`${where.control}/${name}`, { method: "PUT", body: JSON.stringify(fault) });
      if (!response.ok) throw new Error(await response.text());
    },
    counts: async () => (await fetch(`${where.control}/${name}`)).json(),
  });

  const site = {
    url,
    dir,
    database: proxy("database"),
    redis: proxy("redis"),

    /** get asks for a page, of a member when one is given. */
    get: (path, member) => send(path, { headers: member ? { cookie: member.cookie } : {} }),

    /** post sends a form and takes the answer as a program; with { html: true } as a browser does. */
    post: (path, fields, member, { html = false, headers = {} } = {}) => send(path, {
      method: "POST", body: new URLSearchParams(fields),
      headers: { origin: url, ...(html ? {} : { accept: "application/json" }), ...(member ? { cookie: member.cookie } : {}), ...headers },
    }),

    async signUp(name, password = "correct horse battery") {
      const { status, text, cookie } = await site.post("/signup", { username: name, password });
      if (status !== 200) throw new Error(`sign-up answered ${status}: ${text}`);
      return { name, cookie };
    },

    /** sql runs a statement on the database itself, whatever its proxy does. */
    async sql(statement, ...args) {
      const typed = args.map((value) => (typeof value === "number" ? { type: "integer", value: String(value) } : { type: "text", value }));
      const response = await fetch(`${where.database}/v2/pipeline`, {
        method: "POST", body: JSON.stringify({ requests: [{ type: "execute", stmt: { sql: statement, args: typed } }, { type: "close" }] }),
        headers: { authorization: `Bearer ${where.databaseToken}` },
      });
      const { results } = await response.json();
      if (results[0].type !== "ok") throw new Error(JSON.stringify(results[0]));
      return results[0].response.result.rows.map((row) => row.map((cell) => cell.value ?? null));
    },

    /** vars are the variables and secrets of its worker, for another one on the same databases. */
    async vars() {
      const lines = (await readFile(join(dir, "worker.env"), "utf8")).split("\n").filter((line) => line.includes("="));
      return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1).replace(/^(["'])(.*)\1$/, "$2")]));
    },

    async stop() {
      child.kill("SIGTERM");
      await exited;
      await rm(dir, { recursive: true, force: true });
    },
  };

  /** answer is { status, text, json, location, cookie, ms }; status 0 when there was none. */
  async function send(path, init) {
    const began = performance.now();
    const took = () => Math.round(performance.now() - began);
    try {
      const response = await fetch(url + path, { redirect: "manual", ...init });
      const text = await response.text();
      const json = response.headers.get("content-type")?.startsWith("application/json") ? JSON.parse(text) : null;
      const cookie = response.headers.getSetCookie().find((line) => line.startsWith("__Host-session="))?.split(";")[0];
      return { status: response.status, text, json, cookie, location: response.headers.get("location"), headers: response.headers, ms: took() };
    } catch (error) {
      return { status: 0, text: String(error), json: null, ms: took() };
    }
  }
  return site;
}
