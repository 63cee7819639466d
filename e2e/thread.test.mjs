// A thread in Chromium: its orders, its stubs in place and as pages, and its end at the depth a page shows.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { base, launch, person, signUp, uniqueName, until } from "./site.mjs";

const replies = 13; // three more than a page shows of one comment's
const down = 8; // three levels more than a page shows

let browser, address;

/** send posts a form from a page of the site and returns what a program is told. */
const send = (page, action, fields) => page.evaluate(async ([to, body]) => {
  const response = await fetch(to, { method: "POST", headers: { accept: "application/json" }, body: new URLSearchParams(body) });
  if (!response.ok) throw new Error(`${to} answered ${response.status}: ${await response.text()}`);
  return response.json();
}, [action, fields]);

before(async () => {
  browser = await launch();
  const { context, page } = await person(browser);
  const community = uniqueName("threads");
  await signUp(page, uniqueName("ann"));
  await send(page, "/communities", { name: community, title: "A place to test" });
  const post = await send(page, `/c/${community}/submit`, { title: "A thread", text: "A text." });
  address = post.permalink;
  const wide = await send(page, "/comment", { post: post.id, body: "wide" });
  for (let i = 1; i <= replies; i += 1) await send(page, "/comment", { parent: wide.id, body: `reply ${i}` });
  let parent = await send(page, "/comment", { post: post.id, body: "level 1" });
  for (let i = 2; i <= down; i += 1) parent = await send(page, "/comment", { parent: parent.id, body: `level ${i}` });
  await until("all comments are counted", async () => { // as a member, whose pages are never old
    const text = await (await context.request.get(`${base}${address}?sort=old`)).text();
    return text.includes(`${1 + replies + down} comments`) && text.includes("Show 3 more comments");
  });
  await context.close();
});
after(() => browser.close());

for (const javaScriptEnabled of [true, false]) {
  describe(`a thread ${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    let visitor;
    before(async () => { visitor = await person(browser, { javaScriptEnabled, viewport: { width: 320, height: 700 } }); });
    after(async () => {
      await visitor.context.close();
      assert.deepEqual(visitor.problems, [], "no error, no request to elsewhere");
    });
    const said = (page) => page.locator(".comment > details > .said-body").allInnerTexts();

    test("keeps its order through tabs, stubs and continuations", async () => {
      const { page } = visitor;
      await page.goto(base + address);
      const tabs = page.getByRole("navigation", { name: "Order of comments" });
      assert.deepEqual(await tabs.getByRole("link").allInnerTexts(), ["Best", "Top", "New", "Old", "Controversial", "Q&A"]);
      await tabs.getByRole("link", { name: "Old" }).click();
      await page.waitForURL(`${base}${address}?sort=old`);
      const firstTen = ["wide", ...Array.from({ length: 10 }, (_, i) => `reply ${i + 1}`)];
      const levels = ["level 1", "level 2", "level 3", "level 4", "level 5"];
      assert.deepEqual(await said(page), [...firstTen, ...levels]);
      const rest = ["reply 11", "reply 12", "reply 13"];
      await page.getByText("Show 3 more comments").click();
      if (javaScriptEnabled) {
        await page.getByText("reply 13").waitFor();
        assert.deepEqual(await said(page), [...firstTen, ...rest, ...levels], "in the stub's place");
      } else {
        await page.waitForURL(/after=/);
        assert.deepEqual(await said(page), ["wide", ...rest], "under what they answer");
        assert.equal(await tabs.locator("[aria-current]").innerText(), "Old");
        await page.getByRole("link", { name: "Show all comments" }).click();
        await page.waitForURL(`${base}${address}?sort=old`);
      }
      await page.getByText("Continue this thread (3 more comments)").click();
      await page.waitForURL(new RegExp(`${address}/\\w{13}\\?sort=old$`));
      assert.deepEqual(await said(page), ["level 2", "level 3", "level 4", "level 5", "level 6", "level 7", "level 8"], "three above, the rest below");
      assert.equal(await page.locator(".lit > details > .said-body").first().innerText(), "level 5");
      await page.getByRole("link", { name: "what this answers" }).click();
      await page.getByText("level 1").waitFor();
    });

    test("leaves text its width where a conversation is deep, and nothing beyond the edge", async () => {
      const { page } = visitor;
      await page.goto(`${base}${address}?sort=old`);
      await page.getByText("Continue this thread").click();
      await page.getByText("level 8").waitFor();
      const width = await page.getByText("level 8").evaluate((el) => el.closest(".said-body").clientWidth);
      assert.ok(width >= 190, `${width} of 320 px`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
    });
  });
}
