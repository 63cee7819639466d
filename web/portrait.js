// Uploads the picture of a member, or the icon or banner of a community, as soon as it is chosen, pasted or dropped, cut to its shape.
import { cut, upload } from "./app/upload.js";
import { t } from "./app/words.js";
for (const field of document.querySelectorAll(".portrait")) {
  const chooser = field.querySelector("[type=file]");
  if (!chooser) continue;
  const { form } = chooser;
  const value = field.querySelector("[type=hidden]");
  const row = chooser.parentElement;
  const wide = field.classList.contains("wide");
  const status = document.createElement("p");
  status.className = "hint";
  status.setAttribute("role", "status");
  row.after(status);
  chooser.removeAttribute("name"); // the file is uploaded at once, not with the form
  field.querySelector(".check")?.remove();
  const out = document.createElement("button");
  Object.assign(out, { type: "button", className: "button quiet", textContent: t("Remove"), hidden: !value.value });
  row.append(out);
  const show = (drawing) => {
    row.querySelector("img, canvas")?.remove();
    if (drawing) row.prepend(drawing);
    out.hidden = !drawing;
  };
  out.addEventListener("click", () => {
    value.value = "";
    show(null);
    status.textContent = t("It is removed when you save.");
    chooser.focus();
  });
  let under = null; // the upload in progress
  const take = (files) => {
    const file = [...files].find((one) => one.type.startsWith("image/"));
    if (!file || under) return false;
    const progress = document.createElement("progress");
    progress.setAttribute("aria-label", t("Uploading"));
    status.replaceChildren(progress);
    field.querySelector(".wrong")?.remove();
    under = (async () => {
      try {
        const { body, thumb } = await (wide ? cut(file, 4, 1600) : cut(file, 1, 320));
        value.value = await upload(body, progress, () => {});
        show(thumb);
        status.textContent = t("It is shown when you save.");
      } catch (error) {
        const says = document.createElement("span");
        Object.assign(says, { className: "wrong", textContent: error.message });
        status.replaceChildren(says);
      }
      under = null;
    })();
    return true;
  };
  chooser.addEventListener("change", () => {
    take(chooser.files);
    chooser.value = "";
  });
  // What is pasted goes to the field that has the focus, or to the first.
  form.addEventListener("paste", (event) => {
    const at = document.activeElement.closest?.(".portrait") || form.querySelector(".portrait");
    if (at === field && event.clipboardData.files.length && take(event.clipboardData.files)) event.preventDefault();
  });
  const carries = (event) => [...event.dataTransfer.types].includes("Files");
  field.addEventListener("dragover", (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    field.classList.add("over");
  });
  field.addEventListener("dragleave", () => field.classList.remove("over"));
  field.addEventListener("drop", (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    field.classList.remove("over");
    take(event.dataTransfer.files);
  });
  // The form waits for the upload in progress.
  form.addEventListener("submit", (event) => {
    if (!under) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    under.then(() => {
      if (status.querySelector(".wrong")) chooser.focus(); // it says why; saving once more saves the rest
      else form.requestSubmit(event.submitter);
    });
  }, true);
}
