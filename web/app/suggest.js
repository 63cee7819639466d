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
