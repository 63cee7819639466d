// Being answered: the count in the header, the mail and the inbox, for a member with two devices.

import assert from "node:assert/strict";
import { base, bothWays, expect, javaScriptEnabled, looksBehind, mails, person, signUp, sql, test, uniqueName } from "./site.mjs";

test.describe.configure({ mode: "serial" });

test.describe("somebody who is answered", bothWays, () => {
  looksBehind();
  const community = uniqueName("inbox");
  const ann = uniqueName("ann");
  const address = `${ann}@example.org`;
  const benName = uniqueName("ben");
  let laptop, phone, ben, post;

  const header = async (page) => {
    const count = page.locator(".bar .inbox b");
    return (await count.count()) ? count.innerText() : "";
  };
  // shows waits until the site counts so many, and opens a page that says so.
  const shows = async (page, want) => {
    await expect(async () => {
      const html = await (await page.request.get(`${base}/new`)).text();
      assert.equal(/<a class="icon inbox"(?:(?!<\/a>).)*<b>(\d+)<\/b>/s.exec(html)?.[1] ?? "", want, "the count in the header");
    }).toPass();
    await page.goto(`${base}/new`);
    assert.equal(await header(page), want);
  };

  test.beforeAll(async () => {
    for (const who of ["laptop", "phone", "ben"]) {
      const created = await person({ viewport: who === "phone" ? { width: 390, height: 844 } : undefined });
      if (who === "laptop") laptop = created; else if (who === "phone") phone = created; else ben = created;
    }
    await signUp(laptop.page, ann);
    await sql("UPDATE users SET email = ?1, email_key = ?1, email_confirmed_at = 1 WHERE username = ?2", address, ann);
    await phone.page.goto(`${base}/login`);
    await phone.page.getByLabel("Username", { exact: false }).first().fill(ann);
    await phone.page.getByLabel("Password").fill("correct horse");
    await phone.page.locator("main").getByRole("button", { name: "Log in", exact: true }).click();
    await phone.page.waitForURL(`${base}/`);
    await signUp(ben.page, benName);
    await laptop.page.goto(`${base}/communities/new`);
    await laptop.page.getByLabel("Name").fill(community);
    await laptop.page.getByLabel("Title").fill("A place to be answered");
    await laptop.page.locator("main form").getByRole("button").last().click();
    await laptop.page.waitForURL(`${base}/c/${community}`);
    await laptop.page.goto(`${base}/c/${community}/submit`);
    await laptop.page.getByLabel("Title").fill("A question");
    await laptop.page.locator("#text").fill("Who knows?");
    await laptop.page.locator("main form").getByRole("button", { name: "Post", exact: true }).click();
    await laptop.page.waitForURL(`${base}/c/${community}/p/a-question`);
    post = laptop.page.url();
    await laptop.page.locator("form.reply textarea").first().fill("Nobody?");
    await laptop.page.locator("form.reply").first().getByRole("button", { name: "Comment" }).click();
    await laptop.page.locator(".comment", { hasText: "Nobody?" }).waitFor();
  });
  test.afterAll(async () => {
    for (const who of [laptop, phone, ben]) await who.context.close();
    assert.deepEqual([...laptop.problems, ...phone.problems, ...ben.problems], [], "no error, no request to elsewhere");
  });

  test("sees 1 on the next page of each device within seconds, and gets a mail", async () => {
    await ben.page.goto(post);
    await ben.page.locator(".comment", { hasText: "Nobody?" }).getByRole("link", { name: "Reply" }).click();
    const form = ben.page.locator(javaScriptEnabled ? ".comment form.reply" : "main form.reply");
    await form.locator("textarea").fill("I do, *of course*");
    await form.getByRole("button", { name: "Reply" }).click();
    await ben.page.locator(".comment .comment", { hasText: "I do" }).waitFor();
    await shows(laptop.page, "1");
    await shows(phone.page, "1");
    await expect(async () => assert.ok((await mails(address)).length === 1, "the mail")).toPass();
    const [mail] = await mails(address);
    assert.match(mail.subject, /replied to you: A question/);
    assert.match(mail.text, /> I do, of course/);
    assert.match(mail.headers["List-Unsubscribe"], /^<http.*\/unsubscribe\?/);
  });

  test("reads it on the phone, and it is read on the laptop", async () => {
    await phone.page.locator(".bar .inbox[href^='/inbox']").click();
    await phone.page.waitForURL(`${base}/inbox`);
    assert.ok(await phone.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing sticks out on a phone");
    const card = phone.page.locator(".entries > .unread");
    await card.getByRole("link", { name: `Unread: ${benName} replied in A question`, exact: true }).waitFor();
    const box = await card.boundingBox();
    assert.ok(box.height <= 88, `a card is ${box.height} px high`);
    await phone.page.mouse.click(box.x + box.width / 2, box.y + box.height - 12); // anywhere on the card
    await phone.page.locator(".comment.lit", { hasText: "I do" }).waitFor();
    assert.equal(await header(phone.page), "", "the page itself counts it as read");
    await shows(phone.page, "");
    await shows(laptop.page, "");
    await laptop.page.goto(`${base}/inbox`);
    await expect(laptop.page.locator(".entries > .unread")).toHaveCount(0);
    await expect(laptop.page.locator(".entries > li")).toHaveCount(1);
  });

  test("answers where the answer is shown, and that reads it", async () => {
    await ben.page.goto(post);
    await ben.page.locator("form.reply textarea").first().fill("And you?");
    await ben.page.locator("form.reply").first().getByRole("button", { name: "Comment" }).click();
    await ben.page.locator(".comment", { hasText: "And you?" }).waitFor();
    await shows(laptop.page, "1");
    await laptop.page.goto(`${base}/inbox`);
    const card = laptop.page.locator(".entries > li", { hasText: "And you?" });
    await card.getByRole("link", { name: "Reply" }).click();
    const form = javaScriptEnabled ? card.locator("form.reply") : laptop.page.locator("main form.reply");
    await form.locator("textarea").fill("Me too");
    await form.getByRole("button", { name: "Reply" }).click();
    await laptop.page.locator(".comment", { hasText: "Me too" }).last().waitFor(); // the page of a comment shows what it answers above
    if (javaScriptEnabled) {
      assert.equal(new URL(laptop.page.url()).pathname, "/inbox");
      assert.ok(await card.locator("i").isHidden(), "no dot any more");
    }
    await shows(laptop.page, "");
  });

  test("marks all as read, and takes that back", async () => {
    await ben.page.goto(post);
    for (const words of ["One", "Two"]) {
      await ben.page.locator("form.reply textarea").first().fill(words);
      await ben.page.locator("form.reply").first().getByRole("button", { name: "Comment" }).click();
      await ben.page.locator(".comment", { hasText: words }).waitFor();
      if (!javaScriptEnabled) await ben.page.goto(post);
    }
    await shows(laptop.page, "2");
    await laptop.page.goto(`${base}/inbox`);
    await laptop.page.getByRole("button", { name: "Mark all read" }).click();
    await laptop.page.getByText("All read.").waitFor();
    await expect(laptop.page.locator(".entries > .unread")).toHaveCount(0);
    await laptop.page.getByRole("button", { name: "Undo" }).click();
    await laptop.page.waitForURL(`${base}/inbox`);
    await expect(laptop.page.locator(".entries > .unread"), "and no more than these").toHaveCount(2);
    await shows(laptop.page, "2");
    await laptop.page.goto(`${base}/inbox`);
    await laptop.page.getByRole("button", { name: "Mark all read" }).click();
    await laptop.page.getByText("All read.").waitFor();
  });

  test("mutes the thread, and is not told any more", async () => {
    await laptop.page.locator(".entries > li summary").first().click();
    await laptop.page.getByRole("button", { name: "Mute", exact: true }).first().click();
    if (javaScriptEnabled) await laptop.page.locator("#toast p", { hasText: "Muted" }).waitFor();
    await laptop.page.locator(".entries > li summary").first().click();
    await laptop.page.getByRole("button", { name: "Unmute", exact: true }).first().waitFor();
    await ben.page.goto(post);
    await ben.page.locator("form.reply textarea").first().fill("One more thing");
    await ben.page.locator("form.reply").first().getByRole("button", { name: "Comment" }).click();
    await ben.page.locator(".comment", { hasText: "One more thing" }).waitFor();
    await expect(async () => assert.ok((await sql("SELECT count(*) FROM outbox WHERE job = 'notify'"))[0][0] === 0, "the message was handled")).toPass();
    await shows(laptop.page, "");
  });
});
