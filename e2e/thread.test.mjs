// A thread in Chromium: its orders, its stubs in place and as pages, and its end at the depth a page shows.

import assert from "node:assert/strict";
import { base, bothWays, expect, javaScriptEnabled, person, signUp, test, uniqueName } from "./site.mjs";

const replies = 8; // three more than a page shows of one comment's
const down = 8; // three levels more than a page shows

let address;

/** send posts a form as the member of a page and returns what a program is told. */
const send = async ({ request }, action, fields) => {
  const response = await request.post(base + action, { form: fields, headers: { origin: base, accept: "application/json" } });
  assert.ok(response.ok(), `${action}: ${await response.text()}`);
  return response.json();
};

test.beforeAll(async () => {
  const { context, page } = await person();
  const community = uniqueName("threads");
  await signUp(page, uniqueName("ann"));
  await send(page, "/communities", { name: community, title: "A place to test" });
  const post = await send(page, `/c/${community}/submit`, { title: "A thread", text: "A text." });
  address = post.permalink;
  const wide = await send(page, "/comment", { post: post.id, body: "wide" });
  for (let i = 1; i <= replies; i += 1) await send(page, "/comment", { parent: wide.id, body: `reply ${i}` });
  let parent = await send(page, "/comment", { post: post.id, body: "level 1" });
  for (let i = 2; i <= down; i += 1) parent = await send(page, "/comment", { parent: parent.id, body: `level ${i}` });
  await expect(async () => { // as a member, whose pages are never old
    const text = await (await context.request.get(`${base}${address}?sort=old`)).text();
    assert.ok(text.includes(`${1 + replies + down} comments`) && text.includes("Show 3 more comments"), "all comments are counted");
  }).toPass();
  await context.close();
});

test.describe("a thread", bothWays, () => {
  let visitor;
  test.beforeAll(async () => { visitor = await person({ viewport: { width: 320, height: 700 } }); });
  test.afterAll(async () => {
    await visitor.context.close();
    assert.deepEqual(visitor.problems, [], "no error, no request to elsewhere");
  });
  // Their innerText is empty until they are painted (content-visibility).
  const said = async (page) => (await page.locator(".comment > details > .said-body").allTextContents()).map((text) => text.trim());

  test("keeps its order through its menu, stubs and continuations", async () => {
    const { page } = visitor;
    await page.goto(base + address);
    const order = page.locator(".tbar .sorts");
    assert.equal(await order.locator("summary").textContent(), "Order: Best");
    await order.locator("summary").click();
    const orders = page.getByRole("navigation", { name: "Order of comments" });
    assert.deepEqual(await orders.getByRole("link").allInnerTexts(), ["Best", "Top", "New", "Old", "Controversial", "Q&A"]);
    await orders.getByRole("link", { name: "Old" }).click();
    await page.waitForURL(`${base}${address}?sort=old`);
    const firstFive = ["wide", ...Array.from({ length: 5 }, (_, i) => `reply ${i + 1}`)];
    const levels = ["level 1", "level 2", "level 3", "level 4", "level 5"];
    assert.deepEqual(await said(page), [...firstFive, ...levels]);
    const rest = ["reply 6", "reply 7", "reply 8"];
    await page.getByText("Show 3 more comments").click();
    if (javaScriptEnabled) {
      await page.getByText("reply 8").waitFor();
      assert.deepEqual(await said(page), [...firstFive, ...rest, ...levels], "in the stub's place");
    } else {
      await page.waitForURL(/after=/);
      assert.deepEqual(await said(page), ["wide", ...rest], "under what they answer");
      assert.equal(await order.locator("summary").textContent(), "Order: Old");
      await page.getByRole("link", { name: "Show all comments" }).click();
      await page.waitForURL(`${base}${address}?sort=old`);
    }
    await page.getByText("Continue this thread (3 more comments)").click();
    await page.waitForURL(new RegExp(`${address}/\\w{13}\\?sort=old$`));
    assert.deepEqual(await said(page), ["level 3", "level 4", "level 5", "level 6", "level 7", "level 8"], "two above, the rest below");
    await expect(page.locator(".lit > details > .said-body").first()).toHaveText("level 5");
    assert.equal(await page.evaluate(() => document.activeElement.closest(".comment")?.matches(".lit")), true, "and the focus is at it");
    assert.equal(await page.getByText("A text.").isVisible(), false, "the post is its title");
    await page.getByText("Show post").click();
    assert.equal(await page.getByText("A text.").isVisible(), true);
    await page.getByRole("link", { name: "Show parent" }).click();
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

test.describe("a thread by hand", () => {
  const comment = (page, text) => page.locator(".comment", { has: page.locator(`xpath=./details/div[contains(@class, "said-body")][normalize-space() = "${text}"]`) }).last();
  const focused = (page) => page.evaluate(() => document.activeElement.closest(".comment")?.querySelector(".said-body").textContent.trim());
  let visitor, member;
  test.beforeAll(async () => {
    visitor = await person({ viewport: { width: 390, height: 844 }, hasTouch: true });
    member = await person({ viewport: { width: 1280, height: 900 } });
    await signUp(member.page, uniqueName("ben"));
  });
  test.afterAll(async () => {
    for (const { context, problems } of [visitor, member]) {
      await context.close();
      assert.deepEqual(problems, []);
    }
  });

  test("folds along its whole line, and says what it hides", async () => {
    const { page } = visitor;
    await page.goto(`${base}${address}?sort=old`);
    const wide = comment(page, "wide");
    const line = await wide.locator("summary").first().boundingBox();
    assert.ok(line.width >= 24 && line.height > 300, `${line.width} by ${line.height}`);
    const bar = await comment(page, "reply 3").locator(".acts").first().boundingBox(); // beside which no reply has a handle of its own
    await page.mouse.click(line.x + 12, bar.y + bar.height / 2);
    await expect(async () => assert.ok(/^\S+\s+\d points?\s·\s“wide”\s·\s8 replies$/.test((await wide.innerText()).replace(/\s+/g, " ")), "it is folded")).toPass();
    assert.ok((await wide.boundingBox()).height <= 37, "one line");
    assert.equal(await page.getByText("reply 1", { exact: true }).isVisible(), false);
    await page.reload();
    await expect(wide, "it is remembered").toHaveText(/“wide”/, { useInnerText: true });
    await wide.locator("summary").first().click();
    await page.getByText("reply 1", { exact: true }).waitFor();
    await expect(async () => assert.ok(await page.evaluate(() => !localStorage.getItem("collapsed")), "it is forgotten")).toPass();
  });

  test("leads to the next root, to the parent, and by an address to a comment", async () => {
    const { page } = visitor;
    await page.goto(`${base}${address}?sort=old`);
    await page.getByRole("button", { name: "Next thread" }).click();
    await expect(async () => assert.ok(await focused(page) === "wide", "the first root")).toPass();
    await page.getByRole("button", { name: "Next thread" }).click();
    await expect(async () => assert.ok(await focused(page) === "level 1", "the second root")).toPass();
    await page.getByRole("button", { name: "Next thread" }).click();
    await page.locator("#toast", { hasText: "no more comments" }).waitFor();
    await comment(page, "level 3").locator("summary").first().focus();
    await page.getByRole("button", { name: "Parent comment" }).click();
    await expect(async () => assert.ok(await focused(page) === "level 2", "the parent")).toPass();
    await page.keyboard.press("p");
    await expect(async () => assert.ok(await focused(page) === "level 1", "its parent")).toPass();

    const [shown, hidden] = await page.evaluate(() => [document.querySelectorAll(".comment")[3].id, document.querySelector(".more.away").href]);
    await comment(page, "wide").locator("summary").first().click({ position: { x: 12, y: 12 } });
    await page.goto(`${base}${address}?sort=old#${shown}`);
    await expect(async () => assert.ok(await focused(page) === "reply 3", "it is unfolded and has the focus")).toPass();
    const id = hidden.match(/\w{13}(?=\?)/)[0];
    await page.goto(`${base}/communities`);
    const below = (await (await visitor.context.request.get(`${base}${address}/${id}?sort=old`)).text()).match(/id="c-(\w{13})"(?=.*level 8)/gs).at(-1).match(/\w{13}/)[0];
    await page.goto(`${base}${address}?sort=old#c-${below}`);
    await page.waitForURL(`${base}${address}/${below}?sort=old`); // it is behind a stub, so it is shown on its own page
    await expect(async () => assert.ok(await focused(page) === "level 8", "it has the focus")).toPass();
  });

  test("has a form of one line, which grows when somebody writes in it", async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { context, page } = await person({ javaScriptEnabled, storageState: await member.context.storageState() });
      await page.goto(base + address);
      const [field, button] = [page.locator(".thread > .reply textarea"), page.locator(".thread > .reply").getByRole("button", { name: "Comment" })];
      assert.equal((await field.boundingBox()).height, 40);
      assert.equal(await button.isVisible(), false);
      await field.focus();
      assert.equal(await button.isVisible(), true);
      assert.ok((await field.boundingBox()).height >= 90);
      await page.keyboard.type("x");
      await page.locator("h1").click();
      assert.equal(await button.isVisible(), true, "while there is something in it");
      await context.close();
    }
  });

  test("has a menu at each comment, with its link and its parent", async () => {
    const { page, context } = member;
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: base });
    await page.goto(`${base}${address}?sort=old`);
    const own = comment(page, "level 2");
    await own.locator(".dots summary").first().click();
    assert.deepEqual(await own.locator(".dots").first().locator("a, button").allInnerTexts(), ["Save", "Copy link", "Parent", "Report", "Block"]);
    await own.getByRole("button", { name: "Copy link" }).first().click();
    await page.locator("#toast", { hasText: "The link is copied." }).waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(link, base + address + "/" + (await own.getAttribute("id")).slice(2));
    await own.locator(".dots summary").first().click();
    await own.getByRole("link", { name: "Parent" }).first().click();
    await expect(async () => assert.ok(await focused(page) === "level 1", "the parent has the focus")).toPass();
  });

  test("is dense: a comment takes 110 px of a phone, and no control is small", async () => {
    const { page } = visitor;
    await page.goto(`${base}${address}?sort=old`);
    const short = await comment(page, "level 5").boundingBox();
    assert.ok(short.height <= 120, `a line and its bar: ${short.height}`);
    const small = await page.locator("#thread :is(summary, button, .acts > a)").evaluateAll((all) => all.filter((el) => el.checkVisibility())
      .map((el) => [el.textContent.slice(0, 20), el.getBoundingClientRect().width, el.getBoundingClientRect().height]).filter(([, w, h]) => w < 24 || h < 24));
    assert.deepEqual(small, []);
  });
});
