// What members write runs nothing in Chromium: every payload of render/testdata/xss as a post's text, as a comment and as a
// title. The markup is tried with the Content-Security-Policy switched off, so that it alone has to hold; then with the
// policy, which must have had nothing to stop. Last the policy alone: the same payloads, raw, in a page that has it.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { base, figure, person, signUp, test, uniqueName } from "./site.mjs";

const folder = new URL("../render/testdata/xss/", import.meta.url);
const payloads = readdirSync(folder).filter((name) => name.endsWith(".json")).sort()
  .flatMap((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")));

/** batches are lists of payloads, so many in each. */
const batches = (list, size) => Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));

// A payload in a text, as it is and where a link leads, and a paragraph that shows that it has ended.
const written = (batch) => batch.map((payload, i) => `${payload}\n\n[link](${payload.replace(/[\r\n]/g, " ")})\n\nafter ${i}`).join("\n\n");

// How long a batch may take that leads away or never ends, in milliseconds.
const endless = 10000;

// What a comment has room for.
const short = payloads.filter((payload) => payload.length < 200);

let member, community, repliedTo;
const threads = [];

test.beforeAll(async () => {
  member = await person();
  community = uniqueName("xss");
  await signUp(member.page, uniqueName("eve"));
  await send("/communities", { name: community, title: "Payloads", description: payloads[0] }, 303);
  for (const batch of batches(payloads, 60)) {
    const response = await send(`/c/${community}/submit`, { title: batch[0].slice(0, 300), text: written(batch) }, 303);
    threads.push({ path: response.headers().location, size: batch.length });
  }
  repliedTo = threads[0].path;
  const [, post] = /name="post" value="(\w{13})"/.exec(await (await member.context.request.get(base + repliedTo)).text());
  for (const batch of batches(short, 20)) await send("/comment", { post, body: written(batch) }, 303);
});
test.afterAll(() => member.context.close());

/** send posts a form as the member; a post or comment that is refused would prove nothing. */
async function send(path, form, status) {
  const response = await member.context.request.post(base + path, { form, headers: { origin: base }, maxRedirects: 0 });
  assert.equal(response.status(), status, `${path}: ${(await response.text()).slice(0, 300)}`);
  return response;
}

/** visitor is a page that remembers what ran and what its policy stopped. */
async function visitor(options = {}) {
  const other = await person(options);
  other.ran = [];
  other.stopped = [];
  await other.context.exposeFunction("ran", (what) => { other.ran.push(what); });
  await other.context.exposeFunction("stopped", (what) => { other.stopped.push(what); });
  await other.context.addInitScript(() => {
    const { ran, stopped } = globalThis;
    for (const name of ["alert", "confirm", "prompt", "print", "open"]) globalThis[name] = (what) => ran(`${name}(${what})`);
    addEventListener("securitypolicyviolation", (event) => stopped(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`), true);
    // A link that leads elsewhere is fine; it only must not end the test.
    addEventListener("click", (event) => {
      const link = event.target.closest?.("a[href]");
      if (!link || ["http:", "https:", "mailto:"].includes(link.protocol)) event.preventDefault();
    }, true);
  });
  return other;
}

/**
 * poke does to every element within what a reader might, and waits for what comes of it. Handlers of an element's ancestors see the event of
 * their own. Those of the page's scripts see what bubbles up to them.
 */
async function poke(page, within) {
  await page.evaluate((selector) => {
    const events = ["pointerover", "mouseover", "mouseenter", "mousedown", "mouseup", "focus", "focusin", "blur", "keydown", "input", "change", "toggle", "wheel",
      "copy", "load", "error", "animationstart", "transitionend", "begin", "auxclick", "contextmenu", "click"];
    for (const element of document.querySelectorAll(selector)) {
      element.focus?.();
      for (const name of events) element.dispatchEvent(new MouseEvent(name, { bubbles: /click|input|change/.test(name), cancelable: true }));
    }
  }, within);
  await page.waitForFunction(() => [...document.querySelectorAll("img")].every((image) => image.complete || image.loading === "lazy")); // what a picture's handlers do comes with it
  await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
}

/** holds checks one page: nothing ran, nothing had to be stopped, and no element or address is there that may not be. */
async function holds({ page, ran, stopped }, path) {
  await page.goto(base + path);
  const strange = await page.evaluate(() => {
    const found = [];
    const known = new Set(["P", "BR", "HR", "EM", "STRONG", "DEL", "CODE", "PRE", "BLOCKQUOTE", "UL", "OL", "LI", "H2", "H3", "H4", "H5", "H6", "A", "SUP",
      "TABLE", "THEAD", "TBODY", "TR", "TH", "TD", "DETAILS", "SUMMARY"]);
    for (const element of document.querySelectorAll(".md *")) {
      if (!known.has(element.tagName) && !element.matches("div.tb:has(> table), details.sp > div.p")) found.push(element.outerHTML);
      if (element.tagName === "A" && !["http:", "https:", "mailto:"].includes(element.protocol)) found.push(element.outerHTML);
      if (element.tagName === "A" && element.origin !== location.origin && !/\bnofollow\b.*\bugc\b/.test(element.rel)) found.push(element.outerHTML);
    }
    for (const element of document.querySelectorAll("*")) {
      for (const { name } of element.attributes) if (name.startsWith("on") || name === "style") found.push(element.outerHTML.slice(0, 200));
    }
    for (const script of document.scripts) {
      // What search engines read of a thread is data: JSON without a "<" in it.
      if (script.type === "application/ld+json" && !script.src && !script.textContent.includes("<") && JSON.parse(script.textContent)["@context"]) continue;
      if (!script.src.startsWith(`${location.origin}/_/`) || script.textContent) found.push(script.outerHTML);
    }
    return found;
  });
  assert.deepEqual(strange, [], path);
  await poke(page, ".md, .md *, main :is(h1, h2, h3, .ex), main :is(h1, h2, h3, .ex) *");
  assert.deepEqual({ ran, stopped }, { ran: [], stopped: [] }, path);
}

const layers = { "with the policy switched off": { bypassCSP: true }, "with the policy, which stops nothing": {} };
for (const [layer, options] of Object.entries(layers)) {
  test.describe(`what members write, ${layer}`, () => {
    let reader;
    test.beforeAll(async () => { reader = await visitor(options); });
    test.afterAll(async () => {
      await reader.context.close();
      assert.deepEqual(reader.problems, [], "no error, no request to elsewhere");
    });

    test(`${payloads.length} payloads in the texts of posts`, async () => {
      for (const { path, size } of threads) {
        await holds(reader, path);
        const whole = await reader.page.locator(".full .md p").evaluateAll((all) => all.filter((p) => /^after \d+$/.test(p.textContent)).length);
        assert.equal(whole, size, `${path}: no payload swallowed the next`);
      }
    });

    test("in comments", async () => {
      await holds(reader, repliedTo);
      const whole = await reader.page.locator(".comment .md p").evaluateAll((all) => all.filter((p) => /^after \d+$/.test(p.textContent)).length);
      assert.equal(whole, short.length);
    });

    test("in titles, and where a community describes itself", async () => {
      for (const path of [`/c/${community}/new`, `/c/${community}`, "/communities?sort=new", "/new"]) await holds(reader, path);
    });
  });
}

test.describe("raw payloads in a page of ours", () => {
  const raw = async (options) => {
    const seen = { ran: [], stopped: [] };
    const policy = (await fetch(`${base}/`)).headers.get("content-security-policy");
    assert.match(policy, /default-src 'none'/);
    for (const batch of batches(payloads.filter((payload) => /<script|<svg|<img|\bon\w+=/i.test(payload)), 40)) {
      const { page, context, ran, stopped } = await visitor(options);
      const body = `<!doctype html><main>${batch.map((payload) => `<div>${payload}</div>`).join("\n")}`;
      await context.route(`${base}/raw`, (route) => route.fulfill({ contentType: "text/html", headers: { "content-security-policy": policy }, body }));
      await context.route((url) => url.href !== `${base}/raw`, (route) => route.abort());
      // What runs may lead away or never end: such a batch takes as long as this.
      const look = page.goto(`${base}/raw`, { waitUntil: "commit" }).then(() => poke(page, "main *")).catch(() => {});
      await Promise.race([look, new Promise((resolve) => setTimeout(resolve, endless))]);
      await Promise.race([context.close(), new Promise((resolve) => setTimeout(resolve, endless))]);
      seen.ran.push(...ran);
      seen.stopped.push(...stopped.filter((what) => what.startsWith("script-src")));
    }
    return seen;
  };

  test("run where there is no policy, so that this test would see them", async () => {
    test.setTimeout(600_000);
    const { ran } = await raw({ bypassCSP: true });
    assert.ok(ran.length > 50, `${ran.length} ran`);
  });

  test("are stopped by the policy alone", async () => {
    test.setTimeout(600_000);
    const { ran, stopped } = await raw({});
    figure(`${stopped.length} were stopped`);
    assert.deepEqual(ran, []);
    assert.ok(stopped.length > 50, `${stopped.length} were stopped`);
  });
});
