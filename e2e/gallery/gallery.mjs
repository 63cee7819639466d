// The gallery: every kind of page with the texts of the fixtures, without a site behind it (cmd/assets -gallery).

import { spawn } from "node:child_process";
import { freePort } from "../edge/harness.mjs";

/** startGallery starts it, and returns its address, the names of its pages, and stop. */
export async function startGallery() {
  const url = `http://127.0.0.1:${await freePort()}`;
  const child = spawn(process.env.PLAZA_ASSETS ?? "build/assets", ["-gallery", new URL(url).host], { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise((resolve, reject) => {
    child.stdout.once("data", resolve);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the gallery ended with ${code}`)));
  });
  let index;
  while (!index?.ok) index = await fetch(`${url}/gallery`).catch(() => new Promise((resolve) => setTimeout(resolve, 50)));
  const listed = [...(await index.text()).matchAll(/href="\/gallery\/([\w-]+)"/g)].map(([, name]) => name);
  const names = []; // without the fragments that a script puts into a page
  for (const name of listed) if ((await (await fetch(`${url}/gallery/${name}`)).text()).includes("<main")) names.push(name);
  return { url: `${url}/gallery/`, names, stop: () => child.kill() };
}
