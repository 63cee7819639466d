// Moderators' hands in the queue: the rule of a removal is chosen at the case, by key, mouse, thumb and without JavaScript; nothing is decided
// by itself, and everything is taken back by one key; whole pages, deleted rules and bans of many ask or can be taken back.

import assert from "node:assert/strict";
import { base, bothWays, expect, figure, form, javaScriptEnabled, looksBehind, person, signUp, sql, test, uniqueName } from "./site.mjs";

test.describe.configure({ mode: "serial" });

test.describe("the queue", () => {
  looksBehind();
  const community = uniqueName("queue");
  const people = {};
  let state;
  const queue = `${base}/c/${community}/mod/queue`;
  const bans = `${base}/c/${community}/mod/bans`;

  // reported has a member write a post that another reports.
  const reported = async (title, reason, who = "author") => {
    const created = await people[who].context.request.post(`${base}/c/${community}/submit`, form({ title, text: "See https://pills.example/x" }));
    assert.equal(created.status(), 303, await created.text());
    const { location } = created.headers();
    const target = /[?]target=(\w{13})"/.exec(await (await people.mod.context.request.get(base + location)).text())[1];
    const reported = await people.reporter.context.request.post(`${base}/report`, form({ target, reason, text: "odd" }));
    assert.equal(reported.status(), 303, await reported.text());
    return location;
  };
  const rulesOf = async (title) => (await (await people.visitor.context.request.get(`${base}/c/${community}/log`)).text()).includes(title);

  test.beforeAll(async () => {
    for (const who of ["mod", "author", "reporter", "visitor"]) {
      people[who] = await person(who === "mod" ? { viewport: { width: 1280, height: 600 } } : {});
      if (who !== "visitor") await signUp(people[who].page, uniqueName(who.slice(0, 3)));
    }
    const created = await people.mod.context.request.post(`${base}/communities`, form({ name: community, title: "A queue" }));
    assert.equal(created.status(), 303, await created.text());
    state = await people.mod.context.storageState();
  });
  test.afterAll(async () => {
    const problems = [];
    for (const { context, problems: of } of Object.values(people)) {
      problems.push(...of);
      await context.close();
    }
    assert.deepEqual(problems, [], "no error, no request to elsewhere");
  });

  const waits = async () => (await (await people.mod.context.request.get(queue)).text()).match(/<article class="case q"/g)?.length ?? 0;
  const at = (page) => page.evaluate(() => document.activeElement.closest(".case")?.querySelector("h2")?.textContent);

  test("r opens the rules at the case and decides nothing; Escape closes them; a digit chooses; u takes it back", async () => {
    const { page } = people.mod;
    const odd = await reported("Odd thing", "Something else");
    const harm = await reported("Sad thing", "Suicide or self-harm");
    await page.goto(queue);
    const open = () => page.locator(".pick[open]").count();
    const focused = (selector) => page.evaluate((it) => document.activeElement.matches(it), selector);
    const inSight = () => page.evaluate(() => {
      const { top, bottom } = document.activeElement.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
    for (const [title, first] of [["Sad thing", "Suicide or self-harm"], ["Odd thing", "Spam"]]) {
      const item = page.locator("article.case", { hasText: title });
      await page.keyboard.press("j");
      assert.equal(await at(page), title);
      await page.keyboard.press("1");
      assert.equal(await open(), 0, "a digit alone is nothing");
      await page.keyboard.press("r");
      assert.equal(await open(), 1);
      assert.equal(await focused("li:first-child button"), true);
      assert.equal(await page.evaluate(() => document.activeElement.textContent), first);
      await expect(async () => assert.ok(await inSight(), "what is focused is in sight")).toPass();
      await expect(item.locator(".pick[open]"), "at the case").toHaveCount(1);
      await page.keyboard.press("Escape");
      assert.equal(await open(), 0);
      assert.equal(await focused("summary.remove"), true);
    }
    assert.equal(page.url(), queue);
    for (const address of [odd, harm]) assert.equal((await people.visitor.context.request.get(base + address)).status(), 200);
    assert.equal(await rulesOf("Suicide"), false);

    await page.keyboard.press("k");
    const top = await page.evaluate(() => scrollY);
    await page.keyboard.press("r");
    await page.keyboard.press("2");
    const folded = page.locator("article.case.done");
    await folded.getByText("Removed: Spam").waitFor();
    assert.match(await folded.innerText(), /Sad thing/, "it is in its place");
    assert.equal(await at(page), "Odd thing", "the next case has the focus");
    assert.deepEqual([page.url(), await page.evaluate(() => scrollY)], [queue, top], "nothing moved");
    await expect(async () => assert.ok((await rulesOf("Spam")) && !(await rulesOf("Suicide")), "the log has the rule that was chosen")).toPass();
    await page.keyboard.press("i");
    await page.getByText("Nothing waits for a decision.").waitFor();
    assert.equal(await waits(), 0);
    for (const title of ["Odd thing", "Sad thing"]) {
      await page.keyboard.press("u");
      await expect(async () => assert.ok((await at(page)) === title, `${title} is back, with the focus`)).toPass();
    }
    assert.equal(await waits(), 2);
    await expect(async () => assert.ok(!(await (await people.author.context.request.get(base + harm)).text()).includes("Removed by the moderators"), "what was removed is shown again")).toPass();
    await page.keyboard.press("a");
    await page.keyboard.press("a");
    await expect(async () => assert.ok((await waits()) === 0, "both are decided, one press each")).toPass();
  });

  test("Enter at a tick or in the message decides nothing", async () => {
    const { page } = people.mod;
    await reported("Left alone", "Spam");
    await page.goto(queue);
    const item = page.locator("article.case", { hasText: "Left alone" });
    await item.locator(".tick input").focus();
    await page.keyboard.press("Enter");
    await item.locator("summary.remove").click();
    await item.getByLabel("Message to the author").fill("typed");
    await page.keyboard.press("Enter");
    assert.equal(page.url(), queue);
    await expect(item.getByLabel("Message to the author")).toHaveValue("typed");
    assert.equal(await waits(), 1);
  });

  test("a thumb chooses the rule and takes it back, what is refused has the focus", bothWays, async () => {
    await reported(`For a finger ${javaScriptEnabled}`, "Spam");
    const { page, context, problems } = await person({ storageState: state, hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });
    await page.goto(queue);
    const focused = () => page.locator(":focus");
    const near = async () => {
      const box = await focused().boundingBox();
      return box && box.y >= 0 && box.y + box.height <= 845; // in whole pixels
    };
    const item = page.locator("article.case", { hasText: `For a finger ${javaScriptEnabled}` });
    for (const target of await item.locator(".do > .button, .do > details > summary, .tick").all()) {
      const { width, height } = await target.boundingBox();
      assert.ok(width >= 28 && height >= 36, `${await target.innerText()}: ${width} × ${height}`);
    }
    const rule = item.getByRole("button", { name: "Spam", exact: true });
    assert.equal(await rule.isVisible(), false);
    await item.locator("summary.remove").tap();
    assert.ok((await rule.boundingBox()).height >= 44);
    const [target] = (await rule.getAttribute("value")).split(" ").slice(1);
    await rule.evaluate((button, id) => { button.value = `remove ${id} No such rule`; }, target);
    await rule.tap();
    await item.getByText("There is no such rule any more.").waitFor();
    await expect(async () => assert.ok(await near(), "the refusal is in sight, at the case")).toPass();
    assert.equal(await focused().getAttribute("role"), "alert");
    await item.getByRole("button", { name: "Spam", exact: true }).tap();
    if (javaScriptEnabled) await item.getByText("Removed: Spam").waitFor();
    else await page.waitForURL(/done=1/);
    await expect(page.locator("article.case:not(.done)", { hasText: `For a finger ${javaScriptEnabled}` })).toHaveCount(0);
    await page.getByRole("button", { name: /^Undo/ }).tap();
    await item.getByRole("button", { name: "Approve" }).waitFor();

    await item.locator(".tick input").check();
    const selected = javaScriptEnabled ? "Selected (1)" : "Selected"; // only a script counts
    await expect(page.locator(".selected legend"), selected).toHaveText(selected, { useInnerText: true });
    await page.locator(".selected summary.remove").tap();
    await page.locator(".selected").getByRole("button", { name: "Spam", exact: true }).tap();
    await expect(async () => assert.ok(!(await (await people.mod.context.request.get(queue)).text()).includes(`For a finger ${javaScriptEnabled}`), "it is removed")).toPass();
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("whole pages and deleted rules are asked about, with the number, and whole pages are taken back", async () => {
    const { page } = people.mod;
    await reported("One more", "Spam");
    await page.goto(queue);
    const waiting = await waits();
    assert.ok(waiting >= 2);
    await page.locator("summary", { hasText: "Remove all of this page" }).click();
    await page.getByText(`Remove all ${waiting}`, { exact: true }).waitFor();
    assert.equal(await waits(), waiting, "opening the question decides nothing");
    await page.locator(".whole-page").getByRole("button", { name: "Spam", exact: true }).click();
    await page.getByText("Nothing waits for a decision.").waitFor();
    assert.equal(await waits(), 0);
    await page.keyboard.press("u");
    await expect(async () => assert.ok((await page.locator(".case.q:not(.done)").count()) === waiting && (await waits()) === waiting, "all of it waits again")).toPass();
    await page.locator("summary", { hasText: "Approve all of this page" }).click();
    await page.getByRole("button", { name: `Approve all ${waiting}` }).click();
    await page.getByText("Nothing waits for a decision.").waitFor();

    await page.goto(`${base}/c/${community}/mod/rules`);
    await page.getByLabel("Rules to add").fill("rule: Casinos\nwords: casino\ndo: hold");
    await page.getByRole("button", { name: "Add the rules" }).click();
    assert.equal(await page.getByRole("button", { name: /^Delete the rule/ }).isVisible(), false);
    await page.locator("summary", { hasText: "Delete…" }).click();
    await page.getByText("No hits yet.").waitFor();
    await page.getByRole("button", { name: /^Delete the rule/ }).click();
    await page.locator(".was", { hasText: "Rule deleted" }).waitFor(); // which e2e/undo.test.mjs undoes
    await expect(async () => {
      await page.goto(`${base}/c/${community}/mod/rules`);
      assert.ok(await page.getByText("No rules yet.").isVisible(), "it is deleted");
    }).toPass();
  });

  test("50 cases by keyboard, at most two keys a case, on one page", async () => {
    const { page } = people.mod;
    const location = await reported("Pattern", "Spam");
    const slug = location.split("/").at(-1);
    const numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 49)";
    await sql(`${numbers} INSERT INTO posts (id, community_id, community_name, slug, title, author_id, author_name, created_at, status, kind, hot)
      SELECT p.id + (i << 22), p.community_id, p.community_name, 'case-' || i, 'Case ' || i, p.author_id, p.author_name, p.created_at, p.status, p.kind, p.hot
      FROM posts p CROSS JOIN n WHERE p.community_name = ? AND p.slug = ?`, community, slug);
    await sql(`INSERT INTO queue_items (target_id, community_id, reports, came_at, weight) SELECT p.id, p.community_id, 1, p.created_at, 1 FROM posts p
      WHERE p.community_name = ? AND p.slug LIKE 'case-%'`, community);
    await page.goto(queue);
    await expect(page.locator(".case.q")).toHaveCount(25);
    const fits = await page.evaluate(() => [...document.querySelectorAll(".case.q")].filter((item) => item.getBoundingClientRect().height > 95).length);
    assert.equal(fits, 0, "a case is at most three lines");
    let keys = 0;
    for (let n = 0; n < 50; n += 1) {
      await page.locator(".case.q:not(.done, [aria-busy])").first().waitFor(); // the next page comes by itself
      for (const key of [["a"], ["i"], ["r", "1"], ["a"], ["r", "2"]][n % 5]) {
        await page.keyboard.press(key);
        keys += 1;
      }
    }
    await page.getByText("Nothing waits for a decision.").waitFor();
    await expect(async () => assert.ok((await page.locator(".case.q.done").count()) === 50 && (await waits()) === 0, "all are decided")).toPass();
    const counted = await sql("SELECT decision, count(*) FROM queue_items q WHERE community_id = (SELECT id FROM communities WHERE name = ?) AND target_id IN (SELECT id FROM posts WHERE community_name = ? AND (slug LIKE 'case-%' OR slug = ?)) GROUP BY 1 ORDER BY 1", community, community, slug);
    assert.deepEqual(counted, [["approve", 20], ["ignore", 10], ["remove", 20]]);
    assert.equal(page.url(), queue, "without leaving the page");
    assert.ok(keys <= 100, `${keys} keys`);
    figure(`50 cases: ${keys} keys`);
  });

  test("several authors are banned by one form, and it is taken back by one", bothWays, async () => {
    const spammers = [];
    for (let i = 0; i < 3; i += 1) {
      const who = `spammer${i}${javaScriptEnabled}`;
      people[who] = await person();
      await signUp(people[who].page, uniqueName("spm"));
      await reported(`Pills ${i} ${javaScriptEnabled}`, "Spam", who);
      spammers.push(who);
    }
    const { page, context, problems } = await person({ storageState: state, viewport: { width: 390, height: 844 } });
    await page.goto(queue);
    await page.locator(".tick input").first().check();
    await page.getByRole("button", { name: "Ban authors…" }).click();
    await page.waitForURL(/mod\/authors/);
    await page.getByLabel("Links to").selectOption("pills.example");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.waitForURL(/pills\.example/); // loaded, with its script
    assert.match(await page.locator(".authors > p").innerText(), /^3 of 3 authors selected/);
    if (javaScriptEnabled) {
      await page.locator(".authors li input").first().uncheck();
      assert.match(await page.locator(".authors > p").innerText(), /^2 of 3 authors selected/);
      await page.locator(".authors li input").first().check();
    }
    await page.getByLabel("Which rule have they broken?").selectOption("Spam");
    await page.getByLabel("Also remove what they wrote here").selectOption("7");
    await page.getByRole("button", { name: "Ban selected" }).click();
    await page.getByText("3 decided: these are banned or muted now.").waitFor();
    await expect(async () => {
      const html = await (await people.mod.context.request.get(queue)).text();
      assert.ok(!html.includes("Pills"), "what they wrote does not wait any more");
    }).toPass();
    await page.getByRole("button", { name: "Lift selected bans and mutes" }).click();
    if (javaScriptEnabled) { // it is sent when the page is left: until then it can be undone
      await page.locator(".was", { hasText: "Bans and mutes lifted" }).waitFor();
      await page.goto(bans);
    } else {
      await page.getByText("3 lifted.").waitFor();
    }
    await expect(async () => {
      const left = "SELECT count(*) FROM bans WHERE community_id = (SELECT id FROM communities WHERE name = ?)";
      assert.deepEqual(await sql(left, community), [[0]], "nobody is banned any more");
    }).toPass();
    assert.deepEqual(problems, []);
    await context.close();
  });
});
