// What rests on an address: confirming it, a new password, logging in by a mailed link, and what was written before.

import assert from "node:assert/strict";
import { base, bothWays, expect, javaScriptEnabled, looksBehind, mail, mails, person, signUp, sql, test, uniqueName } from "./site.mjs";

test.describe.configure({ mode: "serial" });

/** member is a new person with an account whose address is confirmed. */
async function member(options, prefix) {
  const who = await person(options);
  const name = uniqueName(prefix);
  const address = `${name}@example.org`;
  await who.page.goto(`${base}/signup`);
  await who.page.getByLabel("Username").fill(name);
  await who.page.getByLabel("Email").fill(address);
  await who.page.getByLabel("Password").fill("correct horse");
  await who.page.locator("main").getByRole("button", { name: "Sign up", exact: true }).click();
  await who.page.waitForURL(`${base}/welcome`);
  const [link] = (await mail(address, /Confirm your address/)).links;
  await who.page.goto(link);
  await who.page.getByRole("button", { name: "Confirm the address" }).click();
  await who.page.getByRole("heading", { name: "Your address is confirmed" }).waitFor();
  return { ...who, name, address };
}

test.describe("what rests on an address", bothWays, () => {
  looksBehind();
  let ann;
  test("an address that is given when signing up is confirmed by mail", async () => {
    ann = await member({}, "ann");
    await ann.page.goto(`${base}/settings/account`);
    await ann.page.getByText(`Your address is ${ann.address}. You can log in with it`).waitFor();
  });

  test("a lost password is replaced by a mailed link", async () => {
    const { context, page, problems } = await person();
    await page.goto(`${base}/login`);
    await page.locator("#login").fill(ann.address);
    await page.getByRole("button", { name: "Forgot your password?" }).click();
    await page.getByRole("heading", { name: "A new password" }).waitFor();
    await page.locator("#login").fill(ann.address);
    await page.getByRole("button", { name: "Mail me a link" }).click();
    await page.getByRole("heading", { name: "Check your mail" }).waitFor();
    const [link] = (await mail(ann.address, /A new password/)).links;
    for (let i = 0; i < 3; i += 1) await fetch(link); // as a program that looks for viruses
    await page.goto(link);
    await page.getByLabel("New password").fill("battery staple");
    await page.getByRole("button", { name: "Save the password" }).click();
    await page.waitForURL(`${base}/`);
    await page.goto(`${base}/settings/account`);
    await page.getByText(ann.address).waitFor();
    await ann.page.goto(`${base}/settings/account`);
    await ann.page.waitForURL(/\/login/); // all other sessions are over
    assert.equal((await fetch(link)).status, 404);
    await mail(ann.address, /was changed/);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("a link logs in, and what was written before is there", async () => {
    const { context, page, problems } = await person();
    await signUp(page, uniqueName("writer"));
    const community = uniqueName("mail");
    await page.goto(`${base}/communities/new`);
    await page.getByLabel("Name").fill(community);
    await page.locator("main").getByRole("button").last().click();
    await page.waitForURL(`${base}/c/${community}`);
    await page.goto(`${base}/c/${community}/submit`);
    await page.getByLabel("Title").fill("A thread");
    await page.locator("#text").fill("Words.");
    await page.getByRole("button", { name: "Post", exact: true }).click();
    await page.waitForURL(/\/p\/a-thread/);

    // The session ends while somebody writes.
    await page.locator("form.reply textarea").first().fill("What I had written");
    await context.clearCookies();
    await page.locator("form.reply").first().getByRole("button", { name: "Comment", exact: true }).click();
    await page.getByRole("heading", { name: "Log in" }).waitFor();
    await page.locator("#login").fill(ann.name);
    await page.getByRole("button", { name: "Mail me a link instead" }).click();
    await page.getByRole("heading", { name: "Check your mail" }).waitFor();

    const [link] = (await mail(ann.address, /Log in/)).links;
    const other = await context.newPage();
    await other.goto(link);
    await other.locator("main").getByRole("button", { name: "Log in" }).click();
    await other.getByRole("heading", { name: "You are logged in" }).waitFor();
    if (!javaScriptEnabled) await page.getByRole("button", { name: "I have opened the link" }).click();
    await page.getByText("You are logged in. Here is what you have written.").waitFor();
    await expect(page.locator("main textarea").first()).toHaveValue("What I had written");
    await page.locator("main").getByRole("button", { name: "Comment", exact: true }).click();
    await page.locator(".comment", { hasText: "What I had written" }).waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("nobody gets a mail who has no account", async () => {
    const { context, page } = await person();
    const address = `${uniqueName("nobody")}@example.org`;
    await page.goto(`${base}/reset`);
    await page.locator("#login").fill(address);
    await page.getByRole("button", { name: "Mail me a link" }).click();
    await page.getByRole("heading", { name: "Check your mail" }).waitFor();
    await expect(async () => assert.ok((await sql("SELECT count(*) FROM mails WHERE due_at IS NOT NULL"))[0][0] === 0, "its row is done")).toPass();
    assert.deepEqual(await mails(address), []);
    await context.close();
  });
});
