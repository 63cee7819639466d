// Pictures as kept content, with R2 as `wrangler dev` has it: the tools reach it, and what is hostile is refused or nothing but a picture.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import http from "node:http";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { launch } from "../chromium.mjs";
import { MEMBER, root, startEdge } from "./harness.mjs";
import { cameras, HOSTILE, mutated, WHOLE } from "./pictures.mjs";

const TOKEN = "0123456789abcdef0123456789abcdef";
const ATTACKS = 300;

let edge;
let browser;
before(async () => { [edge, browser] = await Promise.all([startEdge({ PICTURES_TOKEN: TOKEN }), launch()]); });
after(() => Promise.all([edge?.stop(), browser?.close()]));

/** uploaded sends pictures, ten a form, and returns what Go is told of each. */
async function uploaded(all) {
  const facts = [];
  for (let i = 0; i < all.length; i += 10) {
    const form = new FormData();
    for (const [name, bytes] of all.slice(i, i + 10)) form.append("pictures", new Blob([bytes]), name);
    const result = await edge.get("/submit", { ...MEMBER, accept: "application/json" }, { method: "POST", body: form });
    assert.equal(result.status, 200);
    const { received, kept } = await result.json();
    assert.ok(kept.every((error) => error === "<nil>"), kept.join());
    facts.push(...received);
  }
  return facts;
}

/** hostile are pictures of all kinds that are other things as well, or were changed at random. */
function hostile() {
  let seed = 2024;
  const random = () => { // mulberry32
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const all = Object.entries(HOSTILE).map(([name, [bytes]]) => [name, bytes]).filter(([name]) => name !== "five megabytes.jpg");
  const whole = [...Object.entries(WHOLE).map(([name, [bytes]]) => [name, bytes]), ...cameras().slice(0, 3)];
  for (let i = 0; all.length < ATTACKS; i++) {
    const [name, bytes] = whole[i % whole.length];
    all.push([`changed ${i} ${name}`, mutated(bytes, random)]);
  }
  return all;
}

test("hostile pictures and those of cameras are refused, or shown and never executed", async () => {
  const all = [...cameras(), ...hostile()];
  const facts = await uploaded(all);
  assert.equal(facts.length, all.length);
  const refused = facts.filter(({ problem }) => problem);
  const shown = [...new Map(facts.filter(({ problem }) => !problem).map((it) => [it.sum, it])).values()];
  assert.ok(facts.slice(0, cameras().length).every(({ problem }) => !problem), "those of cameras are taken");
  assert.ok(refused.length > 100 && shown.length > 50, `${refused.length} refused, ${shown.length} shown`);

  const ran = [];
  const open = async () => {
    const page = await browser.newPage();
    page.on("dialog", (dialog) => { ran.push(`${page.url()}: ${dialog.message()}`); dialog.dismiss(); });
    return page;
  };
  // What would be seen: the same page as a server elsewhere shows it.
  const server = http.createServer((_, response) => { response.setHeader("content-type", "text/html"); response.end(HOSTILE["page.jpg"][0]); });
  await new Promise((resolve) => { server.listen(0, "127.0.0.1", resolve); });
  const page = await open();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  server.close();
  assert.equal(ran.length, 1, "a script that runs is seen");

  const rest = shown.flatMap((it, i) => [[it, ""], ...(i % 10 === 0 ? [[it, "/small"]] : [])]);
  await Promise.all([page, ...await Promise.all([open(), open(), open()])].map(async (tab) => {
    for (let next = rest.pop(); next; next = rest.pop()) {
      const [{ sum, type, name }, more] = next;
      const result = await tab.goto(`${edge.url}/picture/${sum}${more}`, { waitUntil: "commit" });
      const headers = result.headers();
      assert.deepEqual([result.status(), headers["content-type"], headers["x-content-type-options"]], [200, type, "nosniff"], name);
      assert.match(headers["content-security-policy"], /default-src 'none'; sandbox;/, name);
      await tab.waitForLoadState("load");
      const is = await tab.evaluate(() => [document.contentType, document.scripts.length, self.origin]);
      assert.deepEqual(is, [type, 0, "null"], `${name} as a page of its own`);
    }
  }));
  // As pictures of a page, and as what else a page of somebody else could take them for.
  await page.goto(`${edge.url}/__test/hello`);
  const loaded = await page.evaluate(async (sums) => {
    const failed = [];
    const used = [];
    const put = (what) => new Promise((resolve) => {
      Object.assign(what, { onload: () => resolve(true), onerror: () => resolve(false) });
      document.documentElement.append(what);
    });
    const make = (tag, more) => Object.assign(document.createElement(tag), more);
    await Promise.all(sums.map(async (sum) => {
      const src = `/picture/${sum}`;
      if (!(await put(make("img", { src })))) failed.push(sum);
      if (await put(make("script", { src }))) used.push(`${sum} as a script`);
      if (await put(make("link", { rel: "stylesheet", href: src }))) used.push(`${sum} as a style sheet`);
      await put(make("iframe", { src }));
    }));
    return { failed, used };
  }, shown.map(({ sum }) => sum));
  assert.deepEqual(loaded.used, []);
  assert.equal(ran.length, 1, ran.slice(1).join("\n"));
  // Of what was changed at random, a browser may not be able to draw all. What cameras made, it draws.
  const undrawn = new Set(loaded.failed);
  assert.ok(shown.filter(({ sum }) => undrawn.has(sum)).every(({ name }) => name.startsWith("changed")), [...undrawn].join());
  console.log(`${cameras().length} of cameras; ${ATTACKS} hostile ones: ${refused.length} refused, the rest shown as ${shown.length} pictures, `
    + `${undrawn.size} of which Chromium can't draw`);
});

// Backups and moves are tested by day with a bucket that keeps the same contract.
test("plaza's tools reach what is in the bucket, and by night back it up and move it", async () => {
  const packages = ["./ops/bucket", ...(process.env.PLAZA_ALL ? ["./cmd/plaza"] : [])];
  const { stdout } = await promisify(execFile)("go", ["test", "-count=1", "-vet=off", "-p=1", ...packages, "-run",
    "^(TestBucket|TestPicturesDrill|TestPicturesMove)$"], { cwd: root, env: { ...process.env, PLAZA_BUCKET: edge.url, PLAZA_BUCKET_TOKEN: TOKEN } })
    .catch((error) => assert.fail(error.stdout + error.stderr));
  for (const path of packages) assert.match(stdout, new RegExp(`ok\\s+plaza${path.slice(1)}\\s`));
});
