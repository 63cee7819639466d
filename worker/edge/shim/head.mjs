// What Go is told of a request is one string. It has a line each for the turn, the method, the URL, the client's address and
// the length of the body. Then come the names and values of the headers, each on a line of its own. No value can hold a line
// break, so none needs escaping. No header is split, joined or reinterpreted on the way.

import { takeCounts } from "./counts.mjs";
import { placeOf } from "./place.mjs";

// Headers that only the platform or the shim may set. A client's own would reach Go as if they had.
const INTERNAL = /^(x-plaza-|x-forwarded-|forwarded$|x-real-ip$|cf-connecting-ip$|true-client-ip$|mf-)/;

// A form with files reaches Go as one without.
const OF_FILES = /^content-(type|length)$/;
const FORM = "application/x-www-form-urlencoded";

/**
 * clientAddress is where a request comes from, "" when nobody can be trusted to say it. Only Cloudflare sets request.cf, and
 * where it does it also sets the address itself. Elsewhere the proxy in front sets the header that the site's settings name;
 * what the client itself sent stands before what the proxy has added.
 */
function clientAddress(request, trusted) {
  if (trusted) return (request.headers.get(trusted) || "").split(",").pop().trim();
  return (request.cf && request.headers.get("cf-connecting-ip")) || "";
}

/** clientNetwork is the client's address, of which IPv6 counts as far as its first 64 bits: one household has them all. */
export function clientNetwork(request, trusted) {
  const address = clientAddress(request, trusted);
  return address.includes(":") ? address.split("::")[0].split(":").slice(0, 4).join(":") : address;
}

/**
 * requestHead makes the lines. With `shared`, the answer may be kept for others, so it may depend on nothing but the key
 * under which it is kept: Go sees `shared.url` and `shared.headers` and neither cookies nor the client's other headers nor its country.
 * `shared.renews` tells that nobody waits for the answer alone, because there is a copy.
 * `trusted` names the header with the client's address, in lower case, "" for none. `pictures` are those of a form (form.mjs), else null.
 */
export function requestHead(id, request, body, shared, trusted, pictures) {
  const address = clientAddress(request, trusted);
  const line = shared ? `GET\n${shared.url}` : `${request.method}\n${request.url}`;
  let head = `${id}\n${line}\n${address}\n${body === null ? 0 : body.byteLength}`;
  for (const [name, value] of shared ? shared.headers : request.headers) {
    if (!INTERNAL.test(name) && name !== trusted && !(pictures && OF_FILES.test(name))) head += `\n${name}\n${value}`;
  }
  const place = shared ? "" : placeOf(request);
  if (place) head += `\nx-plaza-place\n${place}`;
  if (shared?.renews) head += "\nx-plaza-renewal\n1";
  const counts = takeCounts();
  if (counts) head += `\nx-plaza-counts\n${counts}`;
  if (pictures) head += `\ncontent-type\n${FORM}\nx-plaza-pictures\n${JSON.stringify(pictures.map(({ facts }) => facts))}`;
  return head;
}
