// Uploads the pictures of a post as soon as they are chosen, pasted or dropped, one after the other. A canvas makes two files of each: one
// of at most 1,600 pixels and 400 KB, and a small one of 320 pixels and 25 KB for listings. What a camera writes into a file is not in
// them. Pictures that move stay as they are. A picture that fails stays in the list, and can be sent again.
import { t } from "./app/words.js";
(() => {
  "use strict";
  const field = document.querySelector(".f-pictures[data-most]");
  const { form } = field.querySelector("[type=file]");
  const chooser = field.querySelector("[type=file]");
  const list = field.querySelector(".picks");
  const why = document.getElementById("alt-hint");
  const most = Number(field.dataset.most);
  const status = document.createElement("p");
  Object.assign(status, { className: "hint" });
  status.setAttribute("role", "status");
  chooser.removeAttribute("name"); // each is uploaded by itself
  chooser.parentElement.querySelector("button").remove();
  chooser.parentElement.after(status);

  // --- Making the files ----------------------------------------------------------
  const blobOf = (canvas, type, quality) => new Promise((done) => { canvas.toBlob(done, type, quality); });
  const draw = (source, longest, opaque) => {
    const scale = Math.min(1, longest / Math.max(source.width, source.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(source.width * scale));
    canvas.height = Math.max(1, Math.round(source.height * scale));
    const context = canvas.getContext("2d");
    if (opaque) {
      context.fillStyle = "#fff";
      context.fillRect(0, 0, canvas.width, canvas.height);
    }
    context.imageSmoothingQuality = "high";
    context.drawImage(source, 0, 0, canvas.width, canvas.height);
    return canvas;
  };
  // smaller makes a file of at most so many pixels a side and bytes: WebP, or JPEG where the browser makes no WebP.
  const smaller = async (source, longest, bytes) => {
    for (let side = longest; ; side = Math.round(side * 0.8)) {
      for (const quality of [0.85, 0.7, 0.55, 0.4]) {
        let blob = await blobOf(draw(source, side), "image/webp", quality);
        if (blob?.type !== "image/webp") blob = await blobOf(draw(source, side, true), "image/jpeg", quality);
        if (blob && (blob.size <= bytes || side < 64)) return blob;
      }
    }
  };
  const pixels = (source, width, height) => {
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width, height });
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(source, 0, 0, width, height);
    return context.getImageData(0, 0, width, height).data;
  };
  // colourOf is the mean of the colours that are most alike.
  const colourOf = (source) => {
    const data = pixels(source, 24, 24);
    const groups = new Map();
    for (let i = 0; i < data.length; i += 4) {
      const key = (data[i] >> 6) * 16 + (data[i + 1] >> 6) * 4 + (data[i + 2] >> 6);
      const sum = groups.get(key) ?? [0, 0, 0, 0];
      for (const part of [0, 1, 2]) sum[part] += data[i + part];
      sum[3] += 1;
      groups.set(key, sum);
    }
    const [r, g, b, n] = [...groups.values()].sort((x, y) => y[3] - x[3])[0];
    return "#" + [r, g, b].map((part) => Math.round(part / n).toString(16).padStart(2, "0")).join("");
  };
  // hashOf is the difference hash: which of two neighbours is brighter, for 8 rows of 9. Similar pictures have similar ones.
  const hashOf = (source) => {
    const data = pixels(source, 9, 8);
    const grey = (x, y) => data[(y * 9 + x) * 4] * 299 + data[(y * 9 + x) * 4 + 1] * 587 + data[(y * 9 + x) * 4 + 2] * 114;
    let hash = "";
    for (let y = 0; y < 8; y += 1) {
      let row = 0;
      for (let x = 0; x < 8; x += 1) row = row * 2 + (grey(x, y) > grey(x + 1, y) ? 1 : 0);
      hash += row.toString(16).padStart(2, "0");
    }
    return hash;
  };
  const moves = async (file) => {
    if (file.type === "image/gif") return true;
    const head = new Uint8Array(await file.slice(0, 4096).arrayBuffer());
    const text = String.fromCharCode(...head);
    return text.startsWith("RIFF") && text.slice(12, 16) === "VP8X" && (head[20] & 2) !== 0 || text.includes("acTL");
  };
  const prepare = async (file) => {
    const source = await createImageBitmap(file).catch(() => { throw new Error(t("This file can't be read as a picture.")); });
    const large = await moves(file) ? file : await smaller(source, 1600, 400000);
    const thumb = draw(source, 320);
    const body = new FormData();
    // A drawing may be smaller as it was.
    const asItWas = file.size <= large.size && Math.max(source.width, source.height) <= 1600 && file.type !== "image/jpeg";
    body.append("picture", asItWas ? file : large, file.name || "picture");
    body.append("small", await smaller(source, 320, 25000), "small");
    body.append("colour", colourOf(thumb));
    body.append("hash", hashOf(thumb));
    source.close();
    return { body, thumb };
  };

  // --- The list ------------------------------------------------------------------
  const rows = () => [...list.children];
  const changed = () => {
    rows().forEach((row, i) => {
      const name = row.querySelector("input[hidden]");
      const alt = row.querySelector("textarea");
      const done = Boolean(name.value);
      name.name = done ? "picture-" + (i + 1) : "";
      alt.name = done ? "alt-" + (i + 1) : "";
      alt.id = "alt-" + (i + 1);
      const label = row.querySelector("label[for]");
      label.htmlFor = alt.id;
      label.textContent = t("Describe picture {}", i + 1);
      row.querySelector(".earlier").disabled = i === 0;
      row.querySelector(".later").disabled = i === list.children.length - 1;
    });
    why.hidden = !list.children.length;
    form.dispatchEvent(new Event("input", { bubbles: true })); // to be kept as a draft
  };
  const button = (text, className, act) => {
    const made = document.createElement("button");
    Object.assign(made, { type: "button", className: "button quiet " + className, textContent: text });
    made.addEventListener("click", act);
    return made;
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
      + "<textarea rows=2 maxlength=500 aria-describedby=alt-hint></textarea><div class=state role=status></div></div>";
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
  const post = (body, row, progress) => new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/pictures");
    request.setRequestHeader("accept", "application/json");
    request.responseType = "json";
    request.upload.addEventListener("progress", ({ loaded, total }) => { progress.value = loaded / total; });
    request.addEventListener("load", () => {
      if (request.status === 200 && request.response?.sum) resolve(request.response.sum);
      else reject(new Error(request.response?.error?.message || t("The upload failed.")));
    });
    for (const end of ["error", "abort"]) request.addEventListener(end, () => reject(new Error(t("The upload failed."))));
    row.stop = () => request.abort();
    request.send(body);
  });
  const send = async (row, file) => {
    const state = row.querySelector(".state");
    const progress = document.createElement("progress");
    progress.setAttribute("aria-label", t("Uploading"));
    state.replaceChildren(progress);
    row.dataset.waits = "1";
    try {
      const { body, thumb } = await prepare(file);
      row.querySelector("canvas").replaceWith(thumb);
      row.querySelector("input[hidden]").value = await post(body, row, progress);
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
    status.textContent = pictures.length > room ? t("A post has at most {} pictures.", most) : "";
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
    if (event.clipboardData.files.length && take(event.clipboardData.files)) event.preventDefault();
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

  // What was kept on the device comes back with its pictures (autosave.js).
  form.addEventListener("restore", ({ detail }) => {
    list.replaceChildren();
    for (let n = 1; detail["picture-" + n]; n += 1) {
      const row = newRow();
      const [sum] = detail["picture-" + n];
      const image = new Image(96, 96);
      Object.assign(image, { src: "/picture/" + sum + "/small", alt: "" });
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
      status.textContent = t("The post is sent when the pictures are uploaded.");
      last.then(() => {
        status.textContent = "";
        form.requestSubmit(event.submitter);
      });
      return;
    }
    status.textContent = t("A picture was not uploaded. Please try again or remove it.");
    failed.querySelector(".again").focus();
  }, true);
})();
