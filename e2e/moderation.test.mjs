// From a report to the decision and back, what is held, and appeals: a reporter, an author, a moderator and a visitor.

import assert from "node:assert/strict";
import { base, bothWays, expect, javaScriptEnabled, looksBehind, person, signUp, sql, test, uniqueName } from "./site.mjs";

test.describe.configure({ mode: "serial" });

test.describe("a reported post", bothWays, () => {
  looksBehind();
  const community = uniqueName("mods");
  const title = "Buy these watches";
  const people = {}, names = {};
  let post, target;

  const listed = async (page) => {
    await page.goto(`${base}/c/${community}/new`);
    return (await page.locator("main").getByRole("link", { name: title, exact: true }).count()) > 0;
  };
  const publish = async (page, heading, text) => {
    await page.goto(`${base}/c/${community}/submit`);
    await page.getByLabel("Title").fill(heading);
    await page.locator("#text").fill(text);
    await page.locator("main form").getByRole("button", { name: "Post", exact: true }).click();
    await page.waitForURL(`${base}/c/${community}/p/*`);
    return page.url();
  };

  test.beforeAll(async () => {
    for (const who of ["mod", "author", "reporter", "visitor"]) {
      people[who] = await person({ viewport: who === "author" ? { width: 390, height: 844 } : undefined });
      if (who !== "visitor") await signUp(people[who].page, names[who] = uniqueName(who));
    }
    const { page } = people.mod;
    await page.goto(`${base}/communities/new`);
    await page.getByLabel("Name").fill(community);
    await page.getByLabel("Title").fill("A place with moderators");
    await page.locator("main form").getByRole("button").last().click();
    await page.waitForURL(`${base}/c/${community}`);
    post = await publish(people.author.page, title, "Cheap and shiny.");
  });
  test.afterAll(async () => {
    const problems = [];
    for (const { context, problems: of } of Object.values(people)) {
      problems.push(...of);
      await context.close();
    }
    assert.deepEqual(problems, [], "no error, no request to elsewhere");
  });

  test("is reported from its page, once", async () => {
    const { page } = people.reporter;
    assert.ok(await listed(page), "everybody sees it");
    await page.goto(post);
    const report = page.locator("main a[href*='/report?']").first();
    await page.goto(new URL(await report.getAttribute("href"), base).href);
    await page.getByLabel("Spam", { exact: true }).check();
    await page.getByLabel("Details").fill("They post this everywhere");
    await page.getByRole("button", { name: "Report", exact: true }).click();
    await page.getByRole("heading", { name: /You have reported/ }).waitFor();
    target = new URL(page.url()).searchParams.get("target");
    await page.goto(`${base}/report?target=${target}`);
    await page.getByRole("heading", { name: /You have reported/ }).waitFor();
  });

  test("waits in the queue, which the header counts, and is removed for its rule", async () => {
    const { page } = people.mod;
    await expect(async () => {
      await page.goto(`${base}/`);
      assert.ok((await page.locator(".bar a.queued[href='/mod/queue']", { hasText: "1" }).count()) > 0, "the header counts it");
    }).toPass();
    await page.goto(`${base}/mod/queue`);
    const item = page.locator("article.case", { hasText: title });
    assert.match(await item.innerText(), /1 report: Spam/);
    assert.match(await item.innerText(), /They post this everywhere/);
    if (javaScriptEnabled) {
      await page.keyboard.press("j");
      await page.keyboard.press("b");
      const sheet = page.locator("#sheet");
      await sheet.getByRole("button", { name: "Ban", exact: true }).waitFor();
      await page.keyboard.press("Escape");
      await expect(sheet, "the sheet is closed").not.toHaveAttribute("open");
    }
    if (javaScriptEnabled) {
      await page.keyboard.press("j");
      await page.keyboard.press("r");
    } else {
      await item.locator("summary.remove").click();
    }
    await item.getByLabel("Message to the author").fill("Please read our rules");
    if (javaScriptEnabled) {
      await page.keyboard.press("Escape");
      await page.keyboard.press("r");
      await page.keyboard.press("1");
    } else {
      await item.getByRole("button", { name: "Spam", exact: true }).click();
    }
    await page.getByText("Nothing waits for a decision.").waitFor();
  });

  test("is gone for visitors, says why at its address, and its author reads the message to them", async () => {
    const { visitor, author } = people;
    await expect(async () => assert.ok(!(await listed(visitor.page)), "it left the listing")).toPass();
    await visitor.page.goto(post);
    const said = await visitor.page.locator("#removal").innerText();
    assert.match(said, /Removed by the moderators/);
    assert.match(said, /Spam/);
    assert.ok(!said.includes("Please read our rules"), "the message is for the author alone");
    await expect(async () => {
      await author.page.goto(`${base}/inbox`);
      assert.ok((await author.page.locator("main").innerText()).includes("removed"), "the author is told");
    }).toPass();
    await author.page.goto(post);
    assert.match(await author.page.locator("#removal").innerText(), /Please read our rules/);
  });

  test("tells who reported it", async () => {
    const { page } = people.reporter;
    await expect(async () => {
      await page.goto(`${base}/inbox`);
      assert.ok(/removed/.test(await page.locator("main").innerText()), "the reporter is told");
    }).toPass();
  });

  test("comes back when the moderator takes it back, and the log has both", async () => {
    const { mod, reporter, visitor } = people;
    await mod.page.goto(post);
    await mod.page.locator("details.mod summary").first().click();
    await mod.page.locator("details.mod").first().getByRole("button", { name: "Approve" }).click();
    await mod.page.locator("#removal").waitFor({ state: "detached" });
    await expect(async () => assert.ok(await listed(reporter.page), "it is listed again")).toPass(); // visitors' copies live for ten seconds
    await visitor.page.goto(`${base}/c/${community}/log`);
    const log = await visitor.page.locator("main").innerText();
    assert.match(log, /removed/i);
    assert.match(log, /approved/i);
    assert.match(log, /Spam/);
    assert.ok(!log.includes(title) && !log.includes("Please read our rules"), "neither titles nor messages to authors");
  });

  test("the form of a rule has the fields of what is chosen", async () => {
    const { page } = people.mod;
    await page.goto(`${base}/c/${community}/mod/rule?like=words`);
    const [words, pattern, reason, answer] = ["has one of these words", "matches this pattern", "Rule for removals", "Answer"].map((label) => page.getByLabel(label, { exact: true }));
    await expect(words).toBeVisible();
    await expect(pattern).toBeHidden();
    await page.locator("summary", { hasText: "+ Condition" }).click();
    await expect(pattern).toBeHidden();
    await page.locator("summary", { hasText: "matches this pattern" }).click();
    await expect(pattern).toBeVisible();
    await page.getByLabel("hold it until a moderator has decided").uncheck();
    await expect(answer).toBeHidden();
    await expect(reason).toBeHidden();
    await page.getByLabel("remove it").check();
    await expect(reason).toBeVisible();
    await reason.selectOption("Spam");
    await page.getByLabel("remove it").uncheck();
    await expect(reason, "it has something in it").toBeVisible();
  });

  test("what a rule holds is seen by its author and the moderators alone, until one of them approves it", async () => {
    const { mod, author, reporter, visitor } = people;
    await mod.page.goto(`${base}/c/${community}/mod/rules`);
    await mod.page.getByLabel("Rules to add").fill("rule: Casinos\nwords: casino\ndo: hold");
    await mod.page.getByRole("button", { name: "Add the rules" }).click();
    await mod.page.getByRole("button", { name: /Switch on/ }).click();
    await mod.page.getByRole("button", { name: /Switch off/ }).waitFor();
    const held = await publish(author.page, "My casino", "Come in");
    assert.match(await author.page.locator("#removal").innerText(), /waits for a moderator/);
    assert.equal((await visitor.page.goto(held)).status(), 404);
    await mod.page.goto(`${base}/c/${community}/mod/queue`);
    await mod.page.locator("article.case", { hasText: "My casino" }).getByRole("button", { name: /Approve/ }).click();
    await mod.page.getByText("Nothing waits for a decision.").waitFor();
    assert.equal((await reporter.page.goto(held)).status(), 200, "who is logged in gets no copy of before");
  });

  test("its author appeals when it is removed again; another moderator sees that, and takes it back", async () => {
    const { mod, author, reporter } = people;
    await sql("INSERT INTO moderators (community_id, user_id, username, created_at) SELECT c.id, u.id, u.username, 1 FROM communities c, users u WHERE c.name = ? AND u.username = ?", community, names.reporter);
    const newest = async () => {
      await author.page.goto(`${base}/inbox/moderation`);
      const notice = author.page.getByRole("link", { name: "Your post was removed" }).first(); // a later decision of the day takes its place
      return (await notice.count()) ? notice.getAttribute("href") : null;
    };
    const earlier = await newest();
    await mod.page.goto(`${base}/c/${community}/mod/decide?target=${target}`);
    await mod.page.getByLabel("Spam", { exact: true }).check();
    await mod.page.locator("main form").getByRole("button", { name: "Remove" }).click();
    await mod.page.locator("#removal").waitFor();
    await expect(async () => {
      const now = await newest();
      assert.ok(now && now !== earlier, "the author is notified");
    }).toPass();
    await author.page.getByRole("link", { name: "Your post was removed" }).first().click();
    await author.page.getByLabel("Why the decision was wrong").fill("They are good watches");
    await author.page.getByRole("button", { name: "Appeal" }).click();
    await author.page.waitForURL(`${base}/messages/*`);
    const mail = `${base}/c/${community}/mod/mail`;
    await mod.page.goto(mail);
    assert.ok(!(await mod.page.locator("main").innerText()).includes("Appeal"), "who has removed it does not see it yet");
    await reporter.page.goto(mail);
    await reporter.page.getByRole("link", { name: /^Appeal/ }).click();
    await reporter.page.getByText("They are good watches").waitFor();
    await reporter.page.getByRole("button", { name: "Overturn" }).click();
    await reporter.page.getByText("The decision was reviewed and overturned.").waitFor();
    await expect(async () => assert.ok(await listed(reporter.page), "it is listed again")).toPass();
    await author.page.reload();
    assert.match(await author.page.locator("main").innerText(), /overturned/);
  });

  test("a suspended member appeals without logging in, and another administrator restores them", async () => {
    const { mod, author, reporter } = people;
    await sql("UPDATE users SET admin = 1 WHERE username IN (?, ?)", names.mod, names.author);
    await mod.page.goto(`${base}/admin/users?user=${names.reporter}`);
    await mod.page.getByLabel("Why?").selectOption("Spam");
    await mod.page.getByRole("button", { name: "Suspend", exact: true }).click();
    await mod.page.waitForURL(`${base}/admin/users?status=suspended`);
    const logIn = async () => {
      await reporter.page.goto(`${base}/login`);
      await reporter.page.getByLabel("Username or email").fill(names.reporter);
      await reporter.page.getByLabel("Password").fill("correct horse");
      await reporter.page.locator("main").getByRole("button", { name: "Log in", exact: true }).click();
    };
    await reporter.context.clearCookies();
    await logIn();
    await reporter.page.getByRole("heading", { name: "Your account is suspended" }).waitFor();
    await reporter.page.getByRole("link", { name: "Appeal" }).click();
    await reporter.page.getByLabel("Why it is wrong").fill("It was my cat");
    await reporter.page.getByRole("button", { name: "Send" }).click();
    await reporter.page.getByText("It was my cat").waitFor();
    await author.page.goto(`${base}/admin/mail`);
    await author.page.getByRole("link", { name: "Appeal: Your account was suspended" }).first().click();
    await author.page.getByText("It was my cat").waitFor();
    await author.page.getByRole("button", { name: "Overturn" }).click();
    await author.page.getByText("The decision was reviewed and overturned.").waitFor();
    await logIn();
    await reporter.page.getByText(names.reporter).first().waitFor();
  });
});
