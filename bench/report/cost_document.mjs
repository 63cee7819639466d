// docs/cost.md.

import { ASSUMED, billOf, MIX, priceOf, SPARING, usersOnFree, usesOf, votesOnFree } from "./cost.mjs";
import { significant, table, written } from "./numbers.mjs";
import { FREE_CPU, RESOURCES, SOURCES } from "./prices.mjs";

const dollars = (n) => `$${n === 0 ? "0" : n < 10 ? n.toFixed(2) : written(n)}`;
const percent = (share) => `${Math.round(share * 100)} %`;

/** costDocument is docs/cost.md as it follows from a report. */
export function costDocument(report) {
  const uses = usesOf(report);
  const users = [1000, 1e6, 50e6];
  const bills = users.map((n) => billOf(report, n));
  const total = (bill) => bill.reduce((sum, line) => sum + line.dollars, 0);
  const [firstVotes] = votesOnFree(report);
  const [sparing] = votesOnFree(report, SPARING);
  const [firstUsers] = usersOnFree(report);
  const dearest = report.pages ? report.pages.filter(({ worker }) => worker === "Plaza").sort((a, b) => b.cpu - a.cpu)[0] : null;
  return `# What a site costs

\`./build.sh bench --keep\` writes this from \`bench/report.json\` and the prices in \`bench/report/prices.mjs\`. What one act uses was counted
alone, with nothing warm, so a busy site pays less. Storage, domains and mails are not in it. KV is not used.

## Prices

${table(["", "what it bills", "read on"], SOURCES.map(({ service, url, date, says }) => [`[${service}](${url})`, says, date]), 3)}

## A million

Beyond what plans include. A view is of a thread in ${MIX.thread} of 98 cases, of a front page in ${MIX.front}, of a profile in ${MIX.profile} and of a profile's comments in ${MIX.comments}. In the mix,
${percent(ASSUMED.visitors)} of views are of visitors, and ${percent(ASSUMED.cached)} of these come from the edge cache; both are assumed.

${table(["a million of", "costs", ...Object.values(RESOURCES).map(({ name }) => name)], Object.entries(uses).filter(([name]) => name !== "a month of jobs").map(([name, use]) => (
    [name, dollars(priceOf(use) * 1e6), ...Object.keys(RESOURCES).map((key) => significant(use[key]))])))}

The columns behind the price are for one. The jobs of a month, on a site that nobody visits, cost ${dollars(priceOf(uses["a month of jobs"]))} and read
${written(uses["a month of jobs"].read / 1e6, 1)} million rows.

## A month

On a day, 1,000 daily users are assumed to make ${written(ASSUMED.views * 1000)} views, ${written(ASSUMED.votes * 1000)} votes, ${ASSUMED.comments * 1000} comments, ${ASSUMED.posts * 1000} posts and ${ASSUMED.uploads * 1000} uploads.

${table(["", ...users.map((n) => `${written(n)} daily users`)], [
    ...bills[0].map(({ name, service }, i) => [`${service}: ${name}`, ...bills.map((bill) => dollars(bill[i].dollars))]),
    ["**together**", ...bills.map((bill) => `**${dollars(total(bill))}**`)],
    ["for each daily user", ...bills.map((bill, i) => `$${significant(total(bill) / users[i])}`)],
  ])}

Beyond a few hundred dollars a month, services sell larger plans for less: Turso's Scaler and Pro, Upstash's fixed plans. They are not in
this table.

## The free plans

If a site does nothing but count votes, they carry **${written(firstVotes.perDay)} votes a day**. A limit of ${firstVotes.service} binds first: ${firstVotes.name}, ${firstVotes.limit}.
With \`VOTES_BY_MINUTE\` = 1 and without Redis they carry **${written(sparing.perDay)} votes a day**, which the ${sparing.name} of ${sparing.service} bound. The goal is 20,000.

With days as above they carry **${written(firstUsers.perDay)} daily users**; there ${firstUsers.name} of ${firstUsers.service} bind first.

${table(["limit", "", "votes a day, alone", "daily users"], votesOnFree(report).map(({ name, service, limit, perDay }) => (
    [`${service}: ${name}`, limit, written(perDay), written(usersOnFree(report).find((line) => line.name === name)?.perDay)])), 2)}

What happens at each limit, and what helps:

${table(["limit", "what happens", "what helps"], [
    ["requests to the worker", "Cloudflare answers with its own error page until midnight UTC", "Workers Paid, $5 a month"],
    [`${FREE_CPU} ms of CPU a request`, `Cloudflare ends the request${dearest ? `; the dearest page here is ${dearest.scenario}, with ${written(dearest.cpu, 1)} ms on this machine` : ""}`, "Workers Paid"],
    ["queue operations", "votes and comments are kept, but counters, hot listings and notifications stand still until midnight UTC; then the job of a minute finds what waits", "Workers Paid, which includes a million operations a month"],
    ["rows written or read", "Turso refuses statements: nothing can be written, and pages come from the edge cache", "Turso's Developer plan"],
    ["Redis commands", "Upstash refuses commands: listings come from the database's index, limits are counted by each instance", "pay as you go; or a site without Redis (docs/operations/without-redis.md)"],
  ], 3)}
`;
}
