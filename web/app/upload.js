// Draws a picture on a canvas, which removes what a camera writes into a file, and uploads two files of it: one of at most 1,600 pixels and
// 400 KB, and a small one of 320 pixels for listings. The site allows 25 KB for the small one, but a listing shows 25 of them, so it gets
// 10 KB here. A tile, which pages show many times, is as small itself. Animated pictures are uploaded as they are.
import { t } from "./words.js";

const blobOf = (canvas, type, quality) => new Promise((done) => { canvas.toBlob(done, type, quality); });
// draw scales a picture so that its longer side has at most so many pixels.
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
// smaller makes a file with bounds for its longer side, in pixels, and its bytes: WebP, or JPEG if the browser can't write WebP.
const smaller = async (source, longest, bytes, qualities = [0.85, 0.7, 0.55, 0.4]) => {
  for (let side = longest; ; side = Math.round(side * 0.8)) {
    for (const quality of qualities) {
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
// colourOf is the dominant colour: the mean of the largest group of similar colours.
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
// hashOf is the difference hash: for 8 rows of 9 pixels, whether each pixel is brighter than its neighbour. Similar pictures have similar
// hashes.
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
const opened = (file) => createImageBitmap(file).catch(() => { throw new Error(t("This file can't be read as a picture.")); });
const smallOf = (source) => smaller(source, 320, 10000, [0.7, 0.6, 0.5, 0.4]);
const bodyOf = (source, file, name) => {
  const thumb = draw(source, 320);
  const body = new FormData();
  body.append("picture", file, name || "picture");
  body.append("colour", colourOf(thumb));
  body.append("hash", hashOf(thumb));
  return { body, thumb };
};

// made returns the form that uploads a file, and a preview of it.
export const resized = async (file) => {
  const source = await opened(file);
  const large = await moves(file) ? file : await smaller(source, 1600, 400000);
  // Redrawing can make a drawing larger, such as a screenshot in PNG. Then the original file is sent.
  const asItWas = file.size <= large.size && Math.max(source.width, source.height) <= 1600 && file.type !== "image/jpeg";
  const all = bodyOf(source, asItWas ? file : large, file.name);
  all.body.append("small", await smallOf(source), "small");
  source.close();
  return all;
};

// cut makes one file of the middle of a picture: a banner, or a tile with as few bytes as a small version. shape is width divided by height;
// widest bounds the width, in pixels.
export const cut = async (file, shape, widest) => {
  const source = await opened(file);
  const width = Math.min(source.width, source.height * shape);
  const height = Math.min(source.height, source.width / shape);
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(Math.min(width, widest)));
  canvas.height = Math.max(1, Math.round(canvas.width / shape));
  const context = canvas.getContext("2d");
  context.fillStyle = "#fff"; // what lies below a tile is not to be seen
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = "high";
  context.drawImage(source, (source.width - width) / 2, (source.height - height) / 2, width, height, 0, 0, canvas.width, canvas.height);
  source.close();
  return bodyOf(canvas, await (shape > 1 ? smaller(canvas, widest, 200000) : smallOf(canvas)), file.name);
};

// upload sends such a form. It returns the sum of the picture, and passes a function to stops that aborts the upload.
export const upload = (body, progress, stops) => new Promise((resolve, reject) => {
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
  stops(() => request.abort());
  request.send(body);
});
