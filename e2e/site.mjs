// What every browser test shares: a Chromium, people with sessions of their own, and, for the checks that look behind the
// pages, the databases of `plaza dev`. BASE_URL names the site; PLAZA_ENV the worker.env in its data directory. Without
// PLAZA_ENV (a deployed site) the checks behind the pages are skipped and say so.

import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

// Passkeys need a name for the site, and links of posts an address or a name with a dot.
export const base = (process.env.BASE_URL ?? "http://localhost:8787").replace(/\/$/, "");
export const linked = base.replace("//localhost", "//127.0.0.1"); // the same site, as a post may link to it

const behind = process.env.PLAZA_ENV
  ? Object.fromEntries(readFileSync(process.env.PLAZA_ENV, "utf8").split("\n").filter((line) => line.includes("="))
    .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1).trim().replace(/^(["'])(.*)\1$/, "$2")]))
  : null;

/** skip is the reason why a check behind the pages can't run here, or false. */
export const skip = behind ? false : "PLAZA_ENV is not set: only the pages can be seen from here";

/** secret is a variable or secret of the site. */
export const secret = (name) => behind[name];

/**
 * launch starts Chromium; without background traffic, which has nowhere to go in a test. Notifications need the whole browser. All else
 * does with its headless shell, which takes half the processor time.
 */
export function launch({ notifications = false } = {}) {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? (notifications ? "/usr/bin/chromium" : "/usr/bin/chromium-headless-shell"),
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync"],
  });
}

/**
 * patience is how long anything may take before a test gives up on it, in milliseconds. Nothing is waited for longer than it takes, so only a test
 * that fails anyhow takes that long; a slow or busy machine makes none fail.
 */
export const patience = 60000;

/** person opens a page of a new person, whose browser may lack JavaScript. problems collects what no page may do. */
export async function person(browser, options = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
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

const stamp = Date.now().toString(36);
let people = 0;

/** uniqueName is a name nobody has yet. */
export function uniqueName(prefix) {
  people += 1;
  return `${prefix}_${stamp}${people}`;
}

/** signUp makes an account and leaves its page on the front page. */
export async function signUp(page, name) {
  for (let status = 503; status === 503;) { // the site asks to try again where many passwords wait for their hash
    await page.goto(`${base}/signup`);
    await page.getByLabel("Username").fill(name);
    await page.getByLabel("Password").fill("correct horse");
    const answer = page.waitForResponse((response) => response.request().method() === "POST");
    await page.locator("main").getByRole("button", { name: "Sign up", exact: true }).click();
    status = (await answer).status();
  }
  await page.waitForURL(`${base}/welcome`);
  await page.goto(`${base}/`);
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
  const answer = await response.json();
  if (answer.error) throw new Error(answer.error);
  return answer.result;
}

/** mails are those that came for an address, the oldest first: subject, text, html. */
export async function mails(to) {
  const response = await fetch(`${new URL("/mails.json", behind.MAIL_URL)}?to=${encodeURIComponent(to)}`);
  return response.json();
}

/** mail waits for the mail to an address whose subject matches, and returns the newest one with the links to the site that it has. */
export async function mail(to, subject) {
  let found;
  await until(`a mail to ${to}`, async () => (found = (await mails(to)).filter((m) => subject.test(m.subject)).at(-1)));
  // The site may be tested under another name than its own.
  return { ...found, links: (found.text.match(/^https?:\/\/\S+$/gm) ?? []).map((link) => base + new URL(link).pathname + new URL(link).search) };
}

/** until waits for something to become true. */
export async function until(what, check, limit = patience) {
  const end = Date.now() + limit;
  let last;
  while (Date.now() < end) {
    try {
      if (await check()) return;
      last = "false";
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${what}: still not so after ${limit} ms (${last})`);
}

/** Targets whose counters differ from the votes table; empty when every vote is counted. A post's score may be off by a 32nd (post_counters in schema.sql). */
export const miscounted = () => sql(`SELECT t.id, t.ups, t.downs FROM (
  SELECT id, ups - base_ups AS ups, downs - base_downs AS downs, abs(ups - downs - score) * 32 > abs(score) AS off FROM posts
  UNION ALL SELECT id, ups - base_ups, downs - base_downs, score <> ups - downs FROM comments) t
  LEFT JOIN (SELECT target_id, sum(value = 1) AS ups, sum(value = -1) AS downs FROM votes GROUP BY target_id) v ON v.target_id = t.id
  WHERE t.ups <> coalesce(v.ups, 0) OR t.downs <> coalesce(v.downs, 0) OR t.off LIMIT 5`);
