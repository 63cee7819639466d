import { say } from "./toast.js";

// The field of a post's tags offers tags that begin like its last word.
let offering, offered = 0;
document.addEventListener("input", (event) => {
  const field = event.target;
  if (!field.matches('[list="tag-names"]')) return;
  clearTimeout(offering);
  const mine = ++offered;
  const [, before, word] = /^(.*[\s,])?(.*)$/s.exec(field.value);
  if (!word) return;
  offering = setTimeout(async () => {
    try {
      const answer = await fetch("/tags/suggest?q=" + encodeURIComponent(word));
      if (!answer.ok) return;
      const options = new DOMParser().parseFromString(await answer.text(), "text/html").querySelectorAll("option");
      if (mine !== offered) return; // more was typed meanwhile
      for (const option of options) option.value = (before || "") + option.value;
      field.list.replaceChildren(...options);
    } catch { /* nothing is offered */ }
  }, 150);
});

// Communities and members whose names begin with what is typed.
let suggesting, asked = 0;
document.addEventListener("input", ({ target: field }) => {
  const list = field.type === "search" && document.getElementById(field.getAttribute("aria-controls"));
  if (!list) return;
  clearTimeout(suggesting);
  const mine = ++asked;
  const text = field.value.trim();
  suggesting = setTimeout(async () => {
    const answer = text.length < 2 ? null : await fetch("/search/suggest?q=" + encodeURIComponent(text)).catch(() => null);
    const html = answer && answer.ok ? await answer.text() : "";
    if (mine === asked) list.innerHTML = html;
  }, 200);
});

// The field of a post's community offers those that begin with what is typed. Until then it offers the member's own.
let offeringPlaces, ofPlaces = 0;
document.addEventListener("input", ({ target: field }) => {
  if (!field.matches('[list="communities"]')) return;
  clearTimeout(offeringPlaces);
  const mine = ++ofPlaces;
  const text = field.value.trim().replace(/^c\//, "");
  if (text.length < 2) return;
  offeringPlaces = setTimeout(async () => {
    const answer = await fetch("/search/suggest?q=" + encodeURIComponent(text)).catch(() => null);
    if (!answer || !answer.ok || mine !== ofPlaces) return;
    const found = new DOMParser().parseFromString(await answer.text(), "text/html");
    const known = new Set([...field.list.options].map((option) => option.value.toLowerCase()));
    for (const link of found.querySelectorAll('a[href^="/c/"]')) {
      const name = decodeURIComponent(link.pathname.slice(3));
      if (!known.has(name.toLowerCase())) field.list.append(new Option(link.parentElement.querySelector(".muted")?.textContent ?? "", name));
    }
  }, 150);
});

// The title of the page behind a link.
document.addEventListener("click", async (event) => {
  const button = event.target.closest(".f-link button");
  if (!button) return;
  const { link, title } = button.form.elements;
  button.disabled = true;
  const answer = await fetch("/title", { method: "POST", headers: { Accept: "application/json" }, body: new URLSearchParams({ link: link.value }) })
    .catch(() => null);
  const said = await answer?.json().catch(() => null);
  button.disabled = false;
  if (!answer?.ok) return say(said?.error?.message ?? "No connection. Please write a title.");
  title.value = said.title;
  title.dispatchEvent(new Event("input", { bubbles: true }));
  title.focus();
});
