// The few responses that the shim itself makes when Go cannot: no style sheet, nothing internal, JSON for clients that ask for it.

import { HEADERS, LANGUAGES, WORDS } from "./table.mjs";

const TEXTS = {
  400: ["invalid", text("That did not arrive whole"), text("What you sent did not arrive as it was sent. Please go back and send it again.")],
  404: ["not_found", text("There is no picture here"), text("It may have been deleted, or its address is incomplete.")],
  408: ["invalid", text("That took too long"), text("What you sent did not arrive in time. Please go back and send it again.")],
  413: ["too_large", text("That is too much"), text("What you sent is larger than this site takes. Please shorten it and send it again.")],
  429: ["rate_limited", text("Too many requests"), text("Too many of the pictures that you asked for are not there. Please try again in a minute.")],
  500: ["internal", text("Something went wrong"),
    text("The page could not be made. It is our fault, and it has been noted. Trying again often helps.")],
  503: ["unavailable", text("This takes too long"), text("The page could not be made in time. Please try again in a moment.")],
};

// A form with pictures has other limits, so these texts name them.
const OF_PICTURES = {
  413: [...TEXTS[413].slice(0, 2), text("A form takes at most 10 pictures, of 4 MB each and 12 MB together. Please go back and leave some out, or make them smaller.")],
};

/** text marks a text of the interface in English. table.mjs has it in the other languages. */
export function text(words) { return words; }

/** say returns a text in a language. */
export const say = (language, words) => WORDS[language]?.[words] ?? words;

/**
 * languageOf returns the language of a response: the one that was chosen, else the browser's first choice. The choice of a visitor is in
 * one cookie, that of a member in another. Go has the same rule (worker/request/display.go).
 */
export function languageOf({ headers }) {
  const cookies = headers.get("cookie") || "";
  const chosen = (/__Host-session=/.test(cookies) ? /(?:^|;\s*)language=([\w-]+)/ : /(?:^|;\s*)display=\w*\.\w*\.([\w-]+)/).exec(cookies)?.[1];
  if (LANGUAGES.includes(chosen)) return chosen;
  let [best] = LANGUAGES;
  let bestWeight = 0;
  for (const part of (headers.get("accept-language") || "").split(",")) {
    const [tag, q = "q=1"] = part.trim().split(";");
    const language = LANGUAGES.find((it) => it.toLowerCase() === tag.toLowerCase()) ?? tag.split("-")[0].toLowerCase();
    const weight = Number(q.trim().replace(/^q=/, ""));
    if (LANGUAGES.includes(language) && weight > bestWeight) [best, bestWeight] = [language, weight];
  }
  return best;
}

/** wantsJSON reports whether the client asked for JSON and not for a page, by the same rule as Go (worker/request/response.go). */
export function wantsJSON(request) {
  return (request.headers.get("accept") || "").startsWith("application/json") || new URL(request.url).pathname.endsWith(".json");
}

/** loggedPath returns a path without its secret, for logs. Go does the same (worker/request/links.go). */
export const loggedPath = (path) => (path.startsWith("/feed/") ? "/feed/{token}" : path);

/** withNote adds a sentence at the top of a visitors' page that a member gets. web/app/offline.js knows such a page by it. */
export function withNote(page, sentence) {
  const note = `<p id="copy" class="notice" role="status">${sentence}</p>`;
  return new HTMLRewriter().on("main", { element: (main) => { main.prepend(note, { html: true }); } }).transform(page);
}

const STYLE = `:root{color-scheme:light dark}body{font:1.1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:18vh auto;padding:0 1.25rem}\
h1{font-size:1.6rem}`;
// The SHA-256 of STYLE, which e2e/edge/headers.test.mjs computes again: with it the page needs no 'unsafe-inline'.
const STYLE_HASH = "sha256-BwANd3XfF3focBxeAmtrlIlMwmT6zGm5kIMgQTgW3CQ=";

/** errorPage returns the response of that status; `about` is "pictures" for a form that may have some. */
export function errorPage(request, status, about = "") {
  const [code, title, sentence] = (about && OF_PICTURES[status]) || TEXTS[status] || TEXTS[500];
  const language = languageOf(request);
  const translated = (words) => say(language, words);
  const headers = new Headers({
    ...HEADERS,
    "cache-control": "no-store",
    "content-security-policy": `default-src 'none'; style-src '${STYLE_HASH}'; base-uri 'none'; frame-ancestors 'none'`,
  });
  if (status === 503) headers.set("retry-after", "5");
  if (status === 429) headers.set("retry-after", "60");
  if (wantsJSON(request)) {
    headers.set("content-type", "application/json; charset=utf-8");
    return new Response(JSON.stringify({ error: { code, message: sentence, ...(about && { field: "picture" }) } }), { status, headers });
  }
  headers.set("content-type", "text/html; charset=utf-8");
  const again = status === 503 && /^(GET|HEAD)$/.test(request.method)
    ? `<p><a href="${request.url.replaceAll("&", "&amp;")}">${translated(text("Try again"))}</a></p>` : "";
  const body = `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${translated(title)}</title><style>${STYLE}</style><h1>${translated(title)}</h1><p>${translated(sentence)}</p>${again}<p><a href="/">${
    translated(text("Front page"))}</a></p></html>`;
  return new Response(request.method === "HEAD" ? null : body, { status, headers });
}
