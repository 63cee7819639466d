// What a screen reader says of the pages that people work in, from their beginning to their end, by a virtual one.
// https://www.guidepup.dev/docs/virtual

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";
import { build } from "esbuild";
import { launch } from "../site.mjs";
import { startGallery } from "./gallery.mjs";

let browser, gallery, reader;
before(async () => {
  const made = await build({
    stdin: { contents: 'export { virtual } from "@guidepup/virtual-screen-reader";', resolveDir: fileURLToPath(new URL(".", import.meta.url)) },
    bundle: true, write: false, minify: true, format: "iife", globalName: "reader", define: { "process.env.NODE_ENV": '"production"' },
  });
  reader = `${made.outputFiles[0].text}; globalThis.reader = reader`;
  [browser, gallery] = [await launch(), await startGallery()];
});
after(async () => {
  await browser.close();
  gallery.stop();
});

/** spoken is what is said of a page, phrase by phrase. open are menus to open first. */
async function spoken(name, open = []) {
  const context = await browser.newContext({ bypassCSP: true, viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto(gallery.url + name);
  for (const selector of open) await page.locator(selector).first().evaluate((el) => { el.open = true; });
  await page.evaluate(reader);
  const phrases = await page.evaluate(async () => {
    const { virtual } = globalThis.reader;
    await virtual.start({ container: document.body });
    do await virtual.next(); while (await virtual.lastSpokenPhrase() !== "end of document");
    const log = await virtual.spokenPhraseLog();
    await virtual.stop();
    return log;
  });
  await context.close();
  return phrases;
}

/** inOrder asserts that phrases were said one after the other, with others between them. */
function inOrder(said, phrases) {
  let at = 0;
  for (const phrase of phrases) {
    const found = said.findIndex((it, i) => i >= at && (typeof phrase === "string" ? it === phrase : phrase.test(it)));
    assert.ok(found >= 0, `after “${said[at - 1]}” nobody says “${phrase}”, but:\n${said.slice(at, at + 60).join("\n")}`);
    at = found + 1;
  }
}

test("a thread says what it is about, what can be done, and who answers whom", async () => {
  const said = await spoken("post");
  inOrder(said, [
    "link, Skip to content", "banner", "main", "article", "link, c/askscience", "link, noor",
    /^heading, Is absolutely every organism on Earth related.*, level 1$/, "heading, What I found, level 3",
    /^button, Upvote, .*Is absolutely every organism on Earth related.*, not pressed$/, "2,559 points", /^button, Downvote, .*, not pressed$/,
    "button, Save, 1", "end of article", "region, 606 comments", "heading, 606 comments, level 2", "link, Best, current page",
    "button, Parent comment, Parent comment (p)", "button, Notify me, follow", "textbox, Comment, placeholder Comment…, required",
    "article", "link, grace-h", "link, new, To the next new comment", "1.5k points · 34 replies",
    "It is entirely possible that life started more than once, but all life we know shares one ancestor.",
    /^button, Upvote/, "link, Reply", "end of main", "contentinfo",
  ]);
  assert.ok(!said.some((phrase) => /^(button|link|textbox|checkbox)(, )?$/.test(phrase)), "everything that can be pressed has a name");
});

test("the queue says of each case who wrote it, who reported it for what, and what can be decided", async () => {
  const said = await spoken("mod-queue", [".case .pick"]);
  inOrder(said, [
    "navigation, Moderation", "link, Queue 41, current page", "heading, Queue, level 1", "status", "2 decided.", /^button, Undo/,
    "alert", "rob was faster: one of these was decided already.", "group, Cases", "article, Go 1.1 is out!",
    "checkbox, Select Go 1.1 is out!, checked", "heading, Go 1.1 is out!, level 2", "link, rob", "known", "12 reports",
    ": Spam (11), Be kind", /^button, Approve, .*Go 1.1 is out!$/, /^button, Spam, /, /^button, Be kind, /, /^button, Ignore, .*Go 1.1 is out!$/,
    "article, You are all wrong, and I will say so again.", "article, Buy now", /^Selected/, "end of main",
  ]);
});

test("a form says what each field is for, and what is wrong with it", async () => {
  inOrder(await spoken("signup"), [
    "main", "heading, Sign up to Plaza, level 1", "textbox, Username, How others see you. Letters, digits, _ and -., required",
    /^textbox, Email \(optional\), /, /^Password, At least \d+ characters/, "button, Sign up", "link, Log in", "end of main",
  ]);
  inOrder(await spoken("signup-wrong"), ["main", /^heading, /, "This name is taken.", /^textbox, Username, ada, .*This name is taken\., invalid/]);
});
