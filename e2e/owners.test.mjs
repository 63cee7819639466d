// What owners owe: terms that members accept again, a minimum age, notices by anybody, and public numbers. The settings are the whole site's,
// and are put back at the end.

import assert from "node:assert/strict";
import { base, bothWays, expect, javaScriptEnabled, looksBehind, mail, person, signUp, sql, test, uniqueName } from "./site.mjs";

test.describe.configure({ mode: "serial" });

const thisYear = new Date().getUTCFullYear();

test.describe("what owners owe", () => {
  looksBehind();
  const community = uniqueName("own");
  let admin, admins;
  test.beforeAll(async () => {
    admin = await person();
    await signUp(admin.page, admins = uniqueName("adm"));
    await sql("UPDATE users SET admin = 1 WHERE username = ?", admins);
    const founded = await admin.context.request.post(`${base}/communities`, { form: { name: community, title: "Owned" }, headers: { origin: base }, maxRedirects: 0 });
    assert.equal(founded.status(), 303);
  });
  test.afterAll(async () => {
    await changeSettings({ "Version of the terms": "0", "What has changed in this version": "", "Minimum age of members, in years": "0" });
    await admin.context.close();
  });

  // changeSettings changes settings of the site, as an administrator does.
  const changeSettings = async (values) => {
    const { page } = admin;
    await expect(async () => {
      await page.goto(`${base}/admin/settings`);
      assert.ok(await page.getByRole("button", { name: "Save the settings" }).count() > 0, "the form of the settings is there");
    }).toPass();
    for (const [label, value] of Object.entries(values)) await page.getByLabel(label).fill(value);
    await page.getByRole("button", { name: "Save the settings" }).click();
    await expect(async () => {
      await page.goto(`${base}/admin/settings`);
      for (const [label, value] of Object.entries(values)) assert.equal(await page.getByLabel(label).inputValue(), value, label);
    }).toPass();
    await page.goto(`${base}/agree`);
    if (await page.getByRole("button", { name: "Go on" }).count()) { // administrators owe the same
      for (const [label, value] of [["Year of birth", "1980"]]) if (await page.getByLabel(label).count()) await page.getByLabel(label).fill(value);
      if (await page.getByRole("checkbox").count()) await page.getByRole("checkbox").check();
      await page.getByRole("button", { name: "Go on" }).click();
      await page.waitForURL((url) => url.pathname !== "/agree");
    }
  };
  const tell = (problems) => assert.deepEqual(problems, [], "no error, no request to elsewhere");

  test("a new version of the terms is accepted before one writes, and one comes back to where one was", bothWays, async () => {
    const { page, context, problems } = await person();
    const version = javaScriptEnabled ? "7" : "8";
    await signUp(page, uniqueName("agr"));
    await changeSettings({ "Version of the terms": version, "What has changed in this version": `Pictures <are> new in ${version}.` });
    const form = `${base}/c/${community}/submit`;
    const notice = page.locator(".notice", { hasText: "terms" }).getByRole("link", { name: "See what is needed" });
    await expect(async () => {
      await page.goto(form);
      assert.ok(await notice.count() > 0, "the page says what is owed");
    }).toPass();
    await page.getByLabel("Title").fill("Before the terms");
    await page.locator("#text").fill("Words that are not lost");
    await page.locator("main form").getByRole("button", { name: "Post", exact: true }).click();
    await page.getByText("Words that are not lost").first().waitFor();
    assert.equal(new URL(page.url()).pathname, `/c/${community}/submit`, "it was not posted");
    await page.goto(form);
    await notice.click();
    await page.getByRole("heading", { name: "Before you write" }).waitFor();
    await page.getByText(`Pictures <are> new in ${version}.`).waitFor();
    await expect(page.getByLabel("Year of birth"), "nobody is asked for an age").toHaveCount(0);
    await page.getByRole("button", { name: "Go on" }).click();
    assert.equal(new URL(page.url()).pathname, "/agree", "without the mark nothing is sent");
    await page.getByRole("checkbox").check();
    await page.getByRole("button", { name: "Go on" }).click();
    await page.waitForURL(form);
    await page.getByLabel("Title").fill("After the terms");
    await page.locator("#text").fill("Words that everybody reads");
    await page.locator("main form").getByRole("button", { name: "Post", exact: true }).click();
    await page.waitForURL(`${base}/c/${community}/p/*`);
    await expect(page.getByRole("link", { name: "See what is needed" })).toHaveCount(0);
    await changeSettings({ "Version of the terms": "0" });
    await context.close();
    tell(problems);
  });

  test("who is too young can't sign up, and of others the year is kept", bothWays, async () => {
    await changeSettings({ "Minimum age of members, in years": "16" });
    const { page, context, problems } = await person();
    const name = uniqueName("age");
    const fill = async (year) => {
      await expect(async () => {
        await page.goto(`${base}/signup`);
        assert.ok(await page.getByLabel("Year of birth").count() > 0, "the form asks for the year");
      }).toPass();
      await page.getByLabel("Username").fill(name);
      await page.getByLabel("Password").fill("correct horse");
      await page.getByLabel("Year of birth").fill(String(year));
      await page.locator("main").getByRole("button", { name: "Sign up", exact: true }).click();
    };
    await fill(thisYear - 10);
    await page.getByRole("alert").getByText("Members of this site are at least 16 years old").waitFor();
    await expect(page.getByLabel("Password")).toHaveCount(0);
    await page.goto(`${base}/signup`);
    await page.getByRole("alert").getByText("at least 16 years old").waitFor();
    assert.deepEqual(await sql("SELECT 1 FROM users WHERE username = ?", name), [], "of a child nothing is kept");
    await context.clearCookies(); // another browser
    await fill(1990);
    await page.waitForURL(`${base}/welcome`);
    const [row] = await sql("SELECT birth_year FROM users WHERE username = ?", name);
    assert.deepEqual(row, [1990]);
    await changeSettings({ "Minimum age of members, in years": "0" });
    await context.close();
    tell(problems);
  });

  test("anybody gives notice, confirms it by mail, gets the decision and objects", bothWays, async () => {
    const title = `Copied ${uniqueName("book")}`, email = `${uniqueName("eve")}@example.org`;
    const posted = await admin.context.request.post(`${base}/c/${community}/submit`, { form: { title, text: "All of my book" }, headers: { origin: base, accept: "application/json" } });
    const { permalink } = await posted.json();
    const { page, context, problems } = await person({ viewport: { width: 390, height: 844 } });
    await page.goto(base + permalink);
    await page.getByRole("link", { name: "Report illegal content" }).last().click();
    await page.getByRole("heading", { name: "Report illegal content" }).waitFor();
    await page.getByLabel("Address of the post, comment or profile").fill(base + permalink);
    await page.getByLabel("It infringes my rights").check();
    await page.getByLabel("Why").fill("It is my book.");
    await page.getByLabel("Your name").fill("Eve");
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("I believe in good faith").check();
    await page.locator("main").getByRole("button", { name: "Send" }).click();
    await page.waitForURL(`${base}/notice?sent`);
    const { links: [link] } = await mail(email, /Confirm/);
    await page.goto(link);
    await page.getByText("Nobody looks at it before you have confirmed it.").waitFor();
    await page.getByRole("button", { name: "Confirm the notice" }).click();
    await page.getByText("It waits for the moderators.").waitFor();

    const queue = `${base}/c/${community}/mod/queue`;
    const ignore = async (says) => {
      const item = admin.page.locator("article.case", { hasText: title });
      await expect(async () => {
        await admin.page.goto(queue);
        assert.ok((await item.count() > 0) && (await item.innerText()).includes(says), "it is in the queue");
      }).toPass();
      assert.match(await item.innerText(), /Notice: rights of others/);
      assert.ok(!(await admin.page.content()).includes(email), "moderators don't read the address");
      await item.getByRole("button", { name: "Ignore" }).click();
      await expect(async () => assert.ok((await sql("SELECT 1 FROM queue_items WHERE status = 'open' AND target_id = (SELECT id FROM posts WHERE title = ?)", title)).length === 0, "it is decided")).toPass();
    };
    // The job of the minute finds the decision.
    const waitForState = (state) => expect(async () => {
      await fetch(`${base}/cdn-cgi/handler/scheduled?time=${Math.floor(Date.now() / 3e5) * 3e5}`);
      await page.goto(link);
      assert.ok((await page.locator("main").innerText()).includes(state), "the page tells the decision");
    }).toPass();
    await ignore("It is my book.");
    await waitForState("The content stays");
    const decision = await mail(email, /Decision/);
    assert.equal(decision.links[0], link);
    await page.getByText("Article 21 of the Digital Services Act").waitFor();
    await page.getByLabel("Why the decision was wrong").fill("I can show the contract.");
    await page.getByRole("button", { name: "Object" }).click();
    await page.getByText("You have objected.").waitFor();
    await ignore("I can show the contract.");
    await waitForState("The content stays");
    await expect(page.getByRole("button", { name: "Object" }), "one objects once").toHaveCount(0);
    await context.close();
    tell(problems);
  });

  test("everybody reads the numbers as a page, as JSON and as CSV", bothWays, async () => {
    const { page, context, problems } = await person({ viewport: { width: 390, height: 844 } });
    await page.goto(`${base}/new`);
    await page.locator("footer").getByRole("link", { name: "Transparency" }).click();
    await page.getByRole("heading", { name: "Transparency", exact: true }).waitFor();
    await page.getByRole("heading", { name: "Notices by people without an account" }).waitFor();
    await page.getByRole("heading", { name: "Objections to decisions about notices" }).waitFor();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is wider than the screen");
    await page.locator("main summary").click();
    await page.locator("main details table").waitFor();

    const [[notices, objections]] = await sql("SELECT sum(n * (what = 'notice')), sum(n * (what = 'objection')) FROM transparency WHERE kind = '' AND ground = 'rights'");
    assert.ok(objections > 0);
    let half, counts;
    const of = (what) => counts.filter((c) => c.what === what && c.kind === "" && c.ground === "rights").reduce((n, c) => n + c.number, 0);
    await expect(async () => {
      ({ half, counts } = await (await context.request.get(`${base}/transparency.json`)).json());
      assert.ok(of("notice") === notices && of("objection") === objections, "copies at the edge have the numbers");
    }).toPass();
    assert.match(half, /^\d{4}-[12]$/);

    const table = new URL(await page.getByRole("link", { name: "All numbers as CSV" }).getAttribute("href"), base).href;
    let rows;
    await expect(async () => {
      const csv = await context.request.get(table);
      assert.match(csv.headers()["content-type"], /^text\/csv/);
      const [head, ...lines] = (await csv.text()).trimEnd().split("\r\n");
      assert.equal(head, "half,what,kind,ground,found,within_hours,number,undone");
      rows = lines;
      assert.ok(rows.length === counts.length, "so have those of the table");
    }).toPass();
    assert.ok(rows.some((row) => row.startsWith(`${half},notice,,rights,`)));
    await context.close();
    tell(problems);
  });

  test("what moderators write again and again goes from the device when they log out", async () => {
    const { page, context, problems } = await person();
    await signUp(page, uniqueName("out"));
    await page.goto(`${base}/`);
    const keys = ["mail-replies", "removal-messages", "removal-rule"];
    await page.evaluate((names) => { for (const name of names) localStorage.setItem(name, "[\"words\"]"); }, keys);
    await page.locator(".account .menu > summary").click();
    await page.getByRole("button", { name: "Log out" }).click();
    await page.locator("header").getByRole("link", { name: "Log in" }).waitFor();
    assert.deepEqual(await page.evaluate((names) => names.filter((name) => localStorage.getItem(name) !== null), keys), []);
    await context.close();
    tell(problems);
  });
});
