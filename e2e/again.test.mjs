// A comment whose answer never comes: sent again from the same form it is one, and the next one is another.

import assert from "node:assert/strict";
import { base, bothWays, expect, javaScriptEnabled, person, signUp, test, uniqueName } from "./site.mjs";

test("a comment is sent again", bothWays, async () => {
  const { context, page } = await person();
  await signUp(page, uniqueName("again"));
  const community = uniqueName("again");
  await page.goto(`${base}/communities/new`);
  await page.getByLabel("Name").fill(community);
  await page.locator("main").getByRole("button").last().click();
  await page.waitForURL(`${base}/c/${community}`);
  await page.goto(`${base}/c/${community}/submit`);
  await page.getByLabel("Title").fill("A thread");
  await page.locator("#text").fill("Words.");
  await page.getByRole("button", { name: "Post", exact: true }).click();
  await page.waitForURL(/\/p\/a-thread/);

  const comments = page.locator(".comment");
  const form = page.locator("form.reply").first();
  const write = async (text) => {
    await form.locator("textarea").fill(text);
    await form.getByRole("button", { name: "Comment", exact: true }).click();
  };
  if (javaScriptEnabled) {
    let reached;
    const arrived = new Promise((resolve) => { reached = resolve; });
    await page.route("**/comment", async (route) => {
      await route.fetch();
      await route.abort();
      reached();
    }, { times: 1 });
    await write("the same words");
    await arrived;
    await page.locator("#toast", { hasText: "No connection" }).waitFor();
    await form.getByRole("button", { name: "Comment", exact: true }).click();
  } else {
    const token = await form.locator("[name=token]").inputValue();
    const post = await form.locator("[name=post]").inputValue();
    const sent = await context.request.post(`${base}/comment`, { form: { token, post, body: "the same words" }, headers: { origin: base }, maxRedirects: 0 });
    assert.equal(sent.status(), 303);
    await write("the same words");
  }
  await comments.first().waitFor();
  await expect(comments).toHaveCount(1);
  await write("the same words");
  await comments.nth(1).waitFor();
  await page.reload();
  await expect(comments).toHaveCount(2);
  await context.close();
});
