// What readers ask for: a flair in a community, a community that lists leave out, and the discussions of crossposts below a thread.

import assert from "node:assert/strict";
import { base, bothWays, expect, javaScriptEnabled, person, signUp, test, uniqueName } from "./site.mjs";

const community = uniqueName("rd"), other = uniqueName("re");
let state, reader, shared, first, copy;

const send = async (path, form) => {
  const response = await shared.context.request.post(base + path, { form, headers: { origin: base, accept: "application/json" } });
  assert.ok(response.ok(), `${path}: ${await response.text()}`);
  return response.json();
};

test.beforeAll(async () => {
  shared = await person();
  await signUp(shared.page, uniqueName("rea"));
  state = await shared.context.storageState();
  const another = await person(); // lists always have what their reader has written
  await signUp(another.page, uniqueName("reb"));
  reader = await another.context.storageState();
  await another.context.close();
  for (const name of [community, other]) await send("/communities", { name, title: `About ${name}` });
  first = await send(`/c/${community}/submit`, { title: "Asked first", text: "Words" });
  copy = await send(`/c/${other}/submit`, { title: "Asked again", crosspost: first.id });
  await send("/comment", { post: first.id, body: "An answer over there" });
  await send(`/c/${community}/mod/flair`, { of: "members", choose: "own", "flair-1-text": "Gardener", "flair-1-colour": "blue" });
});
test.afterAll(() => shared.context.close());

const member = async (run, storageState = state) => {
  const { page, context, problems } = await person({ storageState });
  await run(page);
  await context.close();
  assert.deepEqual(problems, []);
};

test("a member chooses a flair, which stands beside the name", bothWays, () => member(async (page) => {
  await page.goto(`${base}/c/${community}/flair`);
  await page.getByLabel("Gardener").check();
  await page.getByRole("button", { name: "Save flair" }).click();
  await page.waitForURL(`${base}/c/${community}`);
  await page.goto(base + first.permalink);
  assert.equal(await page.locator(".full .by .mark.fl").textContent(), "Gardener");
  assert.equal(await page.locator(".comment .by .mark.fl").first().textContent(), "Gardener");
  await page.goto(`${base}/c/${community}/flair`);
  await page.getByRole("textbox", { name: "Other words" }).fill("Grows tomatoes"); // which counts as chosen
  if (javaScriptEnabled) assert.ok(await page.getByRole("radio", { name: "Other words" }).isChecked());
  await page.getByRole("button", { name: "Save flair" }).click();
  await page.waitForURL(`${base}/c/${community}`);
  assert.match(await page.locator("#about, aside").first().textContent(), /Your flair: Grows tomatoes/);
  await page.goto(`${base}/c/${community}/flair`);
  if (javaScriptEnabled) await page.getByRole("textbox", { name: "Other words" }).fill("Grows nothing");
  await page.getByLabel("None").check();
  await page.getByRole("button", { name: "Save flair" }).click();
  await page.waitForURL(`${base}/c/${community}`);
  assert.match(await page.locator("#about, aside").first().textContent(), /Choose your flair/);
}));

test("a community is left out of lists by its menu, and comes back", bothWays, () => member(async (page) => {
  const row = `h2 a[href="${first.permalink}"]`;
  const leftOut = page.locator(".leftout");
  const isListed = async (there) => {
    await page.goto(`${base}/new`);
    await page.locator("main article").first().waitFor();
    return (await page.locator(`main ${row}`).count() > await leftOut.locator(row).count()) === there;
  };
  await expect(async () => assert.ok(await isListed(true), "it is in the list of the site")).toPass();
  await expect(leftOut).toHaveCount(0);
  const leave = async () => {
    await page.goto(`${base}/c/${community}`);
    await page.locator(".head .dots > summary").click();
    await page.getByRole("button", { name: "Leave out of my lists" }).click();
    if (javaScriptEnabled) await page.locator("#toast").getByText("Left out of your lists").waitFor();
  };
  await leave();
  if (javaScriptEnabled) {
    await page.locator("#toast .undo").click();
    await page.locator("#toast").getByText("In your lists again").waitFor();
    await leave();
  } else await page.getByText(`Your lists leave out c/${community}.`).waitFor();
  await expect(async () => assert.ok(await isListed(false), "it is gone from the list of the site")).toPass();
  assert.equal((await leftOut.locator("> summary").textContent()).trim(), `1 post left out: c/${community}`);
  await leftOut.locator("> summary").click();
  await leftOut.locator("article", { hasText: "Asked first" }).waitFor();
  const json = await (await page.context().request.get(`${base}/new.json`)).json();
  assert.deepEqual(json.left_out.map(({ kind, count }) => [kind, count]), [["community", 1]]);
  assert.ok(json.items.every(({ permalink }) => permalink !== first.permalink));
  await page.goto(`${base}/c/${community}`);
  await page.locator(".notice").getByRole("button", { name: "Show in my lists again" }).click();
  await expect(async () => assert.ok(await isListed(true), "it is in the list of the site again")).toPass();
  await expect(async () => {
    await page.goto(`${base}/c/${community}`);
    assert.ok(await page.getByText("Your lists leave out").count() === 0, "its page does not say so any more");
  }).toPass();
}, reader));

test("the discussions of crossposts are below the thread", bothWays, async () => {
  const { page, context, problems } = await person();
  const show = async () => {
    await page.goto(base + copy.permalink);
    await page.getByRole("link", { name: "Discussions elsewhere" }).click();
  };
  if (javaScriptEnabled) {
    const elsewhere = page.locator("section.elsewhere");
    await expect(async () => { // the queue counts comments, and a list may be some seconds old
      await show();
      await elsewhere.waitFor();
      assert.ok(await elsewhere.getByText("Asked first").count() > 0, "the other discussion is listed");
      assert.equal(await elsewhere.getByRole("link", { name: /Show the first comments/ }).count(), 1);
    }).toPass();
    await expect(elsewhere.getByText("Asked again"), "the post itself is not among them").toHaveCount(0);
    await elsewhere.getByRole("link", { name: /Show the first comments/ }).click();
    await elsewhere.locator(".comment", { hasText: "An answer over there" }).waitFor();
    assert.equal(page.url(), base + copy.permalink);
  } else {
    await show();
    await page.waitForURL(/\/discussions\?/);
    await page.getByRole("link", { name: "Asked first" }).click();
    await page.locator(".comment", { hasText: "An answer over there" }).waitFor();
  }
  await context.close();
  assert.deepEqual(problems, []);
});
