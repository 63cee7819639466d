// The OpenAPI document that the site serves passes a public linter, and a client that a public generator makes of it founds a community,
// posts, comments, votes and reads all of it again.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { base, expect, test, uniqueName } from "./site.mjs";

const run = promisify(execFile);
const tool = (file, ...args) => run(process.execPath, [`node_modules/${file}`, ...args], {
  env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
});

let folder, client;
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "plaza-api-"));
  await writeFile(join(folder, "openapi.json"), await (await fetch(`${base}/api.json`)).text());
  await tool("openapi-typescript-codegen/bin/index.js", "--input", join(folder, "openapi.json"), "--output", join(folder, "client"));
  await build({ entryPoints: [join(folder, "client/index.ts")], bundle: true, format: "esm", platform: "node", outfile: join(folder, "client.mjs"), logLevel: "error" });
  client = await import(pathToFileURL(join(folder, "client.mjs")));
  client.OpenAPI.BASE = base;
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

test("the document passes a linter", async () => {
  const { stderr } = await tool("@redocly/cli/bin/cli.js", "lint", "--extends=recommended", "--skip-rule=info-license", join(folder, "openapi.json"));
  assert.match(stderr, /Your API description is valid/);
  assert.doesNotMatch(stderr, /warning/i);
});

// member signs somebody up and makes a token, as a person does in a browser.
async function member(name, scopes = { read: 1, write: 1 }) {
  let cookie = "";
  const send = async (path, fields) => {
    const response = await fetch(base + path, {
      method: "POST", body: JSON.stringify(fields), headers: { "content-type": "application/json", accept: "application/json", cookie },
    });
    const answer = await response.json();
    assert.equal(response.status, 200, JSON.stringify(answer));
    cookie = response.headers.getSetCookie().find((c) => c.startsWith("__Host-session="))?.split(";")[0] || cookie;
    return answer;
  };
  await send("/signup", { username: name, password: "correct horse" });
  return (await send("/settings/tokens", { name: "a client", ...scopes })).token;
}

test("a generated client does a whole journey", async () => {
  const { ActionsService: act, ReadingService: read, OpenAPI, ApiError } = client;
  const [ann, ben, place] = [uniqueName("ann"), uniqueName("ben"), uniqueName("api").replace("-", "_")];
  const tokens = { ann: await member(ann), ben: await member(ben) };
  const as = (token) => { OpenAPI.TOKEN = token; };

  as(tokens.ann);
  const community = await act.createCommunity({ name: place, title: "Made by a client" }, "a-key-of-sixteen-letters");
  assert.equal(community.permalink, `/c/${place}`);
  const post = await act.submitTo(place, { title: "A post & <more>", text: "Some *words*", tags: "api" });
  assert.match(post.id, /^\d+$/);
  await act.submitTo(place, { title: "Another", link: "https://example.com/api", anyway: "1" });

  as(tokens.ben);
  await act.subscribe({ community: place, on: "1" });
  await act.follow({ user: ann, on: "1" });
  const comment = await act.comment({ post: post.id, body: "A comment" });
  const reply = await act.comment({ parent: comment.id, body: "And more of it" });
  assert.equal((await act.vote({ target: post.id, value: "1" })).my_vote, 1);
  assert.equal((await act.save({ target: comment.id, on: "1" })).saved, true);
  const edited = await act.edit({ target: reply.id, body: "And *less* of it", revision: "0" });
  assert.ok(edited.revision > 0);

  let thread;
  await expect(async () => {
    thread = await read.readPost(place, post.slug);
    assert.ok(thread.post.score === 2 && thread.post.comments === 2, "the votes to be folded");
  }).toPass();
  assert.equal(thread.post.id, post.id);
  assert.equal(thread.post.title, "A post & <more>");
  assert.deepEqual(thread.post.tags, ["api"]);
  assert.equal(thread.post.my_vote, 1);
  assert.match(thread.text_html, /<em>words<\/em>/);
  assert.equal(thread.viewer.name, ben);
  assert.deepEqual(thread.comments.map((c) => [c.id, c.author, c.replies.map((r) => r.id)]), [[comment.id, ben, [reply.id]]]);
  assert.match(thread.comments[0].replies[0].body_html, /<em>less<\/em>/);
  assert.ok(Date.parse(thread.comments[0].replies[0].edited_at) >= Date.parse(thread.comments[0].created_at));
  const single = await read.readComment(place, post.slug, reply.id);
  assert.equal(single.single, true);
  assert.equal(single.comments[0].replies[0].highlight, true);

  const listing = await read.readCommunityNew(place);
  assert.deepEqual(listing.items.map((p) => p.title), ["Another", "A post & <more>"]);
  assert.equal(listing.community.subscribed, true);
  assert.deepEqual([listing.after, listing.next], [null, null]);
  assert.deepEqual((await read.readSavedComments()).comments.map((c) => c.id), [comment.id]);
  assert.deepEqual((await read.readFollowers(ann)).people.map((p) => p.name), [ben]);
  assert.deepEqual((await read.readProfileComments(ben)).comments.map((c) => c.id), [reply.id, comment.id]);

  as(tokens.ann);
  await expect(async () => assert.ok((await read.readInbox()).items.length > 0, "Ann to be told of it")).toPass();
  const inbox = await read.readInbox();
  assert.equal(inbox.items[0].items[0].author, ben);
  assert.equal((await act.markRead({ newest: inbox.newest })).unread, 0);

  as(tokens.ben);
  await act.remove({ target: reply.id });
  const left = (await read.readPost(place, post.slug)).comments[0].replies[0];
  assert.deepEqual([left.deleted, left.author, left.body_html], [true, "", ""]);

  await assert.rejects(act.vote({ target: post.id, value: "2" }), (error) => {
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.status, error.body.error.code, error.body.error.field], [422, "invalid", "value"]);
    return true;
  });
  await assert.rejects(read.readPost(place, "nothing"), (error) => error.status === 404 && error.body.error.code === "not_found");
  as("plaza_nonsense");
  await assert.rejects(read.readHome(), (error) => error.status === 401);
  as(undefined);
  assert.deepEqual((await read.readCommunity(place)).viewer, null);
});

test("scripts of other sites may read, and send nothing", async () => {
  const asked = await fetch(`${base}/new.json`, { method: "OPTIONS", headers: { origin: "https://elsewhere.example", "access-control-request-method": "GET", "access-control-request-headers": "authorization" } });
  assert.equal(asked.status, 204);
  assert.match(asked.headers.get("access-control-allow-headers"), /Authorization/);
  const read = await fetch(`${base}/new.json`, { headers: { origin: "https://elsewhere.example" } });
  assert.equal(read.headers.get("access-control-allow-origin"), "*");
  assert.match(read.headers.get("content-type"), /^application\/json/);
  await read.json();
  const again = await fetch(`${base}/new.json`);
  assert.match(again.headers.get("x-cache"), /HIT|STALE|MISS/);
  assert.equal(again.headers.get("access-control-allow-origin"), "*", "from the cache as well");
  assert.equal((await fetch(`${base}/vote`, { method: "OPTIONS" })).headers.get("access-control-allow-origin"), null);
});

test("a feed reader is not sent what it has", async () => {
  const address = `${base}/feed/${await member(uniqueName("fay"), { feed: 1 })}`;
  const first = await fetch(address);
  assert.equal(first.status, 200);
  assert.match(first.headers.get("content-type"), /^application\/atom\+xml/);
  assert.match(first.headers.get("cache-control"), /private/);
  assert.match(await first.text(), /<feed/);
  const again = await fetch(address, { headers: { "if-none-match": first.headers.get("etag") } });
  assert.deepEqual([again.status, again.headers.get("etag"), await again.text()], [304, first.headers.get("etag"), ""]);
  assert.equal((await fetch(`${address}x`)).status, 404);
});
