// What scrapers do to members: 2,000 addresses, each in a network of its own, send one request each for a page deep in the site. Members read
// at a constant rate: alone, beside the scrapers while visitors get all pages, and while they get cached pages only, by turns. They also read
// beside as many visitors who all get a copy of one page from the edge cache. That is what so many requests cost on this machine whatever
// Plaza does. It says how long members' pages took, what the scrapers got and how many rows that read.
//
//   ./build.sh bench scrapers [--scrapers 2000] [--seconds 15] [--rounds 3] [--rate 20] [--posts 5000]
//   ./build.sh bench scrapers --keep     and writes bench/scrapers.json and its part of docs/performance.md

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { scrapersText, writeDocuments } from "./report/document.mjs";
import { median, rounded } from "./report/numbers.mjs";
import { openSite } from "./report/site.mjs";
import { root } from "./site.mjs";

const { values: options } = parseArgs({ options: {
  scrapers: { type: "string", default: "2000" },
  seconds: { type: "string", default: "15" }, // in which all of them come
  rounds: { type: "string", default: "3" },
  rate: { type: "string", default: "20" }, // members' pages a second
  posts: { type: "string", default: "5000" },
  keep: { type: "boolean", default: false },
} });
const [scrapers, seconds, rounds, rate] = [options.scrapers, options.seconds, options.rounds, options.rate].map(Number);

const MEMBERS = 32;
const COMMENTS = 2000;
const ORDERS = ["hot", "new", "active", "top", "comments"];
const DEEP = 16; // pages that are walked in each order
const say = (text) => console.error(text);

/** deepPages returns as many addresses deep in the site, in an order that mixes their kinds: lists, threads, profiles, searches, tags. */
async function deepPages(it, worker, count) {
  const open = async (path) => {
    const response = await fetch(worker.url + path, { headers: { accept: "text/html", cookie: it.members[0] } });
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
    return (await response.text()).replaceAll("&amp;", "&");
  };
  const lists = new Set(), threads = new Set(), authors = new Set(), words = new Set();
  for (const base of ["", ...["askscience", "golang", "linux", "Cooking", "woodworking"].map((name) => `/c/${name}`)]) {
    for (const order of ORDERS) {
      let path = `${base}/${order}${order === "top" || order === "comments" ? "?t=all" : ""}`;
      for (let i = 0; i < DEEP && path; i += 1) {
        const page = await open(path);
        for (const [, thread] of page.matchAll(/href="(\/c\/\w+\/p\/[\w-]+)"/g)) threads.add(thread);
        for (const [, author] of page.matchAll(/href="(\/u\/[\w-]+)"/g)) authors.add(author);
        for (const [, word] of page.matchAll(/>[^<]*?\b([A-Za-z]{6,12})\b[^<]*<\/a>/g)) words.add(word.toLowerCase());
        path = /href="([^"]*[?&]after=[^"]*)"/.exec(page)?.[1];
        if (path) lists.add(path);
      }
    }
  }
  const kinds = {
    lists: [...lists],
    threads: [...threads].flatMap((path) => [path, `${path}?sort=new`, `${path}?sort=top`]),
    profiles: [...authors].flatMap((path) => [path, `${path}/comments`, `${path}?sort=top`]),
    searches: [...words].flatMap((word) => [`/search?q=${word}`, `/search?q=${word}&sort=top`]),
    tags: [...words].map((word) => `/tag/${word}`),
  };
  const share = { lists: 0.2, threads: 0.5, profiles: 0.1, searches: 0.15, tags: 0.05 };
  const taken = Object.keys(kinds).flatMap((kind) => {
    const own = Math.min(kinds[kind].length, Math.round(count * share[kind]));
    return Array.from({ length: own }, (_, i) => ({ path: kinds[kind][Math.floor((i * kinds[kind].length) / own)], at: (i + 0.5) / own }));
  });
  const rest = kinds.threads.filter((path) => !taken.some((one) => one.path === path)).slice(0, count - taken.length);
  taken.push(...rest.map((path, i) => ({ path, at: (i + 0.5) / rest.length })));
  if (taken.length < count) throw new Error(`the site has only ${taken.length} deep pages: more --posts`);
  say(`${taken.length} deep pages: ${Object.entries(kinds).map(([kind, all]) => `${Math.min(all.length, Math.round(count * share[kind]))} ${kind}`).join(", ")}`);
  return taken.sort((a, b) => a.at - b.at).map(({ path }) => path);
}

/** choose sets what visitors can read, and waits until the worker goes by it. */
async function choose(it, worker, visitors, probe) {
  const response = await fetch(`${it.site.url}/admin/settings`, { method: "POST", redirect: "manual",
    headers: { cookie: it.admins[0], origin: it.site.url }, body: new URLSearchParams({ visitors }) });
  if (response.status !== 303) throw new Error(`the settings answered ${response.status}`);
  const wanted = visitors === "all" ? 200 : 429;
  for (let i = 0; ; i += 1) {
    await it.network.ask({ forget: true });
    await fetch(worker.url, { headers: { cookie: it.members[0] } }); // reads the settings
    const { status } = await fetch(worker.url + probe, { headers: { accept: "text/html", "x-real-ip": `10.255.${i}.7` } });
    if (status === wanted) break;
    if (i === 100) throw new Error(`visitors get ${status} after the switch to ${visitors}`);
    await wait(500);
  }
  await it.network.ask({ forget: true });
}

const dir = await mkdtemp(join(tmpdir(), "plaza-bench-"));
const it = await openSite(dir, MEMBERS);
try {
  execFileSync("go", ["run", "./bench/search", "-posts", options.posts, "-comments", String(COMMENTS)], { cwd: root, stdio: ["ignore", "inherit", "inherit"], env: { ...process.env, ...it.site.vars } });
  const unlimited = await it.serve(it.deployed("unlimited"));
  const deep = await deepPages(it, unlimited, scrapers);
  await unlimited.stop();
  const worker = await it.serve(it.deployed("measured"), { LIMIT_FACTOR: "1", PLAZA_CLIENT_ADDRESS_HEADER: "x-real-ip" });
  const reading = ["/", it.thread, `/c/${it.community}`, "/new", `/u/${it.author}`, ...deep.filter((path) => path.includes("/p/")).slice(0, 20)];
  let network = 1;
  const members = (job) => it.load(worker, { kind: "get", paths: reading, rate, seconds, ...job });
  const scrape = async (count = false, paths = deep) => {
    await it.network.ask({ forget: paths === deep, count });
    const found = await it.load(worker, { kind: "get", paths, cookies: [], rate: scrapers / seconds, seconds: seconds + 1, requests: scrapers, networks: network });
    network += scrapers;
    return found;
  };
  await it.load(worker, { kind: "get", paths: reading, connections: 4, seconds: 5 }); // the engine compiles what runs often

  const found = { alone: [], copies: [], all: [], cached: [] };
  const missedOf = (one) => one.failures + Object.entries(one.responses).reduce((sum, [status, n]) => sum + (status === "200" ? 0 : n), 0);
  const responses = { all: {}, cached: {} };
  for (let round = 0; round < rounds; round += 1) {
    for (const visitors of ["all", "cached"]) {
      await choose(it, worker, visitors, `/u/${it.author}?sort=top`);
      const alone = await members();
      const [beside, got] = await Promise.all([members(), scrape()]);
      for (const one of [alone, beside]) one.missed = missedOf(one);
      found.alone.push(alone);
      found[visitors].push(beside);
      for (const [status, n] of Object.entries(got.responses)) responses[visitors][status] = (responses[visitors][status] ?? 0) + n / rounds;
      say(`round ${round + 1}, ${visitors}: alone p50 ${alone.p50_ms.toFixed(1)} p99 ${alone.p99_ms.toFixed(1)} ms, ${alone.missed} errors, beside p50 ${beside.p50_ms.toFixed(1)} p99 ${beside.p99_ms.toFixed(1)} ms, ${beside.missed} errors, scrapers ${JSON.stringify(got.responses)} p99 ${got.p99_ms.toFixed(0)} ms`);
    }
    await choose(it, worker, "all", `/u/${it.author}?sort=top`);
    await fetch(`${worker.url}/communities`, { headers: { accept: "text/html" } });
    const [beside, got] = await Promise.all([members(), scrape(false, ["/communities"])]);
    if (!got.responses["200 HIT"]) throw new Error(`those who should get copies got ${JSON.stringify(got.responses)}`);
    beside.missed = missedOf(beside);
    found.copies.push(beside);
    say(`round ${round + 1}: beside copies p50 ${beside.p50_ms.toFixed(1)} p99 ${beside.p99_ms.toFixed(1)} ms, ${beside.missed} errors, ${JSON.stringify(got.responses)}`);
  }
  const counted = {};
  for (const visitors of ["all", "cached"]) { // counting takes time, so nobody is measured meanwhile
    await choose(it, worker, visitors, `/u/${it.author}?sort=top`);
    await scrape(true);
    const passed = await it.network.ask();
    counted[visitors] = { rows: passed.rows_read, requests: passed.database, commands: passed.commands };
  }
  const missed = (list) => list.reduce((sum, one) => sum + one.missed, 0) / list.reduce((sum, one) => sum + one.requests + one.failures, 0);
  const of = (list, key) => median(list.map((one) => one[key]));
  const result = rounded({ scrapers, seconds, rate, posts: Number(options.posts),
    alone: { p50: of(found.alone, "p50_ms"), p99: of(found.alone, "p99_ms"), missed: missed(found.alone) },
    copies: { p50: of(found.copies, "p50_ms"), p99: of(found.copies, "p99_ms"), missed: missed(found.copies) },
    ...Object.fromEntries(["all", "cached"].map((visitors) => [visitors, {
      p50: of(found[visitors], "p50_ms"), p99: of(found[visitors], "p99_ms"), missed: missed(found[visitors]), responses: responses[visitors], ...counted[visitors] }])) });
  console.log(scrapersText(result));
  if (options.keep) {
    writeFileSync(join(root, "bench/scrapers.json"), `${JSON.stringify(result, null, 1)}\n`);
    const report = join(root, "bench/report.json");
    if (existsSync(report)) writeDocuments(JSON.parse(readFileSync(report, "utf8")));
  }
} finally {
  await it.stop();
  await rm(dir, { recursive: true, force: true });
}
process.exit(0); // whatever still listens
