// Collapsed comments.
import { recall, remember } from "./memory.js";

// The last 500 collapsed comments are remembered, oldest first.
const limit = 500;
let collapsed = new Set((recall("collapsed") || "").split(",").filter(Boolean));
export const restore = (within) => {
  if (!collapsed.size) return;
  for (const comment of within.querySelectorAll(".comment[id]")) {
    if (collapsed.has(comment.id) && "#" + comment.id !== location.hash) fold(comment).open = false;
  }
};
export const fold = (comment) => comment.querySelector(":scope > details") || {};
const onToggle = (event) => {
  const comment = event.target.parentElement;
  if (!comment || !comment.matches(".comment[id]")) return;
  collapsed.delete(comment.id);
  if (!event.target.open) collapsed.add(comment.id);
  collapsed = new Set([...collapsed].slice(-limit));
  remember("collapsed", collapsed.size ? [...collapsed].join(",") : null);
};

export const startFolds = () => {
  restore(document);
  document.addEventListener("toggle", onToggle, true);
};
