// The ledger: writes down what was sent and what was acknowledged while answers get lost, then compares it with the
// database. Every write is there once, and nobody was told of a conflict. Each kind of write loses its answer in turn:
//
//   retried    the database's answer to the transaction is lost once, and the worker sends it again
//   refused    the database's answer becomes an error after the commit; the person is told 503 and sends the form again
//   unread     the worker's own answer doesn't arrive, and the person sends the form again
//   twice      the form is sent twice at the same moment
//
//   ./build.sh && go build -o build/plaza ./cmd/plaza && node_modules/.bin/node e2e/faults/ledger.mjs --replies 500

import { parseArgs } from "node:util";
import { pathToFileURL } from "node:url";
import { randomBytes } from "node:crypto";
import { startSite } from "./site.mjs";

const password = "correct horse battery";
const modes = ["retried", "refused", "unread", "twice"];

/** keepLedger loses so many answers and returns { lost, wrong, told }: what was lost by kind and mode, and what is amiss. */
export async function keepLedger(site, replies) {
  const wrong = [];
  const lost = {};
  const ann = await site.signUp("ann", password);
  const ben = await site.signUp("ben", password);
  await must("/communities", { name: "here", title: "Here" });
  const original = await newPost("The original");

  /** must is a write that meets no fault. */
  async function must(path, fields, member = ann) {
    const response = await site.post(path, fields, member);
    if (response.status !== 200) throw new Error(`${path} ${JSON.stringify(fields)}: ${response.status} ${response.text}`);
    return response.json;
  }
  function newPost(title, more = {}) { return must("/c/here/submit", { title, text: "words", ...more }); }
  function newComment(body) { return must("/comment", { post: original.id, body }); }
  const one = async (sql, ...args) => Number((await site.sql(sql, ...args))[0][0]);
  const published = (title, more = "") => () => one(`SELECT count(*) FROM posts p WHERE title = ? AND status = 'published'${more}
    AND (SELECT sum(value) FROM votes v WHERE v.target_id = p.id) = 1`, title);
  const commented = (body, parent) => () => one(`SELECT count(*) FROM comments c WHERE body = ? AND parent_id ${parent}
    AND (SELECT sum(value) FROM votes v WHERE v.target_id = c.id) = 1`, body);
  const submit = (name, more) => ({ path: "/c/here/submit", fields: { title: name, ...more }, holding: "INSERT INTO idempotency_keys" });
  const row = (sql, ...args) => () => one(`SELECT count(*) FROM ${sql}`, ...args);
  const id = (text) => `CAST('${BigInt(text)}' AS INTEGER)`;

  // Each makes what is to be sent, and how many there are of it afterwards: exactly one. holding tells its transaction.
  const kinds = {
    "sign-up": async (name) => ({ path: "/signup", fields: { username: name, password }, holding: "INSERT INTO users", member: null,
      there: row("users WHERE username = ?", name), cookie: true }),
    "log-in": async (name) => {
      await site.signUp(name, password);
      return { path: "/login", fields: { login: name, password }, member: null, cookie: true, there: row("users WHERE username = ?", name) };
    },
    "log-out": async (name) => {
      const member = await site.signUp(name, password);
      return { path: "/logout", fields: {}, member, holding: "INSERT INTO revocations",
        there: async () => Number((await site.get("/saved", member)).status === 303) };
    },
    community: async (name) => ({ path: "/communities", fields: { name, title: "About", description: "x" }, holding: "INSERT INTO communities",
      there: row(`communities c WHERE name = ? AND members = 1 AND (SELECT count(*) FROM moderators m WHERE m.community_id = c.id) = 1
        AND (SELECT count(*) FROM subscriptions s WHERE s.community_id = c.id) = 1`, name) }),
    settings: async (name) => {
      const revision = await one("SELECT coalesce(revision, 0) FROM communities WHERE name = 'here'");
      const [[colour]] = await site.sql("SELECT colour FROM communities WHERE name = 'here'");
      return { path: "/c/here/settings", fields: { title: name, colour, "rule-1-title": "One", revision }, holding: "UPDATE communities SET title",
        there: row("communities WHERE name = 'here' AND title = ?", name), now: true };
    },
    text: async (name) => ({ ...submit(name, { text: "words" }), there: published(name) }),
    link: async (name) => ({ ...submit(name, { link: `https://10.0.0.1/${name}` }),
      there: published(name, " AND (SELECT count(*) FROM outbox o WHERE o.subject_id = p.id) <= 1") }),
    image: async (name) => ({ ...submit(name, { image: `https://10.0.0.1/${name}.png` }), there: published(name) }),
    draft: async (name) => ({ ...submit(name, { status: "draft" }), there: row("posts WHERE title = ? AND status = 'draft'", name) }),
    crosspost: async (name) => ({ ...submit(name, { crosspost: original.id, anyway: "1" }), there: published(name, " AND crosspost IS NOT NULL") }),
    "edit of a draft": async (name) => {
      const draft = await newPost(`${name} before`, { status: "draft" });
      return { path: "/draft", fields: { target: draft.id, title: name, text: "changed", revision: 0 }, holding: "UPDATE posts SET slug",
        there: row("posts WHERE title = ? AND status = 'draft'", name) };
    },
    publish: async (name) => {
      const draft = await newPost(name, { status: "draft" });
      return { path: "/publish", fields: { target: draft.id }, holding: "UPDATE posts SET status = iif(:held", there: published(name) };
    },
    "publish with changes": async (name) => {
      const draft = await newPost(`${name} before`, { status: "draft" });
      return { path: "/publish", fields: { target: draft.id, title: name, text: "changed", revision: 0 }, holding: "UPDATE posts SET slug", there: published(name) };
    },
    comment: async (name) => ({ path: "/comment", fields: { post: original.id, body: name }, holding: "INSERT INTO comments", there: commented(name, "= 0") }),
    reply: async (name) => {
      const { id: parent } = await newComment(`${name} is an answer to this`);
      return { path: "/comment", fields: { parent, body: name }, holding: "INSERT INTO comments", there: commented(name, "<> 0") };
    },
    "edit of a post": async (name) => {
      const post = await newPost(`${name} before`);
      return { path: "/edit", fields: { target: post.id, text: name, revision: 0 }, holding: "UPDATE posts SET title = iif",
        there: row("post_texts WHERE text = ?", name) };
    },
    "edit of a comment": async (name) => {
      const comment = await newComment(`${name} before`);
      return { path: "/edit", fields: { target: comment.id, body: name, revision: 0 }, holding: "UPDATE comments SET body",
        there: row("comments WHERE body = ?", name) };
    },
    "deletion of a post": async (name) => {
      const post = await newPost(name);
      return { path: "/delete", fields: { target: post.id }, holding: "UPDATE posts SET status = 'deleted'",
        there: row(`posts WHERE id = ${id(post.id)} AND status = 'deleted'`) };
    },
    "deletion of a comment": async (name) => {
      const comment = await newComment(name);
      return { path: "/delete", fields: { target: comment.id }, holding: "UPDATE comments SET status = 'deleted'", there: row(`comments WHERE id = ${id(comment.id)} AND status = 'deleted'`) };
    },
    vote: async (name) => {
      const comment = await newComment(name);
      return { path: "/vote", fields: { target: comment.id, value: -1 }, member: ben, holding: "INSERT INTO votes",
        there: row(`votes v WHERE target_id = ${id(comment.id)} AND value = -1 AND (SELECT count(*) FROM vote_origins b WHERE b.target_id = v.target_id AND b.user_id = v.user_id) = 1`) };
    },
    save: async (name) => {
      const comment = await newComment(name);
      return { path: "/save", fields: { target: comment.id, on: 1 }, holding: "INSERT INTO saves", there: row(`saves WHERE target_id = ${id(comment.id)}`) };
    },
    hide: async (name) => {
      const post = await newPost(name);
      return { path: "/hide", fields: { target: post.id, on: 1 }, member: ben, holding: "INSERT INTO hides", there: row(`hides WHERE post_id = ${id(post.id)}`) };
    },
    subscribe: async (name) => {
      await must("/communities", { name });
      return { path: "/subscribe", fields: { community: name, on: 1 }, member: ben, holding: "INSERT INTO subscriptions",
        there: row("communities c WHERE name = ? AND members = 2 AND (SELECT count(*) FROM subscriptions s WHERE s.community_id = c.id) = 2", name) };
    },
    follow: async (name) => {
      await site.signUp(name, password);
      return { path: "/follow", fields: { user: name, on: 1 }, holding: "INSERT INTO follows", there: row("users WHERE username = ? AND followers = 1", name) };
    },
  };

  const entries = [];
  for (let n = 0; n < replies; n++) {
    const names = Object.keys(kinds);
    const kind = names[n % names.length];
    let mode = modes[(n + Math.floor(n / names.length)) % modes.length];
    const name = `n${n}_${randomBytes(3).toString("hex")}`;
    const { path, fields, holding, there, now, cookie, member = ann } = await kinds[kind](name);
    if (!holding && mode !== "twice") mode = "unread"; // it has no transaction of its own
    const key = randomBytes(16).toString("base64url");
    const send = () => site.post(path, fields, member, { headers: { "idempotency-key": key } });
    const entry = { kind, mode, name, responses: [], there, cookie };
    entries.push(entry);
    lost[kind] ??= {};
    lost[kind][mode] = (lost[kind][mode] ?? 0) + 1;
    if (mode === "retried") {
      await site.database.set({ fault: "lose", times: 1, holding });
    } else if (mode === "refused") {
      await site.database.set({ fault: "lose", times: 1, holding, status: 500, type: "application/json", body: '{"error":"lost"}' });
    }
    if (mode === "twice") {
      entry.responses = await Promise.all([send(), send()]);
    } else {
      entry.responses.push(await send());
      if (mode !== "retried") entry.responses.push(await send());
    }
    const { faulted } = await site.database.counts();
    if ((mode === "retried" || mode === "refused") && faulted !== 1) wrong.push(`${kind}, ${mode}: ${faulted} answers were lost`);
    await site.database.set({ fault: "pass" });
    if (now) { // the next of its kind takes its place
      const count = await there();
      entry.there = () => count;
    }
  }

  for (const { kind, mode, name, responses, there, cookie } of entries) {
    const amiss = (what) => wrong.push(`${kind}, ${mode}, ${name}: ${what}`);
    if (mode === "refused" && responses[0].status !== 503) amiss(`the lost answer was told as ${responses[0].status} ${responses[0].text}`);
    const acknowledged = mode === "refused" ? responses.slice(1) : responses;
    for (const { status, text } of acknowledged) {
      if (status !== 200) amiss(`it was answered ${status} ${text}`);
    }
    const ids = new Set(acknowledged.map(({ json }) => json?.id));
    if (ids.size > 1) amiss(`it has ${ids.size} ids: ${[...ids]}`);
    const count = await there();
    if (count !== 1) amiss(`it is there ${count} times`);
    if (cookie) {
      for (const response of acknowledged) {
        const { status } = await site.get("/saved", response);
        if (status !== 200) amiss(`its session is answered ${status}`);
      }
    }
  }
  // Nothing else was made, neither twice nor by the way.
  const extra = await site.sql(`SELECT 'post', title, count(*) FROM posts WHERE status <> 'deleted' GROUP BY title HAVING count(*) > 1
    UNION ALL SELECT 'comment', body, count(*) FROM comments WHERE status <> 'deleted' GROUP BY body HAVING count(*) > 1`);
  for (const [what, text, count] of extra) wrong.push(`${what} ${JSON.stringify(text)} is there ${count} times`);
  return { lost, wrong };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({ options: { replies: { type: "string", default: "500" } } });
  const site = await startSite();
  try {
    const began = Date.now();
    const { lost, wrong } = await keepLedger(site, Number(values.replies));
    console.table(lost);
    for (const line of wrong) console.log(line);
    console.log(`${values.replies} lost answers in ${Math.round((Date.now() - began) / 1000)} s: ${wrong.length} amiss`);
    if (wrong.length > 0) process.exitCode = 1;
  } finally {
    await site.stop();
  }
}
