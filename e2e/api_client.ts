// A journey by a client that openapi-typescript and openapi-fetch make of the site's OpenAPI document. api.test.mjs compiles and runs it, so
// each call here has the types of the document.

import createClient from "openapi-fetch";
import type { paths } from "./schema";

type Check = {
  equal(actual: unknown, expected: unknown, says?: string): void;
  soon(condition: () => Promise<void>): Promise<void>;
};

/** refused is why a call was refused. */
type Refused = { error: { code: string; message: string; field?: string } };

const clientOf = (baseUrl: string, token?: string) => createClient<paths>({ baseUrl, headers: token ? { authorization: `Bearer ${token}` } : {} });

/** must is the answer of a call that works. */
async function must<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await call;
  if (data === undefined) throw new Error(`${response.url}: ${response.status} ${JSON.stringify(error)}`);
  return data;
}

/** journey founds a community, posts, comments, votes and reads all of it again, as two members. */
export async function journey(base: string, tokens: { ann: string; ben: string }, names: { ann: string; ben: string; place: string }, check: Check) {
  const [ann, ben, nobody] = [clientOf(base, tokens.ann), clientOf(base, tokens.ben), clientOf(base)];
  const community = { path: { community: names.place } };

  const founded = await must(ann.POST("/communities", {
    params: { header: { "Idempotency-Key": "a-key-of-sixteen-letters" } }, body: { name: names.place, title: "Made by a client" },
  }));
  check.equal(founded.permalink, `/c/${names.place}`);
  const post = await must(ann.POST("/c/{community}/submit", { params: community, body: { title: "A post & <more>", text: "Some *words*", tags: "api", spoiler: false } }));
  const id = String(post.id);
  check.equal(/^\d+$/.test(id), true);
  await must(ann.POST("/c/{community}/submit", { params: community, body: { title: "Another", link: "https://example.com/api", anyway: "1", nsfw: true } }));

  check.equal((await must(ben.POST("/subscribe", { body: { community: names.place, on: true } }))).on, true);
  check.equal((await must(ben.POST("/follow", { body: { user: names.ann, on: true } }))).on, true);
  check.equal((await must(ben.POST("/tags/follow", { body: { tag: "api", on: true } }))).on, true);
  check.equal((await must(ben.POST("/block", { body: { user: names.ann, on: true } }))).on, true);
  check.equal((await must(ben.POST("/block", { body: { user: names.ann, on: false } }))).on, false);
  check.equal((await must(ben.POST("/follow", { body: { user: names.ann, on: true } }))).on, true); // a block has ended it
  const comment = await must(ben.POST("/comment", { body: { post: id, body: "A comment" } }));
  const reply = await must(ben.POST("/comment", { body: { parent: comment.id, body: "And more of it" } }));
  check.equal((await must(ben.POST("/vote", { body: { target: id, value: 1 } }))).my_vote, 1);
  check.equal((await must(ben.POST("/save", { body: { target: String(comment.id), on: true } }))).saved, true);
  check.equal((await must(ben.POST("/hide", { body: { target: id, on: true } }))).hidden, true);
  check.equal((await must(ben.POST("/hide", { body: { target: id, on: false } }))).hidden, false);
  check.equal((await must(ben.POST("/seen", { body: { hide: false } }))).hide, false);
  check.equal((await must(ben.POST("/watch", { body: { target: id, watch: "follow" } }))).watch, "follow");
  check.equal((await must(ben.POST("/settings/filters", { body: { kind: "words", value: "casino", days: 7, on: true } }))).ok, true);
  check.equal((await must(ben.POST("/settings/notifications", { body: { replies: "now", mentions: "now", threads: "none", days: 7 } }))).ok, true);
  await must(ben.POST("/edit", { body: { target: String(reply.id), body: "And *less* of it" } }));
  const edited = await must(ben.POST("/edit", { body: { target: String(reply.id), body: "And *much less* of it" } }));
  check.equal((await must(ben.POST("/edit", { body: { target: String(reply.id), body: "And *less* of it", revision: edited.revision } }))).id, reply.id);

  const thread = () => must(ben.GET("/c/{community}/p/{slug}.json", { params: { path: { community: names.place, slug: String(post.slug) } } }));
  await check.soon(async () => {
    const { score, comments } = (await thread()).post;
    check.equal([score, comments].join(), "2,2", "the votes to be applied");
  });
  const read = await thread();
  check.equal([read.post.id, read.post.title, read.post.my_vote].join("|"), `${id}|A post & <more>|1`);
  check.equal(read.post.tags.join(), "api");
  check.equal(read.text_html.includes("<em>words</em>"), true);
  check.equal(read.viewer?.name, names.ben);
  check.equal(read.comments.map((c) => [c.id, c.author, ...c.replies.map((r) => r.id)].join()).join("|"), [comment.id, names.ben, reply.id].join());
  check.equal(read.comments[0].replies[0].body_html.includes("<em>less</em>"), true);
  check.equal(Date.parse(String(read.comments[0].replies[0].edited_at)) >= Date.parse(String(read.comments[0].created_at)), true);
  const single = await must(ben.GET("/c/{community}/p/{slug}/{comment}.json",
    { params: { path: { community: names.place, slug: String(post.slug), comment: String(reply.id) } } }));
  check.equal(single.single && single.comments[0].replies[0].highlight, true);

  const listing = await must(ben.GET("/c/{community}/new.json", { params: community }));
  check.equal(listing.items.map((p) => `${p.title}|${p.nsfw}`).join(), "Another|true,A post & <more>|false");
  check.equal(listing.community.subscribed, true);
  check.equal(listing.after ?? listing.next, null);
  check.equal((await must(ben.GET("/saved/comments.json"))).comments.map((c) => c.id).join(), comment.id);
  check.equal((await must(ben.GET("/u/{user}/followers.json", { params: { path: { user: names.ann } } }))).people.map((p) => p.name).join(), names.ben);
  check.equal((await must(ben.GET("/u/{user}/comments.json", { params: { path: { user: names.ben } } }))).comments.map((c) => c.id).join(),
    [reply.id, comment.id].join());

  const inbox = () => must(ann.GET("/inbox.json"));
  await check.soon(async () => check.equal((await inbox()).items.length > 0, true, "Ann to be told of it"));
  const list = await inbox();
  check.equal(list.items[0].items[0].author, names.ben);
  check.equal((await must(ann.POST("/inbox/read", { body: { newest: String(list.newest) } }))).unread, 0);

  await must(ben.POST("/delete", { body: { target: String(reply.id) } }));
  const left = (await thread()).comments[0].replies[0];
  check.equal([left.deleted, left.author, left.body_html].join("|"), "true||");

  const refused = await ben.POST("/vote", { body: { target: id, value: 2 } });
  const { error } = refused.error as Refused;
  check.equal([refused.response.status, error.code, error.field].join(), "422,invalid,value");
  const missing = await ben.GET("/c/{community}/p/{slug}.json", { params: { path: { community: names.place, slug: "nothing" } } });
  check.equal([missing.response.status, (missing.error as Refused).error.code].join(), "404,not_found");
  check.equal((await clientOf(base, "plaza_nonsense").GET("/home.json")).response.status, 401);
  check.equal((await must(nobody.GET("/c/{community}.json", { params: community }))).viewer, null);
}
