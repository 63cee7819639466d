// Many members voting in the same moment: whoever comes while another's votes are being written waits without being woken by
// anybody else's request, and goes along with the next. No vote is lost, every voter sees their own.

import assert from "node:assert/strict";
import { base, expect, looksBehind, sql, test, uniqueName } from "./site.mjs";

const PEOPLE = 8; // fewer than look like a brigade
const POSTS = 4;

/** act posts a form as a browser does, and returns the answer. */
async function act(path, cookie, fields, accept = "text/html") {
  return fetch(base + path, {
    method: "POST", redirect: "manual", body: new URLSearchParams(fields),
    headers: { origin: base, accept, ...(cookie ? { cookie } : {}), "content-type": "application/x-www-form-urlencoded" },
  });
}

async function member(prefix) {
  const response = await act("/signup", "", { username: uniqueName(prefix), password: "correct horse" });
  assert.equal(response.status, 303);
  return response.headers.getSetCookie()[0].split(";")[0];
}

test.describe("many members", () => {
  looksBehind();
  test("votes at once, and every vote counts", async () => {
    const community = uniqueName("votes");
    const founder = await member("founder");
    assert.equal((await act("/communities", founder, { name: community, title: "Many voters" })).status, 303);
    const posts = [];
    for (let i = 0; i < POSTS; i += 1) {
      const response = await act(`/c/${community}/submit`, founder, { title: `Number ${i}`, text: "text" });
      assert.equal(response.status, 303);
      const slug = response.headers.get("location").split("/").at(-1);
      const [[id]] = await sql("SELECT CAST(p.id AS TEXT) FROM posts p JOIN communities c ON c.id = p.community_id WHERE c.name = ?1 AND p.slug = ?2", community, slug);
      posts.push({ number: id, path: response.headers.get("location") });
    }
    for (const post of posts) {
      const page = await (await fetch(base + post.path, { headers: { cookie: founder } })).text();
      post.id = page.match(/[?]target=([0-9a-z]{13})"/)[1];
    }
    const people = [];
    for (let i = 0; i < PEOPLE; i += 1) people.push(await member("voter"));

    // Everybody at everything, in one go; then a third changes their mind, twice.
    const want = new Map(posts.map((post) => [post.id, people.map(() => 0)]));
    const vote = async (post, i, value) => {
      want.get(post.id)[i] = value;
      const response = await act("/vote", people[i], { target: post.id, value }, "application/json");
      const text = await response.text();
      assert.equal(response.status, 200, text);
      assert.equal(JSON.parse(text).my_vote, value);
    };
    const all = posts.flatMap((post) => people.map((_, i) => [post, i]));
    await Promise.all(all.map(([post, i]) => vote(post, i, i % 4 === 3 ? -1 : 1)));
    await Promise.all(all.filter((_, n) => n % 3 === 0).map(async ([post, i]) => { await vote(post, i, -1); await vote(post, i, 0); }));

    for (const post of posts) {
      const values = want.get(post.id);
      const counted = (value) => values.filter((one) => one === value).length;
      const state = await sql("SELECT coalesce(sum(value = 1), 0), coalesce(sum(value = -1), 0) FROM votes WHERE target_id = CAST(?1 AS INTEGER)", post.number);
      assert.deepEqual(state[0], [counted(1) + 1, counted(-1)], "the votes, and the author's own");
      await expect(async () => {
        const [[ups, downs]] = await sql("SELECT ups, downs FROM posts WHERE id = CAST(?1 AS INTEGER)", post.number);
        assert.ok(ups === counted(1) + 1 && downs === counted(-1), "the counters know every vote");
      }).toPass();
    }
  });
});
