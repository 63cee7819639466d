// Normalises the addresses of cached pages. Addresses that mean the same get the same text: they may differ in the
// letter case of a name, in escapes, in the order of parameters, and in parameters or values that the page does not know. So
// such a page has one copy in the cache and is made once.

import { ADDRESSES, FORMATS, SHAPES } from "./table.mjs";

const NAMES = new Set(["community", "user", "tags"]); // the same in any letter case
const NONE = "!"; // replaces every value that doesn't have the shape of its parameter (SHAPES)

const shapes = Object.fromEntries(Object.entries(SHAPES).map(([name, shape]) => [name, new RegExp(`^(?:${shape})$`)]));
const addresses = Object.entries(ADDRESSES).map(([pattern, parameters]) => ({
  parts: pattern.replace("{$}", "").split("/"),
  parameters: parameters.split(" ").filter(Boolean),
  formats: (FORMATS[pattern] ?? "").split(" ").filter(Boolean),
}));

const AFTER_SCHEME = "http://x".length; // the path does not begin before that

/** pathBegins reports whether the path of a request has this beginning. It costs less than parsing the address. */
export const pathBegins = ({ url }, beginning) => url.startsWith(beginning, url.indexOf("/", AFTER_SCHEME));

/** cleanAddress returns a cached page's path and parameters as [name, value] pairs, or null for any other address. */
export function cleanAddress(url) {
  let parts;
  try {
    parts = url.pathname.split("/").map(decodeURIComponent);
  } catch {
    return null;
  }
  for (const address of addresses) {
    const [path, format] = matchedIn(address, parts);
    if (path === null) continue;
    const query = [];
    for (const name of address.parameters) {
      const value = url.searchParams.get(name);
      if (value) query.push([name, shapes[name].test(value) ? value : NONE]);
    }
    return { path: path + format, query };
  }
  return null;
}

// matchedIn returns the path of an address, as matched does, and the format that it ends in, such as .json; "" for the page itself.
function matchedIn(address, parts) {
  const last = parts.length - 1;
  const format = address.formats.find((ending) => parts[last].endsWith(ending));
  if (format === undefined) return [matched(address.parts, parts), ""];
  return [matched(address.parts, [...parts.slice(0, last), parts[last].slice(0, -format.length)]), format];
}

// matched returns the path of a pattern with these parts filled in, or null if the parts don't match the pattern.
function matched(pattern, parts) {
  if (pattern.length !== parts.length) return null;
  const path = [];
  for (let i = 0; i < parts.length; i++) {
    const name = /^\{(\w+)\}$/.exec(pattern[i])?.[1];
    if (name === undefined ? pattern[i] !== parts[i] : parts[i] === "") return null;
    path.push(name === undefined ? parts[i] : encodeURIComponent(NAMES.has(name) ? parts[i].toLowerCase() : parts[i]));
  }
  return path.join("/");
}
