// Reading offline, in Chromium with the service worker. All other tests run without it (playwright.config.mjs).

import assert from "node:assert/strict";
import { base, expect, form, person, signUp, test, uniqueName } from "./site.mjs";

test.use({ serviceWorkers: "allow" });

/** kept is the paths of the pages that the browser keeps, the oldest first. */
const kept = (page) => page.evaluate(async () => {
  if (!await caches.has("kept")) return [];
  const keys = await (await caches.open("kept")).keys();
  return keys.map(({ url }) => new URL(url).pathname).filter((path) => !path.startsWith("/_/"));
});
const keeps = (page, ...paths) => expect(async () => {
  const all = await kept(page);
  for (const path of paths) assert.ok(all.includes(path), `${path} in ${all}`);
}).toPass();
const keepsNothing = (page) => expect(async () => assert.deepEqual(await kept(page), [])).toPass();

/** openThread follows the link of a list to the n-th thread and returns its path. */
async function openThread(page, n = 0) {
  await page.goto(`${base}/comments?t=all`);
  await page.locator("a.cc").nth(n).click();
  await page.locator("article.full").waitFor();
  return new URL(page.url()).pathname;
}

/** chooses turns the switch in the settings on, and waits until pages are kept. */
async function chooses(page) {
  await page.goto(`${base}/settings`);
  await page.getByLabel("Keep pages for reading offline").check();
  await page.getByRole("status").getByText("from now on").waitFor();
  await keeps(page, "/offline/owner", "/offline", "/edition");
}

const note = (page) => page.locator("main > .notice").getByText("You are offline.");

test("a visitor reads offline what they have opened, and online what is new", async () => {
  const { page, context } = await person();
  await page.goto(`${base}/comments?t=all`);
  const alone = new URL(await page.locator("a.cc").first().evaluate((link) => link.href)).pathname;
  await page.goto("about:blank");
  await page.goto(base + alone); // as from a search engine
  assert.equal(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 0);

  const first = await openThread(page);
  await keeps(page, first, "/offline", "/edition");
  const second = await openThread(page, 1);
  await keeps(page, second);
  const title = await page.locator("h1").textContent();

  await context.setOffline(true);
  await page.goto(base + second);
  await expect(note(page)).toBeVisible();
  await expect(page.locator("h1")).toHaveText(title);
  assert.notEqual(await page.locator("header.top").evaluate((top) => getComputedStyle(top).display), "inline", "it has its style");
  assert.match(await page.evaluate(() => document.documentElement.className), /js/, "and its scripts");

  await page.goto(`${base}/c/golang`);
  await expect(note(page)).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Reading offline");
  await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();
  await expect(page.locator("#kept li a").first()).toHaveAttribute("href", "/edition");
  await page.locator("#kept").getByRole("link", { name: title.trim() }).click();
  await expect(page.locator("h1")).toHaveText(title);
  await page.locator("main > .notice").getByRole("link", { name: "Kept pages" }).click();
  await page.locator("#kept a").first().click();
  await expect(page.locator(".mast")).toBeVisible();

  await context.setOffline(false);
  await page.evaluate(async (path) => (await caches.open("kept")).put(path, new Response("<main>an old copy")), second);
  await page.goto(base + second);
  await expect(page.locator("h1")).toHaveText(title, "never a kept page while the network responds");
  await expect(page.locator("main > .notice")).toHaveCount(0);

  await page.goto(`${base}/offline`);
  await expect(page.locator("main > .notice")).toHaveCount(0);
  await page.getByRole("button", { name: "Delete these pages" }).click();
  await expect(page.getByText("No pages are kept here.")).toBeVisible();
  await keepsNothing(page);
  await context.close();
});

test("at most thirty pages are kept, and the oldest go first", async () => {
  const { page, context } = await person();
  const first = await openThread(page);
  await keeps(page, first, "/offline", "/edition");
  await page.evaluate(async () => {
    const cache = await caches.open("kept");
    for (let n = 0; n < 29; n += 1) await cache.put(`/c/made/p/up-${n}`, new Response("", { headers: { "x-files": "" } }));
    await cache.put("/_/app.0000000000.css", new Response("of an earlier build"));
  });
  const last = await openThread(page, 1);
  await expect(async () => {
    const all = await kept(page);
    assert.ok(all.length <= 30 && all.includes(last) && all.includes("/c/made/p/up-28") && !all.includes(first), String(all));
    assert.ok(!await page.evaluate(() => caches.match("/_/app.0000000000.css")), "nor files that no page needs");
    assert.ok(await page.evaluate(() => caches.match(document.querySelector("link[rel=stylesheet]").href)));
  }).toPass();
  await context.close();
});

test("nothing of a member's pages is kept without their choice", async () => {
  const { page, context } = await person();
  await keeps(page, await openThread(page)); // as a visitor
  await page.evaluate(() => caches.delete("kept"));
  await signUp(page, uniqueName("ann"));
  const thread = await openThread(page, 1);
  await page.reload();
  await page.goto(`${base}/edition`);
  await page.goto(base);
  assert.deepEqual(await kept(page), []);
  await context.setOffline(true);
  await assert.rejects(page.goto(base + thread), /ERR_/, "the browser's own page, as without a service worker");
  await context.close();
});

test("a member's pages go when they log out, in all tabs, also if that fails on the way", async () => {
  const { page, context } = await person();
  const ann = uniqueName("ann");
  await signUp(page, ann);
  await chooses(page);
  const thread = await openThread(page);
  await keeps(page, thread);
  const other = await context.newPage();
  await other.goto(base + thread);

  await context.setOffline(true);
  await page.goto(base + thread);
  await expect(note(page)).toBeVisible();
  await expect(page.locator(`header a[href="/u/${ann}"]`)).toHaveCount(1, "it is the member's own page");
  await page.locator("header .account .menu summary").click();
  await page.getByRole("button", { name: "Log out" }).click();
  await keepsNothing(other);
  await context.setOffline(false);
  await other.goto(base + thread);
  await expect(other.locator(`header a[href="/u/${ann}"]`)).toHaveCount(1, "the site has not heard of it");
  assert.deepEqual(await kept(other), [], "but the choice has gone, too");
  await other.goto(`${base}/settings`);
  await expect(other.getByLabel("Keep pages for reading offline")).not.toBeChecked();

  await chooses(other);
  await page.goto(base + thread);
  await keeps(page, thread);
  await other.goto(base);
  await other.locator("header .account .menu summary").click();
  await other.getByRole("button", { name: "Log out" }).click();
  await other.getByRole("link", { name: "Log in" }).first().waitFor();
  await keepsNothing(page);
  await page.goto(base + thread); // as the visitor that the other tab has become
  await expect(page.getByRole("link", { name: "Log in" }).first()).toBeVisible();
  assert.ok(!(await kept(page)).includes("/offline/owner"));
  await context.close();
});

test("another member on the device finds nothing of the one before", async () => {
  const { page, context } = await person();
  await signUp(page, uniqueName("ann"));
  await chooses(page);
  const thread = await openThread(page);
  await keeps(page, thread);
  await signUp(page, uniqueName("ben")); // in the place of the first, who has not logged out
  await page.goto(base + thread);
  await keepsNothing(page);
  await page.goto(`${base}/settings`);
  await expect(page.getByLabel("Keep pages for reading offline")).not.toBeChecked();
  await context.close();
});

test("a session that was ended on another device takes its pages along", async () => {
  const { page, context } = await person();
  const ann = uniqueName("ann");
  await signUp(page, ann);
  await chooses(page);
  await keeps(page, await openThread(page));
  const phone = await person();
  for (const [path, fields] of [["/login", { login: ann, password: "correct horse" }], ["/settings/sessions/end-others", {}]]) {
    assert.equal((await phone.page.request.post(base + path, form(fields))).status(), 303);
  }
  await page.goto(base);
  await expect(page.getByRole("link", { name: "Log in" }).first()).toBeVisible();
  await keepsNothing(page);
  await phone.context.close();
  await context.close();
});

test("the service worker is small, fetched anew each time, and may fetch from the site alone", async () => {
  const { page, context } = await person();
  const response = await page.request.get(`${base}/offline.js`);
  assert.equal(response.status(), 200);
  assert.ok((await response.body()).length <= 3 * 1024);
  assert.equal(response.headers()["cache-control"], "no-cache");
  assert.match(response.headers()["content-security-policy"], /^default-src 'none'; connect-src 'self';/);
  await context.close();
});

test("the icon of the app shows how much is unread", async () => {
  const { page, context } = await person();
  const ann = uniqueName("ann");
  await signUp(page, ann);
  await page.addInitScript(() => { navigator.setAppBadge = async (n) => { window.badge = n; }; });
  await page.goto(base);
  await expect.poll(() => page.evaluate(() => window.badge)).toBe(0);
  const ben = await person();
  await signUp(ben.page, uniqueName("ben"));
  const thread = await openThread(page);
  await ben.page.goto(base + thread);
  await ben.page.locator("form.reply textarea").first().fill(`Hello u/${ann}`);
  await ben.page.getByRole("button", { name: "Comment", exact: true }).first().click();
  await ben.page.getByText(`Hello u/${ann}`).first().waitFor();
  await expect(async () => {
    await page.goto(base);
    assert.equal(await page.evaluate(() => window.badge), 1);
  }).toPass();
  await page.goto(`${base}/inbox`);
  await page.getByRole("button", { name: "Mark all read" }).click();
  await expect.poll(() => page.evaluate(() => window.badge)).toBe(0);
  await ben.context.close();
  await context.close();
});
