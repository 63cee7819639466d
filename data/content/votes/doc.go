// Package votes keeps the votes of members on posts and comments. Counters are sums of rows: Cast stores a vote, a trigger stores the
// change in vote_deltas, and ApplyDeltas adds these changes to the counters and deletes them in one transaction. So a lost, doubled or late
// message changes no result. ApplyDeltas also finds the votes of brigades, which stay in quarantine until a moderator decides.
//
// Begin with Store.Cast (cast.go) and Store.ApplyDeltas (apply.go). docs/inside/votes.md says how a vote becomes a score.
package votes
