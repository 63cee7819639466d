// The OpenAPI document that the site serves passes a public linter, and a client that a public generator makes of it founds a community,
// posts, comments, votes and reads all of it again.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { base, expect, test, uniqueName } from "./site.mjs";

const run = promisify(execFile);
const tool = (file, ...args) => run(process.execPath, [`node_modules/${file}`, ...args], {
  env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
});

let folder;
test.beforeAll(async () => {
  await mkdir("build", { recursive: true });
  folder = await mkdtemp("build/api-"); // below node_modules
  await writeFile(join(folder, "openapi.json"), await (await fetch(`${base}/api.json`)).text());
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
    const result = await response.json();
    assert.equal(response.status, 200, JSON.stringify(result));
    cookie = response.headers.getSetCookie().find((c) => c.startsWith("__Host-session="))?.split(";")[0] || cookie;
    return result;
  };
  await send("/signup", { username: name, password: "correct horse" });
  return (await send("/settings/tokens", { name: "a client", ...scopes })).token;
}

test("a generated client compiles, and does a whole journey", async () => {
  await tool("openapi-typescript/bin/cli.js", join(folder, "openapi.json"), "--output", join(folder, "schema.d.ts"));
  await copyFile("e2e/api_client.ts", join(folder, "client.ts"));
  await tool("typescript/bin/tsc", "--strict", "--noEmit", "--skipLibCheck", "--module", "esnext", "--moduleResolution", "bundler", "--target", "es2022",
    "--lib", "es2022,dom", join(folder, "client.ts")).catch(({ stdout }) => assert.fail(stdout));
  await build({ entryPoints: [join(folder, "client.ts")], bundle: true, format: "esm", platform: "node", outfile: join(folder, "client.mjs"), logLevel: "error" });
  const { journey } = await import(pathToFileURL(join(folder, "client.mjs")));
  const names = { ann: uniqueName("ann"), ben: uniqueName("ben"), place: uniqueName("api").replace("-", "_") };
  await journey(base, { ann: await member(names.ann), ben: await member(names.ben) }, names,
    { equal: assert.equal, soon: (condition) => expect(condition).toPass() });
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
