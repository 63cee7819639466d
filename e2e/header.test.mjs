// The header is one line at every width, for visitors, members and moderators, whatever waits for them.

import assert from "node:assert/strict";
import { base, expect, looksBehind, person, signUp, sql, test, uniqueName } from "./site.mjs";

const widths = [320, 360, 375, 390, 412, 430, 480, 639, 641, 700, 768, 959, 961, 1280];

/** wrongs are what is wrong with the header of a page: lines, overlaps, things out of sight, small targets. */
const wrongs = (page) => page.evaluate(() => {
  const found = [];
  const bar = document.querySelector(".bar").getBoundingClientRect();
  if (bar.height > 48) found.push(`${bar.height} px high`);
  if (document.documentElement.scrollWidth > innerWidth) found.push(`the page is ${document.documentElement.scrollWidth} px wide`);
  const shown = [...document.querySelectorAll(".bar a, .bar summary, .bar input")].filter((el) => el.checkVisibility() && !el.closest("details > div"));
  let end = 0;
  for (const el of shown) {
    const name = el.textContent.trim() || el.getAttribute("aria-label");
    const box = el.getBoundingClientRect();
    if (Math.abs((box.top + box.bottom) / 2 - (bar.top + bar.bottom) / 2) > 4) found.push(`${name} is on another line`);
    if (box.left < end - .5) found.push(`${name} begins before what is left of it ends`);
    if (box.right > innerWidth) found.push(`${name} is out of sight`);
    if (box.height < (el.matches("input") ? 32 : 40) || box.width < 24) found.push(`${name} has ${box.width} by ${box.height} px`);
    end = box.right;
  }
  return found;
});

/** check looks at the header at each width. has are the things that are at hand at each of them; wide from 430 px on. */
async function check(page, { has, wide = [] }) {
  for (const siteName of [null, "A community of gardeners and of people who cook"]) {
    if (siteName) await page.locator(".logo").evaluate((el, text) => { el.lastElementChild.textContent = text; }, siteName);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 700 });
      assert.deepEqual(await wrongs(page), [], `${width} px${siteName ? ", of a site with a long name" : ""}`);
      assert.ok(await page.locator(width < 960 ? ".bar a[href='/search']" : ".bar input[type='search']").isVisible(), `search at ${width} px`);
      for (const name of [...has, ...width >= 430 ? wide : []]) {
        assert.ok(await page.locator(".bar").getByRole("link", { name }).first().isVisible(), `${name} at ${width} px`);
      }
    }
  }
}

test.describe("the header is one line", () => {
  const name = `${uniqueName("m")}wwwwwwwwwwww`.slice(0, 20);
  const community = uniqueName("head");
  let member;

  test.beforeAll(async () => {
    member = await person();
    await signUp(member.page, name);
    await member.page.goto(`${base}/`);
  });
  test.afterAll(async () => {
    await member.context.close();
    assert.deepEqual(member.problems, []);
  });

  test("for a visitor", async () => {
    const { page, context, problems } = await person();
    await page.goto(`${base}/`);
    await check(page, { has: ["Log in", "Sign up", "Communities"] });
    await context.close();
    assert.deepEqual(problems, []);
  });

  test("for a member", async () => {
    await check(member.page, { has: ["Post", /^Inbox/] });
    await member.page.setViewportSize({ width: 320, height: 700 });
    await member.page.locator(".places summary").click();
    await member.page.locator(".places").getByRole("link", { name: "All communities" }).click();
    await member.page.waitForURL(`${base}/communities`);
  });

  test("for a moderator for whom more than a hundred things wait", async () => {
    looksBehind();
    const { page } = member;
    const response = await member.context.request.post(`${base}/communities`, { form: { name: community, title: "Head" }, headers: { origin: base }, maxRedirects: 0 });
    assert.equal(response.status(), 303);
    await sql("UPDATE communities SET waiting = 250 WHERE name = ?", community);
    await sql("UPDATE users SET unread = 1234 WHERE username = ?", name);
    await expect(async () => {
      await page.goto(`${base}/`);
      assert.ok(/99\+ unread.*99\+ waiting/s.test(await page.locator(".account").textContent()), "both counts are three digits");
    }).toPass();
    await check(page, { has: ["Post", /^Inbox, 99\+ unread/], wide: [/^Moderators' queue, 99\+ waiting/] });
    await page.setViewportSize({ width: 375, height: 700 });
    await page.locator(".places summary").click();
    const own = await page.locator(".places").getByRole("link", { name: community }).boundingBox();
    assert.ok(own.x >= 0 && own.x + own.width <= 375, "an own community is one tap away");
    await page.locator(".places summary").click();
    const handle = page.locator(".account .menu summary");
    assert.match(await handle.innerText(), /99\+/, "where the queue has no room, its count is at the menu");
    await handle.click();
    await page.locator(".account .menu").getByRole("link", { name: "Moderators' queue (99+)" }).click();
    await page.waitForURL(`${base}/mod/queue`);
  });
});
