// The bucket of pictures for tools that run elsewhere, with the secret PICTURES_TOKEN:
//
//   GET    /tools/pictures?after=SUM&most=500   {"pictures": [{"sum", "type", "bytes", "kept", "small", "smallType", "smallKept"}]} in the
//                                               order of their sums. small is the length of the small version, 0 without one. bytes is 0
//                                               for a small version without a picture. kept and smallKept are when they were put, in ms
//   GET    /tools/pictures/{sum}                a picture as it is in the bucket, not from a cache; 404 without one
//   GET    /tools/pictures/{sum}/small          its small version; 404 without one, even if there is the picture
//   PUT    /tools/pictures/{sum}                stores a picture as it is. It must have that sum and no metadata. 204
//   PUT    /tools/pictures/{sum}/small          stores its small version
//   DELETE /tools/pictures/{sum}                deletes both, whether they are there or not. 204
//   DELETE /tools/pictures/{sum}/small          deletes the small version
//
// Without the secret, or without a bucket, none of these addresses exists.

import { pathBegins } from "./address.mjs";
import { drop, dropSmall, keepPicture, keepSmall, page, read } from "./bucket.mjs";
import { isSmall, sumOf } from "./form.mjs";
import { readBytes } from "./io.mjs";
import { clean, MOST_BYTES } from "./picture.mjs";
import { HEADERS } from "./table.mjs";

const ADDRESS = /^\/tools\/pictures(?:\/([0-9a-f]{64})(\/small)?)?$/;
const MIN_SECRET = 32; // letters
const MAX_LISTED = 500;

const empty = (status) => new Response(null, { status, headers: { ...HEADERS, "cache-control": "no-store" } });
const json = (value, status = 200) => Response.json(value, { status, headers: { ...HEADERS, "cache-control": "no-store" } });
const refused = (status, code, message) => json({ error: { code, message } }, status);

/** tool returns the response to a tool that has the secret, and null for everybody else. */
export async function tool(request, env) {
  if (!pathBegins(request, "/tools/pictures") || !env.PICTURES || !(await isTool(request, env.PICTURES_TOKEN || ""))) return null;
  const { pathname, searchParams } = new URL(request.url);
  const [there, sum, small] = ADDRESS.exec(pathname) ?? [];
  if (request.method === "GET" && there && !sum) {
    return json({ pictures: await both(env, searchParams.get("after") || "", Number(searchParams.get("most")) || MAX_LISTED) });
  }
  if (request.method === "GET" && sum) return get(env, sum, small);
  if (request.method === "PUT" && sum) return put(request, env, sum, small);
  if (request.method === "DELETE" && sum) {
    await (small ? dropSmall(env, sum) : drop(env, [sum]));
    return empty(204);
  }
  return refused(404, "not_found", "There is no such tool.");
}

// isTool compares the hashes of both secrets, so that its duration reveals nothing.
async function isTool(request, secret) {
  const token = /^Bearer (.+)$/.exec(request.headers.get("authorization") || "")?.[1];
  if (!token || secret.length < MIN_SECRET) return false;
  const encoder = new TextEncoder();
  return (await sumOf(encoder.encode(token))) === (await sumOf(encoder.encode(secret)));
}

// both lists pictures and small versions together, up to the sum that both lists have reached.
async function both(env, after, requested) {
  const limit = Math.min(Math.max(1, requested), MAX_LISTED);
  const [pictures, smalls] = await Promise.all([page(env, "p", after, limit), page(env, "s", after, limit)]);
  const end = [pictures, smalls].filter(({ more }) => more).map(({ list }) => list.at(-1).sum).sort()[0];
  const bySum = new Map();
  const none = { type: "", bytes: 0, kept: 0, small: 0, smallType: "", smallKept: 0 };
  for (const { sum, type, bytes, kept } of pictures.list) bySum.set(sum, { sum, ...none, type, bytes, kept });
  for (const { sum, type, bytes, kept } of smalls.list) {
    bySum.set(sum, { sum, ...none, ...bySum.get(sum), small: bytes, smallType: type, smallKept: kept });
  }
  return [...bySum.values()].filter(({ sum }) => end === undefined || sum <= end).sort((a, b) => (a.sum < b.sum ? -1 : 1));
}

async function get(env, sum, small) {
  const it = await read(env, sum, small);
  if (!it) return refused(404, "not_found", "There is no such picture in the bucket.");
  return new Response(it.body, { headers: { ...HEADERS, "content-type": it.httpMetadata?.contentType ?? "application/octet-stream",
    "content-length": String(it.size), "content-security-policy": "default-src 'none'; sandbox", "cache-control": "no-store" } });
}

async function put(request, env, sum, small) {
  const sent = await readBytes(request, MOST_BYTES);
  const it = sent ? clean(sent) : { problem: "large" };
  const bytes = it.bytes;
  if (it.problem || bytes.length !== sent.length || (await sumOf(bytes)) !== (await sumOf(sent))) {
    return refused(422, "invalid", `These bytes are no picture without metadata: ${it.problem ?? "there is more in them"}.`);
  }
  if (small) {
    if (!isSmall(it)) return refused(422, "invalid", "A small version has 320 pixels and 25 KB at most.");
    await keepSmall(env, sum, it.type, bytes);
    return empty(204);
  }
  if ((await sumOf(bytes)) !== sum) return refused(422, "invalid", "The picture has another sum.");
  await keepPicture(env, sum, it.type, bytes);
  return empty(204);
}
