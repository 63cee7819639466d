// What people see while Redis, the database or both accept requests and never answer, and how soon it is over afterwards.
// Nobody waits until the watchdog ends a request, and what was typed comes back. Says how long each took.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ADDRESSES } from "../../worker/edge/shim/table.mjs";
import { eventually, past } from "../edge/harness.mjs";
import { startSite } from "./site.mjs";

const LONGEST = 20_000; // ms: less than the watchdog's 25 s; a request may work for 8 s (data/pace/deadline), and the rest is for a busy machine

let site;
let ann;
let post;
// Pages of which no copy is kept before they are first asked for, more than the rounds take.
const unseen = Object.entries(ADDRESSES).filter(([page, known]) => /^(\/c\/\{community\})?\/[a-z]+$/.test(page) && /^t\b/.test(known))
  .flatMap(([page]) => ["hour", "day", "week", "month", "year"].map((time) => `${page.replace("{community}", "here")}?t=${time}`));
before(async () => {
  site = await startSite();
  ann = await site.signUp("ann");
  await must(site.post("/communities", { name: "here", title: "Here" }, ann));
  const created = await must(site.post("/submit", { community: "here", title: "A post", kind: "text", text: "To be read." }, ann));
  post = created.json.id;
});
after(() => site?.stop());

async function must(asked) {
  const response = await asked;
  assert.equal(response.status, 200, response.text);
  return response;
}

const typed = () => `What I typed, ${Math.random()}, with "quotes" & <signs>.`;
const form = (path, fields) => site.post(path, fields, ann, { html: true });

/** round does once what people do, and returns what became of it and the milliseconds that it took. */
async function round(page = unseen.shift()) {
  const text = typed();
  const asked = {
    "a visitor, copy kept": site.get("/c/here"),
    "a visitor, no copy": site.get(page),
    "a member, copy kept": site.get("/c/here", ann),
    "a member, no copy": site.get("/saved", ann),
    "a vote": site.post("/vote", { target: post, value: 1 }, ann),
    "a comment": form("/comment", { post, body: text }),
  };
  const responses = {};
  for (const [name, promise] of Object.entries(asked)) responses[name] = await promise;
  return { text, responses };
}

function say(when, { responses }) {
  console.log(`${when.padEnd(42)} ${Object.entries(responses).map(([name, { status, ms, headers }]) =>
    `${name}: ${status}${headers?.get("x-cache") === "COPY" ? " (copy)" : ""} ${ms} ms`).join("; ")}`);
}

function holds(responses) {
  for (const [name, { status, ms }] of Object.entries(responses)) {
    assert.notEqual(status, 0, name);
    assert.ok(ms < LONGEST, `${name} took ${ms} ms`);
  }
}

/** recovery is how long it takes until all of a round works again. */
async function recovery(when) {
  const began = Date.now();
  await eventually(async () => {
    const all = await round("/new");
    for (const [name, { status }] of Object.entries(all.responses)) {
      assert.ok(status === 200 || status === 303, `${name}: ${status}`);
      if (name === "a member, copy kept") assert.notEqual(all.responses[name].headers.get("x-cache"), "COPY");
    }
  });
  console.log(`${when}: everything works again after ${Date.now() - began} ms`);
}

// fillCache makes the edge keep a visitor's copy.
const fillCache = () => eventually(async () => assert.match((await must(site.get("/c/here"))).headers.get("x-cache"), /HIT|STALE/));

test("the proxies fail when told to, and the site recovers", async () => {
  await site.database.set({ fault: "answer", status: 500 });
  assert.equal((await site.get("/c/here", ann)).status, 503);
  assert.ok((await site.database.counts()).faulted > 0);
  await site.database.set({ fault: "pass" });
  await must(site.get("/c/here", ann));

  await site.database.set({ fault: "lose", holding: "INSERT INTO idempotency_keys", times: 1 });
  const { json: { id } } = await must(site.post("/submit", { community: "here", title: "Once", kind: "text", text: "Made once." }, ann));
  assert.equal((await site.database.counts()).faulted, 1);
  assert.deepEqual(await site.sql("SELECT count(*) FROM posts WHERE title = 'Once'"), [["1"]]);

  await site.redis.set({ fault: "refuse" });
  await must(site.post("/vote", { target: id, value: 0 }, ann));
  await site.redis.set({ fault: "pass" });
});

test("in good health", async () => {
  await fillCache();
  const all = await round();
  say("in good health", all);
  assert.equal(all.responses["a comment"].status, 303);
});

test("Redis hangs: everything works, and from the fourth call on as fast as before", async () => {
  await site.redis.set({ fault: "hole" });
  try {
    for (const when of ["Redis hangs", "Redis still hangs"]) {
      // Each of its limits is counted in Redis: of the network, and of the name from there and from everywhere.
      const login = await site.post("/login", { login: "nobody", password: "wrong horse" });
      assert.equal(login.status, 401);
      const all = await round();
      all.responses["logging in"] = login;
      say(when, all);
      holds(all.responses);
      assert.equal(all.responses["a vote"].status, 200);
      assert.equal(all.responses["a comment"].status, 303);
      assert.equal(all.responses["a member, copy kept"].status, 200);
    }
    const before = (await site.redis.counts()).faulted;
    assert.ok(before >= 3, `${before} calls waited`);
    const began = performance.now();
    const quick = await round();
    assert.equal((await site.post("/login", { login: "nobody", password: "wrong horse" })).status, 401);
    const most = 1 + Math.floor((performance.now() - began) / 2000); // it is tried again every two seconds
    assert.ok((await site.redis.counts()).faulted - before <= most, "Redis is left alone");
    assert.equal(quick.responses["a vote"].status, 200);
  } finally {
    await site.redis.set({ fault: "pass" });
  }
  await recovery("Redis answers");
});

for (const [what, faults] of [["the database hangs", ["database"]], ["both hang", ["database", "redis"]]]) {
  test(`${what}: visitors and members read the copy, and what was typed comes back`, async () => {
    await fillCache();
    for (const name of faults) await site[name].set({ fault: "hole" });
    try {
      for (const when of [what, `${what} still`]) {
        const all = await round();
        say(when, all);
        holds(all.responses);
        assert.equal(all.responses["a visitor, copy kept"].status, 200);
        const member = all.responses["a member, copy kept"];
        assert.equal(member.status, 200);
        assert.match(member.text, /class="notice" role="status">Your own page cannot be made right now/);
        assert.equal(member.headers.get("cache-control"), "private, no-store");
        assert.equal(all.responses["a visitor, no copy"].status, 503);
        assert.equal(all.responses["a vote"].status, 503);
        const comment = all.responses["a comment"];
        assert.equal(comment.status, 503);
        assert.ok(unescaped(comment.text).includes(all.text), "what was typed is in the form");
      }
    } finally {
      for (const name of faults) await site[name].set({ fault: "pass" });
    }
    await recovery(what);
  });
}

test("a database that is unavailable for two seconds is waited for", async () => {
  await site.database.set({ fault: "refuse" });
  const text = typed();
  const commented = form("/comment", { post, body: text });
  const voted = site.post("/vote", { target: post, value: -1 }, ann);
  const read = site.get("/saved", ann);
  await past(Date.now(), 2000);
  await site.database.set({ fault: "pass" });
  for (const [name, asked] of Object.entries({ commented, voted, read })) {
    const { status, ms, text: said } = await asked;
    console.log(`unavailable for 2 s, ${name}: ${status} ${ms} ms`);
    assert.ok(status === 200 || status === 303, `${name}: ${status} ${said.slice(0, 300)}`);
  }
});

const unescaped = (html) => html.replaceAll("&#34;", '"').replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&#39;", "'").replaceAll("&amp;", "&");
