// Uploads the pictures of a post or comment as soon as they are chosen, pasted or dropped, one after the other (app/upload.js makes the
// files). A picture that fails stays in the list, and can be sent again. The form of a comment may get its field after the page was loaded.
// This script runs once more then, and equips the fields that are new.
import { resized, upload } from "./app/upload.js";
import { t } from "./app/words.js";
const late = document.readyState === "complete"; // somebody has asked for the field
const equipField = (field) => {
  const { form } = field.querySelector("[type=file]");
  const comment = form.getAttribute("action") === "/comment";
  const { key } = field.dataset; // keeps the ids of several forms apart
  const idOf = (name) => (key ? name + "-" + key : name);
  const chooser = field.querySelector("[type=file]");
  const list = field.querySelector(".picks");
  const why = field.querySelector(".alt-why");
  const most = Number(field.dataset.most);
  const status = document.createElement("p");
  Object.assign(status, { className: "hint" });
  status.setAttribute("role", "status");
  field.dataset.on = "";
  if (field.parentElement.matches(".row")) form.querySelector(".preview").before(field);
  chooser.removeAttribute("name"); // each is uploaded by itself
  chooser.parentElement.querySelector("button").remove();
  chooser.parentElement.after(status);

  // --- The list ------------------------------------------------------------------
  const rows = () => [...list.children];
  const changed = () => {
    rows().forEach((row, i) => {
      const name = row.querySelector("input[hidden]");
      const alt = row.querySelector("textarea");
      const done = Boolean(name.value);
      name.name = done ? "picture-" + (i + 1) : "";
      alt.name = done ? "alt-" + (i + 1) : "";
      alt.id = idOf("alt-" + (i + 1));
      const label = row.querySelector("label[for]");
      label.htmlFor = alt.id;
      label.textContent = t("Describe picture {}", i + 1);
      row.querySelector(".earlier").disabled = i === 0;
      row.querySelector(".later").disabled = i === list.children.length - 1;
    });
    why.hidden = !list.children.length;
    if (comment) form.elements.body.required = !list.children.length;
    form.dispatchEvent(new Event("input", { bubbles: true })); // to be kept as a draft
  };
  const button = (text, className, act) => {
    const created = document.createElement("button");
    Object.assign(created, { type: "button", className: "button quiet " + className, textContent: text });
    created.addEventListener("click", act);
    return created;
  };
  const move = (row, by) => {
    const at = rows().indexOf(row) + by;
    if (by < 0) list.children[at].before(row); else list.children[at].after(row);
    changed();
    const same = row.querySelector(by < 0 ? ".earlier" : ".later");
    (same.disabled ? row.querySelector("textarea") : same).focus();
  };
  const equip = (row) => {
    row.querySelector(".check")?.remove();
    const acts = document.createElement("div");
    acts.className = "row";
    acts.append(button(t("Move up"), "earlier", () => move(row, -1)), button(t("Move down"), "later", () => move(row, 1)),
      button(t("Remove"), "out", () => {
        row.stop?.();
        row.remove();
        changed();
        chooser.focus();
      }));
    row.lastElementChild.append(acts);
  };
  const newRow = () => {
    const row = document.createElement("li");
    row.innerHTML = "<canvas width=96 height=96></canvas><div><input hidden><label for=alt></label>"
      + "<textarea rows=2 maxlength=500></textarea><div class=state role=status></div></div>";
    row.querySelector("textarea").setAttribute("aria-describedby", why.id);
    list.append(row);
    equip(row);
    changed();
    return row;
  };
  rows().forEach(equip);
  if (list.children.length) rows().forEach((row, i, all) => {
    row.querySelector(".earlier").disabled = i === 0;
    row.querySelector(".later").disabled = i === all.length - 1;
  });

  // --- Uploading -----------------------------------------------------------------
  const send = async (row, file) => {
    const state = row.querySelector(".state");
    const progress = document.createElement("progress");
    progress.setAttribute("aria-label", t("Uploading"));
    state.replaceChildren(progress);
    row.dataset.waits = "1";
    try {
      const { body, thumb } = await resized(file);
      // What is blocked in a community is refused at once.
      body.append("community", form.elements.community?.value || /^\/c\/([^/]+)\//.exec(location.pathname)?.[1] || "");
      row.querySelector("canvas").replaceWith(thumb);
      row.querySelector("input[hidden]").value = await upload(body, progress, (stop) => { row.stop = stop; });
      state.replaceChildren();
      delete row.dataset.failed;
    } catch (error) {
      const says = document.createElement("p");
      Object.assign(says, { className: "wrong", textContent: error.message });
      row.dataset.failed = "1";
      state.replaceChildren(says, button(t("Try again"), "again", () => add(row, file)));
    }
    delete row.dataset.waits;
    if (row.isConnected) changed();
  };
  let last = Promise.resolve(); // one after the other: a phone has little memory
  const add = (row, file) => {
    row.dataset.waits = "1";
    last = last.then(() => (row.isConnected ? send(row, file) : null));
  };
  const take = (files) => {
    const pictures = [...files].filter((file) => file.type.startsWith("image/"));
    const room = most - list.children.length;
    status.textContent = pictures.length > room ? (comment ? t("A comment has at most {} picture.|A comment has at most {} pictures.", most) : t("A post has at most {} picture.|A post has at most {} pictures.", most)) : "";
    const tab = document.getElementById("kind-image");
    if (tab && pictures.length) tab.checked = true;
    for (const file of pictures.slice(0, room)) add(newRow(), file);
    return pictures.length > 0;
  };
  chooser.addEventListener("change", () => {
    take(chooser.files);
    chooser.value = "";
  });
  form.addEventListener("paste", (event) => {
    const { files, types } = event.clipboardData; // where there is text as well, it is meant: office programs copy both
    if (files.length && !types.includes("text/plain") && take(files)) event.preventDefault();
  });
  const carries = (event) => [...event.dataTransfer.types].includes("Files");
  form.addEventListener("dragover", (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    field.classList.add("over");
  });
  form.addEventListener("dragleave", () => field.classList.remove("over"));
  form.addEventListener("drop", (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    field.classList.remove("over");
    take(event.dataTransfer.files);
  });

  // A form that stays after its comment was posted starts afresh.
  form.addEventListener("reset", () => {
    list.replaceChildren();
    status.textContent = "";
    changed();
  });
  if (comment) changed();
  if (late) {
    if (form.dropped) take(form.dropped);
    else if (!list.children.length && !field.querySelector(".wrong")) chooser.click();
    delete form.dropped;
  }

  // What was kept on the device comes back with its pictures (autosave.js).
  form.addEventListener("restore", ({ detail }) => {
    list.replaceChildren();
    for (let n = 1; detail["picture-" + n]; n += 1) {
      const row = newRow();
      const [sum] = detail["picture-" + n];
      const image = new Image(96, 96);
      Object.assign(image, { src: "/picture/" + sum, alt: "" });
      row.querySelector("canvas").replaceWith(image);
      row.querySelector("input[hidden]").value = sum;
      row.querySelector("textarea").value = detail["alt-" + n]?.[0] || "";
    }
    changed();
  });

  // The form waits for what is under way, and is not sent without what has failed.
  form.addEventListener("submit", (event) => {
    const waits = rows().some((row) => row.dataset.waits);
    const failed = rows().find((row) => row.dataset.failed);
    if (!waits && !failed) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (waits) {
      status.textContent = t("It is sent when the pictures are uploaded.");
      last.then(() => {
        status.textContent = "";
        form.requestSubmit(event.submitter);
      });
      return;
    }
    status.textContent = t("A picture was not uploaded. Please try again or remove it.");
    failed.querySelector(".again").focus();
  }, true);
};
document.querySelectorAll(".f-pictures[data-most]:not([data-on])").forEach(equipField);
