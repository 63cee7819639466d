// Has instances of the site die while they publish a post, each at a later call to a database, Redis or a queue than the one before. They run in
// a worker of the faults build on the site's databases, and nothing of them is left but what they have written. Then the site's own worker
// runs the retry job.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { eventually, root } from "../edge/harness.mjs";
import { startWorkerd } from "../edge/workerd.mjs";

/** publishAndDie returns how many instances died, and a row for each post that is there: what of it is where. */
export async function publishAndDie(site) {
  const [author, follower] = [await site.signUp("author"), await site.signUp("follower")];
  const must = async (...args) => assert.equal((await site.post(...args)).status, 200, args[0]);
  await must("/communities", { name: "doomed" }, author);
  await must("/follow", { user: "author", on: 1 }, follower);
  await site.get("/home", follower); // timelines are for who was here of late
  const vars = await site.vars();
  const worker = await startWorkerd({ ...vars, PLAZA_DOOMED: "1" });
  let died = 0;
  try {
    for (;;) {
      assert.equal(await (await fetch(`${worker.url}/__test/die?after=1&at=${died + 1}`)).text(), String(died + 1));
      const response = await fetch(`${worker.url}/c/doomed/submit`, {
        method: "POST", headers: { origin: worker.url, accept: "application/json", cookie: author.cookie },
        body: new URLSearchParams({ title: `Doomed ${died + 1}`, text: "Hello @follower", tags: "doomed go" }),
      });
      if (response.status === 200) break;
      assert.equal(response.status, 500, await response.text());
      died++;
    }
  } finally {
    await worker.stop();
  }
  await eventually(async () => {
    for (const due of ["outbox SET due_at = 0", "vote_deltas SET created_at = 0"]) await site.sql(`UPDATE ${due}`);
    await fetch(`${site.url}/cdn-cgi/handler/scheduled?cron=*+*+*+*+*`);
    assert.deepEqual(await site.sql("SELECT (SELECT count(*) FROM outbox), (SELECT count(*) FROM vote_deltas)"), [["0", "0"]]);
  });
  const posts = await site.sql(`SELECT p.score, p.tags, (SELECT count(*) FROM timeline t WHERE t.post_id = p.id), (SELECT count(*) FROM inbox i WHERE i.post_id = p.id)
    FROM posts p WHERE p.title LIKE 'Doomed %'`);
  await promisify(execFile)(join(root, "build/plaza"), ["verify"], { env: { ...process.env, ...vars } }); // fails when something differs
  return { died, posts };
}
