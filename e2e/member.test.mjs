// A member's whole path in Chromium, once with JavaScript and once without.

import assert from "node:assert/strict";
import { base, bothWays, expect, javaScriptEnabled, looksBehind, miscounted, person, signUp, sql, test, uniqueName } from "./site.mjs";

test.describe.configure({ mode: "serial" });

test.describe("a member", bothWays, () => {
  const community = uniqueName("own");
  const ann = uniqueName("ann");
  const ben = uniqueName("ben");
  let a, b, post;

  const widget = (page) => page.locator(".votes").first();
  const press = async (page, form, name) => {
    await form.getByRole("button", { name }).click();
    if (!javaScriptEnabled) await page.waitForLoadState();
  };
  const state = async (form) => [
    await form.getByRole("button", { name: "Upvote" }).getAttribute("aria-pressed"),
    await form.getByRole("button", { name: "Downvote" }).getAttribute("aria-pressed"),
  ].join(" ");
  const seen = (form, want) => expect(async () => assert.ok((await state(form)) === want, `buttons are ${want}`)).toPass();
  const score = async (page) => (await widget(page).locator(".score").getAttribute("title")) ?? "";

  test.beforeAll(async () => {
    a = await person();
    b = await person();
  });
  test.afterAll(async () => {
    await a.context.close();
    await b.context.close();
    assert.deepEqual([...a.problems, ...b.problems], [], "no error, no request to elsewhere");
  });

  test("signs up and makes a community", async () => {
    await a.page.goto(`${base}/signup`);
    await a.page.getByLabel("Username").fill(ann);
    await a.page.getByLabel("Password").fill("correct horse");
    await a.page.locator("main").getByRole("button", { name: "Sign up", exact: true }).click();
    await a.page.waitForURL(`${base}/welcome`);
    await a.page.goto(`${base}/communities/new`);
    await a.page.getByLabel("Name").fill(community);
    await a.page.getByLabel("Title").fill("A place to test");
    await a.page.locator("main form").getByRole("button").last().click();
    await a.page.waitForURL(`${base}/c/${community}`);
    assert.match(await a.page.locator("h1").innerText(), /A place to test/);
  });

  test("submits a text, a link and an image, and gets a form back with what was wrong", async () => {
    await a.page.goto(`${base}/c/${community}/submit`);
    await a.page.getByLabel("Title").fill("A link, of all things");
    await a.page.locator("main form").getByRole("button", { name: "Post", exact: true }).click();
    await a.page.getByText("A post needs a text, a link or an image.").waitFor();
    await expect(a.page.getByLabel("Title")).toHaveValue("A link, of all things");
    await a.page.locator("#kind-link").check();
    await a.page.locator("#link").fill("https://example.org/article");
    await a.page.locator("main form").getByRole("button", { name: "Post", exact: true }).click();
    await a.page.waitForURL(`${base}/c/${community}/p/a-link-of-all-things`);
    await a.page.goto(`${base}/c/${community}/submit`);
    await a.page.getByLabel("Title").fill("A text");
    await a.page.locator("#text").fill("Some **strong** words");
    await a.page.locator("main form").getByRole("button", { name: "Post", exact: true }).click();
    await a.page.waitForURL(`${base}/c/${community}/p/a-text`);
    assert.equal(await a.page.locator("main strong").first().innerText(), "strong");
    post = a.page.url();
  });

  test("comments, and another member replies", async () => {
    await a.page.locator("form.reply textarea").first().fill("The first comment");
    await a.page.locator("form.reply").first().getByRole("button", { name: "Comment" }).click();
    await a.page.locator(".comment", { hasText: "The first comment" }).waitFor();
    await signUp(b.page, ben);
    await b.page.goto(post);
    await b.page.locator(".comment", { hasText: "The first comment" }).getByRole("link", { name: "Reply" }).click();
    // In place the form stands in the comment; without JavaScript it is a page of its own.
    const form = b.page.locator(javaScriptEnabled ? ".comment form.reply" : "main form.reply");
    await form.locator("textarea").fill("A reply to it");
    await form.getByRole("button", { name: "Reply" }).click();
    await b.page.locator(".comment .comment", { hasText: "A reply to it" }).waitFor();
  });

  test("upvotes, switches to a downvote and takes it back, seen at once each time", async () => {
    await b.page.goto(post);
    await press(b.page, widget(b.page), "Upvote");
    await seen(widget(b.page), "true false");
    assert.match(await score(b.page), /^2 points/);
    await press(b.page, widget(b.page), "Downvote");
    await seen(widget(b.page), "false true");
    assert.match(await score(b.page), /^0 points/);
    await b.page.reload();
    await seen(widget(b.page), "false true");
    await press(b.page, widget(b.page), "Downvote");
    await seen(widget(b.page), "false false");
    assert.match(await score(b.page), /^1 point/);
    const comment = b.page.locator(".comment", { hasText: "The first comment" }).first();
    await press(b.page, comment.locator(".votes").first(), "Upvote");
    await seen(b.page.locator(".comment", { hasText: "The first comment" }).first().locator(".votes").first(), "true false");
    await b.page.goto(`${base}/c/${community}/p/a-link-of-all-things`);
    await press(b.page, widget(b.page), "Upvote");
    await seen(widget(b.page), "true false");
  });

  test("soon every counter equals the votes table", async () => {
    looksBehind();
    await expect(async () => assert.ok((await miscounted()).length === 0 && (await sql("SELECT (SELECT count(*) FROM vote_deltas) + (SELECT count(*) FROM count_deltas)"))[0][0] === 0, "all counted")).toPass();
    assert.deepEqual(await sql("SELECT slug, ups, downs, comments FROM posts WHERE community_name = ?1 ORDER BY slug", community),
      [["a-link-of-all-things", 2, 0, 0], ["a-text", 1, 0, 2]]);
  });

  test("logs out, and a visitor sees the same counts", async () => {
    await b.page.goto(`${base}/`);
    const out = b.page.getByRole("button", { name: "Log out" });
    if (!(await out.isVisible())) await b.page.locator(".account .menu > summary").click();
    await out.click();
    await b.page.getByRole("link", { name: "Log in" }).first().waitFor();
    await b.page.goto(`${base}/c/${community}/new`);
    assert.match(await b.page.locator(".votes").last().locator(".score").getAttribute("title"), /^2 points/);
    await b.page.goto(post);
    assert.match(await score(b.page), /^1 point/);
    assert.match(await b.page.locator(".comment", { hasText: "The first comment" }).first().locator(".score").first().getAttribute("title"), /^2 points/);
    await expect(b.page.locator(".comment")).toHaveCount(2);
  });

  test("a visitor who looks at a post is a view of it, unlike a program and a page that nobody looks at", async () => {
    looksBehind();
    test.skip(!javaScriptEnabled, "a script tells it");
    const views = async () => {
      // The job that adds views to the databases is due every five minutes.
      const ran = await fetch(`${base}/cdn-cgi/handler/scheduled?time=${Math.floor(Date.now() / 3e5) * 3e5}`);
      assert.equal(ran.status, 200);
      return (await sql("SELECT views FROM posts WHERE community_name = ?1 AND slug = 'a-text'", community))[0][0];
    };
    const reported = (page) => page.waitForResponse(`${base}/view`);
    const before = await views();
    const agent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
    const c = await person({ userAgent: agent });
    const program = await person({ userAgent: `${agent} (compatible; ExampleBot/1.0)` });
    await Promise.all([reported(program.page), program.page.goto(post)]);
    await c.page.goto(`${base}/c/${community}/new`);
    const [ahead] = await Promise.all([c.page.waitForResponse(post), c.page.evaluate((href) => {
      document.head.append(Object.assign(document.createElement("link"), { rel: "prefetch", href }));
    }, post)]);
    assert.match((await ahead.request().allHeaders())["sec-purpose"], /^prefetch/);
    assert.equal(await views(), before);
    await Promise.all([reported(c.page), c.page.goto(post)]);
    assert.equal(await views(), before + 1);
    await a.page.goto(post);
    await a.page.locator(".full .by", { hasText: `${before + 1} views` }).waitFor();
    for (const { context, problems } of [c, program]) {
      await context.close();
      a.problems.push(...problems);
    }
  });
});
