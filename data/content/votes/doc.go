// Package votes keeps the votes of members on posts and comments. Cast records a vote. Fold adds the changes to the counters of its target.
// Votes of a brigade are found when they are folded, and quarantined until a moderator decides. Counters are sums of rows: each vote is
// counted exactly once, even if messages are lost, doubled or late.
//
// # The way of a vote
//
//  1. POST /vote runs one transaction. It upserts into votes, which does nothing when nothing changes, and a trigger adds the difference to
//     the row of the voter and the target in vote_deltas. The same transaction returns the counters plus the voter's own unfolded deltas.
//     Every page shows the same to that voter. Votes that reach an instance at the same moment share one transaction
//     (cast.go, group commit by data/pace/batch). The reason is that SQLite has one writer at a time, and sqld stalls when a
//     dozen compete. No request wakes another: a waiting request checks again after a sleep of its own. A request that finds no transaction
//     under way writes all waiting votes in a transaction of its own, in the order in which they came. So of two votes of one member on one
//     target, the later one stays. Each vote carries the time of its request
//     (votes.asked_at). A vote that is older than the recorded one changes nothing, because a delayed transaction may arrive after the
//     response to a later vote. When the time of the recorded vote is in the future, because its instance's clock was ahead, a new vote
//     gets a time just after it.
//  2. A message vote <id> goes to plaza-votes, which delivers it two seconds later. An instance sends one message of a target in a second:
//     votes that are committed in the second after it was sent rely on it (worker/request/thin.go). It only asks for a fold, so lost,
//     doubled and late messages change no result. The sweep (cron, each minute) sends messages for deltas older than a minute.
//  3. The consumer takes the distinct targets of a batch and runs Store.Fold (fold.go). That is one BEGIN IMMEDIATE transaction a shard. It
//     sums the deltas per target, adds them to ups, downs, score, hot or best, and karma, and deletes those deltas. Nothing can come
//     between sum and delete, so the fold may run any number of times. When SQLite refuses a transaction because of one target, its halves
//     are folded separately, and so on until that target is alone (hrana.Trial); at most 30 transactions a delivery. Only the message of
//     that target is delivered again, and in the end becomes a dead letter. A shard that can't be reached does not hold up the others.
//     After four deliveries its messages are left to the sweep, so an outage leaves no dead letters.
//  4. After the commit, hot scores go into the Redis sets. A crash in between repeats the message, and the fold returns current hot scores
//     whether or not there was anything to add. When Redis fails, the message is still acknowledged: the counters are right, and the sets
//     that missed the update are marked as lost when Redis answers again (data/lists/hot/trust.go).
//
// docs/architecture.md follows one vote through all files.
//
// # Rows written
//
// A row or index entry that is written costs as much as a thousand rows that are read (TestRowsWritten bounds what each action writes).
//
//   - What listings sort by. The score, hot and controversy of a post are in up to ten indexes, and SQLite writes an entry anew even if its
//     value stays the same. So a fold writes these columns only when the score or the controversy has moved by more than a 32nd. The score
//     that is stored is off by at most a 32nd of itself. Otherwise a fold writes ups and downs alone, in one row (the triggers of the view
//     post_counters). Pages show ups - downs, blurred, so readers can't see the difference. Lists have no gaps, because a cursor has the
//     value that the index has. Comments are written in the same way, by the view comment_counters, when their best has moved, too: by a
//     32nd of itself or of what it lacks to 1, so that votes against a comment that nearly all are for move it at once. And the order of
//     the most commented posts goes by comments_step.
//   - Own votes. A post or comment is made with its author's vote in its counters, and that vote makes no delta. A new post still leaves a
//     row of zeros in vote_deltas, so that the sweep finds a post that is in no hot set because its message was lost.
//   - Deltas. A voter and a target have one row, in a table without a second index. A second change before the fold is added to it.
//
// # Quarantine
//
// A vote counts while its status is 0. Quarantining (1), releasing (0) and dropping (2) are plain updates of it, of which the same trigger
// makes deltas, so that counters are the sum of votes of status 0 by the same fold. Pages show voters their own vote as counted, whatever
// its status (data.OwnVote), so nobody can see a quarantine from outside. The transaction that quarantines votes leaves work that notifies
// their voters an hour later (package inbox).
//
// The fold looks for brigades (brigade.go). Its transaction also reads which targets had many votes recently, and ranking.Brigaded checks
// those. The votes that show the suspicious sign are quarantined and folded in one more transaction, before the sets are written
// (quarantine.go). The community's share of young voters is counted from older votes when a burst needs it (voter_age.go). The table
// ballots keeps the network of a vote for two days at most. Its key begins with the half day: purging reads from the front, a burst is one
// or two ranges, and no second index is written for each vote. A replaced vote finds its ballot by votes.updated_at. Thresholds and the
// moderators' side are in docs/moderation.md.
//
// # Comments
//
// Comments are counted the same way through count_deltas: a new comment adds one to its post, its parent's replies and the descendants of
// every ancestor, which are the prefixes of its path.
package votes
