// What views, votes, comments and uploads cost, computed from a report and the prices (prices.mjs). What one of them uses was counted alone,
// with nothing warm, so a busy site pays less.

import { FEES, RESOURCES } from "./prices.mjs";

const DAYS = 30; // of a month
const OPERATIONS = 3; // of a message in a queue: written, read, deleted

/** MIX is of which pages views are: of those of a large site, without the rest. */
export const MIX = { thread: 56, front: 30, profile: 7, comments: 5 };

/** ASSUMED is what nobody can count before a site has people. */
export const ASSUMED = {
  visitors: 0.7, // of all views are of people who are not logged in
  cached: 0.7, // of these come from the edge cache
  views: 12, votes: 1, comments: 0.1, posts: 0.02, uploads: 0.005, // of a daily user, a day
};

/** IN_A_MINUTE is how many votes come in a minute, where a day has 20,000. */
export const IN_A_MINUTE = 14;

/** SPARING is a vote with VOTES_BY_MINUTE = 1 and without Redis (docs/operations/queues.md). */
export const SPARING = `a vote, ${IN_A_MINUTE} in a minute, without messages and Redis`;

const add = (...uses) => Object.fromEntries(Object.keys(RESOURCES).map((key) => [key, uses.reduce((sum, use) => sum + (use[key] ?? 0), 0)]));
const times = (use, n) => Object.fromEntries(Object.entries(use).map(([key, value]) => [key, value * n]));

/** priceOf is what a use costs beyond what plans include, in dollars. */
export const priceOf = (use) => Object.entries(use).reduce((sum, [key, n]) => sum + (n / 1e6) * RESOURCES[key].million, 0);

/** usesOf returns what one view or act of each kind uses. */
export function usesOf(report) {
  const cpuOf = (scenario) => report.pages?.find((line) => line.scenario === scenario && line.worker === "Plaza")?.cpu ?? 0;
  const use = (name, scenario) => {
    const line = report.acts.find((one) => one.name === name);
    if (!line) throw new Error(`the report has not counted ${name}`);
    return { requests: 1 + (line.messages > 0 ? 1 : 0), cpu: cpuOf(scenario), operations: line.messages * OPERATIONS, read: line.rows_read, written: line.rows_written,
      commands: line.commands, puts: line.puts, gets: line.gets };
  };
  const scenarios = { thread: "a thread of 500 comments" };
  const page = (who, what) => use(`a ${who}'s page: ${what}`, scenarios[what] ?? "the front page");
  const whole = Object.values(MIX).reduce((a, b) => a + b);
  const mixed = (who) => add(...Object.entries(MIX).map(([what, share]) => times(page(who, what), share / whole)));
  const cached = add({ requests: 1, cpu: cpuOf("a visitor's page from the cache") });
  const made = mixed("visitor"), member = mixed("member");
  const { visitors, cached: share } = ASSUMED;
  const view = add(times(cached, visitors * share), times(made, visitors * (1 - share)), times(member, 1 - visitors));
  const minute = use("the job of a minute"), fifth = use("the job of each fifth minute");
  return {
    "a visitor's view, from the cache": cached,
    "a visitor's view, made": made,
    "a member's view": member,
    "a view, mixed": view,
    "a vote": use("a vote on a new post", "a vote"),
    "a vote on an older post": use("a vote", "a vote"),
    [SPARING]: use(SPARING, "a vote"),
    "a vote, 100 counted together": { ...use("a vote, 100 counted together", "a vote"), requests: 1.01 },
    "a vote on a post with five tags": use("a vote on a post with five tags", "a vote"),
    "a comment": use("a comment", "a comment"),
    "a post": use("a post", "a comment"),
    "an upload": use("an upload", "an upload of 0.2 MB"),
    "a month of jobs": times(add(times(minute, 0.8), times(fifth, 0.2)), DAYS * 1440),
  };
}

/** million returns what a million votes and views cost, and how many votes a day the free plans carry. */
export function million(report) {
  const uses = usesOf(report);
  const most = votesOnFree(report, SPARING);
  return { votes: priceOf(times(uses["a vote"], 1e6)), views: priceOf(times(uses["a view, mixed"], 1e6)), freeVotes: most[0].perDay };
}

/** votesOnFree returns how many votes of a kind each limit of the free plans allows a day, the lowest first, if the site does nothing else. */
export function votesOnFree(report, kind = "a vote") {
  const uses = usesOf(report);
  return limits(uses[kind], uses["a month of jobs"]);
}

/** limits returns how often a day something can happen before each limit of the free plans is reached, the lowest first. */
function limits(use, monthly) {
  return Object.entries(RESOURCES).filter(([key, { free }]) => free && use[key] > 0)
    .map(([key, { name, service, free, limit }]) => ({ name, service, limit, perDay: Math.max(0, Math.floor((free - monthly[key]) / DAYS / use[key])) }))
    .sort((a, b) => a.perDay - b.perDay);
}

/** dayOf is what a daily user uses a day. */
export function dayOf(report) {
  const uses = usesOf(report);
  const { views, votes, comments, posts, uploads } = ASSUMED;
  return add(times(uses["a view, mixed"], views), times(uses["a vote"], votes), times(uses["a comment"], comments), times(uses["a post"], posts), times(uses["an upload"], uploads));
}

/** usersOnFree returns how many daily users each limit of the free plans allows, the lowest first. */
export const usersOnFree = (report) => limits(dayOf(report), usesOf(report)["a month of jobs"]);

/** billOf returns what a month of so many daily users costs: [{ name, service, used, dollars }], the fees of the plans at the end. */
export function billOf(report, users) {
  const used = add(times(dayOf(report), users * DAYS), usesOf(report)["a month of jobs"]);
  const lines = Object.entries(RESOURCES).map(([key, { name, service, million: price, included }]) => (
    { name, service, used: used[key], dollars: (Math.max(0, used[key] - included) / 1e6) * price }));
  for (const [service, fee] of Object.entries(FEES)) lines.push({ name: "the plan", service, dollars: fee });
  return lines;
}
