// Package importer brings communities, posts and comments of other sites into Plaza's tables. It reads dumps as streams, row by row, and
// writes through database/sql. It runs natively, for `plaza import` and `plaza dev`; nothing of it is served.
//
// An import can be repeated and resumed: the source of a post is in posts.source, of a comment in comment_sources and of an author in
// users.origin. These are unique, so existing rows are skipped. Batches commit on their own, so an interrupted import keeps its finished
// batches. The order of files and lines does not matter: a comment waits for its parent.
//
// # Counters
//
// Imported counters have no votes behind them, so they are kept as base_ups and base_downs; ups is always base_ups plus the votes of 1. So
// plaza verify verifies imported posts and comments like all others.
//
// # Once
//
// A source is a text such as reddit:t3_abc: in posts.source, in comment_sources on the comment's shard, and for authors in users.origin. A
// batch first reads which of its sources exist. Comments wait in memory for their parents, up to 256 MB. When there is no room, the files
// are read again.
//
// # Authors
//
// They are rows of users with unclaimed set and no password, so that nobody can log in. Everything else treats them like members: profiles,
// names, standing, deletion. A claim is not stored until an administrator grants it. Its text is the hash of a link's token, as mailed
// links have one; signup.LetClaim then stores that hash.
//
// # Ids
//
// They have to be in the order of time, because the oldest and newest comments of a thread go by the id. Ids can't tell times before 2026,
// so the first eight days of 2026 stand for the 32 years before (id.go).
//
// # Pages
//
// Most of what an import of comments costs is writing pages of the database. sqld's cache has 2 MB for a connection, which no client can
// change. A changed page that does not fit any more is written at once, to the log of the database and to that of replication, and read
// again for its next row. So rows are inserted in the order of the table or index that they change, and many in a transaction: 16,000
// comments, or 16 MB of text. Nobody else can write for the two or three seconds that it takes. What remains are mostly the indexes of an
// author's comments: two pages a comment, in no order.
//
// # Counts and the search
//
// The triggers of comments would note each comment to be counted and put each into the search. They do neither while there is a row in
// bulk_writes. The import puts one there and takes it away in the same transaction, so nobody else ever sees it, and what members write
// meanwhile is counted and found as ever. The import itself counts what its comments add to threads and standings (insert.go). For the
// search it writes, in the same transaction, the range of the ids into search_due. At its end it puts the comments of these ranges that are
// missing into the index. It does so in the order of the ids and in steps of about a second, each of which moves the beginning of the range
// (data/lists/search/fill.go). If an import dies, its ranges stay: its comments are there and counted, but the search does not find them
// until the import is run again. plaza verify names them and --repair puts them in as well.
//
// docs/performance.md has figures.
package importer
