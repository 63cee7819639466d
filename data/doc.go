// Package data is Plaza's truth and its hot copies: stores over libSQL (data/hrana) and Redis (data/upstash), and the
// errors they return. It renders nothing, serves nothing and knows no platform; clocks and randomness are passed in.
//
// All stores stand on one kernel, which is this:
//
//   - A DB is a directory, with members and communities, and thread shards, with what is said in the communities. One
//     database can be both. Where says on which of them a statement runs: Directory, HomeOf a community, HomeOfID of a
//     post or comment, or one of DB.Shards. What it takes to know the place is asked when it is needed.
//   - A statement is a named constant above the function that sends it. Its parameters have names (:author), and Args are
//     their values. IDs, times and lists are converted there and nowhere else. Row reads the columns of a row in order.
//   - Read gathers what a page shows. Each statement comes with the function that scans its rows; each database is asked
//     once, all of them at the same time. FindOwn keeps what was found about one member for OwnLife.
//   - Write gathers one transaction, in the same way. WriteEach runs one in each of several databases, OnEach does more
//     than one thing on each; what is down harms only what is on it.
//   - Answers get lost, so everything is sent again. What is made new is made by Write.Once; Once says how edits do it.
//   - Who acts is an Actor. Statements that write hold LiveSession, so that a session that was ended writes nothing.
//   - What databases have to agree on goes by DatabaseNow, the time of the database, not of whoever asks.
//   - Every error that a store returns on purpose is an *Error: a Code, a sentence for a person, and the cause. Mistake is
//     one in a field of a form. A database that is away or can't do it is Unavailable; IsTaken tells what is somebody's
//     already.
package data
