// What a screen reader says of the pages that people work in, from their beginning to their end, by a virtual one.
// https://www.guidepup.dev/docs/virtual

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** reader is the version of the virtual one. */
export const reader = readFileSync(new URL("../../node_modules/@guidepup/virtual-screen-reader/package.json", import.meta.url), "utf8");

let bundled;
const bundle = () => bundled ??= build({
  stdin: { contents: 'export { virtual } from "@guidepup/virtual-screen-reader";', resolveDir: fileURLToPath(new URL(".", import.meta.url)) },
  bundle: true, write: false, minify: true, format: "iife", globalName: "reader", define: { "process.env.NODE_ENV": '"production"' },
}).then(({ outputFiles }) => `${outputFiles[0].text}; globalThis.reader = reader`);

/** spoken is what is said on a page, in this order, with other phrases between. open is a menu to open first. */
export const spoken = {
  // What it is about, what can be done, and who answers whom.
  post: {
    phrases: [
      "link, Skip to content", "banner", "main", "article", "link, c/askscience", "link, noor",
      /^heading, Is absolutely every organism on Earth related.*, level 1$/, "heading, What I found, level 2",
      /^button, Upvote, .*Is absolutely every organism on Earth related.*, not pressed$/, "2,559 points", /^button, Downvote, .*, not pressed$/,
      "button, Save, 1", "end of article", "region, 606 comments", "heading, 606 comments, level 2", "link, Best, current page",
      "button, Parent comment, Parent comment (p)", "button, Notify me, follow", "textbox, Comment, placeholder Comment…, required",
      "article", "link, grace-h", "link, new, To the next new comment", /^1\.5k points\s· 34 replies$/,
      "It is entirely possible that life started more than once, but all life we know shares one ancestor.",
      /^button, Upvote/, "link, Reply", "end of main", "contentinfo",
    ],
  },
  // Who wrote each case, who reported it for what, and what can be decided.
  "mod-queue": {
    open: ".case .pick",
    phrases: [
      "navigation, Moderation", "link, Queue 41, current page", "heading, Queue, level 1", "status", "2 decided.", /^button, Undo/,
      "alert", "rob was faster: one of these was decided already.", "group, Cases", "article, Go 1.1 is out!",
      "checkbox, Select Go 1.1 is out!, checked", "heading, Go 1.1 is out!, level 2", "link, rob", "known", "12 reports",
      ": Spam (11), Be kind", /^button, Approve, .*Go 1.1 is out!$/, /^button, Spam, /, /^button, Be kind, /, /^button, Ignore, .*Go 1.1 is out!$/,
      "article, You are all wrong, and I will say so again.", "article, Buy now", /^Selected/, "end of main",
    ],
  },
  // What each field is for, and what is wrong with it.
  signup: {
    phrases: [
      "main", "heading, Sign up to Plaza, level 1", "textbox, Username, How others see you. Letters, digits, _ and -., required",
      /^textbox, Email \(optional\), /, /^Password, At least \d+ characters/, "button, Sign up", "link, Log in", "end of main",
    ],
  },
  "signup-wrong": { phrases: ["main", /^heading, /, "This name is taken.", /^textbox, Username, ada, .*This name is taken\., invalid/] },
};

/** spokenMisses returns the first phrase that nobody says, and controls without a name. */
export async function spokenMisses(page, name) {
  const { open, phrases } = spoken[name];
  if (open) await page.locator(open).first().evaluate((el) => { el.open = true; });
  await page.evaluate(await bundle());
  const said = await page.evaluate(async () => {
    const { virtual } = globalThis.reader;
    await virtual.start({ container: document.body });
    do await virtual.next(); while (await virtual.lastSpokenPhrase() !== "end of document");
    const log = await virtual.spokenPhraseLog();
    await virtual.stop();
    return log;
  });
  const nameless = said.filter((phrase) => /^(button|link|textbox|checkbox)(, )?$/.test(phrase)).map((phrase) => `spoken: it has no name: ${phrase}`);
  let at = 0;
  for (const phrase of phrases) {
    const found = said.findIndex((it, i) => i >= at && (typeof phrase === "string" ? it === phrase : phrase.test(it)));
    if (found < 0) return [...nameless, `spoken: after “${said[at - 1]}” nobody says “${phrase}”, but:\n${said.slice(at, at + 60).join("\n")}`];
    at = found + 1;
  }
  return nameless;
}
