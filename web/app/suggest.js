import { say } from "./toast.js";
import { t } from "./words.js";

// offer asks an address about what somebody types, a moment after the last key, and hands the answer to show: null where there is none. An
// answer that comes when more was typed is not shown.
const offer = (address, wait, show) => {
  let timer, last = 0;
  return (field, word) => {
    clearTimeout(timer);
    const mine = ++last;
    timer = setTimeout(async () => {
      const response = word && await fetch(address + encodeURIComponent(word)).catch(() => null);
      const html = response?.ok ? await response.text().catch(() => null) : null;
      if (mine === last) show(field, html);
    }, wait);
  };
};
const parse = (html) => new DOMParser().parseFromString(html, "text/html");

// The field of a post's tags offers tags that begin like its last word.
const lastWord = (text) => /^(.*[\s,])?(.*)$/s.exec(text).slice(1);
const tags = offer("/tags/suggest?q=", 150, (field, html) => {
  if (html === null) return;
  const options = parse(html).querySelectorAll("option");
  for (const option of options) option.value = (lastWord(field.value)[0] || "") + option.value;
  field.list.replaceChildren(...options);
});
// Communities and members whose names begin with what is typed.
const names = offer("/search/suggest?q=", 200, (field, html) => { document.getElementById("suggestions").innerHTML = html ?? ""; });
// The field of a post's community offers those that begin with what is typed. Until then it offers the member's own.
const places = offer("/search/suggest?q=", 150, (field, html) => {
  const known = new Set([...field.list.options].map((option) => option.value.toLowerCase()));
  for (const link of parse(html ?? "").querySelectorAll('a[href^="/c/"]')) {
    const name = decodeURIComponent(link.pathname.slice(3));
    if (!known.has(name.toLowerCase())) field.list.append(new Option(link.parentElement.querySelector(".muted")?.textContent ?? "", name));
  }
});
const wordOf = ({ value }) => {
  const text = value.trim().replace(/^c\//, "");
  return text.length < 2 ? "" : text;
};
document.addEventListener("input", ({ target: field }) => {
  if (field.matches('[list="tag-names"]')) tags(field, lastWord(field.value)[1]);
  else if (field.matches('[aria-controls="suggestions"]')) names(field, wordOf(field));
  else if (field.matches('[list="communities"]')) places(field, wordOf(field));
  else if (field.dataset.marks && field.value.trim()) field.form.querySelector(`[type=radio][value="${field.dataset.marks}"]`).checked = true;
});

// Who marks something else after typing does not want the words: they are as if the form had come with them.
document.addEventListener("change", ({ target }) => {
  const words = target.type === "radio" && target.form?.querySelector("[data-marks]");
  if (words) target.form.elements.was.value = words.value;
});

// The title of the page behind a link.
document.addEventListener("click", async (event) => {
  const button = event.target.closest(".f-link button");
  if (!button) return;
  const { link, title } = button.form.elements;
  button.disabled = true;
  const response = await fetch("/title", { method: "POST", headers: { Accept: "application/json" }, body: new URLSearchParams({ link: link.value }) })
    .catch(() => null);
  const said = await response?.json().catch(() => null);
  button.disabled = false;
  if (!response?.ok) return say(said?.error?.message ?? t("No connection. Please write a title."));
  title.focus();
  title.select();
  if (document.execCommand("insertText", false, said.title)) return; // and the browser's own undo brings back what was there
  title.value = said.title;
  title.dispatchEvent(new Event("input", { bubbles: true }));
});
