// What keys, buttons and eyes meet: focus, menus, counts beside what was done, hidden fields, lost pictures, and pages that
// stay where they are while they load.

import assert from "node:assert/strict";
import { deflateSync } from "node:zlib";
import { base, bothWays, browser, expect, form, javaScriptEnabled, linked, looksBehind, person, signUp, sql, test, uniqueName } from "./site.mjs";

test.describe.configure({ mode: "serial" });

const community = uniqueName("hand");
const name = uniqueName("ann");
let ann, post, target;

const make = async (path, fields) => {
  const response = await ann.context.request.post(base + path, form(fields));
  assert.equal(response.status(), 303, await response.text());
  return response.headers().location;
};
const idOf = async (location) => /[?]target=(\w{13})"/.exec(await (await ann.context.request.get(base + location)).text())[1];

test.beforeAll(async () => {
  ann = await person();
  await signUp(ann.page, name);
  await make("/communities", { name: community, title: "Hands" });
  post = await make(`/c/${community}/submit`, { title: "To be answered", text: "Words" });
  await make(`/c/${community}/submit`, { title: "A link elsewhere", link: `${linked}/communities` });
  target = await idOf(post);
});
test.afterAll(async () => {
  await ann.context.close();
  assert.deepEqual(ann.problems, [], "no error, no request to elsewhere");
});

test.describe("keys", () => {
  test("Enter on a title reached with Tab follows the title, after j it opens the comments", async () => {
    const { page } = ann;
    for (const [reach, leads] of [["Tab", `${linked}/communities`], ["j", new RegExp(`/c/${community}/p/a-link-elsewhere`)]]) {
      await page.goto(`${base}/c/${community}/new`);
      const title = page.getByRole("link", { name: "A link elsewhere" });
      for (let i = 0; i < 40 && !(await title.evaluate((el) => el === document.activeElement)); i += 1) await page.keyboard.press(reach);
      await page.keyboard.press("Enter");
      await page.waitForURL(leads);
    }
  });

  test("what was chosen with j and left and reached again with Tab follows its link", async () => {
    const { page } = ann;
    await page.goto(`${base}/c/${community}/new`);
    await page.keyboard.press("j");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Shift+Tab");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "A link elsewhere");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${linked}/communities`);
  });

  test("Escape closes the menu and returns to its handle", async () => {
    const { page } = ann;
    await page.goto(`${base}/`);
    await page.locator(".account .menu summary").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Your profile");
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(".account .menu").evaluate((el) => el.open), false);
    assert.equal(await page.evaluate(() => document.activeElement.matches(".menu summary")), true);
  });

  test("Tab reaches things in the order in which they stand, on the phone and on the desk", async () => {
    for (const width of [390, 1280]) {
      const { page, context } = await person({ viewport: { width, height: 900 } });
      await page.goto(base + post);
      const order = await page.evaluate(() => {
        const focusable = [...document.querySelectorAll("a[href], button, textarea, summary")].filter((el) => el.checkVisibility() && el.closest("main, aside"));
        return focusable.map((el) => ({ aside: Boolean(el.closest("aside")), top: el.getBoundingClientRect().top + scrollY }));
      });
      const lastOfMain = order.findLastIndex((el) => !el.aside);
      assert.ok(order.slice(0, lastOfMain).every((el) => !el.aside), "the sidebar comes after the main part");
      if (width === 390) {
        const below = Math.max(...order.filter((el) => !el.aside).map((el) => el.top));
        assert.ok(order.filter((el) => el.aside).every((el) => el.top > below), "and below it");
        await page.locator('.skip[href="#about"]').focus();
        await page.keyboard.press("Enter");
        await expect(async () => assert.ok(await page.locator("#about").evaluate((el) => el.getBoundingClientRect().top < innerHeight), "the sidebar is in view")).toPass();
      }
      await context.close();
    }
  });
});

test.describe("what was done shows", () => {
  test("a time says in the reader's language and time zone when it was", async () => {
    const { page, context, problems } = await person({ locale: "de-DE", timezoneId: "Asia/Tokyo" });
    await context.addCookies([{ name: "display", value: "..en", url: base }]); // the words are the site's, the times the browser's
    const title = async () => {
      const time = page.locator("article.full time").first();
      await time.hover();
      assert.match(await time.innerText(), /^(now|\d+[mh])$/);
      return [await time.getAttribute("title"), await time.getAttribute("datetime")];
    };
    const local = (iso, zone) => new Intl.DateTimeFormat("de-DE", { dateStyle: "full", timeStyle: "short", timeZone: zone }).format(new Date(iso));
    await page.goto(base + post);
    let [says, iso] = await title();
    assert.equal(says, local(iso, "Asia/Tokyo"));
    assert.match(says, /^(Mon|Diens|Mitt|Donners|Frei|Sams|Sonn)\w*, \d+\. /);

    // A member who has chosen no zone has that of the device, also where the site writes times.
    await page.goto(`${base}/signup`);
    await page.getByLabel("Username").fill(uniqueName("tokyo"));
    await page.getByLabel("Password").fill("correct horse");
    await page.locator("main").getByRole("button", { name: "Sign up", exact: true }).click();
    await page.waitForURL(`${base}/welcome`);
    await expect(async () => assert.ok((await (await context.request.get(`${base}/`)).text()).includes('data-zone="Asia/Tokyo"'), "the site knows the zone")).toPass();
    await page.goto(`${base}/settings`);
    await expect(page.getByLabel("Time zone")).toHaveValue("Asia/Tokyo");
    await page.getByLabel("Time zone").selectOption("America/Lima");
    await page.getByLabel("Time zone").press("Enter");
    await page.getByRole("button", { name: /^Save/ }).last().click();
    await page.goto(base + post);
    [says, iso] = await title();
    assert.equal(says, local(iso, "America/Lima"), "one that was chosen stays");
    await context.close();
    assert.deepEqual(problems, []);
  });

  test("a comment counts at once", async () => {
    const { page } = ann;
    await page.goto(base + post);
    for (const n of ["1 comment", "2 comments"]) {
      const box = page.locator("form.reply textarea").first();
      await box.fill(`Said for ${n}`);
      await page.locator("form.reply").first().getByRole("button", { name: "Comment" }).click();
      await page.locator(".comment", { hasText: `Said for ${n}` }).waitFor();
      await expect(page.locator("#comments-title"), "it is counted").toHaveText(n, { useInnerText: true });
    }
  });

  test("joining counts at once, and so does leaving", async () => {
    const { page } = ann;
    const count = () => page.locator(".head p").innerText();
    const fact = () => page.locator(".facts dd").first().innerText();
    await page.goto(`${base}/c/${community}`);
    assert.match(await count(), /1 member\s·/);
    await page.locator(".toggle button").first().click();
    await expect(async () => assert.ok(/0 members\s·/.test(await count()) && /^0/.test(await fact()), "one less")).toPass();
    await page.locator(".toggle button").first().click();
    await expect(async () => assert.ok(/1 member\s·/.test(await count()) && /^1/.test(await fact()), "one more")).toPass();
  });

  test("a lost picture keeps its place, and leaves no broken glyph", async () => {
    looksBehind();
    const location = await make(`/c/${community}/submit`, { title: "A lost picture", image: "https://nowhere.invalid/x.png" });
    for (const [width, height] of [[0, 0], [1200, 800], [300, 1500]]) {
      await sql("UPDATE posts SET image_width = ?1, image_height = ?2 WHERE slug = 'a-lost-picture' AND community_name = ?3", width, height, community);
      const { page, context } = await person({ viewport: { width: 390, height: 844 }, storageState: await ann.context.storageState() });
      await page.route("**/img/*", (route) => route.abort());
      await page.goto(base + location);
      const img = page.locator(".pic img");
      await expect(img, "it is lost").toHaveClass(/\blost\b/);
      const [box, room] = [await img.boundingBox(), await page.locator(".pic").boundingBox()];
      assert.ok(Math.abs(box.height - (width ? Math.min(Math.min(width, room.width) * height / width, 0.8 * 844) : room.width * 3 / 4)) < 2, `${width} by ${height}: ${box.height}`);
      assert.ok(box.x >= room.x - 1 && box.x + box.width <= room.x + room.width + 1, "within its column");
      assert.match(await img.evaluate((el) => getComputedStyle(el, "::after").content), /A lost picture/);
      await context.close();
    }
  });
});

test.describe("forms", () => {
  test("a field with something in it is never hidden", bothWays, async () => {
    const { page, context } = await person({ storageState: await ann.context.storageState() });
    await page.goto(`${base}/c/${community}/submit`);
    const shown = async () => [await page.locator("#link").isVisible(), await page.locator("#image").isVisible()];
    assert.deepEqual(await shown(), [false, false]);
    await page.locator("#kind-link").check();
    await page.locator("#link").fill("https://example.org/both");
    await page.locator("#kind-image").check();
    assert.deepEqual(await shown(), [true, true]);
    await page.locator("#image").fill("https://pics.invalid/both.png");
    await page.locator("#kind-text").check();
    assert.deepEqual(await shown(), [true, true]);
    await page.locator("#image").fill("");
    await page.locator("#title").fill(`Parts ${javaScriptEnabled}`);
    assert.deepEqual(await shown(), [true, false]);
    await page.locator("#text").fill("And a text");
    await page.getByRole("button", { name: "Post", exact: true }).click();
    const asked = page.getByRole("button", { name: "Post anyway" });
    await asked.or(page.locator("article.full")).first().waitFor();
    if (await asked.isVisible()) await asked.click();
    await page.waitForURL(/\/p\/parts/);
    await expect(page.locator('.linkcard[href="https://example.org/both"]')).toHaveCount(1);
    await expect(page.locator(".pic")).toHaveCount(0);
    assert.match(await page.locator(".full").innerText(), /And a text/);
    await context.close();
  });

  for (const by of ["logging in", "signing up"]) {
    test(`a visitor's comment is there after ${by}`, bothWays, async () => {
      const { page, context, problems } = await person();
      const main = page.locator("main");
      await page.goto(base + post);
      const words = `A visitor's words, ${by}, ${javaScriptEnabled}`;
      await page.locator("form.reply textarea").first().fill(words);
      await page.locator("form.reply").first().getByRole("button", { name: "Comment" }).click();
      await page.getByText("What you wrote is kept.").waitFor();
      await expect(page.locator('textarea[name="body"]')).toHaveValue(words);
      if (by === "logging in") {
        await page.getByLabel("Username or email").fill(name);
        await page.getByLabel("Password").fill("correct horse");
        await page.keyboard.press("Enter");
      } else {
        await main.getByRole("button", { name: "Sign up", exact: true }).click();
        await page.getByLabel("Username").fill(uniqueName("carries"));
        await page.getByLabel("Password").fill("correct horse");
        await main.getByRole("button", { name: "Sign up", exact: true }).click();
      }
      await page.getByText("You are logged in.").waitFor();
      await expect(page.locator('form.reply textarea[name="body"]')).toHaveValue(words);
      await page.locator("form.reply").getByRole("button", { name: "Comment" }).click();
      await page.locator(".comment", { hasText: words }).first().waitFor();
      assert.deepEqual(problems, []);
      await context.close();
    });
  }

  test("the chosen tab looks chosen, in light and dark", async () => {
    for (const colorScheme of ["light", "dark"]) {
      const { page, context } = await person({ colorScheme, storageState: await ann.context.storageState() });
      await page.goto(`${base}/c/${community}/submit`);
      const contrast = await page.evaluate(() => {
        const light = (el) => {
          const [r, g, b] = getComputedStyle(el).backgroundColor.match(/[\d.]+/g).slice(0, 3).map((v) => {
            const c = v / 255;
            return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
          });
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const [a, b] = [light(document.querySelector(".kinds :checked + span")), light(document.querySelector(".kinds"))].sort((x, y) => y - x);
        return (a + 0.05) / (b + 0.05);
      });
      assert.ok(contrast >= 3, `${colorScheme}: ${contrast.toFixed(2)}:1`);
      await context.close();
    }
  });

  test("the line above a reply is one on a phone", async () => {
    const { page, context } = await person({ viewport: { width: 390, height: 844 }, storageState: await ann.context.storageState() });
    await page.goto(`${base}/reply?to=${target}`);
    const lines = await page.locator(".crumb > span").first().evaluate((el) => el.getBoundingClientRect().height / parseFloat(getComputedStyle(el).lineHeight));
    assert.ok(lines < 1.5, `"in" takes ${lines} lines`);
    await context.close();
  });
});

/** png is a picture of a size. */
function png(width, height) {
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    let crc = ~0;
    for (const byte of body) {
      crc ^= byte;
      for (let k = 0; k < 8; k += 1) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
    }
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    ends.writeInt32BE(~crc, 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), chunk("IHDR", head), chunk("IDAT", deflateSync(Buffer.alloc((width + 1) * height))), chunk("IEND", Buffer.alloc(0))]);
}

test.describe("nothing moves while a page loads", () => {
  // The sum of the shifts that the Layout Instability API reports until what the page waits for has come.
  const shift = async (page, address, settle) => {
    await page.goto(base + address);
    await settle(page);
    await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
    return page.evaluate(() => globalThis.shifted);
  };

  test("pictures have their place before they are there", async () => {
    looksBehind();
    const location = await make(`/c/${community}/submit`, { title: "A picture", image: "https://pics.invalid/large.png", text: "Words below" });
    const linked = await make(`/c/${community}/submit`, { title: "A linked page", link: "https://linked.invalid/", text: "Words below" });
    await expect(async () => assert.ok((await sql("SELECT 1 FROM link_previews WHERE url = 'https://linked.invalid/'")).length === 1, "the link was looked at")).toPass();
    await sql("UPDATE link_previews SET title = 'A page', image = 'https://pics.invalid/y.png' WHERE url = 'https://linked.invalid/'");
    const settle = (page) => expect(async () => assert.ok(await page.locator(".linkcard img, .pic img").evaluate((img) => img.complete && img.naturalWidth > 0), "the picture is there")).toPass();
    const sizes = [[1200, 800], [300, 1500], [40, 40]];
    for (const viewport of [{ width: 390, height: 844 }, { width: 1280, height: 900 }]) {
      await sql("UPDATE posts SET image_width = 0, image_height = 0 WHERE slug = 'a-picture' AND community_name = ?", community);
      let size, asked = 0;
      const { page, context } = await person({ viewport, storageState: await ann.context.storageState() }); // members' pages are never old
      await page.addInitScript(() => {
        globalThis.shifted = 0;
        new PerformanceObserver((list) => { for (const entry of list.getEntries()) globalThis.shifted += entry.value; })
          .observe({ type: "layout-shift", buffered: true });
      });
      await page.route("**/img/*", async (route) => {
        asked += 1;
        await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
        await route.fulfill({ contentType: "image/png", headers: { "cache-control": "no-store" }, body: png(...size) });
      });
      for (const known of [false, true]) {
        for (size of sizes) {
          if (known) await sql("UPDATE posts SET image_width = ?1, image_height = ?2 WHERE slug = 'a-picture' AND community_name = ?3", ...size, community);
          for (const address of known ? [location] : [location, linked]) {
            const before = asked;
            const moved = await shift(page, address, settle);
            assert.ok(asked > before, "the picture came after the page");
            assert.ok(moved < 0.01, `${address}, ${size.join(" by ")}, ${known ? "known" : "unknown"}, ${viewport.width} px wide: ${moved}`);
          }
        }
      }
      await context.close();
    }
  });

  test("a thread stays where it is while it arrives", async () => {
    let html; // visitors may still be shown the copy from before the comments
    await expect(async () => {
      html = await (await fetch(base + post)).text();
      assert.ok(html.includes('class="comment'), "visitors see the comments");
    }).toPass();
    // The page arrives in two parts, the sidebar with the second.
    const cut = html.indexOf("<aside");
    assert.ok(cut > 0);
    const { createServer } = await import("node:http");
    let finish;
    const server = createServer(async (request, response) => {
      if (request.url !== "/") {
        const from = await fetch(base + request.url);
        response.writeHead(from.status, { "content-type": from.headers.get("content-type") });
        response.end(Buffer.from(await from.arrayBuffer()));
        return;
      }
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      response.write(html.slice(0, cut));
      finish = () => response.end(html.slice(cut));
    });
    await new Promise((resolve) => { server.listen(0, "127.0.0.1", resolve); });
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`, { waitUntil: "commit" });
    const top = () => page.locator("#comments-title").evaluate((el) => el.getBoundingClientRect().top);
    await page.locator("#thread .comment").last().waitFor();
    await expect(page.locator("body"), "the style is there").toHaveCSS("display", "flex");
    const before = await top();
    finish();
    await page.waitForLoadState("load");
    await page.locator("aside").waitFor();
    assert.equal(await top(), before);
    await context.close();
    server.closeAllConnections();
    server.close();
  });
});
