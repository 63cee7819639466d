// A warm listing page on plain workerd, read by 32 members at once: one shared Go instance against the same handlers under the
// library's own workers.Serve, in one run (bench/edge/bench.mjs).

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root, signUp, startSite } from "./site.mjs";

const site = await startSite();
try {
  const cookies = [];
  for (let i = 0; i < 32; i += 1) cookies.push(await signUp(site.url, `bench${Date.now() % 1e6}n${i}`));
  const cookie = cookies[0];
  const community = (await (await fetch(site.url)).text()).match(/href="\/c\/(\w+)"/)[1];
  const path = `/c/${community}`;
  // Until the hot set is whole: the first page asks for it, the events consumer makes it.
  for (let i = 0; i < 8; i += 1) {
    await fetch(site.url + path, { headers: { cookie } });
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  const run = spawnSync(join(root, "node_modules/.bin/node"), [join(root, "bench/edge/bench.mjs"), "--path", path, "--cookie", cookies.join("\n"), ...process.argv.slice(2)],
    { cwd: root, stdio: "inherit", env: { ...process.env, ...site.vars } });
  process.exitCode = run.status ?? 1;
} finally {
  await site.stop();
}
