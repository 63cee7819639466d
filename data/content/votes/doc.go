// Package votes holds the votes of members on posts and comments: Cast records one, Fold adds what votes have changed to the counters of
// its target, and between the two a brigade's votes are found and quarantined until a moderator decides. Counters are the sum of rows: each
// vote is counted exactly once, whatever is lost, doubled or late.
//
// # The way of a vote
//
//  1. POST /vote runs one transaction. It upserts into votes, which does nothing when nothing changes, and a trigger appends the difference
//     to vote_deltas. The same transaction answers with the counters plus the voter's own unfolded deltas. Every page shows the same to
//     that voter. Votes that an instance is given at the same moment share one transaction, and their nudges one message a target (cast.go,
//     group commit by data/pace/batch): SQLite has one writer at a time, and sqld stalls when a dozen crowd for it. No request wakes
//     another: one that waits looks again after a sleep of its own. A request that finds no transaction under way writes all waiting votes
//     in a transaction of its own, in the order in which they came. So of two votes of one member on one target, the later one stays. Rate
//     limits are counted together in the same way. Each vote carries the time when it was asked for (votes.asked_at). A vote that is older
//     than the recorded one changes nothing, because a delayed transaction may arrive after its voter was answered about a later vote. When
//     the time of the recorded vote is in the future, because its instance's clock was ahead, a new vote gets a time just after it.
//  2. A message vote <id> goes to plaza-votes. It only nudges. Lost, doubled and late messages change nothing; the sweep (cron, each
//     minute) nudges for deltas older than a minute.
//  3. The consumer takes the distinct targets of a batch and runs Store.Fold (fold.go). That is one BEGIN IMMEDIATE transaction a shard. It
//     sums the deltas per target, adds them to ups, downs, score, hot or best, and karma, and deletes those deltas. Nothing can come
//     between sum and delete, so the fold may run any number of times. When SQLite refuses a transaction because of one target, its halves
//     are folded separately, and so on until that target is alone (hrana.Trial); at most 30 transactions a delivery. Only the message of
//     that target is delivered again, and in the end becomes a dead letter. A shard that can't be reached does not hold up the others.
//     After four deliveries its nudges are left to the sweep, so an outage leaves no dead letters.
//  4. After the commit, hot scores go into the Redis sets. A crash in between repeats the message, and the fold returns current hot scores
//     whether or not there was anything to add. When Redis fails, the message is still acknowledged: the counters are right, and the sets
//     that missed the update are marked as lost when Redis answers again (data/lists/hot/trust.go).
//
// docs/architecture.md follows one vote through all files.
//
// # Quarantine
//
// A vote counts while its status is 0. Quarantining (1), releasing (0) and dropping (2) are plain updates of it, of which the same trigger
// makes deltas, so that counters are the sum of votes of status 0 by the same fold. Pages show a voter their own vote as counted whatever
// its status (data.OwnVote): a quarantine can't be seen from outside.
//
// Brigades are looked for where votes are folded (brigade.go). The fold's transaction also asks which targets had many votes of late;
// ranking.Brigaded judges those. The votes that show the suspicious sign are quarantined and folded in one more transaction, before the
// sets are written (quarantine.go). The fold also keeps each community's share of young voters (voter_age.go). ballots keeps for two days
// at most where a vote came from. Its key begins with the half day: purging reads from the front, a burst is one or two ranges, and no
// second index is written for each vote. A replaced vote finds its ballot by votes.updated_at. Thresholds and the moderators' side are in
// docs/moderation.md.
//
// # Comments
//
// Comments are counted the same way through count_deltas: a new comment adds one to its post, its parent's replies and the descendants of
// every ancestor, which are the prefixes of its path.
package votes
