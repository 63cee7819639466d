// Density, theme and language, which the server writes into every page. Here a choice shows at once.
import { member } from "./memory.js";
import { say } from "./toast.js";
import { t } from "./words.js";

const root = document.documentElement;
const show = (name, value) => {
  if (value) root.dataset[name] = value; else delete root.dataset[name];
  for (const button of document.querySelectorAll(`.display [name=${name}]`)) button.setAttribute("aria-pressed", button.value === value);
};
document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (!submitter || !form.matches(".display")) return;
  event.preventDefault();
  const { name, value } = submitter;
  // Where the edition is the usual front page, the list has a value of its own.
  const edition = name === "density" && location.pathname === "/" &&
    ([value, root.dataset.density].includes("edition") || document.querySelector(".display [value=list]"));
  if (name !== "language") show(name, value);
  fetch(form.action, { method: "POST", headers: { "HX-Request": "true" }, body: new URLSearchParams({ [name]: value }) })
    .then((response) => {
      if (!response.ok) throw response;
      // The edition is another page in the place of the front page. A form that was refused is not sent again.
      if (name === "language" || edition) location.assign(location.href);
    })
    .catch(() => say(t("Your choice shows here, but could not be kept. Please try again.")));
});
// A visitor's page that the browser shows again as it was may be from before a choice. The usual look has no cookie. A member's choice is in
// the account, whatever cookie the device has.
addEventListener("pageshow", (event) => {
  if (!event.persisted || member()) return;
  const [, density = "", theme = "", language] = /(?:^|; )display=(\w*)\.(\w*)\.?([\w-]*)/.exec(document.cookie) ?? [];
  show("density", density);
  show("theme", theme);
  if (language && language !== root.lang) location.reload();
});
