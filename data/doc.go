// Package data is Plaza's truth and its hot copies: stores over libSQL (data/wire/hrana) and Redis (data/wire/upstash), and the
// errors they return. It renders nothing, serves nothing and knows no platform; clocks and randomness are passed in.
//
// All stores stand on one kernel, which is this:
//
//   - A DB is a directory, with members and communities, and thread shards, with what is said in the communities. One
//     database can be both. Where says on which of them a statement runs: Directory, HomeOf a community, HomeOfID of a
//     post or comment, or one of DB.Shards. The shard of a community is looked up when it is needed.
//   - A statement is a named constant or variable above the function that sends it. Its parameters have names (:author), and Args are
//     their values. IDs, times and lists are converted there and nowhere else. Row reads the columns of a row in order.
//   - Read gathers what a page shows. Each statement comes with the function that scans its rows; each database is asked
//     once, all of them at the same time. FindOwn remembers for OwnLife what was found about one member.
//   - Write gathers one transaction, in the same way. WriteEach runs one in each of several databases, OnEach calls a
//     function for each. A database that is down does not stop the others.
//   - A transaction whose answer was lost is sent again. Write.Once keeps it from making the same thing twice; the comment of
//     Once says why edits don't need that.
//   - The member who acts is an Actor. Statements that write have the condition LiveSession: an ended session writes nothing.
//   - What is decided for good goes by DatabaseNow, the time of the database, and not by the clock of an instance.
//   - Every error that a store returns on purpose is an *Error: a Code, a sentence for a person, and the cause. Mistake
//     makes one for a field of a form. A database that can't be reached is Unavailable. IsTaken tells that a name or an id
//     belongs to something else already.
//
// # A page is two requests
//
// A page asks each database once, and Redis once before that where it has a hot listing. worker/routes_test.go walks every route with
// counting clients: at most one Redis request, one libSQL request and 200 rows read on a small site.
//
// Lists end their order with the id; a page reads one item more than it shows; a cursor carries the exact sort value and the id, so pages
// neither repeat nor skip when ranks move (cursor.go).
//
// # Ids and shards
//
// An id is a snowflake (id.go) of 41 bits of milliseconds since 2026, 10 bits of shard, 12 bits of sequence. Two things go beyond the
// usual: the shard is readable from any post's or comment's id, so a vote is routed without a look-up; and the lowest bit tells posts
// (even) from comments (odd), so votes, and later saves and reports, key by one number.
//
// The directory holds people and communities, a shard everything that happens in its communities. By default one database is both. A
// community's page knows the shard from its name by a map each instance fills from the directory (names never move).
//
// # Sending again makes nothing twice
//
// The answer to a commit can get lost. On the way from the database, hrana sends the transaction again; on the way to the person, the
// person sends the form again. Neither makes a thing twice, and neither is told that the name is taken by what the first try made.
//
// The table made (idempotency.go) has a row for each account, community, post and comment of the past day: its author, the form's kind and
// token, a digest of what the form said, and the id. The statement that makes the thing requires that there is no such row. The next
// statement writes it, and the last ones read what is there. So every try has the same answer.
//
// A different digest means that the form was changed in between. Then it comes back with what was typed, a link to what the first form
// made, and a new token, with which it makes another thing.
//
// The row is on the shard of the thing. A post with a token is first looked for on all other shards, because its community may have been
// changed in the form. An account has no author: its key is the token alone, 128 random bits, and the password is checked as for logging
// in. Without a token, the id of the new thing is the key, so that the tries of one request are covered.
//
// A page for a member has one token, in its form. A form that is opened in place has its own. A form that stays open after its comment was
// posted makes a new token. Pages in the edge cache have none, because visitors share them. A change needs no row in made: the second try
// is refused because of the revision, and the same transaction finds that the wanted values are already there.
//
// # Clocks
//
// An instance's clock may be wrong, and those of two may differ. So decisions that are not repeated use the database's own time, which
// statements read themselves (DatabaseNow; tests give another): which posts have outgrown a window, what is due, whether a time to publish
// at has passed, what is purged, when tokens run out, how long deltas have waited, and when a vote was cast for the search for brigades.
// Ids and the times of posts and comments come from the instance, and so does the end of a ban or suspension; the database decides whether
// that end has passed. Deltas that an instance with a fast clock has written are not left waiting: the sweep also takes deltas whose time
// is more than a minute in the future.
//
// # What an instance remembers
//
// A member's pages are made by an instance that remembers two kinds of things, so that a warm page asks no database at all:
//
//   - what all members see alike, listings and communities, for 2 s (ListingLife, lists/listings/warm.go);
//   - what pages show of the member's own, such as votes, subscriptions and the session's state, for 5 s (OwnLife, own.go). A change the
//     member makes shows at once: the answer to every action carries the cookie __Host-changed (worker/request/fresh_cookie.go), and what
//     an instance kept under another marker, or before an action it served itself, is read again. Nor is that member shown a listing or
//     community from before the change, which is the time that the marker says. On the member's other devices the change shows up to 5 s
//     later. Pages of moderators and administrators, and everything that writes, never use it.
//
// # Harmful characters
//
// Line and Plain remove characters from titles, excerpts, descriptions and link previews that would reverse or hide the text beside them.
// Texts in Markdown keep them, because each of their paragraphs is isolated. A domain is shown in Punycode (unfurl.PlainHost). A request
// whose address is not UTF-8 is answered 404 without any query.
//
// # Reserved names
//
// Some names are reserved (names.go): words of the site's staff and of its addresses, for members; for communities also what begins with
// u_, in imports too. A name has at least one letter or digit.
package data
