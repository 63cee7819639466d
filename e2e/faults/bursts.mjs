// Bursts of simultaneous writes against a real site, as when many people act in the same second. A burst stalls when any of
// its writes is not carried out. By hand, with build/ and build/plaza made (see site.mjs):
//
//   node e2e/faults/bursts.mjs                          300 bursts of 32 and 100 of 160 of each kind, some minutes
//   node e2e/faults/bursts.mjs 10x32 2x160 comments     so many, of these kinds (comments, saves, mixed)
//
// It prints a line for each kind and size and exits with 1 when a burst stalled.

import { fileURLToPath } from "node:url";
import { startSite } from "./site.mjs";

const MEMBERS = 8;
const POSTS = 12;

/** settle makes members and posts for bursts. */
export async function settle(site) {
  const members = [];
  for (let i = 0; i < MEMBERS; i++) members.push(await site.signUp(`member${i}`));
  await must(site.post("/communities", { name: "bursts", title: "Bursts" }, members[0]));
  const posts = [];
  for (let i = 0; i < POSTS; i++) {
    const made = await must(site.post("/submit", { community: "bursts", title: `Post ${i}`, kind: "text", text: "To be answered." }, members[i % MEMBERS]));
    posts.push(made.json.id);
  }
  return { site, members, posts, count: 0, flip: 0 };
}

async function must(answer) {
  const { status, text } = await answer;
  if (status !== 200) throw new Error(`${status}: ${text}`);
  return answer;
}

// What is written: each function makes the nth write of a burst.
const comment = ({ site, members, posts, count }, n) =>
  site.post("/comment", { post: posts[n % POSTS], body: `Comment ${n} of burst ${count}.` }, members[n % MEMBERS]);
const keep = (action) => ({ site, members, posts, flip }, n) =>
  site.post(action, { target: posts[n % POSTS], on: (flip + Math.floor(n / MEMBERS / POSTS)) % 2 }, members[n % MEMBERS]);
const vote = ({ site, members, posts, flip }, n) =>
  site.post("/vote", { target: posts[n % POSTS], value: flip }, members[n % MEMBERS]);
const subscribe = ({ site, members, flip }, n) =>
  site.post("/subscribe", { community: "bursts", on: flip }, members[n % MEMBERS]);
const submit = ({ site, members, count }, n) =>
  site.post("/submit", { community: "bursts", title: `Post ${n} of burst ${count}`, kind: "text", text: "Made in a crowd." }, members[n % MEMBERS]);
const mix = [comment, keep("/save"), vote, keep("/hide"), subscribe, comment, submit, vote];
export const kinds = { comments: comment, saves: keep("/save"), mixed: (on, n) => mix[n % mix.length](on, n) };

/** burst makes size writes at once and returns what became of them. */
export async function burst(on, kind, size) {
  on.count++;
  on.flip = 1 - on.flip;
  const answers = await Promise.all(Array.from({ length: size }, (_, n) => kinds[kind](on, n)));
  const failed = answers.filter(({ status }) => status !== 200);
  return { failed, slowest: Math.max(...answers.map(({ ms }) => ms)) };
}

/** run makes many bursts and returns how many stalled, and the slowest write of each, sorted. */
export async function run(on, kind, bursts, size) {
  const slowest = [];
  const stalls = [];
  for (let i = 0; i < bursts; i++) {
    const { failed, slowest: ms } = await burst(on, kind, size);
    slowest.push(ms);
    if (failed.length > 0) stalls.push({ burst: i, failed: failed.length, first: `${failed[0].status} ${failed[0].text.slice(0, 200)}` });
    if (stalls.length >= 10) break; // that is enough to know
  }
  return { stalls, slowest: slowest.sort((a, b) => a - b) };
}

async function main(args) {
  const sizes = args.filter((arg) => /^\d+x\d+$/.test(arg)).map((arg) => arg.split("x").map(Number));
  if (sizes.length === 0) sizes.push([300, 32], [100, 160]);
  const wanted = args.filter((arg) => arg in kinds);
  const site = await startSite();
  let stalled = 0;
  try {
    const on = await settle(site);
    for (const [bursts, size] of sizes) {
      for (const kind of wanted.length > 0 ? wanted : Object.keys(kinds)) {
        const began = Date.now();
        const { stalls, slowest } = await run(on, kind, bursts, size);
        stalled += stalls.length;
        const at = (share) => slowest[Math.min(slowest.length - 1, Math.floor(share * slowest.length))];
        console.log(`${slowest.length} bursts of ${size} ${kind}: ${stalls.length} stalled; the slowest write of a burst took ${
          at(0.5)} ms in the middle, ${at(0.95)} ms at 95 %, ${at(1)} ms at most; ${Math.round((Date.now() - began) / 1000)} s`);
        for (const stall of stalls) console.log(`  burst ${stall.burst}: ${stall.failed} failed: ${stall.first}`);
      }
    }
  } finally {
    await site.stop();
  }
  process.exitCode = stalled > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
