// What the pages need from Redis and the database: the same as Plaza's pages show of it, in two round trips.

import { createClient } from "@libsql/client/web";
import { Redis } from "@upstash/redis/cloudflare";
import { idOf } from "./session.mjs";

const PAGE = 25;
const WHOLE = "whole"; // this member of a set is no post (data/content/hot)
const COMMENTS = 164; // as many as Plaza shows of a thread of 500

const VIEWER = `SELECT u.status, u.unread, u.choices, u.avatar,
  NOT EXISTS (SELECT 1 FROM revocations WHERE subject IN (:user, :session) AND before > :issued) AS live FROM users u WHERE u.id = :user`;
const COMMUNITY = `SELECT c.id, c.name, c.title, c.description, c.sidebar_html, c.rules, c.colour, c.members, c.growth, c.created_at,
  EXISTS (SELECT 1 FROM subscriptions s WHERE s.user_id = :viewer AND s.community_id = c.id) AS joined,
  s.posts, s.week_posts
FROM communities c LEFT JOIN community_stats s ON s.community_id = c.id WHERE c.name_key = :name`;
const MODERATORS = `SELECT m.username FROM communities c JOIN moderators m ON m.community_id = c.id WHERE c.name_key = :name LIMIT 20`;
const SUBSCRIPTIONS = `SELECT c.name, c.colour FROM subscriptions own JOIN communities c ON c.id = own.community_id
WHERE own.user_id = :viewer ORDER BY own.community_id DESC LIMIT 30`;
const POSTS = `SELECT p.id, p.slug, p.kind, p.title, p.domain, p.nsfw, p.spoiler, p.ups, p.downs, p.hot, p.comments, p.created_at, p.tags
FROM json_each(:ids) j CROSS JOIN posts p ON p.id = j.value WHERE p.status = 'published'`;
const OWN_OF_POSTS = `SELECT p.id, v.value,
  EXISTS (SELECT 1 FROM saves k WHERE k.user_id = :viewer AND k.target_id = p.id) AS saved,
  EXISTS (SELECT 1 FROM hides h WHERE h.user_id = :viewer AND h.post_id = p.id) AS hidden
FROM json_each(:ids) j CROSS JOIN posts p ON p.id = j.value LEFT JOIN votes v ON v.target_id = p.id AND v.user_id = :viewer`;
const POST = `SELECT p.id, p.author_name, p.slug, p.title, p.ups, p.downs, p.comments, p.commented_at, p.created_at, t.html, v.value,
  EXISTS (SELECT 1 FROM saves k WHERE k.user_id = :viewer AND k.target_id = p.id) AS saved
FROM communities c JOIN posts p ON p.community_id = c.id AND p.slug = :slug LEFT JOIN post_texts t ON t.post_id = p.id
  LEFT JOIN votes v ON v.target_id = p.id AND v.user_id = :viewer WHERE c.name_key = :name`;
const COMMENTS_OF_POST = `SELECT c.id, c.parent_id, c.author_name, c.body_html, c.ups, c.downs, c.descendants, c.created_at, v.value,
  EXISTS (SELECT 1 FROM saves k WHERE k.user_id = :viewer AND k.target_id = c.id) AS saved
FROM comments c LEFT JOIN votes v ON v.target_id = c.id AND v.user_id = :viewer
WHERE c.post_id = (SELECT p.id FROM communities k JOIN posts p ON p.community_id = k.id AND p.slug = :slug WHERE k.name_key = :name)
ORDER BY c.depth, c.best DESC LIMIT ${COMMENTS}`;

/** Store asks both servers for one request. */
export class Store {
  constructor(env, caches) {
    // Ids are longer than a number is exact, so integers come as texts.
    this.sql = createClient({ url: env.LIBSQL_URL, authToken: env.LIBSQL_AUTH_TOKEN, intMode: "string" });
    this.redis = new Redis({ url: env.UPSTASH_REDIS_REST_URL, token: env.UPSTASH_REDIS_REST_TOKEN, enableTelemetry: false, automaticDeserialization: false });
    this.caches = caches;
  }

  /** listing returns what a member's page of a community shows. */
  async listing(name, session) {
    const key = `${name} ${session.user}`;
    const list = this.caches?.lists.get(name);
    const own = this.caches?.members.get(key);
    if (list && own) return { ...list, ...own };
    const ids = list?.ids ?? (await this.redis.zrange(`hot:c:${name}`, 0, PAGE + 1, { rev: true }))
      .filter((text) => text !== WHOLE).slice(0, PAGE + 1).map((text) => String(idOf(text)));
    const viewer = session.user;
    const shown = `[${ids.slice(0, PAGE).join()}]`;
    const [person, subscriptions, ownOfPosts, community, moderators, posts] = (await this.sql.batch([
      { sql: VIEWER, args: { user: session.user, session: session.session, issued: session.issued } },
      { sql: SUBSCRIPTIONS, args: { viewer } },
      { sql: OWN_OF_POSTS, args: { viewer, ids: shown } },
      { sql: COMMUNITY, args: { viewer, name } },
      { sql: MODERATORS, args: { name } },
      { sql: POSTS, args: { ids: shown } },
    ], "read")).map(({ rows }) => rows);
    const fromBoth = {
      list: { ids, community: community[0], moderators, posts },
      own: { viewer: person[0], subscriptions, own: new Map(ownOfPosts.map((row) => [row.id, row])) },
    };
    this.caches?.lists.put(name, fromBoth.list);
    this.caches?.members.put(key, fromBoth.own);
    return { ...fromBoth.list, ...fromBoth.own };
  }

  /** thread returns what a member's page of a post shows. */
  async thread(name, slug, session) {
    const viewer = session.user;
    const [person, community, moderators, post, comments] = (await this.sql.batch([
      { sql: VIEWER, args: { user: session.user, session: session.session, issued: session.issued } },
      { sql: COMMUNITY, args: { viewer, name } },
      { sql: MODERATORS, args: { name } },
      { sql: POST, args: { viewer, name, slug } },
      { sql: COMMENTS_OF_POST, args: { viewer, name, slug } },
    ], "read")).map(({ rows }) => rows);
    return { viewer: person[0], community: community[0], moderators, post: post[0], comments };
  }
}

/** Caches remember for all requests what Plaza remembers, and for as long: lists for 2 s, what is a member's own for 5 s. */
export class Caches {
  lists = new Cache(2000);
  members = new Cache(5000);
}

class Cache {
  constructor(life) {
    this.life = life;
    this.entries = new Map();
  }

  get(key) {
    const found = this.entries.get(key);
    return found && Date.now() < found.until ? found.value : undefined;
  }

  put(key, value) {
    if (this.entries.size > 1000) this.entries.clear();
    this.entries.set(key, { value, until: Date.now() + this.life });
  }
}
