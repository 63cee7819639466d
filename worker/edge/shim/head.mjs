// Go gets the head of a request as one string. It has a line each for the turn, the method, the URL, the client's address and
// the length of the body. Then come the names and values of the headers, each on a line of its own. No value can contain a line
// break, so none needs escaping. No header is split, joined or reinterpreted on the way.

import { takeCounts } from "./counts.mjs";
import { placeOf } from "./place.mjs";

// Headers that only the platform or the shim may set, so a client's are removed.
const INTERNAL = /^(x-plaza-|x-forwarded-|forwarded$|x-real-ip$|cf-connecting-ip$|true-client-ip$|mf-)/;

// A form with files reaches Go as one without.
const OF_FILES = /^content-(type|length)$/;
const FORM = "application/x-www-form-urlencoded";

/**
 * clientAddress returns where a request comes from; "" if no trusted source says it. Only Cloudflare sets request.cf, and then
 * it also sets the address itself. Elsewhere the proxy in front sets the header that the site's settings name: after what the
 * client itself has sent, it adds the address.
 */
function clientAddress(request, trusted) {
  if (trusted) return (request.headers.get(trusted) || "").split(",").pop().trim();
  return (request.cf && request.headers.get("cf-connecting-ip")) || "";
}

/** clientNetwork returns the client's address, of IPv6 only the first 64 bits: one household has all addresses of a /64. */
export function clientNetwork(request, trusted) {
  const address = clientAddress(request, trusted);
  return address.includes(":") ? address.split("::")[0].split(":").slice(0, 4).join(":") : address;
}

/**
 * requestHead makes the lines. With `shared`, the response may be kept for others, so it may depend on nothing but the key
 * under which it is kept: Go sees `shared.url` and `shared.headers` and neither cookies nor the client's other headers nor its country.
 * `shared.renews` says that there is a copy, which this request renews.
 * `trusted` is the header with the client's address, in lower case; "" for none. `pictures` are those of a form (form.mjs), else null.
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
