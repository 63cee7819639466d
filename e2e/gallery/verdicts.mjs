// Pages that were looked at and on which nothing was found: verdicts.txt has a line for each, with its name and a hash of all that the verdict
// depends on: its HTML in each language, which names its style sheet and its scripts by their content, the engines, and our own rules. Not the
// version of Chromium, which comes from the system and changes without a commit: by night everything is looked at again.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { axe } from "./axe.mjs";
import { ibm } from "./second.mjs";
import { reader, spoken } from "./spoken.mjs";

const list = new URL("verdicts.txt", import.meta.url);
const own = (file) => readFileSync(new URL(file, import.meta.url), "utf8");
const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part).update("\0"), createHash("sha256")).digest("hex");
// All modules here but what makes no rules, and what few pages need.
const files = readdirSync(new URL(".", import.meta.url)).filter((file) => /^(?!gallery|verdicts|spoken).*\.mjs$/.test(file)).sort();
const rules = sha256(axe, ibm, ...files.map(own));
const ofSpoken = sha256(reader, own("spoken.mjs"));

/** hashOf is what the verdict on a page depends on. */
export const hashOf = ({ name, html }) => sha256(rules, ...html, name in spoken ? ofSpoken : "").slice(0, 12);

/** readVerdicts are the hashes of pages on which nothing was found, by name. */
export const readVerdicts = () => new Map(readFileSync(list, "utf8").trim().split("\n").map((line) => line.split(" ")));

/** writeVerdicts writes the list anew, and returns whether it is another one. */
export function writeVerdicts(verdicts) {
  const text = [...verdicts].map((line) => line.join(" ")).sort().join("\n") + "\n";
  if (text === readFileSync(list, "utf8")) return false;
  writeFileSync(list, text);
  return true;
}
