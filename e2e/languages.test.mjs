// The interface in German: by what the browser asks for, by a visitor's choice and by a member's, with the script and without.

import assert from "node:assert/strict";
import { base, bothWays, expect, person, signUp, skip, sql, test, uniqueName } from "./site.mjs";

let community;
test.beforeAll(async () => {
  community = skip ? "" : (await sql("SELECT community_name FROM posts WHERE status = 'published' AND community_name NOT LIKE 'u-%' GROUP BY 1 ORDER BY count(*) DESC LIMIT 1"))[0][0];
});

const isIn = (page, language) => page.locator(`html[lang="${language}"]`).waitFor();
const choose = async (page, name) => {
  await page.locator(".look summary").click();
  await page.locator(".look").getByRole("button", { name, exact: true }).click();
};

test("a visitor's browser asks for it, and a choice goes before", bothWays, async () => {
  const { page, context, problems } = await person({ locale: "de-AT" });
  await page.goto(`${base}/new`);
  await isIn(page, "de");
  await page.locator("header").getByRole("link", { name: "Anmelden" }).waitFor();
  await choose(page, "English");
  await isIn(page, "en");
  await page.locator("header").getByRole("link", { name: "Log in" }).waitFor();
  assert.equal((await context.cookies()).find(({ name }) => name === "display").value, "..en");
  await page.goto(`${base}/about`);
  await isIn(page, "en");
  await page.goto(`${base}/new`);
  await choose(page, "Deutsch");
  await page.locator("header").getByRole("link", { name: "Anmelden" }).waitFor();
  await context.close();
  assert.deepEqual(problems, []);
});

test("who signs up in German reads, writes and hears in it", async () => {
  const { page, context, problems } = await person({ locale: "de-DE" });
  const name = uniqueName("deu");
  await page.goto(`${base}/signup`);
  await page.getByLabel("Benutzername").fill(name);
  await page.getByLabel("Passwort").fill("zu kurz");
  await page.locator("main").getByRole("button", { name: "Registrieren", exact: true }).click();
  await page.getByText("Ein Passwort braucht mindestens 10 Zeichen.").waitFor();
  await expect(page.getByLabel("Benutzername"), "nothing is lost").toHaveValue(name);
  await page.getByLabel("Passwort").fill("richtiges Pferd");
  await page.locator("main").getByRole("button", { name: "Registrieren", exact: true }).click();
  await page.waitForURL(`${base}/welcome`);

  await page.goto(`${base}/c/${community}`);
  const members = page.locator(".head p [title]").first();
  const before = await members.getAttribute("title");
  await page.getByRole("button", { name: "Beitreten" }).click();
  await expect(page.locator("#toast"), "the script says it in German").toHaveText(/beigetreten/);
  const count = (text) => Number(text.replace(/\D/g, ""));
  assert.match(await members.getAttribute("title"), /Mitglied/);
  assert.equal(count(await members.getAttribute("title")), count(before) + 1);

  await page.goto(`${base}/c/${community}`);
  await page.locator("article.post .cc").first().click();
  await page.waitForURL("**/p/**");
  await page.locator(".thread form.reply textarea, main form.reply textarea").first().fill(`Das stimmt, sagt ${name}.`);
  await page.getByRole("button", { name: "Kommentieren", exact: true }).click();
  await page.locator(".comment", { hasText: `Das stimmt, sagt ${name}.` }).waitFor();
  await expect(page.locator("#toast"), "the post is announced").toHaveText(/Kommentar gepostet/);
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Tastenkürzel" }).waitFor();
  await page.keyboard.press("Escape");

  await page.goto(`${base}/settings`);
  await page.getByLabel("Sprache").selectOption("en");
  await page.locator("main").getByRole("button", { name: "Speichern" }).click();
  await page.getByRole("heading", { name: "Settings" }).waitFor();
  await context.close();
  assert.deepEqual(problems, []);
});

test("a member's language is the member's alone, whatever the browser asks for", async () => {
  const { page, context, problems } = await person();
  await signUp(page, uniqueName("eng"));
  await page.goto(`${base}/`);
  await choose(page, "Deutsch");
  await page.getByRole("link", { name: "Posten", exact: true }).waitFor();
  assert.equal((await context.cookies()).some(({ name }) => name === "display"), false, "it is in the account");
  const visitor = await person();
  await visitor.page.goto(`${base}/`);
  await isIn(visitor.page, "en");
  await visitor.context.close();
  await context.close();
  assert.deepEqual(problems, []);
});
