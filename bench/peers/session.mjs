// Who is asking: the same cookie as Plaza's, checked with WebCrypto.

const encoder = new TextEncoder();
let imported; // the key, for as long as the isolate lives

const keyOf = (secret) => (imported ??= crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, ["verify"]));
const bytesOf = (base64url) => Uint8Array.from(atob(base64url.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

/** sessionOf returns { user, session, issued, name } of a cookie's value, or null when this site has not signed it. */
export async function sessionOf(value, secret) {
  const end = value.lastIndexOf(".");
  const body = value.slice(0, end);
  if (!await crypto.subtle.verify("HMAC", await keyOf(secret), bytesOf(value.slice(end + 1)), encoder.encode(`session\0${body}`))) return null;
  const [user, session, issued, name] = body.split(".");
  return { user: String(idOf(user)), session: String(idOf(session)), issued: parseInt(issued, 36), name };
}

const LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"; // of Plaza's ids, five bits each
const DIGITS = "0123456789abcdefghijklmnopqrstuv"; // the same in JavaScript
const digits = Object.fromEntries([...LETTERS].map((letter, i) => [letter, DIGITS[i]]));

/** idOf reads an id as addresses, cookies and Redis have it. It has 13 letters, more than a number can hold. */
export function idOf(text) {
  let translated = "";
  for (const letter of text) translated += digits[letter];
  return (BigInt(parseInt(translated.slice(0, 8), 32)) << 25n) | BigInt(parseInt(translated.slice(8), 32));
}
