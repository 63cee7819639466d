// Every kind of page, as a visitor and as a member, light and dark, phone and desktop: without requests to elsewhere, without errors, within
// its viewport, and right when bad things are asked of it. By night also accessible by axe, which looks at kinds of pages by day (e2e/gallery).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { base, expect, form, looksBehind, person, redis, signUp, skip, sql, test, uniqueName } from "./site.mjs";

const axe = readFileSync(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const name = uniqueName("cid");
const community = uniqueName("axe");
let address;
let own; // pages of the member's own

test.beforeAll(async () => {
  const { page, context } = await person();
  await signUp(page, name);
  await context.request.post(`${base}/communities`, form({ name: community, title: "For axe", description: "Everything to look at" }));
  const created = await context.request.post(`${base}/c/${community}/submit`, form({ title: "A <b>title</b> to look at", text: "Some `code` and\n\n> a quotation\n\n1. one\n2. two" }));
  address = created.headers().location;
  const id = /[?]target=(\w{13})"/.exec(await (await context.request.get(base + address)).text())[1];
  let parent = { post: id };
  for (let depth = 0; depth < 7; depth += 1) {
    const result = await context.request.post(`${base}/comment`, {
      form: { ...parent, body: `Depth **${depth}**` }, headers: { origin: base, accept: "application/json" } });
    parent = { parent: (await result.json()).id };
  }
  const draft = await context.request.post(`${base}/c/${community}/submit`, form({ title: "A draft", text: "Not *yet*", status: "draft" }));
  const draftID = /[?]target=(\w{13})"/.exec(await (await context.request.get(base + draft.headers().location)).text())[1];
  for (const target of [id, parent.parent]) await context.request.post(`${base}/save`, form({ target, on: "1" }));
  const hidden = await context.request.post(`${base}/c/${community}/submit`, form({ title: "Hidden", link: "https://example.org/hidden", nsfw: "1" }));
  const hiddenID = /[?]target=(\w{13})"/.exec(await (await context.request.get(base + hidden.headers().location)).text())[1];
  await context.request.post(`${base}/hide`, form({ target: hiddenID, on: "1" }));
  own = ["/drafts", "/saved", "/saved/comments", "/hidden", `/edit?target=${id}`, `/edit?target=${parent.parent}`, `/delete?target=${id}`, draft.headers().location,
    `/draft?target=${draftID}`, `/submit?crosspost=${id}`, hidden.headers().location, `/discussions?post=${id}`];
  await context.close();
});

// The pages of the phone have the elements of the others, so only the rules about colours and sizes can find something new there.
const levels = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const seen = ["color-contrast", "target-size", "link-in-text-block", "scrollable-region-focusable", "meta-viewport", "css-orientation-lock"];
const looks = [
  { colorScheme: "light", viewport: { width: 1280, height: 900 }, rules: levels, widths: [] },
  { colorScheme: "dark", viewport: { width: 390, height: 844 }, rules: { type: "rule", values: seen }, widths: [320] },
];
for (const { rules, widths, ...look } of looks) {
  for (const who of ["visitor", "member"]) {
    test(`pages of a ${who}, ${look.colorScheme}, ${[look.viewport.width, ...widths].join(" and ")} px wide`, async () => {
      const { page, context, problems } = await person({ ...look, bypassCSP: true });
      if (who === "member") {
        await page.goto(`${base}/login`);
        await page.getByLabel("Username or email").fill(name);
        await page.getByLabel("Password").fill("correct horse");
        await page.locator("main").getByRole("button", { name: "Log in", exact: true }).click();
        await page.waitForURL(`${base}/`);
      }
      const fits = async (width) => {
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.ok(overflow <= 0, `the page is ${overflow} px wider than a window of ${width} px`);
      };
      const paths = ["/", "/new", "/communities", "/communities?sort=growth", "/communities?sort=new", `/c/${community}`, address, `/u/${name}`, `/u/${name}/comments`, "/nothing",
        ...(who === "member" ? [`/c/${community}/settings`, `/c/${community}/submit`, "/submit", "/communities/new", ...own] : ["/login", "/signup"])];
      for (const path of paths) {
        await test.step(path, async () => {
          await page.goto(base + path);
          if (process.env.PLAZA_ALL) {
            await page.addScriptTag({ content: axe });
            const result = await page.evaluate((runOnly) => globalThis.axe.run(document, { runOnly, resultTypes: ["violations"] }), rules);
            assert.deepEqual(result.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html).join(" ")}`), []);
          }
          await fits(look.viewport.width);
          for (const width of widths) {
            await page.setViewportSize({ ...look.viewport, width });
            await fits(width);
          }
          if (widths.length > 0) await page.setViewportSize(look.viewport);
        });
      }
      assert.deepEqual(problems, []);
      await context.close();
    });
  }
}

test.describe("bad requests", () => {
  const at = (path, options = {}) => fetch(base + path, { redirect: "manual", ...options });
  const post = (path, body, headers = {}) => at(path, {
    method: "POST", body, headers: { "content-type": "application/x-www-form-urlencoded", origin: base, ...headers } });
  const forged = { cookie: "__Host-session=00000000000zz.00000000000zz.mxyz.eve.AAAA" };
  const cases = {
    "an unknown community": [() => at(`/c/${uniqueName("none")}`), 404, /no community of that name/],
    "an unknown post": [() => at(`/c/${community}/p/nothing`), 404, /no such post/],
    "a malformed cursor": [() => at("/?after=xyz"), 400, /page can&#39;t be found/],
    "a malformed id": [() => at(`${address}/xyz`), 400, /not an id/],
    "a 10 MB body": [() => post("/submit", `text=${"x".repeat(10 << 20)}`), 413, /larger than this site takes/],
    "a forged cookie": [() => post("/vote", "target=00000000000zz&value=1", forged), 401, /logged out/],
    "a wrong origin": [() => post("/vote", "target=00000000000zz&value=1", { origin: "https://evil.example" }), 403, /another site/],
    "a path with odd bytes": [() => at("/c/%ff%00"), 404, /<html/],
  };
  for (const [what, [send, status, says]] of Object.entries(cases)) {
    test(what, async () => {
      const count = () => (skip ? [] : sql("SELECT (SELECT count(*) FROM posts), (SELECT count(*) FROM votes), (SELECT count(*) FROM users)"));
      const before = await count();
      const response = await send();
      const text = await response.text();
      assert.equal(response.status, status, text.slice(0, 300));
      assert.match(text, says);
      assert.doesNotMatch(text, /SQLITE|goroutine|127\.0\.0\.1:(?!\d+\/)/);
      assert.deepEqual(await count(), before);
    });
  }
});

test.describe("Redis lost while running", () => {
  looksBehind();
  const slugs = (page) => [...page.matchAll(/href="(\/c\/\w+\/p\/[\w-]+)"/g)].map((match) => match[1]).filter((slug, i, all) => all.indexOf(slug) === i);
  // With a cookie that a member could have, so that no cached copy answers.
  const listing = async (path) => slugs(await (await fetch(base + path, { headers: { cookie: "__Host-some=1" } })).text());

  test("the next listing is right, and the set is whole again soon", async () => {
    const [[popular]] = await sql("SELECT community_name FROM posts GROUP BY community_name ORDER BY count(*) DESC LIMIT 1");
    const path = `/c/${popular}`;
    const key = `hot:c:${popular.toLowerCase()}`;
    const right = (await sql(`SELECT slug FROM posts WHERE community_name = ?1 AND status = 'published'
      ORDER BY hot DESC, id DESC LIMIT 25`, popular)).map(([slug]) => `/c/${popular}/p/${slug}`);
    await redis("FLUSHALL");
    assert.deepEqual(await listing(path), right);
    await expect(async () => {
      await listing(path); // an instance asks at most every ten seconds
      assert.ok((await redis("ZSCORE", key, "whole")) !== null, "the set is whole");
    }).toPass();
    assert.deepEqual(await listing(path), right);
    assert.equal(await redis("ZCARD", key), Math.min(250, (await sql("SELECT count(*) FROM posts WHERE community_name = ?1 AND status = 'published'", popular))[0][0]) + 1);
  });
});
