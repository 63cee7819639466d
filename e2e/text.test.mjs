// What people write and how it looks: the typeface, tables, spoilers and footnotes, the bar of marks above a field, and paper.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { base, bothWays, expect, person, signUp, test, uniqueName } from "./site.mjs";

test.describe.configure({ mode: "serial" });

const axe = readFileSync(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const rules = { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] };
const community = uniqueName("texts");
const text = `He >!*did* it [here](https://example.org/)!< at last, ~~or not~~.[^why]

| Version | Released | What changed in it |
|:--|:-:|--:|
| 1.0 | March 2012 | Everything, of course, and that in many words |
| 1.1 | May 2013 | Methods as values |

[^why]: Because of Ődön's cat.`;
const hebrew = `- ראשון\n- שני\n\n> ציטוט\n\n| שם | גיל |\n|--|--|\n| דנה | 7 |\n\n    שיר\n\nהערה[^1]\n\n1. An English list\n\n> A quotation

| Name | Age |\n|--|--|\n| Ann | 7 |\n\n    code()\n\n[^1]: הערה`;
let ann, post, ext, rtl, talk;

test.beforeAll(async () => {
  ann = await person();
  await signUp(ann.page, uniqueName("ann"));
  const send = async (path, form) => {
    const response = await ann.context.request.post(base + path, { form, headers: { origin: base }, maxRedirects: 0 });
    assert.equal(response.status(), 303, await response.text());
    return base + response.headers().location;
  };
  await send("/communities", { name: community, title: "Texts" });
  post = await send(`/c/${community}/submit`, { title: "A story with many words in its title, so that it takes two lines on a phone", text });
  ext = await send(`/c/${community}/submit`, { title: "Příběh Ő a ť 🎉", text: "x" });
  rtl = await send(`/c/${community}/submit`, { title: "שתי שפות", text: hebrew });
  talk = await send("/messages", { title: "Lines", text: "One\ntwo\n\nOne  \ntwo\n\nOne\\\ntwo" });
  const html = await (await ann.context.request.get(post)).text();
  const target = /name="post" value="([^"]+)"/.exec(html)[1];
  for (let i = 0; i < 2; i++) await send("/comment", { post: target, body: `The same words.[^1]\n\n[^1]: And the same note, number ${i}.` });
});
test.afterAll(async () => {
  await ann.context.close();
  assert.deepEqual(ann.problems, []);
});

/** visit opens a page for a visitor, after which nothing may be wrong with it. */
const visit = async (address, options, run) => {
  const { context, page, problems } = await person(options);
  try {
    await run(page, context, () => page.goto(address));
  } finally {
    await context.close();
  }
  assert.deepEqual(problems, []);
};
const phone = { viewport: { width: 360, height: 740 } };

/** typeface is what the letters of an element are drawn with. */
const typeface = async (page, selector) => {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("DOM.enable");
  await cdp.send("CSS.enable");
  const { root } = await cdp.send("DOM.getDocument");
  const { nodeId } = await cdp.send("DOM.querySelector", { nodeId: root.nodeId, selector });
  const { fonts } = await cdp.send("CSS.getPlatformFontsForNode", { nodeId });
  return fonts.map((font) => font.familyName).join();
};

test.describe("the typeface", () => {
  test("is there on the first visit, from one small file", () => visit(post, {}, async (page, _, open) => {
    const files = [];
    page.on("response", async (response) => { if (response.url().endsWith(".woff2")) files.push(response); });
    await open();
    await page.evaluate(() => document.fonts.ready);
    assert.match(await typeface(page, "h1"), /^Source Serif 4/);
    assert.equal(files.length, 1, "only the letters that the page has");
    assert.match(files[0].headers()["cache-control"], /immutable/);
    assert.ok((await files[0].body()).length < 36 << 10);
  }));

  test("has the letters of other languages in a file of its own, and leaves pictures to the device", () => visit(ext, {}, async (page, _, open) => {
    await open();
    await page.waitForFunction(() => [...document.fonts].filter((font) => font.status === "loaded").length >= 2);
    assert.match(await typeface(page, "h1"), /Source Serif 4/);
  }));

  test("moves nothing where it comes late", () => visit(post, phone, async (page, _, open) => {
    await page.addInitScript(() => {
      globalThis.moved = 0;
      new PerformanceObserver((list) => { for (const entry of list.getEntries()) globalThis.moved += entry.value; }).observe({ type: "layout-shift", buffered: true });
    });
    let late;
    const there = new Promise((done) => { late = done; });
    await page.route("**/*.woff2", async (route) => {
      await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0 && performance.now() > 800);
      await route.continue();
      late();
    });
    await open();
    await there;
    await page.evaluate(() => document.fonts.ready);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    assert.equal(await page.evaluate(() => globalThis.moved), 0);
  }));
});

test.describe("a text", bothWays, () => {
  test("hides a spoiler until it is opened, in its line", () => visit(post, {}, async (page, _, open) => {
    await open();
    const spoiler = page.locator(".md details.sp").first();
    const link = spoiler.getByRole("link");
    assert.equal(await link.isVisible(), false);
    const closed = await spoiler.locator("xpath=..").boundingBox();
    assert.ok(closed.height < 40, "the sentence stays one line");
    await spoiler.locator("summary").focus();
    await page.keyboard.press("Enter");
    assert.equal(await link.isVisible(), true);
    assert.ok((await spoiler.locator("xpath=..").boundingBox()).height < 40);
  }));

  test("scrolls a wide table, and not the page", () => visit(post, { ...phone }, async (page, _, open) => {
    await open();
    const table = page.locator(".md .tb");
    const { width } = await table.boundingBox();
    assert.ok(width <= 360);
    assert.ok((await table.locator("table").boundingBox()).width > width);
    await expect(page.getByRole("columnheader", { name: "Released" })).toHaveCount(1);
  }));

  test("of a message has the lines that were typed, and one that ends by two blanks is no other", async () => {
    await visit(talk, { storageState: await ann.context.storageState() }, async (page, _, open) => {
      await open();
      const heights = await page.locator(".quoted p").evaluateAll((list) => list.map((p) => p.clientHeight));
      assert.equal(heights.length, 3);
      assert.deepEqual([...new Set(heights)], [heights[0]], heights.join());
    });
  });

  test("begins where its script does: lists, quotations, tables, code and notes", () => visit(rtl, {}, async (page, _, open) => {
    await open();
    const sides = await page.locator(".full .md").evaluate((text) => [...text.querySelectorAll("ul, ol, blockquote, .tb, pre")].map((el) => {
      const range = document.createRange();
      range.selectNodeContents(el.querySelector("th, p, li:not(:has(p))") ?? el);
      const words = range.getBoundingClientRect();
      const box = el.getBoundingClientRect();
      return `${el.localName} ${words.left - box.left < box.right - words.right ? "left" : "right"}`;
    }));
    const of = (side) => [`blockquote ${side}`, `div ${side}`, `pre ${side}`];
    assert.deepEqual(sides, ["ul right", ...of("right"), "ol left", ...of("left"), "ol right"]);
  }));

  test("has footnotes that lead there and back, each to its own", () => visit(post, {}, async (page, _, open) => {
    await open();
    for (const body of await page.locator(".fn").all()) {
      const text = body.locator("xpath=..");
      await text.locator("sup a").click();
      assert.ok(page.url().endsWith(await text.locator("sup a").getAttribute("href")));
      const target = page.locator(":target");
      assert.equal(await target.evaluate((note, list) => list.contains(note), await body.elementHandle()), true);
      await target.getByRole("link", { name: "↩" }).click();
      assert.ok(page.url().includes("#fr"));
    }
  }));
});

test("a text is accessible in both themes, closed and open", async () => {
  for (const colorScheme of ["light", "dark"]) {
    await visit(post, { ...phone, colorScheme, bypassCSP: true }, async (page, _, open) => {
      await open();
      await page.addScriptTag({ content: axe });
      for (const opened of [false, true]) {
        if (opened) await page.locator(".sp > summary").first().click();
        const { violations } = await page.evaluate((runOnly) => globalThis.axe.run(".md", { runOnly, resultTypes: ["violations"] }), rules);
        assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes[0].html}`), []);
      }
      const ids = await page.evaluate(() => [...document.querySelectorAll("[id]")].map((el) => el.id));
      assert.equal(new Set(ids).size, ids.length, "each id once");
    });
  }
});

test.describe("the bar of marks", () => {
  const field = (page) => page.locator('form[action="/comment"] textarea').first();
  const write = async (page, value, from = value.length, to = from) => {
    await field(page).fill(value);
    await field(page).evaluate((el, [from, to]) => el.setSelectionRange(from, to), [from, to]);
  };
  const chosen = (page) => field(page).evaluate((el) => el.value.slice(el.selectionStart, el.selectionEnd));

  test("stands above a field that has the focus, and is one stop of Tab", async () => {
    const { page } = ann;
    await page.goto(post);
    await expect(page.getByRole("toolbar")).toHaveCount(0);
    await field(page).click();
    const bar = page.getByRole("toolbar", { name: "Format" });
    await expect(bar).toHaveCount(1);
    await page.keyboard.press("Shift+Tab");
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Bold");
    await page.keyboard.press("ArrowLeft");
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Spoiler");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Link");
    await page.keyboard.press("Tab");
    assert.equal(await field(page).evaluate((el) => el === document.activeElement), true);
  });

  test("marks what is selected, takes it back, and leaves undo to the browser", async () => {
    const { page } = ann;
    const press = (name) => page.getByRole("toolbar").getByRole("button", { name }).click();
    for (const [name, value, from, to, want, then] of [
      ["Bold", "some words here", 5, 11, "some **words** here", "words"],
      ["Bold", "", 0, 0, "**strong text**", "strong text"],
      ["Spoiler", "he did it", 3, 9, "he >!did it!<", "did it"],
      ["Code", "a b", 2, 3, "a `b`", "b"],
      ["Code", "a\nb", 0, 3, "```\na\nb\n```", "a\nb"],
      ["Quote", "one\ntwo", 1, 5, "> one\n> two", "> one\n> two"],
      ["List", "one\ntwo\nthree", 0, 7, "- one\n- two\nthree", "- one\n- two"],
      ["Link", "see this", 4, 8, "see [this](https://)", "https://"],
      ["Link", "https://go.dev", 0, 14, "[text](https://go.dev)", "text"],
    ]) {
      await write(page, value, from, to);
      await press(name);
      await expect(field(page), name).toHaveValue(want);
      assert.equal(await chosen(page), then, name);
      if (name !== "Link") {
        await press(name);
        if (value) await expect(field(page), `${name}, again`).toHaveValue(value);
      }
    }
    await write(page, "words", 0, 5);
    await press("Bold");
    await page.keyboard.press("Control+z");
    await expect(field(page)).toHaveValue("words");
  });

  test("has keys", async () => {
    const { page } = ann;
    await write(page, "words", 0, 5);
    await page.keyboard.press("Control+b");
    await expect(field(page)).toHaveValue("**words**");
    await page.keyboard.press("Control+b");
    await page.keyboard.press("Control+k");
    await expect(field(page)).toHaveValue("[words](https://)");
    await field(page).fill("");
  });

  test("is not there without JavaScript, and not where Markdown is not read", async () => {
    const { context, page } = await person({ javaScriptEnabled: false, storageState: await ann.context.storageState() });
    await page.goto(post);
    await field(page).focus();
    await expect(page.getByRole("toolbar")).toHaveCount(0);
    await context.close();
    await ann.page.goto(`${base}/contact`);
    await ann.page.locator("main textarea").focus();
    await expect(ann.page.getByRole("toolbar")).toHaveCount(0);
  });
});

test("a thread prints as an article: no header, no form, no button, with the addresses of links", async () => {
  const { page } = ann;
  await page.goto(post);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  for (const gone of [".top", ".foot", "form.reply", "button", "aside"]) {
    for (const el of await page.locator(gone).all()) assert.equal(await el.isVisible(), false, gone);
  }
  assert.equal(await page.locator("h1").isVisible(), true);
  assert.equal(await page.locator(".comment .md, .said-body").first().isVisible(), true);
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
  assert.match(await page.locator(".md a[href^='https']").first().evaluate((el) => getComputedStyle(el, "::after").content), /example\.org/);
  await page.emulateMedia({ media: null, colorScheme: null });
});

test("the site can be kept as an app", async () => {
  const { request } = ann.context;
  const manifest = await (await request.get(`${base}/manifest.webmanifest`)).json();
  assert.equal(manifest.shortcuts.length, 4);
  for (const path of [...[...manifest.icons, ...manifest.screenshots].map((picture) => picture.src), "/favicon.ico", "/apple-touch-icon.png"]) {
    const response = await request.get(base + path);
    assert.equal(response.status(), 200, path);
    assert.match(response.headers()["content-type"], /^image\//, path);
  }
});
