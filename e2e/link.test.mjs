// What posts of links and images show, and what the site asks nobody for.

import assert from "node:assert/strict";
import http from "node:http";
import { base, expect, looksBehind, person, signUp, sql, test, uniqueName } from "./site.mjs";

const PIXEL = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
const community = uniqueName("link");
let ann, server, inside;
let asked = 0;

test.beforeAll(async () => {
  server = http.createServer((request, response) => { asked += 1; response.end("<title>secret</title>"); });
  await new Promise((resolve) => { server.listen(0, "127.0.0.1", resolve); });
  inside = `http://127.0.0.1:${server.address().port}/`;
  ann = await person();
  await signUp(ann.page, uniqueName("ann"));
  await post("/communities", { name: community });
});
test.afterAll(async () => {
  server.close();
  await ann.context.close();
});

// post sends a form and returns where it leads.
async function post(path, form) {
  const response = await ann.context.request.post(base + path, { form, headers: { origin: base }, maxRedirects: 0 });
  assert.equal(response.status(), 303, await response.text());
  return response.headers().location;
}

const target = (html) => /[?]target=(\w{13})"/.exec(html)[1];

test("a private address is never asked, neither for a link nor for an image", async () => {
  looksBehind();
  const link = await post(`/c/${community}/submit`, { title: "Inside", link: inside });
  await expect(async () => assert.ok((await sql("SELECT reason FROM link_previews WHERE url = ?1 AND reason <> ''", inside)).length === 1, "the link was looked at")).toPass();
  await ann.page.goto(base + link);
  assert.match(await ann.page.locator(".linkcard").innerText(), /^127\.0\.0\.1:\d+/);
  const image = await post(`/c/${community}/submit`, { title: "An image inside", image: `${inside}x.png` });
  const html = await (await ann.context.request.get(base + image)).text();
  assert.equal((await fetch(`${base}/img/${target(html)}`)).status, 404);
  assert.equal(asked, 0);
});

test("a link shows what its page said, and its picture from this site", async () => {
  looksBehind();
  const address = `https://${community.replace("_", "-")}.test/`; // a name that nobody has
  const location = await post(`/c/${community}/submit`, { title: "Look", link: address });
  await expect(async () => assert.ok((await sql("SELECT 1 FROM link_previews WHERE url = ?1", address)).length === 1, "the link was looked at")).toPass();
  await sql("UPDATE link_previews SET title = 'The <b>page</b>', description = 'It says so.', site_name = 'A site', image = 'https://pics.test/x.png' WHERE url = ?1", address);
  await ann.context.route("**/img/*", (route) => route.fulfill({ contentType: "image/png", body: PIXEL }));
  await ann.page.goto(base + location);
  const card = ann.page.locator(".linkcard");
  assert.equal(await card.locator("strong").innerText(), "The <b>page</b>");
  assert.match(await card.innerText(), /It says so\..*\.test\s· A site/s);
  await expect(async () => assert.ok(await card.locator("img").evaluate((img) => img.complete && img.naturalWidth === 1), "the picture is there")).toPass();
  assert.deepEqual(ann.problems, []);
});
