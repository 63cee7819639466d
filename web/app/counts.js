// What the reader adds in place shows in the counts beside it. From 1,000 on the rounded
// count stays, and its title has the exact one.
import { t } from "./words.js";

const digits = /\d[\d.,\u00a0\u202f\u2019]*/;
const grown = (text, by) => Number(text.match(digits)?.[0].replace(/\D/g, "")) + by;
const count = (el, by, text) => {
  const n = el ? grown(el.title || el.textContent, by) : NaN;
  if (isNaN(n)) return;
  if (n < 1000 || !el.title) el.textContent = text(n);
  if (el.title) el.title = text(n);
};
export const countComment = () => count(document.getElementById("comments-title"), 1, (n) => t("{} comment|{} comments", n)); // not in the inbox
export const countMember = (form, by) => {
  const row = form.closest("li");
  count((row || document).querySelector(row ? "p [title]" : ".head p [title]"), by, (n) => t("{} member|{} members", n)); // the first is of members
  const fact = row ? null : document.querySelector(".facts dd");
  if (fact?.firstChild) fact.firstChild.data = t("{}", grown(fact.firstChild.data, by)) + " ";
};
