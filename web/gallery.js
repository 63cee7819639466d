// Opens the pictures of a post or comment large, in place: in a dialog that Esc closes. Arrow keys, a swipe or the buttons show the next picture.
// Without this script, each picture is a link to its file.
import { t } from "./app/words.js";
(() => {
  "use strict";
  const { documentElement: page } = document;
  if (!window.HTMLDialogElement || page.dataset.gallery) return; // a script has added a comment with pictures, which brings this one again
  page.dataset.gallery = "1";
  let box = null;
  let links = []; // the links of the row that is open
  let at = 0;
  const button = (className, label, text, act) => {
    const created = document.createElement("button");
    Object.assign(created, { type: "button", className, textContent: text, title: label });
    created.setAttribute("aria-label", label);
    created.addEventListener("click", act);
    return created;
  };
  const show = (n) => {
    at = (n + links.length) % links.length;
    const source = links[at].querySelector("img, .shade"); // without a small version there is a tile with the description
    const alt = source.alt ?? source.textContent;
    const image = new Image();
    image.alt = alt;
    if (source.alt !== undefined) {
      image.width = source.getAttribute("width");
      image.height = source.getAttribute("height");
    }
    image.className = source.className; // its colour
    image.src = links[at].href;
    const says = [links.length > 1 ? t("Picture {} of {}", at + 1, links.length) : "", source.dataset.bare === undefined ? alt : ""];
    box.querySelector("figcaption").textContent = says.filter(Boolean).join(": ");
    box.querySelector("figure > img").replaceWith(image);
  };
  const make = () => {
    box = document.createElement("dialog");
    box.className = "large";
    box.setAttribute("aria-label", t("Pictures"));
    const figure = document.createElement("figure");
    const caption = document.createElement("figcaption");
    caption.setAttribute("role", "status");
    figure.append(new Image(), caption);
    box.append(button("shut", t("Close"), "×", () => box.close()), figure, button("earlier", t("Previous picture"), "‹", () => show(at - 1)),
      button("later", t("Next picture"), "›", () => show(at + 1)));
    document.body.append(box);
    box.addEventListener("close", () => {
      links[at].scrollIntoView({ block: "nearest", inline: "center" });
      links[at].focus();
    });
    box.addEventListener("keydown", (event) => {
      event.stopPropagation(); // keys of the page do nothing meanwhile
      const by = !event.altKey && !event.ctrlKey && !event.metaKey && { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!by || links.length < 2) return;
      event.preventDefault();
      show(at + (getComputedStyle(box).direction === "rtl" ? -by : by));
    });
    box.addEventListener("click", (event) => {
      if (event.target === box || event.target.tagName === "FIGURE") box.close();
    });
    let from = null;
    box.addEventListener("touchstart", ({ touches }) => {
      from = touches.length === 1 && (window.visualViewport?.scale ?? 1) <= 1 ? touches[0] : null;
    }, { passive: true });
    box.addEventListener("touchend", ({ changedTouches: [to] }) => {
      if (!from || links.length < 2) return;
      const x = to.clientX - from.clientX;
      if (Math.abs(x) > 48 && Math.abs(x) > 2 * Math.abs(to.clientY - from.clientY)) show(x < 0 ? at + 1 : at - 1);
      from = null;
    });
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest(".gallery a");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (!box) make();
    links = [...link.closest(".gallery").querySelectorAll("a")];
    for (const one of box.querySelectorAll(".earlier, .later")) one.hidden = links.length < 2;
    show(links.indexOf(link));
    box.showModal();
    box.querySelector(".shut").focus();
  });
})();
