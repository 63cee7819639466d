// The bucket of pictures, an R2 bucket that is bound as PICTURES: p/{sum} is a picture and s/{sum} its small version. sum is the SHA-256
// of the picture's bytes, so a key always has the same picture.

const RENEWAL = 3_600_000; // ms for which a picture is not put again; Go deletes what was put long ago and nothing uses
const MAX_LISTED = 500;

const SUM = /^[0-9a-f]{64}$/;
const bound = (env) => {
  if (!env.PICTURES) throw new Error("no bucket is bound as PICTURES");
  return env.PICTURES;
};
const typed = (type) => ({ httpMetadata: { contentType: type } });

/** keep puts a picture of a form (form.mjs) into the bucket, then with withSmall its small version, and returns when both are durable. */
export async function keep(env, picture, withSmall) {
  if (!picture?.bytes) throw new Error("there is no such picture in this request");
  const { facts: { sum, type }, bytes, small } = picture;
  await keepPicture(env, sum, type, bytes);
  if (small && withSmall) await keepSmall(env, sum, small.type, small.bytes);
}

/** keepPicture puts a picture into the bucket. */
export async function keepPicture(env, sum, type, bytes) {
  const bucket = bound(env);
  const there = await bucket.head(`p/${sum}`);
  if (!there || Date.now() - there.uploaded > RENEWAL) await bucket.put(`p/${sum}`, bytes, { ...typed(type), sha256: sum });
}

/** keepSmall puts the small version of a picture into the bucket, unless there is one: the first sender's stays. */
export async function keepSmall(env, sum, type, bytes) {
  const bucket = bound(env);
  if (!(await bucket.head(`s/${sum}`))) await bucket.put(`s/${sum}`, bytes, typed(type));
}

/** drop deletes pictures with their small versions. */
export async function drop(env, sums) {
  if (sums.length > MAX_LISTED || !sums.every((sum) => SUM.test(sum))) throw new Error("sums of pictures that are none");
  await bound(env).delete(sums.flatMap((sum) => [`p/${sum}`, `s/${sum}`]));
}

/** dropSmall deletes the small version of a picture. */
export const dropSmall = (env, sum) => bound(env).delete(`s/${sum}`);

/** read returns a picture, or its small version, as the bucket has it; null without one. */
export const read = (env, sum, small) => bound(env).get(`${small ? "s" : "p"}/${sum}`);

/**
 * page lists objects of a kind after a sum with their types: [{ sum, type, bytes, kept }], and whether there are more. With types, R2
 * may return fewer than the limit.
 */
export async function page(env, kind, after, limit) {
  const it = await bound(env).list({ prefix: `${kind}/`, startAfter: `${kind}/${after}`, limit, include: ["httpMetadata"] });
  const list = it.objects.map(({ key, size, uploaded, httpMetadata }) => (
    { sum: key.slice(2), type: httpMetadata?.contentType ?? "", bytes: size, kept: uploaded.getTime() }));
  return { list, more: it.truncated && list.length > 0 };
}

/** list returns at most limit pictures after a sum, in the order of their sums: [{ sum, bytes, kept }]; kept in ms. */
export async function list(env, after, limit) {
  const { objects } = await bound(env).list({ prefix: "p/", startAfter: `p/${after}`, limit: Math.min(limit, MAX_LISTED) });
  return objects.map(({ key, size, uploaded }) => ({ sum: key.slice(2), bytes: size, kept: uploaded.getTime() }));
}
