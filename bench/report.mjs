// One report of what Plaza takes and costs, beside others that do the same (bench/peers): on plain workerd, by turns, medians. It is written
// as text, as JSON (build/bench/report.json) and as charts (build/bench/*.svg). --keep puts it into the repository: bench/report.json, and the
// parts of docs/performance.md and docs/cost.md that come from it.
//
//   ./build.sh bench                        all of it, about 12 minutes on two cores
//   ./build.sh bench --quick                short rounds, about 4 minutes: for a look, its figures are rough
//   ./build.sh bench --only start,pages,acts,distance    some parts
//   ./build.sh bench --keep                 and writes the documents
//   ./build.sh bench --compare              and names the pages that have become slower since bench/report.json
//   ./build.sh bench report --from build/bench/report.json --keep    the same from a report that is there; measures nothing
//   ./build.sh bench report --check         says whether the documents are what bench/report.json gives; measures nothing

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { countActs } from "./report/acts.mjs";
import { measureDistance } from "./report/distance.mjs";
import { chartsOf, checkDocuments, textOf, writeDocuments } from "./report/document.mjs";
import { rounded } from "./report/numbers.mjs";
import { measurePages } from "./report/pages.mjs";
import { openSite } from "./report/site.mjs";
import { slowerOf } from "./report/slower.mjs";
import { measureStart } from "./report/start.mjs";
import { root } from "./site.mjs";

const PARTS = ["start", "pages", "acts", "distance"];
const { values: options } = parseArgs({ options: {
  quick: { type: "boolean", default: false },
  only: { type: "string", default: PARTS.join() },
  scenario: { type: "string" }, // measure only pages whose name has this in it
  keep: { type: "boolean", default: false },
  compare: { type: "boolean", default: false },
  from: { type: "string" },
  check: { type: "boolean", default: false },
} });

const kept = join(root, "bench/report.json");

if (options.check) {
  const stale = checkDocuments(JSON.parse(readFileSync(kept, "utf8")));
  for (const file of stale) console.error(`${file} is not what bench/report.json gives: ./build.sh bench report --from bench/report.json --keep`);
  process.exit(stale.length > 0 ? 1 : 0);
}

const result = options.from ? JSON.parse(readFileSync(resolve(process.env.PLAZA_CALLED_FROM ?? ".", options.from), "utf8")) : rounded(await measure());
const text = `${JSON.stringify(result, null, 1)}\n`;
const out = join(root, "build/bench");
mkdirSync(out, { recursive: true });
writeFileSync(join(out, "report.json"), text);
for (const [name, chart] of Object.entries(chartsOf(result))) writeFileSync(join(out, `${name}.svg`), chart);
console.log(textOf(result));
if (options.compare) for (const line of slowerOf(JSON.parse(readFileSync(kept, "utf8")), result)) console.log(`slower: ${line}`);
if (options.keep) {
  if (!PARTS.every((part) => result[part])) throw new Error("only a whole report is kept");
  writeFileSync(kept, text);
  writeDocuments(result);
}
process.exit(0); // whatever still listens

/** measure returns the report. */
async function measure() {
  const parts = options.only.split(",");
  for (const part of parts) if (!PARTS.includes(part)) throw new Error(`there is no part ${part}: ${PARTS.join(", ")}`);
  const began = Date.now();
  const say = (text) => console.error(`${String(Math.round((Date.now() - began) / 1000)).padStart(4)} s  ${text}`);
  const { quick } = options;
  const dir = await mkdtemp(join(tmpdir(), "plaza-bench-"));
  const it = await openSite(dir, quick ? 8 : 32);
  const report = { cores: cpus().length, quick };
  try {
    if (parts.includes("start")) report.start = await measureStart(it, { isolates: quick ? 5 : 15, say });
    if (parts.includes("pages")) report.pages = await measurePages(it, { seconds: quick ? 1 : 2.5, warm: quick ? 1 : 2, rounds: quick ? 1 : 3, stock: !quick, say, only: options.scenario });
    if (parts.includes("acts")) report.acts = await countActs(it, say);
    if (parts.includes("distance")) report.distance = await measureDistance(it, { requests: quick ? 8 : 20, say });
  } finally {
    await it.stop();
    await rm(dir, { recursive: true, force: true });
  }
  report.seconds = Math.round((Date.now() - began) / 1000);
  return report;
}
