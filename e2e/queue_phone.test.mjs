// The moderators' queue by one thumb, on a phone: how many taps a sitting takes, and what stands beside a case without leaving.

import assert from "node:assert/strict";
import { base, expect, figure, form, looksBehind, person, signUp, test, uniqueName } from "./site.mjs";

test.describe.configure({ mode: "serial" });


test.describe("the queue on a phone", { tag: "@phone" }, () => {
  looksBehind();
  let mod, page, community, author;
  test.beforeAll(async () => {
    mod = await person();
    page = mod.page;
    await signUp(page, uniqueName("thumb"));
    const writer = await person();
    author = uniqueName("writer");
    await signUp(writer.page, author);
    community = uniqueName("phones");
    assert.equal((await mod.context.request.post(`${base}/communities`, form({ name: community, title: "Phones" }))).status(), 303);
    for (let i = 1; i <= 14; i++) {
      const sent = await writer.context.request.post(`${base}/c/${community}/submit`, form({ title: `Offer ${i}: ${"cheap ".repeat(i % 3 * 9)}pills`, text: "Buy them." }));
      const html = await (await mod.context.request.get(base + sent.headers().location)).text();
      const reported = await mod.context.request.post(`${base}/report`, form({ target: /[?]target=(\w{13})"/.exec(html)[1], reason: "Spam", text: "" }));
      assert.equal(reported.status(), 303, await reported.text());
    }
    await writer.context.close();
  });
  test.afterAll(() => mod.context.close());

  const openCases = () => page.locator(".case.q:not(.done, [aria-busy])");
  const decided = (n) => expect(page.locator(".case.q.done"), `${n} cases are decided`).toHaveCount(n);
  const at = async (locator) => {
    const { x, y, width, height } = await locator.boundingBox();
    return { x: x + width / 2, y: y + height / 2 };
  };

  test("is worked without moving the thumb", async () => {
    await page.goto(`${base}/c/${community}/mod/queue`);
    const first = await at(openCases().first().locator(".approve"));
    for (let taps = 1; taps <= 6; taps++) {
      await page.touchscreen.tap(first.x, first.y); // always the same place
      await decided(taps);
      const next = await at(openCases().first().locator(".approve"));
      assert.ok(Math.abs(next.y - first.y) <= 2 && Math.abs(next.x - first.x) <= 2, `the next button is at ${next.x}, ${next.y}, not at ${first.x}, ${first.y}`);
    }
    figure("6 cases approved by 6 taps at one place");
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
    await expect(item.locator("li button").first(), "the rule of last time comes first").toHaveText("Harassment or hate");
    assert.deepEqual(await item.locator("input[type=text]").evaluate(({ list }) => [...list.options].map(({ value }) => value)), ["No offers here, please."]);
    await item.locator("li button").first().tap();
    await decided(2);
    await expect(openCases()).toHaveCount(before - 2);
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
    await expect(sheet.getByLabel("Which rule have they broken?"), "the rule of the last removal").toHaveValue("Harassment or hate");
    await sheet.getByLabel("Member", { exact: true }).fill("");
    await sheet.getByRole("button", { name: "Mute", exact: true }).evaluate((el) => { el.form.noValidate = true; el.click(); });
    await sheet.locator(".wrong").first().waitFor();
    await sheet.getByLabel("Member", { exact: true }).fill(author);
    await sheet.getByRole("button", { name: "Ban", exact: true }).tap();
    await expect(sheet, "the sheet is closed").not.toHaveAttribute("open");
    await page.locator("#toast p").waitFor();
    assert.equal(page.url(), address);
    const bans = await (await mod.context.request.get(`${base}/c/${community}/mod/bans`)).text();
    assert.ok(bans.includes(`/u/${author}`), "the author is banned");
    assert.deepEqual(mod.problems, []);
  });
});
