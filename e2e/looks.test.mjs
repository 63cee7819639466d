// The figures of how pages look: posts and cases a screen, where the first post, hit and comment stand, how high a comment is, how much a page
// shifts, and what its parts weigh. The run says all of them; each has a bound.

import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { base, expect, figure, form, looksBehind, person, signUp, test, uniqueName } from "./site.mjs";

// The least number of posts that a screen shows whole, by its size and the density of lists.
const screens = [
  { width: 1280, height: 900, standard: 9, compact: 16 },
  { width: 1920, height: 1080, standard: 11, compact: 20 },
  { width: 768, height: 1024, standard: 11, compact: 18 },
  { width: 390, height: 844, standard: 6, compact: 10 },
  { width: 360, height: 740, standard: 5, compact: 8 },
];
const phone = (width) => width < 600;
const listing = "/top?t=all"; // as the demo fills it

let member;
test.beforeAll(async () => {
  member = await person();
  await signUp(member.page, uniqueName("looks"));
});
test.afterAll(() => member.context.close());

/** at opens a page of a size, as a phone has it below 600 px. */
const at = async ({ width, height }, options = {}) => person({
  viewport: { width, height }, hasTouch: phone(width), isMobile: phone(width), ...options,
});

test.describe("a listing", () => {
  for (const who of ["visitor", "member"]) {
    test(`shows as many posts as wanted to a ${who}`, async () => {
      const storageState = who === "member" ? await member.context.storageState() : undefined;
      for (const device of [screens.filter(({ width }) => phone(width)), screens.filter(({ width }) => !phone(width))]) {
        const { page, context, problems } = await at(device[0], { storageState });
        for (const screen of device) {
          await page.setViewportSize(screen);
          await page.goto(`${base}${listing}`);
          for (const density of ["standard", "compact", "cards"]) {
            if (density !== "standard") {
              await page.locator("details.look summary").click();
              await page.locator("details.look").getByRole("button", { name: density === "compact" ? "Compact" : "Cards", exact: true }).click();
              await page.waitForFunction((it) => document.documentElement.dataset.density === it, density);
              await page.keyboard.press("Escape");
            }
            const seen = await page.evaluate(() => {
              const rows = [...document.querySelectorAll("article.post")].map((el) => el.getBoundingClientRect());
              return { posts: rows.filter((row) => row.bottom <= innerHeight + 1).length, first: rows[0].top,
                mean: rows.reduce((sum, row) => sum + row.height, 0) / rows.length, over: document.documentElement.scrollWidth - innerWidth };
            });
            figure(`${screen.width} × ${screen.height} ${density}: ${seen.posts} posts, the first at ${seen.first} px, ${seen.mean.toFixed(1)} px each`);
            assert.ok(seen.posts >= (screen[density] ?? 2), `${screen.width} px, ${density}: ${seen.posts} posts`);
            assert.ok(seen.first <= 98, `${screen.width} px, ${density}: the first post begins at ${seen.first} px`);
            assert.equal(seen.over, 0, "nothing sticks out");
          }
          const reset = await context.request.post(`${base}/display`, form({ density: "" }));
          assert.equal(reset.status(), 303, await reset.text());
        }
        await context.close();
        assert.deepEqual(problems, []);
      }
    });
  }

  test("says on a phone when the last comment came, whole", async () => {
    for (const locale of ["en", "de"]) {
      const { page, context } = await at({ width: 360, height: 740 }, { locale });
      const rows = [], begins = [];
      // Other tests have posted what nobody has commented on, so the posts of the demo may be on a later page.
      for (let address = "/active"; address && rows.length <= 10;) {
        await page.goto(base + address);
        rows.push(...await page.locator(".post .by:has(.cc + span)").evaluateAll((lines) => lines.map((line) => line.scrollWidth - line.clientWidth)));
        begins.push(...await page.locator(".post .by .cc + span").evaluateAll((texts) => texts.flatMap((text) => {
          const line = text.parentElement.getBoundingClientRect(), box = text.getBoundingClientRect();
          return box.top - line.top < 10 ? [] : [box.left - line.left + (getComputedStyle(text, "::before").content === "none" ? 0 : 1)];
        })));
        address = await page.locator('a[rel="next"]').evaluateAll(([next]) => next?.getAttribute("href"));
      }
      assert.ok(rows.length > 10, `${rows.length} rows say it`);
      assert.deepEqual(rows.filter((over) => over > 0), [], locale);
      assert.ok(begins.length > 0, "some of them begin a line");
      assert.deepEqual(begins.filter((indent) => indent !== 0), [], "no dot begins a line");
      await context.close();
    }
  });

  test("weighs little, with what it asks for", async () => {
    const { page, context } = await at(screens[0], { storageState: await member.context.storageState() });
    const weights = { html: 0, code: 0, fonts: 0 };
    const responses = [];
    page.on("response", (response) => responses.push(response));
    await page.goto(`${base}${listing}`);
    await page.evaluate(() => document.fonts.ready.then(() => true));
    for (const response of responses) {
      const type = response.headers()["content-type"] ?? "";
      if (!/html|css|javascript|font/.test(type)) continue; // a script may leave an answer unread, and then it never ends
      const body = await response.body(); // unpacked
      if (/html/.test(type)) weights.html += gzipSync(body).length;
      else if (/css|javascript/.test(type)) weights.code += gzipSync(body).length;
      else if (/font/.test(type)) weights.fonts += body.length;
    }
    await context.close();
    figure(`a member's listing: ${weights.html} bytes of HTML, ${weights.code} of CSS and JavaScript, gzipped; ${weights.fonts} of fonts`);
    assert.ok(weights.html <= 15_000, `HTML: ${weights.html}`);
    assert.ok(weights.code <= 47_500, `CSS and JavaScript: ${weights.code}`);
    assert.ok(weights.fonts > 0 && weights.fonts <= 75_000, `fonts: ${weights.fonts}`);
  });
});

test("the first hit of a search is near the top", async () => {
  const { page, context } = await at(screens[0]);
  await page.goto(`${base}/search?q=go`);
  for (const screen of screens) {
    await page.setViewportSize(screen);
    const { y } = await page.locator("article.post").first().boundingBox();
    figure(`${screen.width} px: the first hit at ${y} px`);
    assert.ok(y <= 190, `${screen.width} px: the first hit at ${y} px`);
  }
  await context.close();
});

test("a comment is not much higher than its text", async () => {
  const { page, context } = await at(screens[3], { storageState: await member.context.storageState() });
  await page.goto(`${base}${listing}`);
  const threads = await page.locator("article.post").evaluateAll((rows) => rows.map((row) => {
    const link = row.querySelector(".cc");
    return [parseInt(link.textContent.replace(/\D/g, ""), 10) || 0, link.getAttribute("href")];
  }));
  const [, thread] = threads.sort(([a], [b]) => b - a)[0];
  await page.goto(new URL(thread, base).href);
  const seen = await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("#thread > .comment { content-visibility: visible !important }");
    document.adoptedStyleSheets = [sheet];
    const mean = (list) => list.reduce((sum, x) => sum + x, 0) / list.length;
    const comments = [...document.querySelectorAll("#thread .comment")].filter((el) => el.querySelector(":scope > details > .acts"));
    const height = (el) => el.querySelector(":scope > details > .acts").getBoundingClientRect().bottom - el.getBoundingClientRect().top;
    const body = (el) => el.querySelector(":scope > details > .said-body").getBoundingClientRect().height;
    return { comments: comments.length, height: mean(comments.map(height)), around: mean(comments.map((el) => height(el) - body(el))),
      first: comments[0].getBoundingClientRect().top + scrollY, nodes: document.querySelectorAll("*").length };
  });
  await context.close();
  figure(`390 px: ${seen.comments} comments of ${seen.height.toFixed(1)} px, ${seen.around.toFixed(1)} of them around the text; ${seen.nodes} nodes`);
  assert.ok(seen.comments > 5, "there is a thread");
  assert.ok(seen.around <= 64, `${seen.around} px around the text`);
  assert.ok(seen.nodes <= 4_000, `${seen.nodes} nodes`);
});

test("seven cases of the queue stand on a screen", async () => {
  looksBehind();
  const [mod, reporter] = [await at(screens[0]), await at(screens[0])];
  const community = uniqueName("cases");
  await signUp(mod.page, uniqueName("mod"));
  await signUp(reporter.page, uniqueName("rep"));
  const created = await mod.context.request.post(`${base}/communities`, form({ name: community, title: "Cases" }));
  assert.equal(created.status(), 303, await created.text());
  for (let i = 1; i <= 8; i++) {
    const sent = await mod.context.request.post(`${base}/c/${community}/submit`, form({ title: `A post of which somebody thinks that it breaks rule ${i}`, text: "x" }));
    const { location } = sent.headers();
    const target = /[?]target=(\w{13})"/.exec(await (await mod.context.request.get(base + location)).text())[1];
    const reported = await reporter.context.request.post(`${base}/report`, form({ target, reason: "Spam", text: "" }));
    assert.equal(reported.status(), 303, await reported.text());
  }
  await mod.page.goto(`${base}/c/${community}/mod/queue`);
  const boxes = await mod.page.locator("article.case.q").evaluateAll((cases) => cases.map((el) => el.getBoundingClientRect()).map(({ bottom, height }) => ({ bottom, height })));
  const whole = boxes.filter(({ bottom }) => bottom <= 900).length;
  figure(`1280 × 900: ${whole} cases of ${boxes[0].height} px`);
  assert.ok(whole >= 7, `${whole} cases`);
  assert.ok(boxes.every(({ height }) => height <= 96), `cases of ${boxes.map(({ height }) => height)} px`);
  for (const { context, problems } of [mod, reporter]) {
    await context.close();
    assert.deepEqual(problems, []);
  }
});

/** shiftOf is how much a page has shifted since it was opened. https://web.dev/articles/cls */
const shiftOf = (page) => page.evaluate(() => new Promise((resolve) => {
  let sum = 0;
  const add = (entries) => { for (const entry of entries) sum += entry.value; };
  const watched = new PerformanceObserver((list) => add(list.getEntries()));
  watched.observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => {
    add(watched.takeRecords());
    resolve(sum);
  }));
}));

test("pages do not shift, whether pictures come late or never", async () => {
  const paths = ["/", listing, "/search?q=go", "/communities"];
  const { page: finder, context } = await at(screens[0]);
  await finder.goto(`${base}${listing}`);
  paths.push(await finder.locator("article.post .cc").first().getAttribute("href"));
  await context.close();
  for (const screen of [screens[0], screens[3]]) {
    for (const late of [true, false]) {
      const { page, context: of } = await at(screen);
      await page.route("**/*", async (route) => {
        const kind = route.request().resourceType();
        if (kind === "image" && !late) return route.abort();
        if (kind === "image" || kind === "font") await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
        return route.continue();
      });
      for (const path of paths) {
        await page.goto(new URL(path, base).href);
        await page.evaluate(() => document.fonts.ready);
        const shift = await shiftOf(page);
        figure(`${screen.width} px, ${late ? "late" : "lost"} pictures, ${path}: ${shift.toFixed(4)}`);
        assert.ok(shift <= 0.02, `${path} shifts by ${shift}`);
      }
      await page.evaluate(() => {
        const tall = document.createElement("div");
        tall.style.height = "300px";
        document.querySelector("main").prepend(tall);
      });
      await expect(async () => assert.ok(await shiftOf(page) > 0.02, "what shifts is measured")).toPass();
      await of.close();
    }
  }
});
