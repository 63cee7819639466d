// The moderators' queue by one thumb, on a phone: how many taps a sitting takes, and what stands beside a case without leaving.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { base, launch, person, signUp, skip, uniqueName, until } from "./site.mjs";

const form = (fields) => ({ form: fields, headers: { origin: base }, maxRedirects: 0 });
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

describe("the queue on a phone", { skip }, () => {
  let browser, mod, page, community, author;
  before(async () => {
    browser = await launch();
    mod = await person(browser, phone);
    page = mod.page;
    await signUp(page, uniqueName("thumb"));
    const writer = await person(browser, phone);
    author = uniqueName("writer");
    await signUp(writer.page, author);
    community = uniqueName("phones");
    assert.equal((await mod.context.request.post(`${base}/communities`, form({ name: community, title: "Phones" }))).status(), 303);
    for (let i = 1; i <= 14; i++) {
      const sent = await writer.context.request.post(`${base}/c/${community}/submit`, form({ title: `Offer ${i}: ${"cheap ".repeat(i % 3 * 9)}pills`, text: "Buy them." }));
      const html = await (await mod.context.request.get(base + sent.headers().location)).text();
      const told = await mod.context.request.post(`${base}/report`, form({ target: /[?]target=(\w{13})"/.exec(html)[1], reason: "Spam", text: "" }));
      assert.equal(told.status(), 303, await told.text());
    }
    await writer.context.close();
  });
  after(() => browser.close());

  const openCases = () => page.locator(".case.q:not(.done, [aria-busy])");
  const decided = (n) => until(`${n} cases are decided`, async () => await page.locator(".case.q.done").count() === n);
  const at = async (locator) => {
    const { x, y, width, height } = await locator.boundingBox();
    return { x: x + width / 2, y: y + height / 2 };
  };

  test("is worked without moving the thumb", async (t) => {
    await page.goto(`${base}/c/${community}/mod/queue`);
    const first = await at(openCases().first().locator(".approve"));
    for (let taps = 1; taps <= 6; taps++) {
      await page.touchscreen.tap(first.x, first.y); // always the same place
      await decided(taps);
      const next = await at(openCases().first().locator(".approve"));
      assert.ok(Math.abs(next.y - first.y) <= 2 && Math.abs(next.x - first.x) <= 2, `the next button is at ${next.x}, ${next.y}, not at ${first.x}, ${first.y}`);
    }
    t.diagnostic("6 cases approved by 6 taps at one place");
    await page.locator(".case.q.done").last().getByRole("button", { name: "Undo" }).tap();
    await decided(5);
  });

  test("removes by two taps, and offers the rule and the words of last time", async () => {
    await page.goto(`${base}/c/${community}/mod/queue`);
    const before = await openCases().count();
    let item = openCases().first();
    await item.locator("summary.remove").tap();
    await item.locator("input[type=text]").fill("No offers here, please.");
    await item.getByRole("button", { name: "Harassment or hate" }).tap();
    await decided(1);
    item = openCases().first();
    await item.locator("summary.remove").tap();
    await until("the rule of last time comes first", async () => await item.locator("li button").first().textContent() === "Harassment or hate");
    assert.deepEqual(await item.locator("input[type=text]").evaluate(({ list }) => [...list.options].map(({ value }) => value)), ["No offers here, please."]);
    await item.locator("li button").first().tap();
    await decided(2);
    assert.equal(await openCases().count(), before - 2);
  });

  test("has notes, decisions and the ban of an author beside the case", async () => {
    await page.goto(`${base}/c/${community}/mod/queue`);
    const address = page.url();
    const item = openCases().first();
    await item.locator(".rest summary").tap();
    await item.getByRole("link", { name: `Notes and history of ${author}` }).tap();
    const sheet = page.locator("#sheet");
    await sheet.getByText("Last decisions").waitFor();
    assert.match(await sheet.textContent(), /2 removals/);
    const box = await sheet.boundingBox();
    assert.ok(box.y > 100 && Math.round(box.y + box.height) === 844, "it comes from below");
    await sheet.getByLabel("A note for the other moderators").fill("Sells pills.");
    await sheet.getByRole("button", { name: "Add note" }).tap();
    await sheet.locator(".quoted", { hasText: "Sells pills." }).waitFor();
    await sheet.getByRole("link", { name: "Ban…" }).tap();
    await sheet.getByRole("button", { name: "Ban", exact: true }).waitFor();
    assert.equal(await sheet.getByLabel("Which rule have they broken?").inputValue(), "Harassment or hate", "the rule of the last removal");
    await sheet.getByLabel("Member", { exact: true }).fill("");
    await sheet.getByRole("button", { name: "Mute", exact: true }).evaluate((el) => { el.form.noValidate = true; el.click(); });
    await sheet.locator(".wrong").first().waitFor();
    await sheet.getByLabel("Member", { exact: true }).fill(author);
    await sheet.getByRole("button", { name: "Ban", exact: true }).tap();
    await until("the sheet is closed", async () => !await sheet.evaluate((el) => el.open));
    await page.locator("#toast p").waitFor();
    assert.equal(page.url(), address);
    const bans = await (await mod.context.request.get(`${base}/c/${community}/mod/bans`)).text();
    assert.ok(bans.includes(`/u/${author}`), "the author is banned");
    assert.deepEqual(mod.problems, []);
  });
});
