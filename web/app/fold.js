// Collapsed comments.
import { recall, remember } from "./memory.js";
import { t } from "./words.js";

// The last 500 collapsed comments are remembered, oldest first.
const limit = 500;
let collapsed = new Set((recall("collapsed") || "").split(",").filter(Boolean));
export const restore = (within) => {
  if (!collapsed.size) return;
  for (const comment of within.querySelectorAll(".comment[id]")) {
    if (collapsed.has(comment.id) && "#" + comment.id !== location.hash) fold(comment).open = false;
  }
};
export const fold = (comment) => comment.querySelector(":scope > details:not(.veil)") || {};

// A folded comment says its score, its first words and how many replies it has. Without the script it has no words.
const sum = (comment) => {
  const details = fold(comment);
  const summary = details.querySelector("summary");
  const score = details.querySelector(":scope > .acts .score");
  const body = details.querySelector(":scope > .said-body");
  const said = (body.querySelector(":scope > :is(p, .p)") ?? body).cloneNode(true);
  for (const spoiler of said.querySelectorAll(".sp")) spoiler.replaceWith(t("[spoiler]"));
  const words = said.textContent.trim().replace(/\s+/g, " ");
  const [points, replies] = summary.firstElementChild ? [...summary.querySelectorAll("span:not(.words)")].map((el) => el.textContent)
    : summary.textContent.split(/\s· /);
  const part = (text, className = "") => Object.assign(document.createElement("span"), { className, textContent: text });
  const parts = [part(score?.title ? score.textContent + " " + score.title.split(" ").at(-1) : points)];
  parts.push(part(words.length > 90 ? `“${words.slice(0, 90).replace(/\s+\S*$/, "")}…”` : `“${words}”`, "words"));
  if (replies) parts.push(part(replies));
  summary.replaceChildren(...parts.flatMap((el, i) => (i ? [" · ", el] : [el])));
};
const onToggle = (event) => {
  const comment = event.target.parentElement;
  if (!comment || !comment.matches(".comment[id]") || event.target.matches(".veil")) return;
  if (!event.target.open) sum(comment);
  collapsed.delete(comment.id);
  if (!event.target.open) collapsed.add(comment.id);
  collapsed = new Set([...collapsed].slice(-limit));
  remember("collapsed", collapsed.size ? [...collapsed].join(",") : null);
};

/** unfold opens all that a comment is folded in. */
export const unfold = (comment) => {
  for (let el = comment; el; el = el.parentElement?.closest(".comment")) if (fold(el).open === false) fold(el).open = true;
};

export const startFolds = () => {
  restore(document);
  document.addEventListener("toggle", onToggle, true);
};
