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
package data
