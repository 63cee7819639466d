// What is written is not lost: by logging in from the header, by leaving the page, and by what the device has kept.

import assert from "node:assert/strict";
import { base, expect, person, signUp, test, uniqueName } from "./site.mjs";

test.describe.configure({ mode: "serial" });

const community = uniqueName("written");
const name = uniqueName("ann");
const password = "correct horse";
let ann, post;

const send = async (path, form) => {
  const response = await ann.context.request.post(base + path, { form, headers: { origin: base }, maxRedirects: 0 });
  assert.equal(response.status(), 303, await response.text());
  return base + response.headers().location;
};
const composer = (page) => page.locator("form.reply textarea").first();
const onDevice = (page) => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("kept:")));
const header = (page, label) => page.locator("header").getByText(label, { exact: true });
const card = (page, label) => page.locator("main").getByRole("button", { name: label, exact: true }); // of a login page that carries a text

test.beforeAll(async () => {
  ann = await person();
  await signUp(ann.page, name);
  await send("/communities", { name: community, title: "Written" });
  post = await send(`/c/${community}/submit`, { title: "To be answered", text: "Words" });
});
test.afterAll(async () => {
  await ann.context.close();
  assert.deepEqual(ann.problems, []);
});

test.describe("logging in from the header", () => {
  /** visitor opens a page, and afterwards nothing may be wrong with it. */
  const visitor = async (run, options) => {
    const { page, context, problems } = await person(options);
    await run(page);
    await context.close();
    assert.deepEqual(problems, []);
  };
  const logIn = async (page) => {
    await page.getByLabel("Username or email").fill(name);
    await page.getByLabel("Password").fill(password);
    await page.locator("main").getByRole("button", { name: "Log in", exact: true }).click();
  };

  test("takes a comment along, also by way of signing up", () => visitor(async (page) => {
    await page.goto(post);
    await composer(page).fill("Written\nby a visitor");
    await header(page, "Log in").click();
    await page.getByText("What you wrote is kept.").waitFor();
    await card(page, "Sign up").click();
    await page.waitForURL(`${base}/signup`);
    await page.getByText("What you wrote is kept.").waitFor();
    await card(page, "Log in").click();
    await page.waitForURL(`${base}/login`);
    await logIn(page);
    await page.getByText("You are logged in.").waitFor();
    await expect(composer(page)).toHaveValue("Written\nby a visitor");
    await page.locator("main").getByRole("button", { name: "Comment", exact: true }).click();
    await page.waitForURL((url) => url.href.startsWith(post));
    await page.locator(".comment", { hasText: "by a visitor" }).waitFor();
  }));

  test("signs up with a comment", () => visitor(async (page) => {
    await page.goto(post);
    await composer(page).fill("From somebody new");
    await header(page, "Sign up").click();
    await page.getByText("What you wrote is kept.").waitFor();
    await page.getByLabel("Username").fill(uniqueName("new"));
    await page.getByLabel("Password").fill(password);
    await page.locator("main").getByRole("button", { name: "Sign up", exact: true }).click();
    await page.getByText("You are logged in.").waitFor();
    await expect(composer(page)).toHaveValue("From somebody new");
  }));

  test("takes a message to the administrators along", () => visitor(async (page) => {
    await page.goto(`${base}/contact`);
    await page.getByLabel("Message").fill("Help me");
    await header(page, "Log in").click();
    await logIn(page);
    await page.getByText("You are logged in.").waitFor();
    await expect(page.getByLabel("Message")).toHaveValue("Help me");
  }));

  test("leads back as ever where nothing is written", () => visitor(async (page) => {
    await page.goto(post);
    await header(page, "Log in").click();
    await page.waitForURL(`${base}/login?next=**`);
    await logIn(page);
    await page.waitForURL(post);
  }));

  test("without JavaScript, from the page that carries what was sent", () => visitor(async (page) => {
    await page.goto(post);
    await composer(page).fill("Sent as a visitor");
    await page.locator("main form.reply").getByRole("button", { name: "Comment", exact: true }).click();
    await page.getByText("What you wrote is kept.").waitFor();
    await card(page, "Sign up").click();
    await page.waitForURL(`${base}/signup`);
    await page.getByText("What you wrote is kept.").waitFor();
    await card(page, "Log in").click();
    await page.waitForURL(`${base}/login`);
    await logIn(page);
    await page.getByText("You are logged in.").waitFor();
    await expect(composer(page)).toHaveValue("Sent as a visitor");
  }, { javaScriptEnabled: false }));
});

test.describe("a comment that is being written", () => {
  test("is kept on the device for each target, and comes back", async () => {
    const { page } = ann;
    const comment = await send("/comment", { post: /"target=(\w{13})|target=(\w{13})/.exec(await (await ann.context.request.get(post)).text()).slice(1).find(Boolean), body: "To be answered too" });
    await page.goto(post);
    await composer(page).fill("To the post");
    await page.locator(".comment", { hasText: "To be answered too" }).getByRole("link", { name: "Reply", exact: true }).click();
    const reply = page.locator(".comment form.reply textarea");
    await reply.fill("To the comment");
    await page.goto(`${base}/communities`); // before anything else could keep it
    assert.equal((await onDevice(page)).length, 2);

    await page.goto(post);
    await expect(composer(page)).toHaveValue("To the post");
    await page.getByText("You wrote this on").waitFor();
    await page.locator(".comment", { hasText: "To be answered too" }).getByRole("link", { name: "Reply", exact: true }).click();
    await expect(reply, "the reply is back").toHaveValue("To the comment");

    // Posted in place, it is forgotten, and the other is not.
    await page.locator(".comment form.reply").getByRole("button", { name: "Reply", exact: true }).click();
    await page.locator(".comment .comment", { hasText: "To the comment" }).waitFor();
    await expect(async () => assert.ok((await onDevice(page)).length === 1, "one is forgotten")).toPass();
    await page.goto(comment);
    await page.goto(post);
    await expect(composer(page)).toHaveValue("To the post");
    await page.locator("form.reply").first().getByRole("button", { name: "Comment", exact: true }).click();
    await page.locator(".comment", { hasText: "To the post" }).waitFor();
    await expect(async () => assert.ok((await onDevice(page)).length === 0, "both are forgotten")).toPass();
    await page.goto(post);
    await expect(composer(page)).toHaveValue("");
  });

  test("is forgotten when it was posted from a page of its own, and not when it was refused", async () => {
    const { page } = ann;
    await page.goto(post);
    const alone = new URL(await page.locator(".comment .re").first().getAttribute("href"), base).href;
    await page.goto(alone);
    await composer(page).fill("x".repeat(10001));
    await page.locator("main form.reply").getByRole("button", { name: "Reply", exact: true }).click();
    await page.locator(".wrong").first().waitFor();
    await page.goto(post);
    assert.equal((await onDevice(page)).length, 1, "refused");
    await page.goto(alone);
    assert.equal((await composer(page).inputValue()).length, 10001);
    await composer(page).fill("Short");
    await page.locator("main form.reply").getByRole("button", { name: "Reply", exact: true }).click();
    await page.waitForURL((url) => url.href.startsWith(post));
    await page.locator(".comment", { hasText: "Short" }).first().waitFor();
    assert.deepEqual(await onDevice(page), []);
    await page.goto(alone);
    await expect(composer(page)).toHaveValue("");
  });

  test("is kept also where a comment or post is changed, or a message written", async () => {
    const { page } = ann;
    const id = /[?]target=(\w{13})"/.exec(await (await ann.context.request.get(post)).text())[1];
    await send("/comment", { post: id, body: "To be changed" });
    const toast = (text) => page.locator("#toast p", { hasText: text }).waitFor();
    const change = async () => {
      await page.goto(post);
      await page.locator(".comment", { hasText: "To be changed" }).last().locator('a[href^="/edit"]').evaluate((el) => el.click());
      await page.locator("form.change textarea").waitFor();
    };
    const field = page.locator("form.change textarea");
    await change();
    await field.fill("Changed words");
    await page.goto(`${base}/communities`);
    await change();
    await expect(field, "the change is back").toHaveValue("Changed words");
    await page.getByRole("button", { name: "Discard" }).click();
    await expect(field).toHaveValue("To be changed");
    assert.deepEqual(await onDevice(page), []);
    await field.fill("Changed words");
    await page.locator("form.change").getByRole("button", { name: "Save" }).click();
    await toast("Comment saved");
    await expect(async () => assert.ok((await onDevice(page)).length === 0, "it is forgotten")).toPass();

    for (const [path, label, words, button, said] of [[`/edit?target=${id}`, "Text", "A changed text", "Save", "Saved"],
      ["/messages/new", "Message", "A message in the making", "Send", "Sent"]]) {
      await page.goto(base + path);
      await page.getByLabel(label, { exact: true }).fill(words);
      await page.goto(`${base}/communities`);
      await page.goto(base + path);
      await expect(page.getByLabel(label, { exact: true })).toHaveValue(words);
      if (path.startsWith("/messages")) await page.getByLabel("Subject").fill("A subject");
      await page.locator("main").getByRole("button", { name: button, exact: true }).click();
      await toast(said);
      assert.deepEqual(await onDevice(page), []);
      await page.goto(base + path);
      await expect(page.getByLabel(label, { exact: true })).toHaveValue(said === "Saved" ? words : "");
    }
  });

  test("is forgotten by choice, and by logging out", async () => {
    const { page, context, problems } = await person();
    await signUp(page, uniqueName("ben"));
    for (const forget of [
      async () => {
        await page.getByRole("button", { name: "Discard" }).click();
        await expect(composer(page)).toHaveValue("");
      },
      async () => {
        await page.locator(".account .menu > summary").click();
        await page.getByRole("button", { name: "Log out" }).click();
        await header(page, "Log in").waitFor();
      },
    ]) {
      await page.goto(post);
      await composer(page).fill("Not meant so");
      await page.goto(post);
      await expect(composer(page)).toHaveValue("Not meant so");
      await forget();
      assert.deepEqual(await onDevice(page), []);
      await page.goto(post);
      await expect(composer(page)).toHaveValue("");
    }
    await context.close();
    assert.deepEqual(problems, []);
  });
});

test.describe("a post that is on the device and in the draft", () => {
  const asks = (page) => page.getByText("You wrote something else here").count();
  const write = async (page, title) => {
    await page.goto(`${base}/c/${community}/submit`);
    await page.locator("#title").fill(title);
    await page.locator("#text").fill("  The same words,\nand no others.\n");
    await page.locator("#tags").fill("Two, One");
  };
  const left = (page) => page.evaluate(() => document.dispatchEvent(new Event("visibilitychange"))); // as when another tab is opened

  test("asks nothing when both say the same", async () => {
    const { page } = ann;
    await write(page, "Kept  twice ");
    const kept = await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")) && Object.entries(localStorage).find(([key]) => key.startsWith("kept:"))[1]);
    await page.locator("#kept", { hasText: "Saved as a draft" }).waitFor();
    const draft = page.url();
    const target = await page.locator("[name=target]").first().inputValue();
    // As if the answer had come when the page was gone.
    await page.evaluate(([key, value]) => localStorage.setItem(key, value), [`kept:${name}:${target}`, kept]);
    await page.goto(draft);
    assert.match(await page.locator("#text").inputValue(), /The same words/);
    assert.equal(await asks(page), 0);
    await page.evaluate(([key, value]) => localStorage.setItem(key, value.replace("no others", "some others")), [`kept:${name}:${target}`, kept]);
    await page.goto(draft);
    assert.equal(await asks(page), 1, "other words are");
    await page.getByRole("button", { name: "Discard" }).click();
  });

  test("leads to the draft when the answer to saving it was lost", async () => {
    const { page } = ann;
    await write(page, "Saved while leaving");
    await page.route("**/drafts", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await left(page);
    await page.locator("#kept", { hasText: "Kept on this device" }).waitFor();
    await page.unroute("**/drafts");
    await page.goto(`${base}/c/${community}/submit`);
    await page.getByText("What you wrote here is saved as a draft.").waitFor();
    assert.equal(await asks(page), 0);
    await page.getByRole("link", { name: "Continue" }).click();
    await page.waitForURL(/\/draft\?target=/);
    await expect(page.locator("#title")).toHaveValue("Saved while leaving");
    assert.deepEqual(await onDevice(page), []);
    await page.goto(`${base}/drafts`);
    await expect(page.getByRole("link", { name: "Saved while leaving", exact: true })).toHaveCount(1);
    ann.problems.length = 0; // the answer that was lost
  });
});
