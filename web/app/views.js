import { member, recall, remember } from "./memory.js";

const limit = 500;
// Pages come from a cache, or in advance. So it is told from here that somebody looks at
// one, once a week for each thing. What this device has told of is remembered here alone.
const look = () => {
  const mark = document.querySelector("[data-view]")?.dataset.view;
  if (!mark || document.visibilityState === "hidden" || !navigator.sendBeacon) return;
  document.removeEventListener("visibilitychange", look);
  const week = String(Math.floor(Date.now() / 6048e5));
  const reported = (recall("viewed") || "").split(" ");
  if (reported[0] === week && reported.includes(mark)) return;
  if (!navigator.sendBeacon("/view", new URLSearchParams({ of: mark }))) return;
  remember("viewed", [week, ...(reported[0] === week ? reported.slice(1).slice(-limit) : []), mark].join(" "));
};

// Who follows a post's link from a list has seen it. Reloaded or not, the list shows that.
const follow = (event) => {
  const post = event.target.closest(":is(.post h2, .story :is(h2, h3)) a[rel]")?.closest("article");
  if (!post || event.button > 1 || !member()) return;
  post.classList.add("seen");
  navigator.sendBeacon?.("/seen", new URLSearchParams({ target: post.id.slice(2) }));
};

export const startViews = () => {
  document.addEventListener("visibilitychange", look);
  look();
  for (const name of ["click", "auxclick"]) document.addEventListener(name, follow);
};
