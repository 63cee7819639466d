// Package deletion deletes accounts. A member who requests it is logged out everywhere. For fourteen days, logging in cancels the deletion.
// Then one transaction empties the account, and a consumer of the events queue removes the rest in small steps. Each step finds what is
// left. So a step may be repeated, and stopping in between loses nothing.
//
// A mail confirms the request. The only moderator of a community has to confirm that the community goes on without one; administrators
// decide there from then on. A row of departures starts the period of 14 days. Logging in deletes it, in the transaction that lists the
// session. When the time has come, by the database's clock, one transaction empties the row of users: name, address, password, settings.
// From then on nobody can log in, and the name leads nowhere.
//
// The rest is done by the consumer of leave <user>, in steps of 200 rows a table, twelve steps a message. A step stores no progress. It
// finds rows that still have the name by an index, and rows that it changes leave that index. So a step may be repeated, run twice at once
// or stopped. The sweep sends the message of a departure again until nothing is left. Copies in crossposts are changed before the name in
// their original, because the original leads to them. Posts and comments lose the name. If the member asked for that, they are deleted
// instead, as their author could. Drafts are always deleted. Subscriptions and follows are deleted row by row, so that their triggers keep
// the counts of communities and of other members.
//
// # What stays, and why
//
//   - votes, because the counters are their sum. They have the member's id, which is no account's any more.
//   - reports, because the queue counts them, by the id alone and without what the member has added.
//   - conversations with moderators. They are closed, and keep the moderators' replies and the verdict of an appeal, but not the subject
//     and the member's own messages. Messages that a moderator has written for a community stay by the id alone.
//   - messages to the administrators, without the name, and without the address once they are answered. They go half a year after that.
//   - decisions in the log, by the id alone.
//   - author_id of posts and comments, so that the author's own votes and karma are counted as before. The karma's name_key is ~ and the
//     id.
//   - the row of users, as ~ and the id, so that an id is never unknown. plaza verify compares copies of names with it, and so finds copies
//     that a step should have emptied. It skips members whose steps are still under way.
//   - the name in departures for 90 days, in which nobody can take it.
//   - texts of other members that contain the name. The texts belong to their authors.
//
// A test finds all tables that name members, and fails until each has a decision about its rows. TestLeaving looks for the id and the name
// in every column of every table after a deletion. It fails where a column is not in its list of reasons.
package deletion
