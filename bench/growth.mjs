// Whether pages read as much on a large site as on a small one, and on four databases as on one: what the tests of rows print, with 10,000 to
// 1,000,000 posts and threads of 1,000 to 100,000 comments. It takes some minutes.
//
//   ./build.sh bench growth            up to 1,000,000 posts
//   ./build.sh bench growth --quick    up to 100,000
//   ./build.sh bench growth --keep     and writes bench/growth.json and its part of docs/performance.md

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { growthText, writeDocuments } from "./report/document.mjs";
import { root } from "./site.mjs";

const { values: options } = parseArgs({ options: { quick: { type: "boolean", default: false }, keep: { type: "boolean", default: false } } });
const SHARDS = [1, 4];

// What a line of a test's table says: a list, its order, the window of time, which page, the rows for each size, and the
// requests, which are the same for all sizes.
const SIZES = /by posts in the community: \[([\d ]+)\]/;
const LINE = /^\s*(site|community|profile)\s+(\S+)\s+(?:(\S+)\s+)?(first|deep)\s+\[([\d ]+)\] in (\d+) requests$/gm;
const numbers = (text) => text.trim().split(/\s+/).map(Number);

/** tested runs a test and returns what it has printed. */
function tested(folder, test, shards) {
  const slow = options.quick ? {} : { PLAZA_SLOW: "1" };
  return execFileSync("go", ["test", folder, "-run", `^${test}$`, "-v", "-count=1", "-timeout", "30m"],
    { cwd: root, encoding: "utf8", maxBuffer: 1 << 26, env: { ...process.env, ...slow, PLAZA_SHARDS: String(shards) } });
}

const growth = { lists: [] };
for (const shards of SHARDS) {
  console.error(`lists, with ${shards} thread shards`);
  const text = tested("./data/lists/listings", "TestRowsRead", shards);
  growth.sizes = numbers(SIZES.exec(text)[1]);
  for (const [, of, order, window = "", page, rows, requests] of text.matchAll(LINE)) {
    growth.lists.push({ shards, of, order, window, page, rows: numbers(rows), requests: Number(requests) });
  }
}
if (growth.lists.length === 0) throw new Error("the tests have printed no table");
console.log(growthText(growth));
if (options.keep) {
  writeFileSync(join(root, "bench/growth.json"), `{"sizes": ${JSON.stringify(growth.sizes)}, "lists": [\n${growth.lists.map((line) => JSON.stringify(line)).join(",\n")}\n]}\n`);
  const report = join(root, "bench/report.json");
  if (existsSync(report)) writeDocuments(JSON.parse(readFileSync(report, "utf8")));
}
