// The switch for reading offline, in the settings, and the list of pages that this device keeps, at /offline.
import { member } from "./app/memory.js";
import { begin, keepsPages, KEPT, OWNER, owner } from "./app/offline.js";
import { say } from "./app/toast.js";
import { t } from "./app/words.js";

const startSwitch = async (box) => {
  box.checked = await owner() === member();
  box.disabled = false;
  box.addEventListener("change", async () => {
    try {
      await caches.delete(KEPT);
      if (box.checked) {
        await (await caches.open(KEPT)).put(OWNER, new Response(member()));
        await begin();
      }
      say(box.checked ? t("Pages are kept on this device from now on.") : t("The pages are deleted."));
    } catch {
      await caches.delete(KEPT).catch(() => {});
      box.checked = false;
      say(t("This browser keeps no pages."));
    }
  });
};

const entry = (path, page, title) => {
  const link = Object.assign(document.createElement("a"), { href: path, textContent: title });
  const at = new Date(Number(page.headers.get("x-kept")));
  const time = Object.assign(document.createElement("time"), { className: "hint", dateTime: at.toISOString(),
    textContent: at.toLocaleString(document.documentElement.lang, { day: "numeric", month: "short", hour: "numeric", minute: "2-digit" }) });
  const item = document.createElement("li");
  item.append(link, time);
  return item;
};

const showList = async () => {
  const cache = await caches.open(KEPT);
  const editions = [], threads = [];
  for (const request of await cache.keys()) {
    const { pathname, search } = new URL(request.url);
    const [, kind] = /^\/(edition|c)(?:\/|$)/.exec(pathname) ?? [];
    if (!kind) continue;
    const page = await cache.match(request);
    const { title } = new DOMParser().parseFromString(await page.clone().text(), "text/html");
    (kind === "c" ? threads : editions).unshift(entry(pathname + search, page, title.replace(/ · [^·]*$/, ""))); // without the site's name
  }
  const all = [...editions, ...threads];
  document.getElementById("kept").replaceChildren(...all);
  document.getElementById("none").hidden = all.length > 0;
  document.getElementById("delete-kept").hidden = !all.length;
};

const startList = async (remove) => {
  const again = document.getElementById("again");
  again.hidden = location.pathname === "/offline"; // else it stands in the place of a page that is not kept
  again.addEventListener("click", () => location.reload());
  remove.addEventListener("click", async () => {
    const chosen = await owner();
    await caches.delete(KEPT);
    if (chosen !== undefined) await (await caches.open(KEPT)).put(OWNER, new Response(chosen)); // new pages are kept
    await showList();
    document.getElementById("main").focus();
    say(t("The pages are deleted."));
  });
  await showList();
};

const box = document.querySelector("#offline input");
const remove = document.getElementById("delete-kept");
const refused = () => { /* this browser keeps nothing now, as in some private windows */ };
if (box && keepsPages()) startSwitch(box).catch(refused);
if (remove && keepsPages()) startList(remove).catch(refused);
