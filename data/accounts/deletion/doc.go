// Package deletion deletes accounts. A member asks for it, and is logged out everywhere. For fourteen days logging in takes it back. Then
// the account is emptied in one transaction, and a consumer of the events queue removes the rest in small steps: each step finds what is
// left, so it may be repeated, and stopping in between loses nothing.
//
// A member who asks for the deletion is also told so by mail. The only moderator of a community has to confirm that it goes on without one;
// administrators decide there then. A row of departures starts a period of 14 days. Logging in deletes it, in the transaction that lists
// the session. When the time has come, by the database's clock, one transaction empties the row of users: name, address, password,
// settings. From then on nobody can log in, and the name leads nowhere.
//
// The rest is done by the consumer of leave <user>, in steps of 200 rows a table, twelve steps a message. A step keeps no note of where it
// is: it finds by an index what still has the name, and what it changes leaves that index. So a step may be repeated, run twice at once or
// stopped. The sweep sends the message of a departure again until nothing is left. Copies in crossposts go before the name of their
// original, which is the way to them. Posts and comments lose the name or, if the member asked for that, are deleted as their author could;
// drafts are always deleted. Subscriptions and follows are deleted row by row, so that their triggers keep the counts of communities and of
// other members.
//
// # What stays, and why
//
//   - votes, because the counters are their sum. They have the member's id, which is no account's any more.
//   - reports, because the queue counts them, by the id alone and without what the member has added.
//   - conversations with moderators, closed, with their answers and the verdict of an appeal, but without the subject and without what the
//     member wrote. What a moderator has written for a community stays by the id alone.
//   - messages to the administrators, without the name, and without the address once they are answered. They go half a year after that.
//   - decisions in the log, by the id alone.
//   - author_id of posts and comments, so that the author's own votes and karma are counted as before. The karma's name_key is ~ and the
//     id.
//   - the row of users, as ~ and the id, so that an id is never unknown. plaza verify compares copies of names with it and so finds those
//     that a step should have emptied; it leaves members alone whose steps are under way.
//   - the name in departures for 90 days, in which nobody can take it.
//   - what others have written, with the name in it. Their texts are theirs.
//
// A test finds all tables that name members, and fails until somebody decides what becomes of each. TestLeaving looks for the id and the
// name in every column of every table after a deletion. It fails where a column is not in its list of reasons.
package deletion
