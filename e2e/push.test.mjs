// Notifications on a device, in Chromium. Its push service is Google's, which is out of reach here. So everything is tested up to the
// question for an address, and from the moment that a message has arrived.

import assert from "node:assert/strict";
import { whole } from "./chromium.mjs";
import { base, expect, person, signUp, test, uniqueName } from "./site.mjs";

test.describe.configure({ mode: "serial" });
test.use({ launchOptions: whole, serviceWorkers: "allow" });

const settings = `${base}/settings/notifications`;

test.describe("notifications on a device", () => {
  const ann = uniqueName("ann");
  let a;
  const button = () => a.page.getByRole("button", { name: "Notify this device" });
  const alert = () => a.page.locator("#add-device .wrong");
  const shown = () => a.page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration("/push/");
    return (await registration.getNotifications()).map(({ title, body, tag, data }) => ({ title, body, tag, data }));
  });

  test.beforeAll(async () => {
    a = await person();
    await signUp(a.page, ann);
  });
  test.afterAll(async () => {
    await a.context.close();
    assert.deepEqual(a.problems.filter((problem) => !/does not support the Push API|push service|Registration failed/.test(problem)), []);
  });

  test("without JavaScript the page says that it is needed, and so does the answer", async () => {
    const plain = await person({ javaScriptEnabled: false });
    await signUp(plain.page, uniqueName("ben"));
    await plain.page.goto(settings);
    await plain.page.locator("#add-device noscript p").waitFor();
    assert.match(await plain.page.locator("#add-device noscript p").textContent(), /needs JavaScript/);
    await plain.page.getByRole("button", { name: "Notify this device" }).click();
    await plain.page.getByRole("alert").getByText("need JavaScript").waitFor();
    await plain.context.close();
    assert.deepEqual(plain.problems, []);
  });

  test("who refuses the permission is told where to give it", async () => {
    await a.page.goto(settings);
    await button().click();
    await alert().getByText("does not let this site show notifications").waitFor();
    assert.equal(await button().isEnabled(), true);
  });

  test("with the permission the worker starts, outside of all pages, and the push service is asked", async () => {
    await a.context.grantPermissions(["notifications"], { origin: base });
    await a.page.goto(settings);
    await button().click();
    await expect(async () => assert.ok(await a.page.evaluate(async () => (await navigator.serviceWorker.getRegistration("/push/"))?.active?.state === "activated"), "the worker is there")).toPass();
    assert.equal(await a.page.evaluate(() => navigator.serviceWorker.controller), null);
    await alert().getByText(/\S/).waitFor(); // what came of asking it
    assert.doesNotMatch(await alert().textContent(), /does not let this site/);
    assert.equal(await button().isEnabled(), true);
  });

  test("its file is asked for anew each time", async () => {
    const response = await a.page.request.get(`${base}/push/worker.js`);
    assert.equal(response.status(), 200);
    assert.match(response.headers()["content-type"], /javascript/);
    assert.equal(response.headers()["cache-control"], "no-cache");
    assert.match(response.headers()["content-security-policy"], /default-src 'none'/);
  });

  test("a message is shown, and a later one of the same thread takes its place", async () => {
    const cdp = await a.context.newCDPSession(a.page);
    const registered = new Promise((resolve) => {
      cdp.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
        const found = registrations.find(({ scopeURL }) => scopeURL === `${base}/push/`);
        if (found) resolve(found.registrationId);
      });
    });
    await cdp.send("ServiceWorker.enable");
    const registrationId = await registered;
    const deliver = (data) => cdp.send("ServiceWorker.deliverPushMessage", { origin: base, registrationId, data });
    const first = { title: "bob replied to you", body: "A post\nFirst words", url: "/c/gophers/p/a-post/0123456789abc", tag: "0123456789abc" };
    const arrives = (what, message, check) => expect(async () => {
      if (!await check()) await deliver(message); // again: a busy browser may drop one
      await expect(async () => assert.ok(await check(), what)).toPass({ timeout: 3000 });
    }).toPass();
    await arrives("it is shown", JSON.stringify(first), async () => (await shown()).length === 1);
    assert.deepEqual(await shown(), [{ title: first.title, body: first.body, tag: first.tag, data: { url: first.url } }]);
    await arrives("it takes the place", JSON.stringify({ ...first, title: "2 new in: A post", url: "/inbox/unread" }),
      async () => (await shown())[0].title === "2 new in: A post");
    assert.equal((await shown()).length, 1);
    await arrives("something is shown for every message", "no JSON", async () => (await shown()).some(({ data }) => data.url === "/inbox"));
  });
});
