// The ways through a thread: to the parent of a comment, the next comment on the post, the next new one. And what a comment's menu has only
// with a script.
import { unfold } from "./fold.js";
import { goTo } from "./keys.js";
import { say } from "./toast.js";
import { t } from "./words.js";

const line = 72; // px from the top, below the bar: the comment there is being read
const within = (el) => [...el.querySelectorAll(".comment")].filter((one) => !one.checkVisibility || one.checkVisibility());
const top = (el) => el.getBoundingClientRect().top;

// The comment that has the focus, if it is in sight, or that had it or was shown last, else the last one that begins above the line; none
// above all of them. A button that is pressed takes the focus, and the end of a page can't be scrolled to the line.
let shown, scrolled;
const here = () => {
  const focused = document.activeElement.closest("#thread .comment");
  if (focused && top(focused) > -1 && top(focused) < innerHeight) return focused;
  if (shown?.isConnected && Math.abs(scrollY - scrolled) < 40) return shown;
  const above = (list) => list.findLast((el) => top(el) <= line);
  const root = above([...document.querySelectorAll("#thread > .comment")]); // what is in the others may not be laid out
  return root && (above(within(root)) ?? root);
};

/** show leads to a comment: it is unfolded, scrolled to, and has the focus. */
const show = (comment) => {
  unfold(comment);
  comment.scrollIntoView();
  const handle = comment.querySelector(":scope > details > summary") || comment.querySelector(".by a");
  handle?.focus({ preventScroll: true });
  goTo(comment);
  [shown, scrolled] = [comment, scrollY];
};

const ways = {
  parent: () => here()?.parentElement.closest(".comment"),
  root: () => {
    const at = here();
    const roots = [...document.querySelectorAll("#thread > .comment")];
    return roots[roots.findIndex((el) => el.contains(at)) + 1];
  },
  new: () => {
    const at = here();
    const fresh = [...document.querySelectorAll("#thread .comment.new")];
    return fresh.find((el) => el !== at && (!at || at.compareDocumentPosition(el) & Node.DOCUMENT_POSITION_FOLLOWING)) || fresh[0];
  },
};
const nothing = { parent: t("This comment has no parent here."), root: t("There are no more comments here."), new: t("There are no new comments.") };

// The menu of a comment gets the link to copy and the way to its parent when it is opened first.
const fill = (menu) => {
  const comment = menu.closest(".comment");
  const list = menu.lastElementChild;
  if (!comment || list.querySelector(".copy")) return;
  const parent = comment.parentElement.closest(".comment");
  const after = list.firstElementChild;
  if (parent) after.after(Object.assign(document.createElement("a"), { href: "#" + parent.id, className: "up", textContent: t("Parent") }));
  const link = Object.assign(document.createElement("button"), { type: "button", className: "copy", textContent: t("Copy link") });
  if (navigator.clipboard) after.after(link);
};
const copy = (comment) => navigator.clipboard.writeText(new URL(comment.querySelector(".by > a[href*='/p/']").pathname, location.href).href)
  .then(() => say(t("The link is copied.")), () => say(t("The link could not be copied.")));

const onFocus = ({ target }) => {
  const comment = target.closest("#thread .comment");
  if (!comment) return;
  shown = comment;
  requestAnimationFrame(() => { scrolled = scrollY; }); // the focus scrolls, too
};
const onClick = (event) => {
  const { target } = event;
  const handle = target.closest(".comment .dots > summary");
  if (handle) fill(handle.parentElement);
  const go = target.closest("[data-go]");
  if (go) {
    event.preventDefault();
    const to = ways[go.dataset.go]();
    if (to) show(to); else say(nothing[go.dataset.go]);
  }
  if (target.matches(".dots .copy")) copy(target.closest(".comment"));
  if (target.matches(".dots .up")) {
    event.preventDefault();
    show(target.closest(".comment").parentElement.closest(".comment"));
  }
  if (target.matches(".dots :is(.copy, .up, .opens)")) target.closest(".dots").open = false;
};

// An address with #c-… leads to that comment, on this page or, where it is behind a stub, on its own.
const arrive = () => {
  const [, id] = location.hash.match(/^#c-(\w{13})$/) || [];
  const comment = id && document.getElementById("c-" + id);
  if (comment) show(comment);
  else if (id && document.querySelector("#thread .more")) location.replace(location.pathname.split("/").slice(0, 5).join("/") + "/" + id + location.search);
};

// A line of the map leads to its comment, and closes the sheet that the map is on a narrow screen. The line of the comment that is being read
// is marked.
const startMap = () => {
  const map = document.getElementById("map");
  if (!map) return;
  map.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    const comment = link && document.getElementById(link.hash.slice(1));
    if (!comment) return;
    event.preventDefault();
    map.hidePopover?.();
    history.replaceState(history.state, "", link.hash);
    show(comment);
  });
  const lines = new Map([...map.querySelectorAll("a")].map((link) => [link.hash.slice(1), link]));
  const watch = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) lines.get(target.id)?.classList.toggle("here", isIntersecting);
  }, { rootMargin: "-10% 0px -70% 0px" });
  for (const root of document.querySelectorAll("#thread > .comment")) watch.observe(root);
};

export const startThread = () => {
  startMap();
  if (!document.getElementById("thread")) return;
  document.addEventListener("click", onClick);
  document.addEventListener("focusin", onFocus);
  window.addEventListener("hashchange", arrive);
  arrive();
};
