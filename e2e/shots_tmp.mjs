import { base, launch, person, signUp, sql, uniqueName } from "./site.mjs";
import { writeFileSync } from "node:fs";
const browser = await launch();
const form = (fields) => ({ form: fields, headers: { origin: base }, maxRedirects: 0 });
const community = uniqueName("shots");
const mod = await person(browser, { viewport: { width: 1280, height: 900 } });
await signUp(mod.page, uniqueName("mia"));
let r = await mod.context.request.post(`${base}/communities`, form({ name: community, title: "A place for shots" }));
console.log("community", r.status());
await sql("UPDATE communities SET rules = ? WHERE name = ?", JSON.stringify([{ title: "Be kind to everybody, whoever they are and whatever they say", text: "" }, { title: "No advertising", text: "" }, { title: "On topic", text: "" }]), community);
const members = [];
for (let i = 0; i < 12; i += 1) {
  const m = await person(browser);
  await signUp(m.page, uniqueName("user"));
  members.push(m);
}
const reasons = ["Spam", "No advertising", "Suicide or self-harm", "Something else", "Harassment or hate"];
let n = 0;
for (let i = 0; i < 60; i += 1) {
  const a = members[i % 11];
  const made = await a.context.request.post(`${base}/c/${community}/submit`, form({ title: `Case ${i}: ${"a title of some length ".repeat(i % 4)}`, text: `See https://shop${i % 3}.pills.example/${i} and more words. `.repeat(1 + i % 5) }));
  if (made.status() !== 303) { console.log(i, made.status(), (await made.text()).slice(0, 200)); continue; }
  const html = await (await mod.context.request.get(base + made.headers().location)).text();
  const target = /[?]target=(\w{13})"/.exec(html)[1];
  const rep = await members[11].context.request.post(`${base}/report`, form({ target, reason: reasons[i % 5], text: i % 3 ? "" : "What the reporter says about it" }));
  if (rep.status() === 303) n += 1; else console.log("report", rep.status());
}
console.log("reports", n);
const rules = await mod.context.request.post(`${base}/c/${community}/mod/rules`, form({ do: "add", text: "rule: Casinos and other games of chance with a long name\nwords: casino\ndo: hold\n\nrule: First links wait\nlinks at least: 1\naccepted below: 1\ndo: report" }));
console.log("rules", rules.status());
const state = await mod.context.storageState();
const at = `${base}/c/${community}/mod`;
const one = /value="remove (\w{13}) /.exec(await (await mod.context.request.get(`${at}/queue`)).text())?.[1];
await mod.context.request.post(`${at}/queue`, form({ one: `remove ${one} Spam`, [`text-${one}`]: "Please read our rules." }));
for (const [name, options] of [["phone", { viewport: { width: 390, height: 844 }, javaScriptEnabled: false, colorScheme: "dark" }], ["desk", { viewport: { width: 1280, height: 900 } }]]) {
  const { page, context } = await person(browser, { ...options, storageState: state });
  const shot = async (what, full = false) => { await page.screenshot({ path: `/tmp/hands-shots/${name}-${what}.png`, fullPage: full }); };
  const width = async (what) => { const w = await page.evaluate(() => document.documentElement.scrollWidth); if (w > options.viewport.width) console.log(name, what, "is", w, "wide"); };
  await page.goto(`${at}/queue`); await shot("queue"); await width("queue");
  await page.locator("summary.remove").first().click(); await page.locator("summary.remove").first().scrollIntoViewIfNeeded(); await shot("pick"); await width("pick");
  await page.locator("fieldset.case").scrollIntoViewIfNeeded();
  await page.locator("summary", { hasText: "Remove all of this page" }).click();
  await page.locator("fieldset.case").screenshot({ path: `/tmp/hands-shots/${name}-all.png` });
  await page.goto(`${at}/authors?domain=pills.example`); await shot("authors"); await width("authors");
  await page.locator("fieldset.case").screenshot({ path: `/tmp/hands-shots/${name}-authors-form.png` });
  await page.goto(`${at}/rules`); await width("rules"); await page.locator("summary", { hasText: "Delete…" }).first().click(); await page.locator("summary", { hasText: "Delete…" }).first().scrollIntoViewIfNeeded(); await shot("rules");
  await page.goto(`${base}/c/${community}/log`); await shot("log"); await width("log");
  await page.goto(`${at}/queue`); const card = await page.getByRole("link", { name: "About its author" }).first().getAttribute("href");
  await page.goto(base + card); await shot("card", true); await width("card");
  await page.goto(`${at}/authors?domain=pills.example`);
  if (name === "phone") {
    await page.getByLabel("Which rule have they broken?").selectOption("Spam");
    await page.getByRole("button", { name: "Ban who is ticked" }).click(); await shot("banned"); await width("banned");
    await page.goto(`${at}/bans`); await shot("bans"); await width("bans");
    const u = new URL(page.url());
    await page.goto(`${at}/bans`);
  } else { await page.goto(`${at}/bans`); await shot("bans", true); }
  await context.close();
}
await browser.close();
