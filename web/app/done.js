// What a button of a member's own lists has done: what it says, and how it is undone.
import { stepOn } from "./keys.js";
import { collapse } from "./row.js";
import { offerUndo, say } from "./toast.js";
import { t } from "./words.js";

// By the path to which a button sends. on tells that something began, else that it ended; of is what it is about.
const texts = {
  "/subscribe": (on, of) => (on ? t("Joined c/{}", of) : t("Left c/{}", of)),
  "/follow": (on, of) => (on ? t("Following {}", of) : t("No longer following {}", of)),
  "/tags/follow": (on, of) => (on ? t("Following {}", "#" + of) : t("No longer following {}", "#" + of)),
  "/block": (on, of) => (on ? t("Blocked {}", of) : t("No longer blocked: {}", of)),
  "/settings/filters": (on) => on ? t("Left out of your lists") : t("In your lists again"),
  "/save": (on) => on ? t("Saved") : t("No longer saved"),
  "/hide": (on) => on ? t("Hidden") : t("No longer hidden"),
  "/watch": (watch) => ({ follow: t("Notified of every comment"), mute: t("Muted"), none: t("Notified of replies and mentions only") })[watch],
};

let undoing = false; // its answer offers no Undo
for (const failed of ["responseError", "sendError", "timeout"]) document.addEventListener("htmx:" + failed, () => { undoing = false; });
/** tell says what was done by a button, of whose form or group el is what is fresh. The same button undoes it. */
export const tell = (el, { path, parameters }) => {
  const form = el.closest(".keep, form");
  const { pathname } = new URL(path, location.href);
  const sent = (name) => parameters.get ? parameters.get(name) : parameters[name];
  const watch = sent("watch");
  const on = sent("on") === "1";
  if (pathname === "/settings/filters" && !on) document.querySelector(".left-out")?.remove();
  const at = document.activeElement;
  const pressed = form.contains(at);
  const byKeys = pressed && at.matches(":focus-visible");
  const menu = form.closest(".menu[open]");
  if (menu) {
    menu.open = false;
    if (pressed) menu.querySelector("summary").focus({ preventScroll: true });
  }
  const text = texts[pathname]?.(watch || on, sent("community") || sent("user") || sent("tag")) || t("Done");
  const again = undoing;
  undoing = false;
  const gone = ["/hide", "/settings/filters"].includes(pathname) || (watch ? watch === "mute" : !on);
  if (again || !gone) return say(text);
  const button = [...form.querySelectorAll("button")].find((it) => {
    const address = it.getAttribute("formaction") || form.getAttribute("action");
    const offers = it.name ? it.value : form.querySelector("input[name=on]")?.value;
    return new URL(address, location.href).pathname === pathname && (watch ? offers === "none" : offers && offers !== sent("on"));
  });
  if (!button) return say(text);
  const back = (pressed) => {
    undoing = button.isConnected;
    if (pressed) (button.closest(".menu")?.querySelector("summary") ?? button).focus({ preventScroll: true });
    button.click();
  };
  const post = pathname === "/hide" && on && form.closest(".posts .post");
  if (!post) return offerUndo({ text, back });
  // Who pressed its button with a key is at Undo. Who pressed h, at the title, reads on.
  collapse({ before: post, hide: [post], text, back, byKeys });
  if (post.contains(at) && !pressed) stepOn();
};
