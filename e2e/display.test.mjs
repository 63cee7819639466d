// Density and theme: chosen by anybody, kept on the device or in the account, and never in a page of somebody else.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { base, bothWays, expect, javaScriptEnabled, person, signUp, skip, sql, test, uniqueName } from "./site.mjs";

const axe = readFileSync(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
let full; // path of a listing with posts
test.beforeAll(async () => {
  full = skip ? "/" : `/c/${(await sql("SELECT community_name FROM posts WHERE status = 'published' GROUP BY 1 ORDER BY count(*) DESC LIMIT 1"))[0][0]}`;
});

const chosen = (page) => page.evaluate(() => ({ ...document.documentElement.dataset }));
const choose = async (page, name) => {
  if (!await page.locator(".look").evaluate((el) => el.open)) await page.locator(".look summary").click();
  await page.locator(".look").getByRole("button", { name, exact: true }).click();
};

test("a visitor's choice holds on every page of the device and nowhere else", bothWays, async () => {
  const { page, context, problems } = await person();
  const waitForCookie = async (cookie) => expect(async () => assert.ok((await context.cookies()).some((c) => c.name === "display" && c.value === cookie), `the device remembers ${cookie}`)).toPass();
  const html = async () => (await (await context.request.get(page.url())).text()).match(/<html[^>]*>/)[0];
  await page.goto(`${base}/new`);
  await choose(page, "Compact");
  await waitForCookie("compact.");
  assert.equal(page.url(), `${base}/new`);
  await choose(page, "Dark");
  await waitForCookie("compact.dark");
  await page.goto(`${base}/`);
  assert.equal(await html(), '<html lang="en" data-theme="dark" data-density="compact">');
  if (javaScriptEnabled) {
    assert.deepEqual(await chosen(page), { theme: "dark", density: "compact" });
    await choose(page, "Cards");
    assert.deepEqual(await chosen(page), { theme: "dark", density: "cards" }, "at once");
    assert.equal(await page.getByRole("button", { name: "Cards" }).getAttribute("aria-pressed"), "true");
    await waitForCookie("cards.dark");
  }
  const other = await person();
  for (const path of ["/new", "/"]) {
    await other.page.goto(base + path);
    assert.deepEqual(await chosen(other.page), {}, path);
  }
  await other.context.close();
  await context.close();
  assert.deepEqual(problems, []);
});

test("a member's choice is kept in the account", async () => {
  const { page, context, problems } = await person();
  await signUp(page, uniqueName("dis"));
  await page.goto(`${base}/hot`);
  const responded = page.waitForResponse((response) => response.url() === `${base}/display`);
  await choose(page, "Compact");
  assert.equal((await responded).status(), 204);
  await page.goto(`${base}/settings`);
  await expect(page.locator("#density")).toHaveValue("compact");
  assert.equal((await context.cookies()).some((c) => c.name === "display"), false);
  await context.close();
  assert.deepEqual(problems, []);
});

test.describe("rows of posts", () => {
  for (const density of ["", "compact", "cards"]) {
    for (const colorScheme of ["light", "dark"]) {
      test(`are accessible ${density || "standard"} and ${colorScheme}, menus opened too`, async () => {
        test.skip(!process.env.PLAZA_ALL, "by night: by day axe looks at each kind of page (e2e/gallery)");
        const { page, context, problems } = await person({ colorScheme, bypassCSP: true });
        await signUp(page, uniqueName("row"));
        const menus = [".sort summary", ".look summary", ".opts summary", ".account .menu summary", ".places summary"];
        for (const width of [1280, 390, 320]) {
          await page.setViewportSize({ width, height: 900 });
          for (const open of [null, ...menus]) {
            await page.goto(base + full);
            await page.evaluate((value) => { if (value) document.documentElement.dataset.density = value; }, density);
            if (open) await page.locator(open).first().click();
            await page.addScriptTag({ content: axe });
            const result = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"],
              runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
            // What lies under an open menu has been measured while it was closed.
            const covered = await page.evaluate((targets) => {
              const panel = document.querySelector(".menu[open] > div");
              const over = panel?.getBoundingClientRect();
              return targets.filter((target) => {
                const el = document.querySelector(target);
                const at = el.getBoundingClientRect();
                return panel && !panel.contains(el) && at.left < over.right + 12 && at.right > over.left - 12 && at.top < over.bottom + 12 && at.bottom > over.top - 12;
              });
            }, result.violations.filter((v) => v.id === "target-size").flatMap((v) => v.nodes.map((n) => n.target[0])));
            const wrong = result.violations.map((v) => ({ id: v.id, nodes: v.nodes.filter((n) => v.id !== "target-size" || !covered.includes(n.target[0])) }));
            assert.deepEqual(wrong.filter((v) => v.nodes.length).map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html).join(" ")}`), [], `${width} px, ${open}`);
            assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `wider than ${width} px, ${open}`);
          }
        }
        await context.close();
        assert.deepEqual(problems, []);
      });
    }
  }

  test("have one line of facts below the title, and a title of one line where they are compact", async () => {
    const { page, context } = await person({ viewport: { width: 1280, height: 900 } });
    await page.goto(base + full);
    const heights = () => page.locator("article.post").evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
    assert.ok((await heights()).every((height) => height >= 71 && height < 130), `${await heights()}`);
    await page.evaluate(() => { document.documentElement.dataset.density = "compact"; });
    assert.ok((await heights()).every((height) => height <= 48), `${await heights()}`);
    await context.close();
  });
});
