// What a thread of 100,000 comments costs against one of 1,000: a member's page of each, in every order, from one worker and
// one database, in interleaved rounds. It compares medians and fails when one ratio is above 1.3.
//   ./build.sh bench thread [--comments 100000] [--rounds 40]
// Both threads come from one generator (package threads), and the small one fills the page nearly as the large one does: how
// many comments each page shows is printed.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root, signUp, startSite } from "./site.mjs";

const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
};
const large = option("comments", 100_000);
const rounds = option("rounds", 40);
const most = 1.3; // times as long
const orders = ["best", "top", "new", "old", "controversial", "qa"];

const site = await startSite();
try {
  const seed = (comments) => {
    const created = spawnSync(join(root, "build/plaza"), ["seed", "--thread", String(comments), "--url", site.vars.LIBSQL_URL, "--token", site.vars.LIBSQL_AUTH_TOKEN], { encoding: "utf8" });
    if (created.status !== 0) throw new Error(created.stderr);
    process.stdout.write(created.stdout);
    return created.stdout.trim().split(" ").at(-1);
  };
  const paths = [seed(1000), seed(large)];
  // A member's page never comes from a cache.
  const cookie = await signUp(site.url, `bench${Date.now() % 1e6}`);
  const open = async (path, order) => {
    const began = performance.now();
    const response = await fetch(`${site.url}${path}?sort=${order}`, { headers: { cookie } });
    const page = await response.text();
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
    return { took: performance.now() - began, shown: page.split('<article class="comment').length - 1 };
  };
  const middle = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];
  const times = Object.fromEntries(orders.map((order) => [order, paths.map(() => [])]));
  const shown = Object.fromEntries(orders.map((order) => [order, []]));
  for (let round = -3; round < rounds; round += 1) { // three to warm up
    for (const order of orders) {
      for (const which of round % 2 ? [1, 0] : [0, 1]) {
        const page = await open(paths[which], order);
        if (round >= 0) times[order][which].push(page.took);
        shown[order][which] = page.shown;
      }
    }
  }
  const row = (...cells) => console.log(cells.map((cell, i) => (i ? String(cell).padStart(12) : String(cell).padEnd(15))).join(""));
  console.log(`A member's page of a thread, medians of ${rounds} rounds`);
  row("order", "1,000", "shown", large.toLocaleString("en"), "shown", "ratio");
  let worst = 0;
  for (const order of orders) {
    const [small, big] = times[order].map(middle);
    worst = Math.max(worst, big / small);
    row(order, `${small.toFixed(1)} ms`, shown[order][0], `${big.toFixed(1)} ms`, shown[order][1], (big / small).toFixed(2));
  }
  if (worst > most) {
    console.error(`one ratio is above ${most}`);
    process.exitCode = 1;
  }
} finally {
  await site.stop();
}
