// The gallery: every kind of page with the texts of the fixtures, without a site behind it (test/gallery).

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

const sha256 = (content) => createHash("sha256").update(content).digest("hex");

/** startGallery starts it, and returns its address, its pages, and stop. A page has its name and its HTML: one in each language, and one with long words. */
export async function startGallery(languages) {
  const options = { cwd: root, env: { GOFLAGS: "-trimpath", ...process.env } };
  execFileSync("go", ["build", "-o", "build/gallery", "./test/gallery"], { ...options, stdio: "inherit" });
  const child = spawn("build/gallery", ["-address", "127.0.0.1:0"], { ...options, stdio: ["ignore", "pipe", "inherit"] });
  const [, url] = /(http:\S+)/.exec(await new Promise((resolve, reject) => {
    child.stdout.once("data", resolve);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the gallery ended with ${code}`)));
  }));
  const read = async (address) => {
    const response = await fetch(new URL(address, url));
    assert.equal(response.status, 200, `${address}: make build/ and public/ with ./build.sh first`);
    return Buffer.from(await response.arrayBuffer());
  };
  const names = [...String(await read("/gallery")).matchAll(/href="\/gallery\/([\w-]+)"/g)].map(([, name]) => name);
  const pages = [];
  for (const name of names) {
    const html = await Promise.all([...languages.map((lang) => `lang=${lang}`), "long"].map(async (query) => String(await read(`/gallery/${name}?${query}`))));
    if (html[0].includes("<main")) pages.push({ name, html }); // else a fragment that a script puts into a page
  }
  // The address of a static file has the hash of its content, so the HTML of a page changes with its style and its scripts.
  for (const [file, hash] of new Map(pages.flatMap(({ html }) => [...html.join().matchAll(/\/_\/[\w-]+\.(\w+)\.\w+/g)]))) {
    assert.equal(sha256(await read(file)).slice(0, hash.length), hash, file);
  }
  return { url: `${url}/`, pages, stop: () => child.kill() };
}
