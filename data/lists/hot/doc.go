// Package hot keeps the hot listings in Redis. They are copies of the database and may be lost at any time.
//
// # Reading
//
// No page waits for Redis. The index of the database has the same order and the same cursors, and it is the truth: the fold commits before
// it writes the sets. So a page comes from the index, at one row for each post that a database lists. When the page is shown, Confirm asks
// Redis for the first posts of the set. If they are those of the page, the instance knows their ids for two seconds (Known). During that
// time it takes these posts by their ids, of the shards that have them, at two rows a post. A set that says something else was written
// between the two, or it lacks an update. Then nothing is remembered. An instance asks about a page once in two seconds.
//
// So on a site of one or two databases Redis saves a page no rows. With three or more, a page of the site by ids reads fewer than by the
// indexes of all.
//
// # Trust
//
// There is a sorted set for each community and one for the site, capped. Redis may lose anything at any time. So a set is trusted only
// while it holds the member whole, which a rebuild writes last. An update that reaches a lost set makes a set without it. Nobody takes
// such a set for the listing; the events queue is asked for a rebuild. A set without whole expires after an hour (EXPIRE … NX, Redis 7),
// because perhaps nobody will open it.
//
// # Rebuilding
//
// A rebuild (rebuild.go) empties the set, reads the database, and adds with NX. So what the votes consumer wrote meanwhile stays. A lock
// keeps two rebuilds of one set apart. A delivery of the queue rebuilds ten sets, which together cost three Redis requests, one or two
// requests to each shard, and with several shards one to the directory. It sends the other messages back to the queue as new ones: the free
// plan allows 50 requests to a delivery, and a message that only waits must not become a dead letter.
//
// A set that is full has dropped posts, and one that falls later may lie below a dropped one. So only the upper half of a full set is
// compared. Sets live for an hour: one that lacks an update confirms nothing until then.
//
// # Commands
//
// Upstash bills each command, also inside a pipeline, a transaction or a script. It bills the call of the script as well
// (https://upstash.com/docs/redis/overall/billing, https://upstash.com/docs/redis/sdks/ratelimit-ts/costs). So a script would save nothing,
// and this package sends as few commands as it can. A comparison is one ZREVRANGE. Its first member says whether the set is whole. A vote
// is one ZADD for each of its two sets. ZADD returns how many members are new. If there are any, the set may be too large, or may not have
// been there before. Then a second request trims it and gives it an end (EXPIRE). Posts that are too far below to be in a set are not added
// to it (floor.go).
package hot
