// Package data is the kernel of all stores: it reads and writes libSQL (data/wire/hrana), which is the source of truth, and Redis
// (data/wire/upstash), which has copies. It defines the errors that stores return. It renders nothing, serves nothing and knows no
// platform. Clocks and randomness are passed in.
//
// All stores stand on one kernel, which is this:
//
//   - A DB is one directory, with members and communities, and thread shards, with posts, comments and votes. One database can be both.
//     A Place says on which of them a statement runs: an ID, In a community, or one of DB.Shards. Without one it runs in the directory. The
//     shard of a community or id is looked up when it is needed; DB.ShardOf is for what is gathered for each shard.
//   - A statement is a named constant or variable above the function that sends it. Its parameters have names (:author), and Args are
//     their values. IDs, times and lists are converted there and nowhere else. Row reads the columns of a row in order.
//   - Read gathers the statements of a page. Each statement comes with the function that scans its rows. Each database gets one request,
//     and all requests run at the same time. FindOwn remembers the state of one member for OwnLife. A page that merges the lists of
//     all shards can call AllowMissing. Then it is made without the shards that don't answer, and says so.
//     Pages call AllowReplicas: then replicas answer that have what the page's Reader has written (replica.go).
//   - Write gathers one transaction, in the same way. WriteEach runs one in each of several databases, OnEach calls a
//     function for each. A database that is down does not stop the others.
//   - A transaction whose answer was lost is sent again. Write.Once keeps it from making a post, comment, community or account twice. The
//     comment of Once says why edits don't need that.
//   - The member who acts is an Actor. Statements that write have the condition LiveSession: an ended session writes nothing.
//   - Final decisions use DatabaseNow, the time of the database, and not the clock of an instance.
//   - Every error that a store returns on purpose is an *Error: a Code, a sentence for the user, and the cause. Mistake makes one for a
//     field of a form. A database that can't be reached is Unavailable. IsTaken reports whether a name or an id is already in use.
//
// # A page is one wait
//
// A page sends each database one request, and waits for nothing else. What it asks Redis, it asks when it is shown: whether the set of a
// hot listing is in order, and to count a view. worker/routes_test.go calls every route with counting clients: at most one Redis request,
// one libSQL request and 200 rows read on a small site. TestNoPageWaitsForRedis looks at the order.
//
// Lists end their order with the id; a page reads one item more than it shows; a cursor carries the exact sort value and the id, so pages
// neither repeat nor skip when ranks move (cursor.go).
//
// # Ids and shards
//
// An id is a snowflake (id.go) of 41 bits of milliseconds since 2026, 10 bits of slot, 12 bits of sequence. Two things go beyond the
// usual: the slot is readable from any post's or comment's id, and an instance knows on which shards the slots are (slot.go), so a vote is
// routed without a look-up; and the lowest bit tells posts (even) from comments (odd), so votes, and later saves and reports, key by one
// number.
//
// The directory holds members and communities. A shard holds the posts, comments and votes of its communities. By default one database is
// both. A community's page finds the shard by the community's name, in a map that each instance fills from the directory. All posts of a
// community are in its slot, and most communities have a slot of their own.
//
// While a community moves to another shard (tools/mover), two shards have its rows, and both refuse writes to them (SlotClosed). The rows
// are the same, so a list that merges shards leaves out those that another shard holds (Row.Holds), and jobs leave them alone (NotClosed).
// A statement for one community or id needs neither: it goes to the shard that the directory names. A number of a whole shard, such as that
// of a tag's posts, includes both copies while they are there.
//
// An instance goes by a map of slots that is up to 30 seconds old (slotsLife), or five where it asks the directory anyway. With an older
// one a Read asks for changes along with its statements, and asks again where a slot has moved. The shard that a slot has left keeps the
// rows for a minute. What goes by where slots are to find that something is gone asks first (RecentSlots), and does nothing without an
// answer.
//
// # Sending again makes nothing twice
//
// The response to a commit can get lost. If it is lost between the database and the worker, hrana sends the transaction again. If it is
// lost between the worker and the user, the user sends the form again. Neither makes a second row. Neither gets the error that the name is
// taken by the first attempt.
//
// The table made (idempotency.go) has a row for each account, community, post and comment of the past day: its author, the form's kind and
// token, a digest of what the form said, and the id. The statement that makes the thing requires that there is no such row. The next
// statement writes it, and the last ones read what is there. So every attempt gets the same response.
//
// A different digest means that the form was changed in between. Then it comes back with what was typed, a link to what the first form
// made, and a new token, with which it makes another thing.
//
// The row is on the shard of the new row. A post with a token is first looked up on all other shards, because the user may have changed its
// community in the form. An account has no author. Its key is the token alone, 128 random bits, and the password is checked as for logging
// in. Without a token, the new id is the key, so that the attempts of one request are covered.
//
// A page for a member has one token, in its form. A form that is opened in place has its own. A form that stays open after its comment was
// posted makes a new token. Pages in the edge cache have none, because visitors share them. A change needs no row in made: the second try
// is refused because of the revision, and the same transaction finds that the wanted values are already there.
//
// # Clocks
//
// An instance's clock may be wrong, and those of two may differ. So decisions that are not repeated use the database's own time, which
// statements read themselves (DatabaseNow; tests set another). These decisions are: which posts are too old for a window, what is due,
// whether the time of a scheduled post has come, what is purged, when tokens expire, and how long deltas have waited. The search for
// brigades also uses it for the times of votes. Ids and the times of posts and comments come from the instance, and so does the end of a
// ban or suspension; the database decides whether that end has passed. Deltas that an instance with a fast clock has written are not left
// waiting: the sweep also takes deltas whose time is more than a minute in the future.
//
// # What an instance remembers
//
// A member's pages are made by an instance that remembers two kinds of things, so that a warm page asks no database at all:
//
//   - what is the same for all members, listings and communities, for 2 s (ListingLife, lists/listings/warm.go). What a replica found
//     counts as old as it may be (Read.Lag);
//   - what pages show of the member's own, such as votes, subscriptions and the session's state, for 5 s (OwnLife, own.go). A member's own
//     change shows at once. The response to every action carries the fresh cookie, __Host-changed (worker/request/fresh_cookie.go). An
//     instance reads the member's state again if it was kept under another value of that cookie, or before an action that the instance
//     served itself. The cookie also has the time of the change, so the member sees no listing or community from before it. On the member's
//     other devices the change shows up to 5 s later. Pages of moderators and administrators, and everything that writes, never use it.
//
// # Harmful characters
//
// Line and Plain remove characters from titles, excerpts, descriptions and link previews that would reverse or hide the text beside them.
// Texts in Markdown keep them, because each of their paragraphs is isolated. A domain is stored in Punycode (weburl.Host). A request
// whose address is not UTF-8 is answered 404 without any query.
//
// # Reserved names
//
// Some names are reserved (names.go). Members can't take words that mean the site's staff or stand in its addresses. Communities, imported
// ones included, also can't take names that begin with u_. Package names says which characters a name has.
package data
