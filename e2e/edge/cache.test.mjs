// The edge cache: what visitors share, and what nobody ever shares.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { eventually, MEMBER, past, startEdge, startUpstream } from "./harness.mjs";

let edge;
let upstream;
before(async () => { [edge, upstream] = await Promise.all([startEdge(), startUpstream()]); });
after(() => Promise.all([edge?.stop(), upstream?.stop()]));

let pages = 0;
const page = (control, more = "") => `/__test/cache?page=${++pages}&control=${encodeURIComponent(control)}${more}`;
const LONG = "public, s-maxage=60, stale-while-revalidate=60";

// ask returns the cache's word and the body.
async function ask(path, headers = {}, more = {}) {
  const response = await edge.get(path, headers, more);
  return { state: response.headers.get("x-cache"), body: await response.text(), status: response.status, headers: response.headers };
}

// stored asks until the page comes from the cache, and returns what is kept there. Storing goes on after an answer: each that Go makes until
// then takes the place of the one before.
async function stored(path, headers) {
  let made = await ask(path, headers);
  assert.equal(made.state, "MISS");
  return eventually(async () => {
    const copy = await ask(path, headers);
    if (copy.state === "MISS") made = copy;
    if (copy.state === "STALE") made = null; // it is renewed meanwhile
    assert.equal(copy.state, "HIT");
    if (made) assert.equal(copy.body, made.body);
    return copy;
  });
}

// old waits until a copy of this moment, or one before it, may be kept for a second no longer.
const old = () => past(Date.now(), 1000);
// time lets the cache store what it was given before.
const time = () => stored(page(LONG));

test("a visitor's page is stored and the next visitor's never enters Go", async () => {
  const path = page(LONG);
  const first = await stored(path);
  const second = await ask(path);
  assert.equal(second.state, "HIT");
  assert.equal(second.body, first.body);
  assert.equal(second.headers.get("cache-control"), "public, max-age=0, must-revalidate");
  assert.match(second.headers.get("age"), /^\d+$/);
  assert.match(second.headers.get("vary"), /Cookie/);
  for (const name of second.headers.keys()) assert.doesNotMatch(name, /x-plaza/);
  assert.equal(first.headers.get("etag"), second.headers.get("etag"));
  const again = await ask(path, { "if-none-match": second.headers.get("etag") });
  assert.equal(again.status, 304);
  assert.equal(again.body, "");
});

test("a page that has not changed since a time is not sent again", async () => {
  const path = page(LONG);
  const first = await stored(path);
  const since = first.headers.get("last-modified");
  assert.ok(Date.parse(since) <= Date.now());
  assert.equal((await ask(path, { "if-modified-since": since })).status, 304);
  const before = new Date(Date.parse(since) - 1000).toUTCString();
  assert.equal((await ask(path, { "if-modified-since": before })).status, 200);
  assert.equal((await ask(path, { "if-modified-since": since, "if-none-match": '"x"' })).status, 200, "the tag goes first");
  assert.equal((await ask(path, { "if-modified-since": "yesterday" })).status, 200);
});

test("HEAD is answered from the page, and never stored as one", async () => {
  const path = page(LONG);
  const head = await ask(path, {}, { method: "HEAD" });
  assert.equal(head.body, "");
  await eventually(async () => {
    const get = await ask(path);
    assert.equal(get.state, "HIT");
    assert.notEqual(get.body, "");
  });
});

test("the key ignores the order of parameters and tracking, and nothing else", async () => {
  const path = page(LONG, "&a=1&b=2");
  const first = await stored(path);
  const [base, query] = path.split("?");
  const shuffled = `${base}?utm_source=mail&${query.split("&").reverse().join("&")}&fbclid=1`;
  assert.equal((await ask(shuffled)).body, first.body);
  assert.equal((await ask(`${path}&c=3`)).state, "MISS");
  assert.equal((await ask(`${path}&__variant=json`)).state, "HIT", "a client cannot name a variant");
});

test("JSON and HTMX requests have their own copies", async () => {
  const path = page(LONG);
  const html = await stored(path);
  const json = await stored(path, { accept: "application/json" });
  const partial = await stored(path, { "hx-request": "true" });
  assert.equal(new Set([html.body, json.body, partial.body]).size, 3);
  assert.match(json.body, /application\/json/);
});

test("a member neither gets a stored page nor leaves one", async () => {
  const path = page(LONG);
  const visitor = await stored(path);
  for (const headers of [MEMBER, { cookie: "a=b; __Host-session=x" }, { cookie: "a=b,__Host-session=x" }, { authorization: "Bearer x" }]) {
    const member = await ask(path, headers);
    assert.equal(member.state, null);
    assert.notEqual(member.body, visitor.body);
    assert.equal(member.headers.get("cache-control"), "private, no-store");
    assert.match(member.headers.get("vary"), /Cookie/);
  }
  for (const headers of [MEMBER, { authorization: "Bearer x" }, { authorization: "bearer plaza_x", accept: "application/json" }]) {
    const other = page(LONG);
    await ask(other, headers);
    await time();
    assert.equal((await ask(other)).state, "MISS");
  }
});

test("a picture is the same for members and visitors, and Go doesn't hear who asks", async () => {
  const first = await stored("/img/one", MEMBER);
  assert.match(first.body, / ""$/);
  assert.equal((await ask("/img/one")).body, first.body);
  assert.equal((await ask("/img/one", MEMBER)).state, "HIT");
  assert.equal((await ask("/img/one", { authorization: "Bearer x" })).state, null, "a program's request is never a visitor's");
  assert.equal(first.headers.get("content-type"), "image/png");
  assert.equal((await ask("/img/one", MEMBER, { method: "POST", body: "x" })).state, null);
});

test("foreign cookies stay outside of what is shared", async () => {
  const path = page(LONG);
  const first = await stored(path, { cookie: "__cf_bm=secret; theme=dark", "user-agent": "odd" });
  assert.doesNotMatch(first.body, /secret|theme/);
  assert.equal((await ask(path)).body, first.body);
});

test("a page has a copy for each density and theme", async () => {
  const path = page(LONG);
  const usual = await stored(path);
  const dark = await stored(path, { cookie: "a=b; display=compact.dark; __cf_bm=secret" });
  assert.notEqual(dark.body, usual.body);
  assert.doesNotMatch(dark.body, /secret|a=b/);
  assert.equal((await ask(path, { cookie: "display=compact.dark" })).body, dark.body);
  assert.equal((await ask(path, { cookie: "display=compact.other" })).body, usual.body);
  assert.equal((await ask(path)).body, usual.body);
});

test("only what Go allows is stored", async () => {
  const never = [
    page("private, no-store"), page("public, max-age=60"), page("s-maxage=60"), page("public, s-maxage=0"), page("no-store, public, s-maxage=9"),
    page(LONG, "&cookie"), page(LONG, "&code=500"), page(LONG, "&code=403"), page(LONG, "&code=302"), page(""),
  ];
  for (const path of never) await ask(path);
  await time();
  for (const path of never) assert.equal((await ask(path)).state, "MISS", path);
  const missing = page("public, s-maxage=1", "&code=404");
  await stored(missing);
  assert.equal((await ask(missing)).status, 404);
  assert.equal((await edge.get(page(LONG), MEMBER, { method: "POST" })).headers.get("x-cache"), null);
});

test("when Go cannot answer, a copy that is too old is still better", async () => {
  const path = page("public, s-maxage=1", `&fail=${upstream.url("state")}`);
  const first = await stored(path);
  upstream.say = "down";
  await old();
  const second = await ask(path);
  assert.equal(second.state, "STALE");
  assert.equal(second.status, 200);
  assert.equal(second.body, first.body);
  upstream.say = null;
  await eventually(async () => assert.notEqual((await ask(path)).body, first.body));
});

// asked counts the requests with a token. Of a token that only one test uses: the copies of other tests may be renewed meanwhile.
const asked = (token) => upstream.seen.filter((line) => line.startsWith(`${token}/`)).length;

// hanging has the upstream answer nobody until the function is over.
async function hanging(during) {
  let release;
  upstream.hang = new Promise((resolve) => { release = resolve; });
  try {
    await during();
  } finally {
    upstream.hang = null;
    release();
  }
}

test("a stale page is served at once while one request renews it", async () => {
  const path = page("public, s-maxage=1, stale-while-revalidate=60", `&fail=${upstream.url("stale")}`);
  const first = await stored(path);
  await old();
  await hanging(async () => {
    const before = asked("stale");
    const stale = await Promise.all(Array.from({ length: 5 }, () => ask(path)));
    for (const { state, body } of stale) assert.deepEqual([state, body], ["STALE", first.body]);
    await eventually(() => assert.ok(asked("stale") > before));
    assert.equal(asked("stale"), before + 1, "renewed once");
  });
  await eventually(async () => {
    const { state, body } = await ask(path);
    assert.equal(state, "HIT");
    assert.notEqual(body, first.body);
  });
});

test("while Go refuses visitors, it renews copies, and nobody can say that they renew one", async () => {
  const control = "public, s-maxage=1, stale-while-revalidate=60";
  const path = page(control, `&html&fail=${upstream.url("refuse")}`);
  const first = await stored(path);
  upstream.say = "refuse";
  const guest = await ask(path, { cookie: "__Host-browser=x" });
  assert.deepEqual([guest.status, guest.state, guest.body], [200, "COPY", first.body], "who is not logged in reads the copy, without a note");
  assert.equal((await ask(path, MEMBER)).status, 429, "a member's refusal is their own");
  const other = page(control, `&fail=${upstream.url("refuse")}`);
  for (let i = 0; i < 2; i += 1) {
    const { status, state } = await ask(other, { "x-plaza-renewal": "1" });
    assert.deepEqual([status, state], [429, "MISS"], "a refusal is not kept either");
  }
  await old();
  assert.deepEqual((await ask(path)).body, first.body);
  await eventually(async () => {
    const { status, body } = await ask(path);
    assert.equal(status, 200);
    assert.notEqual(body, first.body);
  });
  upstream.say = null;
});

test("when Go hangs, a copy that is too old is served all the same, and renewed in the background", async () => {
  const path = page("public, s-maxage=1", `&fail=${upstream.url("hangs")}`);
  const first = await stored(path);
  await old();
  await hanging(async () => {
    const before = asked("hangs");
    const second = await ask(path);
    assert.equal(second.state, "STALE");
    assert.equal(second.body, first.body);
    assert.equal((await ask(path)).state, "STALE");
    await eventually(() => assert.ok(asked("hangs") > before, "Go still waits"));
    assert.equal(asked("hangs"), before + 1, "and only for the first of the two");
  });
  await eventually(async () => {
    const { state, body } = await ask(path);
    assert.equal(state, "HIT");
    assert.notEqual(body, first.body);
  });
});

test("a member whose page cannot be made reads the visitors' copy, with a note", async () => {
  for (const life of ["public, s-maxage=60", "public, s-maxage=1"]) {
    const path = page(life, `&html&fail=${upstream.url("state")}`);
    const visitor = await stored(path);
    if (life.endsWith("=1")) await old();
    const own = await ask(path, MEMBER);
    assert.equal(own.state, null);
    upstream.say = "down";
    try {
      const copy = await ask(path, MEMBER);
      assert.equal(copy.status, 200);
      assert.equal(copy.state, "COPY");
      assert.match(copy.body, /<main id="main"><p id="copy" class="notice" role="status">Your own page cannot be made right now/);
      assert.equal(copy.body.replace(/<p id="copy".*?<\/p>/s, ""), visitor.body);
      assert.equal(copy.headers.get("cache-control"), "private, no-store");
      assert.equal(copy.headers.get("content-security-policy"), visitor.headers.get("content-security-policy"));
      assert.match(copy.headers.get("vary"), /Cookie/);
      assert.equal(copy.headers.get("etag"), null);
      assert.equal((await ask(path, MEMBER, { method: "HEAD" })).body, "");
      for (const headers of [{ ...MEMBER, accept: "application/json" }, { ...MEMBER, accept: "application/json, text/html" }, { ...MEMBER, "hx-request": "true" },
        { authorization: "Bearer x", accept: "text/html" }]) {
        assert.equal((await ask(path, headers)).status, 503);
      }
      assert.equal((await ask(path, MEMBER, { method: "POST" })).status, 503);
      assert.equal((await ask(`${path}&never=seen`, MEMBER)).status, 503);
      assert.doesNotMatch((await ask(path)).body, /notice/, "the copy itself is as it was");
    } finally {
      upstream.say = null;
    }
    assert.equal((await ask(path, MEMBER)).state, null);
  }
});
