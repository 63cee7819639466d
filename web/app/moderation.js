import { goTo } from "./keys.js";
import { say } from "./toast.js";

export const startModeration = () => {
  // After a decision the queue opens at the next case, below what the page says on top.
  if (location.hash.startsWith("#q-")) {
    goTo(document.getElementById(location.hash.slice(1)));
    say(document.querySelector(".notice[role=status]")?.textContent ?? "");
  }
  // How many authors are ticked.
  document.querySelector(".authors")?.addEventListener("change", ({ currentTarget: form }) => {
    form.querySelector(".ticked").textContent = form.querySelectorAll("[name=member]:checked").length;
  });
};
