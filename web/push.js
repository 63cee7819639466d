// Notifications on this device, on the page of their settings. The button asks the browser for an address of its push service, which the
// form sends to the site. What comes there is shown by public/push/worker.js.
import { t } from "./app/words.js";
(() => {
  "use strict";
  const section = document.getElementById("devices");
  const form = document.getElementById("add-device");
  const button = form.querySelector("button");
  const say = (text) => { form.querySelector(".wrong").textContent = text; };

  if (!("serviceWorker" in navigator) || !("PushManager" in window) || !("Notification" in window)) {
    button.disabled = true;
    say(t("This browser can't show notifications. On an iPhone or iPad, add this site to the home screen first."));
    return;
  }

  const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const register = () => navigator.serviceWorker.register("/push/worker.js", { scope: "/push/" });

  // active waits until the worker can take messages. navigator.serviceWorker.ready is for workers of this page's own scope.
  const active = async (registration) => {
    const worker = registration.active || registration.waiting || registration.installing;
    while (worker.state !== "activated") {
      if (worker.state === "redundant") throw new Error(t("The browser could not set up notifications. Please load this page again and retry."));
      await new Promise((resolve) => worker.addEventListener("statechange", resolve, { once: true }));
    }
    return registration;
  };

  const subscribe = async () => {
    if (await Notification.requestPermission() !== "granted") {
      throw new Error(t("The browser does not let this site show notifications. You can change that in the browser's settings for this site."));
    }
    const { pushManager } = await active(await register());
    const key = section.dataset.push;
    const before = await pushManager.getSubscription();
    if (before && text(before.options.applicationServerKey) !== key) await before.unsubscribe(); // the site has other keys now
    return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  };

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    say("");
    try {
      const subscription = await subscribe();
      form.elements.endpoint.value = subscription.endpoint;
      form.elements.key.value = text(subscription.getKey("p256dh"));
      form.elements.secret.value = text(subscription.getKey("auth"));
      form.submit();
    } catch (error) {
      say(error.name === "AbortError" ? t("The browser's push service can't be reached. Please try again later.") : error.message);
      button.disabled = false;
    }
  });

  // Which of the devices is this one? Its button is not needed then, and removing it ends the browser's subscription as well.
  (async () => {
    const registration = await navigator.serviceWorker.getRegistration("/push/");
    const subscription = await registration?.pushManager.getSubscription();
    if (!subscription) return;
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(subscription.endpoint)));
    const mark = [...digest.slice(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const item = [...section.querySelectorAll("li")].find((li) => li.dataset.mark === mark);
    if (!item) return;
    item.querySelector("strong").hidden = false;
    button.hidden = true;
    item.querySelector("form").addEventListener("submit", async (event) => {
      event.preventDefault();
      await subscription.unsubscribe().catch(() => {});
      event.target.submit();
    });
  })();
})();
