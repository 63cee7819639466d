// What one page or act asks of the parts that are billed: rows, Redis commands, messages, objects of the bucket. Each is counted alone, on a
// site that does nothing else, with everything that follows from it: its consumers too. Nothing is warm, as where isolates are new. So these
// are the most that something costs; a busy site shares delta runs and lists.

import { setTimeout as wait } from "node:timers/promises";
import { signUp } from "../site.mjs";
import { png } from "../../e2e/edge/pictures.mjs";
import { IN_A_MINUTE, SPARING } from "./cost.mjs";

const BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const MEMBERS = 6;
const VOTES = 100; // that are cast and counted together

/** countActs returns a line for each page and act: what one of them uses. */
export async function countActs(it, say) {
  const cached = await it.serve(it.deployed("counted"));
  const bare = await it.serve(it.deployed("bare"), {}, undefined, { cache: false }); // each page of a visitor is made anew
  const sparing = await it.serve(it.deployed("sparing"), { VOTES_BY_MINUTE: "1", UPSTASH_REDIS_REST_URL: "", UPSTASH_REDIS_REST_TOKEN: "" });
  // Members who have done nothing yet: a vote that is cast again writes nothing.
  const members = [];
  for (let i = 0; i < MEMBERS; i += 1) members.push(await signUp(it.site.url, `acts${Date.now() % 1e6}n${i}`));
  const [ann, ben, ...others] = members;
  const lines = [];
  let changes = 0;
  const change = () => {
    const at = (Date.now() + 60_000 + (changes += 1)).toString(36);
    return `${at}-${at}`;
  };

  // ask sends a page or a form. Whoever asks has just changed something, so nothing warm is shown.
  const ask = async (worker, path, cookie, form) => {
    const headers = { accept: "text/html", "user-agent": BROWSER, "sec-fetch-site": "same-origin" };
    if (cookie) headers.cookie = `${cookie}; __Host-changed=${change()}`;
    const body = form instanceof FormData ? form : form && new URLSearchParams(form);
    const response = await fetch(worker.url + path, { method: form ? "POST" : "GET", headers, body, redirect: "manual" });
    const text = await response.text();
    if (response.status >= 400) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 500)}`);
    return { text, location: response.headers.get("location"), bytes: Buffer.byteLength(text) };
  };
  // count does something `times` times, with what follows from it, and keeps the mean of what that used.
  const count = async (kind, name, times, act) => {
    await drain(cached, bare, sparing);
    await it.network.ask({ count: true });
    let messages = 0, bytes = 0;
    for (let i = 0; i < times; i += 1) {
      bytes = Math.max(bytes, (await act(i))?.bytes ?? 0);
      messages += await drain(cached, bare, sparing);
    }
    const passed = await it.network.ask({ count: true });
    const each = Object.fromEntries(Object.entries({ ...passed, messages }).map(([key, n]) => [key, n / times]));
    const line = { kind, name, bytes, ...each };
    lines.push(line);
    say(`${name}: ${line.database} requests to the database, ${line.rows_read} rows read, ${line.rows_written} written, ${line.commands} Redis commands, ${line.messages} messages`);
    return line;
  };
  const post = async (title, tags) => {
    const { location } = await ask(cached, "/submit", ann, { community: it.community, title, text: "A text of some words.", tags });
    await drain(cached, bare, sparing);
    const page = (await ask(cached, new URL(location, cached.url).pathname, ann)).text;
    return { path: new URL(location, cached.url).pathname, id: /name="post" value="(\w+)"/.exec(page)[1] };
  };

  // countByTheMinute counts votes of new members on targets, with VOTES_BY_MINUTE and without Redis. What the job takes anyway is not theirs.
  const countByTheMinute = async (targets, minute) => {
    const voters = [];
    for (let i = 0; i < 2; i += 1) voters.push(await signUp(it.site.url, `minute${Date.now() % 1e6}n${i}`));
    for (let i = 0; i < 2; i += 1) await sparing.tick(minute + i);
    const idle = await count("job", "the job of a minute, without Redis", 2, (i) => sparing.tick(minute + 4 + i));
    const line = await count("batch", SPARING, 1, async () => {
      for (let i = 0; i < IN_A_MINUTE; i += 1) await ask(sparing, "/vote", voters[i % voters.length], { target: targets[Math.floor(i / voters.length)], value: "1" });
      await sparing.tick(minute + 6);
    });
    for (const key of Object.keys(line)) if (typeof line[key] === "number") line[key] = Math.max(0, line[key] - idle[key]) / IN_A_MINUTE;
  };

  try {
    const listing = `/c/${it.community}`;
    const pages = { front: "/", thread: it.thread, profile: `/u/${it.author}`, comments: `/u/${it.author}/comments`, community: listing };
    for (let i = 0; i < 3; i += 1) { // the sets of the listings are made, what happens once has happened
      for (const path of Object.values(pages)) for (const who of ["", ann, ben]) await ask(bare, path, who);
      await drain(cached, bare, sparing);
      await wait(1100);
    }
    for (const [what, path] of Object.entries(pages)) await count("visitor", `a visitor's page: ${what}`, 3, () => ask(bare, path, ""));
    for (const [what, path] of Object.entries(pages)) await count("member", `a member's page: ${what}`, 3, () => ask(bare, path, ben));
    await count("member", "a member's page: second of a community", 3, () => ask(bare, it.second, ben));
    await count("member", "a member's page: search", 3, () => ask(bare, "/search?q=light", ben));
    await count("member", "a member's page: inbox", 3, () => ask(bare, "/inbox", ben));
    const mark = /data-view="([^"]+)"/.exec((await ask(bare, it.thread, "")).text)[1];
    await count("act", "a view that counts", 1, () => ask(bare, "/view", "", { of: mark }));

    const plain = await post("A post without tags", "");
    const tagged = await post("A post with five tags", it.tags);
    for (const target of [plain, tagged]) { // what is written only the first time
      await ask(cached, "/comment", ben, { post: target.id, body: "First" });
      for (const value of ["1", "0"]) await ask(cached, "/vote", ben, { target: target.id, value });
    }
    await drain(cached, bare, sparing);
    const comment = /id="c-(\w+)"/.exec((await ask(cached, plain.path, ann)).text)[1];
    // Old posts that nobody has voted on lately: a burst of votes is looked at for brigades. The first vote on one also asks for the floor of
    // full sets, once an instance and set (data/content/hot/floor.go).
    const [old, other] = [...(await ask(cached, it.second, ben)).text.matchAll(/id="p-(\w+)"/g)].map(([, id]) => id);
    const vote = (target, who, value) => () => ask(cached, "/vote", who, { target, value });
    await vote(other, ben, "1")();
    await drain(cached, bare, sparing);
    for (const [name, target, voter] of [["a vote", old, ben], ["a vote on a new post", plain.id, ben], ["a vote on a post with five tags", tagged.id, ben], ["a vote on a comment", comment, ann]]) {
      await count("act", name, 1, vote(target, voter, "1"));
      await count("act", `${name}, changed`, 1, vote(target, voter, "-1"));
    }
    const many = await count("batch", `${VOTES} votes counted together`, 1, async () => {
      for (let i = 0; i < VOTES; i += 1) await vote(it.targets[Math.floor(i / others.length) % it.targets.length], others[i % others.length], "1")();
    });
    for (const key of Object.keys(many)) if (typeof many[key] === "number") many[key] /= VOTES;
    many.name = `a vote, ${VOTES} counted together`;
    await count("act", "a comment", 3, (i) => ask(cached, "/comment", ben, { post: plain.id, body: `Comment ${i}` }));
    await count("act", "a comment on a post with five tags", 3, (i) => ask(cached, "/comment", ben, { post: tagged.id, body: `Comment ${i}` }));
    await count("act", "a reply", 3, (i) => ask(cached, "/comment", ann, { parent: comment, body: `Reply ${i}` }));
    const submit = (tags) => (i) => ask(cached, "/submit", ann, { community: it.community, title: `Post ${i} ${tags}`, text: "A text of some words.", tags });
    await count("act", "a post", 3, submit(""));
    await count("act", "a post with five tags", 3, submit(it.tags));
    await count("act", "an upload", 3, (i) => {
      const form = new FormData();
      for (const [name, value] of Object.entries({ community: it.community, title: `Picture ${i}` })) form.append(name, value);
      form.append("pictures", new Blob([png(40 + i, 30)], { type: "image/png" }), "picture.png");
      return ask(cached, "/submit", it.admins[0], form);
    });
    await count("act", "logging in", 3, () => ask(cached, "/login", "", { login: "georg", password: "plaza-demo" }));
    const minute = Math.floor(Date.now() / 300_000) * 5;
    for (const worker of [cached]) for (let i = 0; i < 6; i += 1) await worker.tick(minute + i); // what waited is done
    await count("job", "the job of a minute", 4, (i) => cached.tick(minute + 6 + i));
    await count("job", "the job of each fifth minute", 1, () => cached.tick(minute + 10));
    await countByTheMinute([plain.id, tagged.id, ...it.targets.slice(0, 5)], minute + 12);
  } finally {
    await cached.stop();
    await bare.stop();
    await sparing.stop();
  }
  return lines;
}

// drain empties the queues, and what workers do after their answer done.
async function drain(...workers) {
  let messages = 0;
  await wait(30);
  for (const worker of workers) messages += await worker.deliver();
  if (messages > 0) await wait(1000); // for so long an instance relies on a message that it has sent (worker/queue/deduplicate.go)
  return messages;
}
