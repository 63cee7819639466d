// What every test in Chromium shares: people with sessions of their own and, for the checks that look behind the pages, the databases of its
// `plaza dev`.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { expect, test as playwright } from "@playwright/test";

export { expect };

const site = process.env.PLAZA_SITES
  ? JSON.parse(process.env.PLAZA_SITES)[process.env.TEST_PARALLEL_INDEX ?? 0]
  : { url: process.env.BASE_URL ?? "", env: process.env.PLAZA_ENV };

// Passkeys need a name for the site, and links of posts an address or a name with a dot.
export const base = site.url.replace(/\/$/, "");
export const linked = base.replace("//localhost", "//127.0.0.1"); // the same site, as a post may link to it

/** skip is the reason why a check behind the pages can't run here, or false. */
export const skip = process.env.BASE_URL && !process.env.PLAZA_ENV ? "PLAZA_ENV is not set: only the pages can be seen from here" : false;

const behind = site.env
  ? Object.fromEntries(readFileSync(site.env, "utf8").split("\n").filter((line) => line.includes("="))
    .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1).trim().replace(/^(["'])(.*)\1$/, "$2")]))
  : null;

/** looksBehind skips a test, or a group of them, where only the pages can be seen. */
export const looksBehind = () => playwright.skip(Boolean(skip), String(skip));

/** secret is a variable or secret of the site. */
export const secret = (name) => behind[name];

/** browser is the worker's, and javaScriptEnabled what its project says. */
export let browser, javaScriptEnabled;

export const test = playwright.extend({
  shared: [async ({ browser: launched }, use, { project }) => {
    browser = launched;
    javaScriptEnabled = project.use.javaScriptEnabled ?? true;
    await use();
  }, { scope: "worker", auto: true }],
});

/** bothWays has a test, or a group of them, run with JavaScript and without. */
export const bothWays = { tag: ["@desktop", "@plain"] };

/** figure is something that a test has measured, which the run says at its end. */
export const figure = (description) => test.info().annotations.push({ type: "figure", description });

/** form is what a form sends, with the answer as it is. */
export const form = (fields) => ({ form: fields, headers: { origin: base }, maxRedirects: 0 });

/** person opens a page of a new person, whose browser may lack JavaScript. problems collects what no page may do. */
export async function person(options = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const problems = [];
  page.on("console", (message) => {
    // A failed form is a page like any other; Chromium reports its status as an error.
    const busy = /status of 503/.test(message.text()) && message.location().url === `${base}/signup`;
    if (message.type() === "error" && !busy && !/status of 4\d\d/.test(message.text())) problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(base) && !request.url().startsWith(linked) && !request.url().startsWith("data:")) problems.push(`asked ${request.url()}`);
  });
  return { context, page, problems };
}

const stamp = Date.now().toString(36).slice(-7) + (process.env.TEST_WORKER_INDEX ?? "");
let people = 0;

/** uniqueName is a name nobody has yet. */
export function uniqueName(prefix) {
  people += 1;
  return `${prefix}_${stamp}${people}`;
}

/** signUp makes an account for the person of a page, as the form does. */
export async function signUp(page, name) {
  // With the key that each form has, a form that is sent again gets the account that it has made, even if the first response was lost.
  const fields = { username: name, password: "correct horse", token: `signup-of-${name}`.padEnd(16, "0") };
  await expect(async () => { // the site asks to try again where many passwords wait for their hash
    const result = await page.request.post(`${base}/signup`, form(fields));
    const text = result.status() === 303 ? "" : await result.text();
    assert.equal(result.status(), 303, `${name}: ${result.status()} ${/class="wrong[^>]*>[^<]*/.exec(text) ?? text.slice(0, 300)}`);
  }).toPass();
}

/** sql runs one statement in the site's database and returns its rows. */
export async function sql(statement, ...args) {
  const typed = args.map((value) => (typeof value === "number" ? { type: "integer", value: String(value) } : { type: "text", value }));
  const response = await fetch(`${behind.LIBSQL_URL.replace("libsql:", "https:")}/v2/pipeline`, {
    method: "POST", body: JSON.stringify({ requests: [{ type: "execute", stmt: { sql: statement, args: typed } }, { type: "close" }] }),
    headers: { authorization: `Bearer ${behind.LIBSQL_AUTH_TOKEN}` },
  });
  const { results } = await response.json();
  if (results[0].type !== "ok") throw new Error(JSON.stringify(results[0]));
  return results[0].response.result.rows.map((row) => row.map((cell) => (cell.type === "integer" ? Number(cell.value) : cell.value)));
}

/** health is what a monitor that has the token is told. */
export async function health() {
  const response = await fetch(`${base}/healthz`, { headers: { authorization: `Bearer ${behind.HEALTH_TOKEN}` } });
  return response.json();
}

/** redis runs one command. */
export async function redis(...command) {
  const response = await fetch(behind.UPSTASH_REDIS_REST_URL, {
    method: "POST", body: JSON.stringify(command), headers: { authorization: `Bearer ${behind.UPSTASH_REDIS_REST_TOKEN}` },
  });
  const result = await response.json();
  if (result.error) throw new Error(result.error);
  return result.result;
}

/** mails are those that came for an address, the oldest first: subject, text, html. */
export async function mails(to) {
  const response = await fetch(`${new URL("/mails.json", behind.MAIL_URL)}?to=${encodeURIComponent(to)}`);
  return response.json();
}

/** mail waits for the mail to an address whose subject matches, and returns the newest one with the links to the site that it has. */
export async function mail(to, subject) {
  let found;
  await expect(async () => {
    found = (await mails(to)).filter((m) => subject.test(m.subject)).at(-1);
    assert.ok(found, `a mail to ${to}`);
  }).toPass();
  // The site may be tested under another name than its own.
  return { ...found, links: (found.text.match(/^https?:\/\/\S+$/gm) ?? []).map((link) => base + new URL(link).pathname + new URL(link).search) };
}

/** Targets whose counters differ from the votes table; empty when every vote is counted. A post's score may be off by a 32nd (post_counters in triggers.sql). */
export const miscounted = () => sql(`SELECT t.id, t.ups, t.downs FROM (
  SELECT id, ups - base_ups AS ups, downs - base_downs AS downs, abs(ups - downs - score) * 32 > abs(score) AS off FROM posts
  UNION ALL SELECT id, ups - base_ups, downs - base_downs, score <> ups - downs FROM comments) t
  LEFT JOIN (SELECT target_id, sum(value = 1) AS ups, sum(value = -1) AS downs FROM votes GROUP BY target_id) v ON v.target_id = t.id
  WHERE t.ups <> coalesce(v.ups, 0) OR t.downs <> coalesce(v.downs, 0) OR t.off LIMIT 5`);
