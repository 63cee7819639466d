// Moderators' hands in the queue: the rule of a removal is chosen at the case, by key, mouse, finger and without JavaScript; nothing is decided
// by itself; whole pages, deleted rules and bans of many ask or can be taken back.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { base, launch, person, signUp, skip, sql, uniqueName, until } from "./site.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

describe("the queue", { skip }, () => {
  const community = uniqueName("queue");
  const people = {};
  let state;
  const form = (fields) => ({ form: fields, headers: { origin: base }, maxRedirects: 0 });
  const queue = `${base}/c/${community}/mod/queue`;

  // reported has a member write a post that another reports.
  const reported = async (title, reason, who = "author") => {
    const made = await people[who].context.request.post(`${base}/c/${community}/submit`, form({ title, text: "See https://pills.example/x" }));
    assert.equal(made.status(), 303, await made.text());
    const { location } = made.headers();
    const target = /[?]target=(\w{13})"/.exec(await (await people.mod.context.request.get(base + location)).text())[1];
    const told = await people.reporter.context.request.post(`${base}/report`, form({ target, reason, text: "odd" }));
    assert.equal(told.status(), 303, await told.text());
    return location;
  };
  const rulesOf = async (title) => (await (await people.visitor.context.request.get(`${base}/c/${community}/log`)).text()).includes(title);

  before(async () => {
    for (const who of ["mod", "author", "reporter", "visitor"]) {
      people[who] = await person(browser, who === "mod" ? { viewport: { width: 1280, height: 600 } } : {});
      if (who !== "visitor") await signUp(people[who].page, uniqueName(who.slice(0, 3)));
    }
    const made = await people.mod.context.request.post(`${base}/communities`, form({ name: community, title: "A queue" }));
    assert.equal(made.status(), 303, await made.text());
    state = await people.mod.context.storageState();
  });
  after(async () => {
    const problems = [];
    for (const { context, problems: of } of Object.values(people)) {
      problems.push(...of);
      await context.close();
    }
    assert.deepEqual(problems, [], "no error, no request to elsewhere");
  });

  test("r opens the rules at the case and decides nothing; Escape closes them; a digit chooses", async () => {
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
    await page.locator("h1").click();
    for (const [title, first] of [["Sad thing", "Suicide or self-harm"], ["Odd thing", "Spam"]]) {
      const item = page.locator("article.case", { hasText: title });
      await page.keyboard.press("j");
      await page.keyboard.press("1");
      assert.equal(await open(), 0, "a digit alone is nothing");
      await page.keyboard.press("r");
      assert.equal(await open(), 1);
      assert.equal(await focused("li:first-child button"), true);
      assert.equal(await page.evaluate(() => document.activeElement.textContent), first);
      await until("what is focused is in sight", inSight);
      assert.equal(await item.locator(".pick[open]").count(), 1, "at the case");
      await page.keyboard.press("Escape");
      assert.equal(await open(), 0);
      assert.equal(await focused("summary.remove"), true);
    }
    assert.equal(page.url(), queue);
    for (const address of [odd, harm]) assert.equal((await people.visitor.context.request.get(base + address)).status(), 200);
    assert.equal(await rulesOf("Suicide"), false);

    await page.keyboard.press("k");
    await page.keyboard.press("r");
    await page.keyboard.press("2");
    await page.waitForURL(/done=1#q-/);
    await until("the next case has the focus", () => page.evaluate(() => document.activeElement.closest(".case")?.textContent.includes("Odd thing")));
    await page.getByText("1 decided.").first().waitFor();
    await until("the log has the rule that was chosen", async () => (await rulesOf("Spam")) && !(await rulesOf("Suicide")));
    await page.keyboard.press("i");
    await page.getByText("Nothing waits for a decision.").waitFor();
  });

  test("Enter at a tick or in the message decides nothing", async () => {
    const { page } = people.mod;
    await reported("Left alone", "Spam");
    await page.goto(queue);
    await page.locator("article.case", { hasText: "Left alone" }).locator("h2 input").focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Message to the authors").fill("typed");
    await page.keyboard.press("Enter");
    assert.equal(page.url(), queue);
    assert.equal(await page.getByLabel("Message to the authors").inputValue(), "typed");
    assert.equal(await page.locator("article.case", { hasText: "Left alone" }).count(), 1);
  });

  for (const javaScriptEnabled of [true, false]) {
    test(`a finger chooses the rule, what is refused has the focus, ${javaScriptEnabled ? "with" : "without"} JavaScript`, async () => {
      await reported(`For a finger ${javaScriptEnabled}`, "Spam");
      const { page, context, problems } = await person(browser, { javaScriptEnabled, storageState: state, hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });
      await page.goto(queue);
      const focused = () => page.locator(":focus");
      const near = async () => {
        const box = await focused().boundingBox();
        return box && box.y >= 0 && box.y + box.height <= 845; // in whole pixels
      };
      await page.locator(".case h2 input").first().check();
      await page.locator("fieldset").getByRole("button", { name: /^Remove ?: what is ticked/ }).tap();
      await page.getByText("Please choose the rule that it breaks.").waitFor();
      await until("the refusal is in sight", near);
      assert.equal(await focused().getAttribute("id"), "rule");

      const item = page.locator("article.case", { hasText: `For a finger ${javaScriptEnabled}` });
      const rule = item.getByRole("button", { name: "Spam", exact: true });
      assert.equal(await rule.isVisible(), false);
      await item.locator("summary.remove").tap();
      const [target] = (await rule.getAttribute("value")).split(" ").slice(1);
      await rule.evaluate((button, id) => { button.value = `remove ${id} No such rule`; }, target);
      await rule.tap();
      await item.getByText("There is no such rule any more.").waitFor();
      await until("the refusal is in sight, at the case", near);
      assert.equal(await focused().getAttribute("role"), "alert");
      await item.getByRole("button", { name: "Spam", exact: true }).tap();
      await page.waitForURL(/done=1/);
      assert.equal(await item.count(), 0);
      assert.deepEqual(problems, []);
      await context.close();
    });
  }

  test("whole pages and deleted rules are asked about, with the number", async () => {
    const { page } = people.mod;
    await page.goto(queue);
    const waiting = await page.locator("article.case").count();
    await page.locator("summary", { hasText: "Remove all of this page" }).click();
    await page.getByRole("button", { name: waiting === 1 ? "Remove this one" : `Remove all ${waiting}` }).click();
    await page.getByText("Please choose the rule that it breaks.").waitFor();
    assert.equal(await page.locator("article.case").count(), waiting);
    await page.getByLabel("Rule for removals").selectOption("Spam");
    await page.locator("summary", { hasText: "Remove all of this page" }).click();
    await page.getByRole("button", { name: waiting === 1 ? "Remove this one" : `Remove all ${waiting}` }).click();
    await page.getByText("Nothing waits for a decision.").waitFor();

    await page.goto(`${base}/c/${community}/mod/rules`);
    await page.getByLabel("Rules to add").fill("rule: Casinos\nwords: casino\ndo: hold");
    await page.getByRole("button", { name: "Add the rules" }).click();
    assert.equal(await page.getByRole("button", { name: /^Delete the rule/ }).isVisible(), false);
    await page.locator("summary", { hasText: "Delete…" }).click();
    await page.getByText("It has hit nothing yet.").waitFor();
    await page.getByRole("button", { name: /^Delete the rule/ }).click();
    await page.locator(".was", { hasText: "Rule deleted" }).waitFor(); // which e2e/undo.test.mjs undoes
    await until("it is deleted", async () => {
      await page.goto(`${base}/c/${community}/mod/rules`);
      return page.getByText("There is no rule yet.").isVisible();
    });
  });

  for (const javaScriptEnabled of [true, false]) {
    test(`several authors are banned by one form, and it is taken back by one, ${javaScriptEnabled ? "with" : "without"} JavaScript`, async () => {
      const spammers = [];
      for (let i = 0; i < 3; i += 1) {
        const who = `spammer${i}${javaScriptEnabled}`;
        people[who] = await person(browser);
        await signUp(people[who].page, uniqueName("spm"));
        await reported(`Pills ${i} ${javaScriptEnabled}`, "Spam", who);
        spammers.push(who);
      }
      const { page, context, problems } = await person(browser, { javaScriptEnabled, storageState: state, viewport: { width: 390, height: 844 } });
      await page.goto(queue);
      await page.getByRole("button", { name: "Ban their authors…" }).click();
      await page.waitForURL(/mod\/authors/);
      await page.getByLabel("Links to").selectOption("pills.example");
      await page.getByRole("button", { name: "Filter" }).click();
      await page.waitForURL(/pills\.example/); // loaded, with its script
      assert.match(await page.locator(".authors > p").innerText(), /^3 of 3 authors ticked/);
      if (javaScriptEnabled) {
        await page.locator(".authors h2 input").first().uncheck();
        assert.match(await page.locator(".authors > p").innerText(), /^2 of 3 authors ticked/);
        await page.locator(".authors h2 input").first().check();
      }
      await page.getByLabel("Which rule have they broken?").selectOption("Spam");
      await page.getByLabel("Also remove what they wrote here").selectOption("7");
      await page.getByRole("button", { name: "Ban ticked members" }).click();
      await page.getByText("3 decided: these are banned or muted now.").waitFor();
      await until("what they wrote does not wait any more", async () => {
        const html = await (await people.mod.context.request.get(queue)).text();
        return !html.includes("Pills");
      });
      await page.getByRole("button", { name: "Lift ticked bans and mutes" }).click();
      await page.getByText("3 lifted.").waitFor();
      assert.deepEqual(problems, []);
      await context.close();
    });
  }
});
