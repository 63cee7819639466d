// The report as text, as charts, and in docs/performance.md and docs/cost.md.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../site.mjs";
import { bars } from "./charts.mjs";
import { million } from "./cost.mjs";
import { costDocument } from "./cost_document.mjs";
import { CONNECTIONS } from "./site.mjs";
import { significant, table, written } from "./numbers.mjs";
import { targetsOf } from "./targets.mjs";

const BEGIN = "<!-- ./build.sh bench --keep writes from here -->", END = "<!-- to here -->";
const PERFORMANCE = "docs/performance.md", COST = "docs/cost.md", CHARTS = "docs/bench";
const MB = 1e6;

const pages = ({ pages: lines }) => `### Pages and acts

Medians by turns, on plain workerd, ${CONNECTIONS} connections at once. CPU is that of the whole worker for one request, with the consumers of its
messages. Requests a second depend on the databases, which share the cores. The others are in \`bench/peers\`. "Nothing warm" is a page right
after its member has posted something: it reads everything anew. So do the thread, front page, search and inbox here. After a vote a page
reads the member's own state anew. A thread that is "read again" was cached by the instance. Hono with caches
keeps the same data as Plaza for as long. Plaza also keeps HTML: of rows, of comments, and of parts that pages have in common. Hono's pages
have no time zones, translations, flair, filters, blocks, moderators' view and noise in scores, so it does less for each page. Plain
JavaScript sends what Plaza asks, and a text of the same length: nothing that is asked and sent can take less.

${table(["", "worker", "CPU ms", "requests/s", "p50 ms", "p99 ms", "bytes", "Wasm MB"], lines.map((line, i) => (
    [line.scenario === lines[i - 1]?.scenario ? "" : line.scenario, line.failures ? `${line.worker} (${line.failures} failed)` : line.worker, written(line.cpu, 2), written(line.perSecond), written(line.p50, 1), written(line.p99, 1),
      written(line.bytes), line.wasm ? written(line.wasm / MB, 1) : "–"])), 2)}`;

const start = ({ start: it }) => `### A new isolate

Medians of processes of their own. What workerd takes for carrying so large a module at all is taken out: a JavaScript worker that has it as
data starts beside it.

${table(["", "CPU ms"], [
    ["compiling app.wasm", written(it.compileCPU, 1)],
    ["starting Go, before the first request", written(it.goCPU, 1)],
    ["the first page of a member", written(it.firstCPU, 1)],
    ["a visitor's page from the cache, all together", written(it.visitorCPU, 1)],
    ["the same with the gateway in front", written(it.gatewayCPU, 1)],
    ["the same by plain JavaScript", written(it.visitorPlainCPU, 1)],
  ])}

app.wasm has ${written(it.appBytes / MB, 1)} MB, ${written(it.appGzip / MB, 1)} MB gzipped. After one page its memory is ${written(it.memory / MB, 1)} MB. Until workerd listens it takes
${written(it.listening)} ms more than for plain JavaScript, and the first page of a member takes ${written(it.first, 1)} ms.`;

const acts = ({ acts: lines }) => `### What is billed

Counted one by one with everything that follows, consumers too, on a site that does nothing else and with nothing warm.

${table(["", "database requests", "rows read", "rows written", "Redis requests", "Redis commands", "messages", "bytes"], lines.map((line) => (
    [line.name, ...["database", "rows_read", "rows_written", "redis", "commands", "messages"].map((key) => significant(line[key])), line.bytes ? written(line.bytes) : "–"])))}`;

function distance({ distance: lines }) {
  const ways = [...new Set(lines.map(({ way }) => way))];
  const rows = [...new Set(lines.map(({ request, worker }) => `${request}, ${worker}`))];
  return `### Far from the database

What one person waits for, in ms, one request after the other. With \`placement\` the worker runs beside the database and Redis, 1 ms from both;
the 30 ms between it and the reader are added, once a request. Visitors' pages from the cache would lose by that.

${table(["", ...ways], rows.map((row) => [row, ...ways.map((way) => written(lines.find((line) => line.way === way && `${line.request}, ${line.worker}` === row)?.ms, 1))]))}`;
}

function targets(report) {
  const list = targetsOf(report);
  const missed = list.filter(({ met, why }) => met === false && why);
  const reasons = missed.length === 0 ? "" : `

Why some are not met:

${missed.map(({ name, why }) => `- ${name}: ${why}`).join("\n")}`;
  return `### Targets

${table(["", "target", "measured", ""], list.map(({ name, limit, least, found, met }) => [name, `${least ? "≥" : "≤"} ${limit}`, found, met === null ? "" : met ? "met" : "**not met**"]))}${reasons}`;
}

const sections = { targets, pages, start, acts, distance };

function sectionsOf(report) {
  return Object.entries(sections).filter(([name]) => name === "targets" || report[name]).map(([, section]) => section(report));
}

/**
 * growthText says how many rows a page of each list reads, by the posts of the site (bench/growth.mjs). The windows of time of an order, its
 * first page and one in the middle are together in a line.
 */
export function growthText({ sizes, lists }) {
  const shards = [...new Set(lists.map((line) => line.shards))];
  const nameOf = ({ of, order }) => `${of}, ${order}`;
  const range = (found) => {
    const [least, most] = [Math.min(...found), Math.max(...found)];
    return least === most ? written(least) : `${written(least)} to ${written(most)}`;
  };
  const columns = shards.flatMap((n) => sizes.map((size, i) => ({ n, size, i })));
  const rows = [...new Set(lists.map(nameOf))].map((name) => {
    const on = (n) => lists.filter((line) => line.shards === n && nameOf(line) === name);
    return [name, ...columns.map(({ n, i }) => range(on(n).map((line) => line.rows[i]))), ...shards.map((n) => range(on(n).map(({ requests }) => requests)))];
  });
  const grown = Math.max(...lists.map((line) => Math.max(...line.rows) / Math.min(...line.rows)));
  return `### Larger sites, and more databases

Rows that a page of 25 posts reads, by the number of posts and of thread shards, and the requests for them, which leave together. A page of
the largest site reads at most ${written(grown, 2)} times as much as the same page of the smallest.

${table(["", ...columns.map(({ n, size }) => `${written(size)}, ${n} ${n === 1 ? "shard" : "shards"}`), ...shards.map((n) => `requests, ${n} ${n === 1 ? "shard" : "shards"}`)], rows)}`;
}

/** scrapersText says what scrapers do to members (bench/scrapers.mjs). */
export function scrapersText({ scrapers, seconds, rate, posts, alone, copies, all, cached }) {
  const got = ({ responses }) => {
    const of = (test) => Object.entries(responses).filter(([status]) => test.test(status)).reduce((sum, [, n]) => sum + n, 0);
    return [of(/^200 MISS/), of(/^200 (HIT|STALE)/), of(/^429/), of(/^(?!200|429)/)].map((n) => written(n));
  };
  const times = ({ p50, p99, missed }) => [written(p50, 1), written(p99, 1), written(p99 / alone.p99, 2), `${written(missed * 100, 1)} %`];
  const cost = ({ rows, requests, commands }) => [written(rows), written(requests), written(commands)];
  return `### Scrapers

${written(scrapers)} addresses, each in a network of its own, send one request each within ${written(seconds)} s: for later pages of lists, old threads in several
orders, profiles, searches and tags. The site has ${written(posts)} posts, and the edge cache is empty. Members read ${written(rate)} pages a second
meanwhile. The goal is that their p99 at most doubles. Worker, databases, edge cache and all who ask share this machine's cores. So the second
line has what as many requests do that cost Plaza least: each gets the same page from the edge cache.

${table(["", "members' p50 ms", "p99 ms", "times as long", "errors", "made for scrapers", "copies", "429", "others", "rows read for them", "database requests", "Redis commands"], [
    ["members alone", ...times(alone), "–", "–", "–", "–", "–", "–", "–"],
    ["beside as many visitors with a page from the edge cache", ...times(copies), "–", "–", "–", "–", "–", "–", "–"],
    ["beside scrapers", ...times(all), ...got(all), ...cost(all)],
    ["the same, with few pages for visitors", ...times(cached), ...got(cached), ...cost(cached)],
  ])}`;
}

/** textOf is the report as text. */
export const textOf = (report) => [report.quick ? "Short rounds: the figures are rough." : "", ...sectionsOf(report)].filter(Boolean).join("\n\n");

/** chartsOf returns the charts by the names of their files. */
export function chartsOf(report) {
  const charts = {};
  const group = (lines, by, series, value, text) => [...new Set(lines.map((line) => line[by]))].map((name) => (
    { name, bars: lines.filter((line) => line[by] === name).map((line) => ({ series: line[series], value: line[value], text: text(line[value]) })) }));
  if (report.pages) charts.cpu = bars("CPU of a request, ms", group(report.pages.filter(({ worker }) => worker !== "workers.Serve"), "scenario", "worker", "cpu", (n) => written(n, 2)));
  if (report.distance) {
    charts.distance = bars("What a reader waits for, ms", group(report.distance.filter(({ worker }) => worker === "Plaza"), "request", "way", "ms", (n) => written(n, 1)));
  }
  if (report.acts) {
    const acts = report.acts.filter(({ kind }) => kind !== "member" && kind !== "visitor");
    charts.rows = bars("Rows written", acts.map((line) => ({ name: line.name, bars: [{ series: "rows written", value: line.rows_written, text: significant(line.rows_written) }] })));
  }
  return charts;
}

// summaryOf is for who decides: what pages, starts and votes take and cost, in five lines.
function summaryOf(report) {
  const ms = (scenario, worker = "Plaza") => written(report.pages.find((line) => line.scenario === scenario && line.worker === worker)?.cpu, 2);
  const rows = (name) => significant(report.acts.find((line) => line.name === name)?.rows_written);
  const { votes, views, freeVotes } = million(report);
  const community = "a community's page", thread = "a thread of 500 comments";
  return `- A member's page of a community takes ${ms(`${community}, warm`)} ms of CPU when it is warm, and ${ms(`${community}, nothing warm`)} ms when everything is read anew. A worker that was written by hand
  in JavaScript (Hono) takes ${ms(`${community}, warm`, "Hono with caches")} and ${ms(`${community}, nothing warm`, "Hono")} ms.
- A thread of 500 comments takes ${ms(thread)} ms, and ${ms(`${thread}, read again`)} ms when it is read again. Hono takes ${ms(thread, "Hono")} and ${ms(`${thread}, read again`, "Hono")} ms.
- A visitor's page comes from the edge cache with ${ms("a visitor's page from the cache")} ms of CPU. A new isolate compiles and starts in ${written(report.start.compileCPU + report.start.goCPU)} ms of CPU.
- A vote on a new post writes ${rows("a vote on a new post")} rows, on an older one ${rows("a vote")}, and a comment ${rows("a comment")}.
- A million views cost $${written(views, 2)}, a million votes on new posts $${written(votes, 2)} ([cost](cost.md)). The free plans are enough for ${written(freeVotes)} votes a day.`;
}

const BENCH = `## Measured with \`./build.sh bench\``;

// kept are the sections of measurements of their own.
const kept = () => Object.entries({ growth: growthText, scrapers: scrapersText }).flatMap(([name, section]) => {
  const path = join(root, `bench/${name}.json`);
  return existsSync(path) ? [section(JSON.parse(readFileSync(path, "utf8")))] : [];
});

function performanceOf(report, before) {
  const [head, rest] = before.split(BEGIN);
  const tail = rest?.split(END)[1];
  if (tail === undefined) throw new Error(`${PERFORMANCE} has lost its marks ${BEGIN} and ${END}`);
  const note = `Of one run on ${report.cores} cores. Compare the lines with each other: other machines have other times. \`bench/report.json\` has the figures.${report.quick ? " Its rounds were short: the figures are rough." : ""}`;
  const charts = Object.keys(chartsOf(report)).map((name) => `![${{ cpu: "CPU of a request", distance: "What a reader waits for", rows: "Rows written" }[name]}](bench/${name}.svg)`);
  return `${head}${BEGIN}\n${[summaryOf(report), charts[0], BENCH, note, ...charts.slice(1), ...sectionsOf(report), ...kept()].join("\n\n")}\n${END}${tail}`;
}

/** documentsOf returns what every document that comes from a report should be, by its path. */
function documentsOf(report) {
  return {
    [PERFORMANCE]: performanceOf(report, readFileSync(join(root, PERFORMANCE), "utf8")),
    [COST]: costDocument(report),
    ...Object.fromEntries(Object.entries(chartsOf(report)).map(([name, chart]) => [`${CHARTS}/${name}.svg`, chart])),
  };
}

/** writeDocuments writes them. */
export function writeDocuments(report) {
  mkdirSync(join(root, CHARTS), { recursive: true });
  for (const [path, text] of Object.entries(documentsOf(report))) writeFileSync(join(root, path), text);
}

/** checkDocuments returns the paths of those that are something else. */
export function checkDocuments(report) {
  return Object.entries(documentsOf(report)).filter(([path, text]) => {
    try {
      return readFileSync(join(root, path), "utf8") !== text;
    } catch {
      return true;
    }
  }).map(([path]) => path);
}
