// The targets that Plaza has set itself, and whether a report meets them.

import { written } from "./numbers.mjs";
import { FLOOR, HONO, HONO_CACHES, PLAZA } from "./pages.mjs";
import { million } from "./cost.mjs";
import { reasons } from "./reasons.mjs";

/** targetsOf returns { name, limit, least, found, met, why } of each target. found is "not measured" and met null where the report lacks it. */
export function targetsOf(report) {
  const page = (scenario, worker) => report.pages?.find((line) => line.scenario === scenario && line.worker === worker)?.cpu;
  const ratio = (scenario, worker, other) => page(scenario, worker) / page(scenario, other);
  const acts = (test) => (report.acts ?? []).filter(({ name }) => test.test(name));
  const most = (test, key) => Math.max(...acts(test).map((line) => line[key]));
  const warm = "a community's page, warm", voted = "a community's page, after a vote", cold = "a community's page, nothing warm";
  const thread = "a thread of 500 comments", again = "a thread of 500 comments, read again";
  const { start } = report;
  const cost = report.acts && million(report);
  return [
    ["Member's listing, warm: CPU, in parts of Hono's with the same caches", 0.65, ratio(warm, PLAZA, HONO_CACHES), 2],
    ["After a vote: CPU, in parts of Hono's", 0.65, ratio(voted, PLAZA, HONO), 2],
    ["Nothing warm: CPU, in parts of Hono's", 0.9, ratio(cold, PLAZA, HONO), 2],
    ["Nothing warm: CPU, in parts of plain JavaScript's", 2, ratio(cold, PLAZA, FLOOR), 2],
    ["Thread of 500 comments: CPU, in parts of Hono's", 0.65, ratio(thread, PLAZA, HONO), 2],
    ["The same thread, read again: CPU, in parts of Hono's", 0.3, ratio(again, PLAZA, HONO), 2],
    ["Compiling and starting: CPU, ms", 70, start && start.compileCPU + start.goCPU, 0],
    ["app.wasm, MB", 18.5, start && start.appBytes / 1e6, 1],
    ["A visitor's cached page in a new isolate, with the gateway: CPU beyond plain JavaScript, ms", 10,
      start && start.gatewayCPU - start.visitorPlainCPU, 1],
    ["Redis commands of a vote", 3, most(/^a vote/, "commands"), 1],
    ["Redis commands of a page", 1, most(/^a .*'s page:/, "commands"), 1],
    ["Rows written by a vote, whatever the tags", 8, most(/^a vote/, "rows_written"), 0],
    ["Rows written by a comment", 25, most(/^a (comment|reply)/, "rows_written"), 0],
    ["Rows written by a post with five tags", 60, most(/^a post with five tags/, "rows_written"), 0],
    ["A million votes, $", 8, cost?.votes, 2],
    ["A million views, mixed, $", 1, cost?.views, 2],
    ["Votes on a day of the free plans, with VOTES_BY_MINUTE and without Redis", 20_000, cost?.freeVotes, 0, { least: true }],
  ].map(([name, limit, value, places, { least = false } = {}]) => {
    const found = Number.isFinite(value) ? value : null;
    return { name, limit: written(limit, Number.isInteger(limit) ? 0 : 2), least, why: reasons[name], found: found === null ? "not measured" : written(found, places),
      met: found === null ? null : least ? found >= limit : found <= limit };
  });
}
