// What the reader adds in place shows in the counts beside it. From 1,000 on the rounded
// count stays, and its title has the exact one.
const count = (el, by, one, many) => {
  const was = (el.title || el.textContent).match(/[\d,]+/);
  if (!was) return;
  const n = Number(was[0].replaceAll(",", "")) + by;
  const text = n.toLocaleString("en") + " " + (n === 1 ? one : many);
  if (el.title) el.title = text;
  if (n < 1000 || !el.title) el.textContent = text;
};
export const countComment = () => {
  const title = document.getElementById("comments-title"); // not in the inbox
  if (title) count(title, 1, "comment", "comments");
};
export const countMember = (form, by) => {
  const row = form.closest("li");
  for (const el of (row || document).querySelectorAll(row ? "p [title]" : ".head p [title]")) {
    if (/ members?$/.test(el.title)) count(el, by, "member", "members");
  }
  const fact = row ? null : document.querySelector(".facts dd");
  if (fact && fact.firstChild) fact.firstChild.data = (Number(fact.firstChild.data.replace(/\D/g, "")) + by).toLocaleString("en") + " ";
};
