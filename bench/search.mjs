// What searches that are meant to be dear do to everybody else. Members read /hot one page after the other: first alone, then while others
// search for common words in every way there is, each as often as the limit of searches allows, then alone again. Another member searches
// for ordinary things meanwhile, of which none may be refused. The site has 500,000 posts, copies of real ones, and 200,000 comments;
// filling it takes some minutes, and --data keeps it for the next time.
//
//   ./build.sh bench search [--data DIR] [--posts 500000] [--comments 200000] [--searchers 5] [--seconds 60] [--json]

import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { root, signUp, startSite } from "./site.mjs";

const { values: options } = parseArgs({ options: {
  data: { type: "string" },
  posts: { type: "string", default: "500000" },
  comments: { type: "string", default: "200000" },
  searchers: { type: "string", default: "5" },
  seconds: { type: "string", default: "60" },
  json: { type: "boolean", default: false },
} });

const common = ["the", "a", "of", "to", "i", "in", "and", "for", "is", "it", "on", "that", "this", "my", "with", "from", "you", "be"];
const ordinary = ["learn python", "how to cook rice", "best linux distribution for a laptop", "black holes", "history of rome", '"machine learning"', "garden",
  "what is the best way to learn haskell", "solar panel*", '"how to" build a table', "climate change", "kind:link physics", "why is the sky blue", '"open source"'];

/** dear are the searches of one searcher, one after the other. Each is another one. */
function* dear(n) {
  for (let i = n; ; i += 1) {
    const word = (k) => common[(i * 7 + k * 5) % common.length];
    const words = (count) => Array.from({ length: count }, (_, k) => word(k));
    const phrase = (count) => `"${words(count).join(" ")}"`;
    const pairs = (count) => Array.from({ length: count }, (_, k) => `"${word(k)} ${word(k + 1)}"`).join(" ");
    yield* [phrase(24), pairs(8), words(9).join(" "), phrase(6), pairs(6), phrase(2), words(12).join(" "), `${word(0)} -${word(1)} -${word(2)}`, "compu* progr*", "inter*", phrase(3)];
  }
}

const wait = (ms) => new Promise((done) => { setTimeout(done, Math.max(ms, 0)); });
const at = (list, share) => [...list].sort((a, b) => a - b)[Math.min(Math.floor(list.length * share), list.length - 1)] ?? NaN;
const summary = (list) => ({ pages: list.length, median: at(list, 0.5), p95: at(list, 0.95) });

async function get(site, cookie, path) {
  const began = performance.now();
  const response = await fetch(site.url + path, { headers: { cookie }, redirect: "manual" });
  await response.text();
  return { status: response.status, ms: performance.now() - began };
}

/** every calls f once a second until the time is over, and counts what it answers. */
async function every(until, f) {
  const statuses = {}, times = [];
  while (performance.now() < until) {
    const next = performance.now() + 1000;
    const { status, ms } = await f();
    statuses[status] = (statuses[status] ?? 0) + 1;
    times.push(ms);
    await wait(Math.min(next, until) - performance.now());
  }
  return { statuses, times };
}

/** readers has two members read /hot until the time is over, and returns how long each page took. */
async function readers(site, cookies, until) {
  const times = [];
  await Promise.all(cookies.map(async (cookie) => {
    while (performance.now() < until) {
      const { status, ms } = await get(site, cookie, "/hot");
      if (status !== 200) throw new Error(`/hot answered ${status}`);
      times.push(ms);
      await wait(100); // within the budget of reading
    }
  }));
  return times;
}

const dir = options.data ? undefined : await mkdtemp(join(tmpdir(), "plaza-bench-"));
const site = await startSite(dir ? join(dir, "data") : resolve(process.env.PLAZA_CALLED_FROM ?? ".", options.data));
try {
  execFileSync("go", ["run", "./bench/search", "-posts", options.posts, "-comments", options.comments], { cwd: root, stdio: ["ignore", "inherit", "inherit"], env: { ...process.env, ...site.vars } });
  const member = (name) => signUp(site.url, `${name}${Date.now() % 1e7}`);
  const reading = [await member("reads"), await member("rereads")];
  const asking = await member("asks");
  const searching = [];
  for (let i = 0; i < Number(options.searchers); i += 1) searching.push(await member(`seeks${i}x`));
  for (const cookie of reading) for (let i = 0; i < 20; i += 1) await get(site, cookie, "/hot");

  const seconds = Number(options.seconds) * 1000;
  const alone = await readers(site, reading, performance.now() + seconds / 2);
  let i = 0;
  const end = performance.now() + seconds;
  const [beside, ordinaries, ...dears] = await Promise.all([
    readers(site, reading, end),
    every(end, async () => { await wait(1000); return get(site, asking, `/search?q=${encodeURIComponent(ordinary[i++ % ordinary.length])}`); }),
    ...searching.map((cookie, n) => { const list = dear(n); return every(end, () => get(site, cookie, `/search?q=${encodeURIComponent(list.next().value)}${n % 2 ? "&sort=top" : ""}`)); }),
  ]);
  alone.push(...await readers(site, reading, performance.now() + seconds / 2));

  const statuses = {};
  for (const d of dears) for (const [status, count] of Object.entries(d.statuses)) statuses[status] = (statuses[status] ?? 0) + count;
  const result = { posts: Number(options.posts), comments: Number(options.comments), searchers: searching.length, alone: summary(alone), beside: summary(beside),
    median: at(beside, 0.5) / at(alone, 0.5), p95: at(beside, 0.95) / at(alone, 0.95),
    dear: { statuses, ...summary(dears.flatMap((d) => d.times)) }, ordinary: { statuses: ordinaries.statuses, ...summary(ordinaries.times) } };
  const ms = (v) => `${v.toFixed(1)} ms`;
  const said = (s) => `${s.pages} pages, median ${ms(s.median)}, p95 ${ms(s.p95)}`;
  console.log(options.json ? JSON.stringify(result) : `/hot alone: ${said(result.alone)}
/hot beside ${searching.length} who search for common words: ${said(result.beside)}
  ${result.median.toFixed(2)} times in the median, ${result.p95.toFixed(2)} times at p95 (1.5 and 3 are allowed)
their searches: ${said(result.dear)}, ${JSON.stringify(statuses)}
ordinary searches meanwhile: ${said(result.ordinary)}, ${JSON.stringify(result.ordinary.statuses)}`);
  if (!(result.median <= 1.5 && result.p95 <= 3) || Object.keys(ordinaries.statuses).some((s) => s !== "200")) process.exitCode = 1;
} finally {
  await site.stop();
  if (dir) await rm(dir, { recursive: true, force: true });
}
