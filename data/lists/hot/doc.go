// Package hot keeps the hot listings in Redis. They are copies of the database and may be lost at any time. A reader that finds no valid
// set reads the database's index instead.
//
// # Trust
//
// There is a sorted set for each community and one for the site, capped. Redis may lose anything at any time. So a set is trusted only
// while it holds the member whole, which a rebuild writes last. An update that reaches a lost set makes a set without it. Readers ignore
// such a set. They read the database's index instead (same order, same cursors) and ask the events queue for a rebuild. A set without whole
// expires after an hour (EXPIRE … NX, Redis 7), because perhaps nobody will open it.
//
// # Rebuilding
//
// A rebuild (rebuild.go) empties the set, reads the database, and adds with NX. So what the votes consumer wrote meanwhile stays. A lock
// keeps two rebuilds of one set apart. A delivery of the queue rebuilds ten sets, which together cost three Redis requests and one or two
// requests to each shard. It sends the other messages back to the queue as new ones: the free plan allows 50 requests to a delivery, and a
// message that only waits must not become a dead letter.
//
// A set that is full has dropped posts, and one that falls later may lie below a dropped one. So a page comes from the upper half of a full
// set only. Sets live for an hour, which bounds what a lost update can leave wrong in one.
//
// # Commands
//
// Upstash bills each command, also inside a pipeline, a transaction or a script. It bills the call of the script as well
// (https://upstash.com/docs/redis/overall/billing, https://upstash.com/docs/redis/sdks/ratelimit-ts/costs). So a script would save nothing,
// and this package sends as few commands as it can. A page is one ZREVRANGE. Its first member says whether the set is whole. A vote is one
// ZADD for each of its two sets. ZADD returns how many members are new. If there are any, the set may be too large, or may not have been
// there before. Then a second request trims it and gives it an end (EXPIRE).
package hot
