// Logging in with a provider in Chromium, through workerd: npm's real oidc-provider, and a site of its own that knows it. First beside
// passwords and passkeys, then as the only way. What the site refuses of a provider is tested in worker/account/provider_test.go.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { launch } from "../chromium.mjs";
import { freePort } from "../edge/harness.mjs";

/** start runs a program until it says a word; it returns how to end it. */
function start(command, args, env, word) {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  return new Promise((resolve, reject) => {
    const ended = new Promise((over) => child.on("exit", () => { reject(new Error(`${command} ended: ${said}`)); over(); }));
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (data) => {
        said += data;
        if (said.includes(word)) resolve(() => { child.kill("SIGTERM"); return ended; });
      });
    }
  });
}

const [sitePort, providerPort] = [await freePort(), await freePort()];
const base = `http://localhost:${sitePort}`;
const issuer = `http://127.0.0.1:${providerPort}`;
const data = mkdtempSync(join(tmpdir(), "plaza-auth-"));
const startSite = (more) => start("build/plaza", ["dev", "--port", String(sitePort), "--data", data, "--empty"], {
  AUTH_PROVIDERS: "acme", AUTH_ACME_LABEL: "Acme", AUTH_ACME_ISSUER: issuer, AUTH_ACME_ID: "plaza", AUTH_ACME_SECRET: "only for tests", ...more,
}, "Plaza is ready");

let browser, stopSite, stopProvider;
before(async () => {
  stopProvider = await start(process.execPath, ["e2e/provider.mjs"], { PROVIDER: JSON.stringify({ issuer, port: providerPort,
    clients: [{ client_id: "plaza", client_secret: "only for tests", redirect_uris: [`${base}/auth/acme/callback`] }] }) }, "ready");
  stopSite = await startSite({});
  browser = await launch();
}, { timeout: 600000 });
after(async () => {
  await browser?.close();
  await stopSite?.();
  await stopProvider?.();
  rmSync(data, { recursive: true, force: true });
});

afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));

/** someone is a page of a browser that has been nowhere yet. */
async function someone(options = {}) {
  const page = await (await browser.newContext(options)).newPage();
  page.setDefaultTimeout(60000);
  return page;
}

/** through goes to the provider from the login page, logs in there and comes back. */
async function through(page, name, from = "/login?next=/communities") {
  await page.goto(base + from);
  await page.getByRole("link", { name: "Continue with Acme" }).click();
  await there(page, name);
}

/** there logs in at the provider and comes back. */
async function there(page, name) {
  await page.waitForURL(`${issuer}/**`);
  await page.locator("input[name=login]").fill(name);
  await page.locator("input[name=password]").fill("any");
  await page.locator("button[type=submit]").click();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL(`${base}/**`);
}

const signedInAs = (page, name) => page.locator("header details summary").getByText(name).waitFor();

describe("a provider", () => {
  for (const javaScriptEnabled of [true, false]) {
    const name = javaScriptEnabled ? "ann" : "ben";
    test(`signs somebody up and logs them in, ${javaScriptEnabled ? "with" : "without"} JavaScript`, async () => {
      const page = await someone({ javaScriptEnabled });
      await through(page, name);
      await page.getByText("No account here uses it yet.").waitFor();
      assert.equal(await page.getByLabel("Username").inputValue(), name);
      await page.locator("main").getByRole("button", { name: "Sign up", exact: true }).click();
      await page.waitForURL(`${base}/communities`);
      await signedInAs(page, name);

      const again = await someone({ javaScriptEnabled });
      await through(again, name);
      assert.equal(again.url(), `${base}/communities`);
      await signedInAs(again, name);
    });
  }

  test("is added to an account, and removed", async () => {
    const page = await someone();
    await page.goto(`${base}/signup`);
    await page.getByLabel("Username").fill("carla");
    await page.getByLabel("Password").fill("correct horse");
    await page.locator("main").getByRole("button", { name: "Sign up", exact: true }).click();
    await page.waitForURL(`${base}/welcome`);
    await through(page, "carla.there", "/settings/security");
    await page.getByRole("heading", { name: "Log in with Acme, too?" }).waitFor();
    await page.getByRole("button", { name: "Add it" }).click();
    await page.getByText("The account at the other site is added.").waitFor();

    const other = await someone();
    await through(other, "carla.there");
    await signedInAs(other, "carla");
    await other.goto(`${base}/settings/security`);
    await other.getByRole("button", { name: "Remove" }).click();
    await other.getByText("That way to log in is removed.").waitFor();
  });

  for (const javaScriptEnabled of [true, false]) {
    test(`leaves what was written in its tab, ${javaScriptEnabled ? "with" : "without"} JavaScript`, async () => {
      const owner = await someone();
      await through(owner, "ann", "/login");
      await signedInAs(owner, "ann");
      const place = `place_${javaScriptEnabled}`;
      const post = await owner.evaluate(async (name) => {
        await fetch("/communities", { method: "POST", body: new URLSearchParams({ name }) });
        return (await fetch(`/c/${name}/submit`, { method: "POST", body: new URLSearchParams({ community: name, title: "A post", text: "x" }) })).url;
      }, place);

      const page = await someone({ javaScriptEnabled });
      await page.goto(post);
      await page.locator("form.reply textarea").first().fill("Written before");
      await page.locator("form.reply").first().getByRole("button", { name: "Comment" }).click();
      await page.getByText("What you wrote is kept.").waitFor();
      const opened = page.context().waitForEvent("page");
      await page.getByRole("link", { name: "Continue with Acme" }).click();
      const tab = await opened;
      await there(tab, "ann");
      await tab.getByText("What you have written waits in the tab").waitFor();
      if (!javaScriptEnabled) await page.getByRole("button", { name: "I have logged in there" }).click();
      await page.getByText("You are logged in.").waitFor();
      assert.equal(await page.locator('form.reply textarea[name="body"]').inputValue(), "Written before");
      await page.locator("form.reply").getByRole("button", { name: "Comment" }).click();
      await page.locator(".comment", { hasText: "Written before" }).first().waitFor();
    });
  }

  test("is the only way where the site says so", { timeout: 600000 }, async () => {
    await stopSite();
    stopSite = await startSite({ SSO_ONLY: "1" });
    const page = await someone();
    await page.goto(`${base}/login`);
    assert.equal(await page.locator("main input, main [data-passkey]").count(), 0);
    const refused = await page.evaluate(async () => (await fetch("/login", { method: "POST", body: new URLSearchParams({ login: "carla", password: "correct horse" }) })).status);
    assert.equal(refused, 403);
    await through(page, "ann");
    await signedInAs(page, "ann");
  });
});
