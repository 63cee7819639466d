// The site that is measured: `plaza dev` with the posts that the repository has, members, a thread of 500 comments, and builds of the worker
// beside it on workerd. `plaza dev` itself serves no request while something is measured.

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { root, signUp, startSite } from "../site.mjs";
import { configure, startNetwork, startWorker } from "./worker.mjs";

const COMMUNITY = "askscience";
const COMMENTS = 500;
const ADMINS = 8;
const MOST_FAILURES = 0.05; // of the requests of a round
const MODULES = ["worker.mjs", "wasm_exec.js", "app.wasm"];
const TAGS = "one two three four five";

/** CONNECTIONS is how many requests are under way at once, where a scenario does not say another number. */
export const CONNECTIONS = 16;

/** openSite starts everything but workers. dir is where it may write. */
export async function openSite(dir, memberCount) {
  process.env.PLAZA_DEMO_DATA = join(root, "cmd/plaza/sample"); // the same posts wherever it runs
  const site = await startSite();
  const network = await startNetwork(dir, site.vars);
  execFileSync("go", ["build", "-o", join(dir, "load"), "./bench/load"], { cwd: root, stdio: "inherit" });
  const databases = ["--url", site.vars.LIBSQL_URL, "--token", site.vars.LIBSQL_AUTH_TOKEN];
  const seeded = spawnSync(join(root, "build/plaza"), ["seed", "--thread", String(COMMENTS), ...databases], { encoding: "utf8" });
  if (seeded.status !== 0) throw new Error(seeded.stderr);
  const thread = seeded.stdout.trim().split(" ").at(-1);
  const members = [];
  for (let i = 0; i < memberCount; i += 1) members.push(await signUp(site.url, `bench${Date.now() % 1e6}n${i}`));
  const admins = []; // new members may not upload pictures, and nobody uploads more than 100 a day
  for (let i = 0; i < ADMINS; i += 1) {
    const name = `admin${Date.now() % 1e6}n${i}`;
    admins.push(await signUp(site.url, name));
    execFileSync(join(root, "build/plaza"), ["admin", ...databases, name], { stdio: ["ignore", "ignore", "inherit"] });
  }
  const vars = { ...site.vars, SITE_URL: "http://plaza.bench", LIBSQL_URL: "http://sqld.bench", UPSTASH_REDIS_REST_URL: "http://redis.bench" };
  const it = {
    dir, site, network, members, admins, vars, thread, community: COMMUNITY, tags: TAGS,
    /** as asks `plaza dev` for a page or sends it a form, as the first member. */
    async as(path, form) {
      const headers = { cookie: members[0], accept: "text/html", origin: site.url };
      const response = await fetch(site.url + path, form ? { method: "POST", body: new URLSearchParams(form), redirect: "manual", headers } : { headers });
      if (response.status >= 400) throw new Error(`${path} answered ${response.status}: ${(await response.text()).slice(0, 300)}`);
      return form ? response.headers.get("location") : response.text();
    },
    /** made compiles a program and returns the folder of its modules. */
    made(name, program, ...more) {
      const at = join(dir, name);
      execFileSync(join(root, "worker/edge/build.sh"), [at, program, ...more], { stdio: "inherit" });
      return at;
    },
    /** deployed returns a folder with the modules of the worker that is deployed. Each configuration has a folder of its own. */
    deployed(name) {
      const at = join(dir, name);
      mkdirSync(at, { recursive: true });
      for (const file of MODULES) cpSync(join(root, "build", file), join(at, file));
      return at;
    },
    /** serve starts a worker: the modules in a folder, with these variables in place of the usual. */
    async serve(at, more = {}, files = MODULES, how = {}) {
      await configure(at, { files, vars: { ...vars, ...more }, network, ...how });
      return startWorker(at);
    },
    /** load sends requests of one kind for a while, and returns what came of it (bench/load). */
    load(worker, job) {
      const child = spawn(join(dir, "load"), { stdio: ["pipe", "pipe", "inherit"] });
      child.stdin.end(JSON.stringify({ url: worker.url, connections: CONNECTIONS, cookies: members, ...job }));
      let text = "";
      child.stdout.on("data", (data) => { text += data; });
      return new Promise((resolve, reject) => {
        child.on("exit", (code) => {
          const result = code === 0 ? JSON.parse(text) : { failures: 1, first_failure: `load ended with ${code}` };
          // A busy sqld refuses some requests. Plaza sends these again; others show an error.
          if (result.failures > result.requests * MOST_FAILURES || result.requests === 0) reject(new Error(`${result.failures} requests failed: ${result.first_failure}\n${worker.log().slice(-2000)}`));
          else resolve(result);
        });
      });
    },
    async stop() {
      await network.stop();
      await site.stop();
    },
  };
  const listing = await it.as(`/c/${COMMUNITY}`);
  it.targets = [...listing.matchAll(/id="p-(\w+)"/g)].map(([, id]) => id);
  it.second = /href="(\/c\/\w+\/hot\?after=[^"]+)"/.exec(listing)[1];
  it.author = /<article class="full".*?href="\/u\/(\w+)"/s.exec(await it.as(thread))[1];
  return it;
}
