package votes

import (
	"time"

	"plaza/data"
	"plaza/ranking"
)

// The share of young accounts among a community's voters is counted from its votes when a burst is judged. That is rare, so no vote
// writes a row for it. Only votes from before historyWait count, so that a present brigade is not among them.
//
// A post with many votes is left out. Its votes are in the order of their voters, the oldest accounts first, so a part of them would not
// be representative.
const (
	// Posts by posts_new, votes by primary key. A vote is young when its time, less the time bits of its voter's id, is less than :young
	// (youngSince). :target is a post or a comment.
	votersOfTarget = `SELECT count(*), sum(young) FROM (
  SELECT v.updated_at - (v.user_id >> 22) < :young AS young,
    v.status = ` + data.VoteCountedSQL + ` AND v.value <> 0 AND v.updated_at < :until AND v.user_id IS NOT q.author_id AS counts
  FROM (SELECT p.id, p.author_id, p.ups + p.downs - p.base_ups - p.base_downs AS votes FROM posts p
    WHERE p.community_id = (SELECT o.community_id FROM posts o
      WHERE o.id = coalesce((SELECT c.post_id FROM comments c WHERE c.id = :target), :target))
    AND p.status = 'published' AND p.created_at < :until ORDER BY p.created_at DESC LIMIT :posts) q
  CROSS JOIN votes v ON v.target_id = q.id WHERE q.votes <= :many LIMIT :votes) WHERE counts`

	historyWait  = 7 * 24 * time.Hour
	historyPosts = 500 // the newest to read
	historyMany  = 200 // a post with more votes is left out
	historyVotes = 2000
)

// youngSince returns the argument :young, in milliseconds: a vote is young if its time, less the time bits of its voter's id, is less
// than this. So no account has to be looked up.
func youngSince(youngAge time.Duration) int64 {
	return data.Epoch.UnixMilli() + youngAge.Milliseconds()
}

// findHistory reads the ages of the voters of a target's community along with r.
func (s *Store) findHistory(r *data.Read, target data.ID, now time.Time) *ranking.History {
	h := &ranking.History{}
	args := data.Args{"target": target, "young": youngSince(s.Limits.YoungAge), "until": now.Add(-historyWait), "posts": historyPosts,
		"many": historyMany, "votes": historyVotes}
	r.FindAt(target, votersOfTarget, args, func(row *data.Row) {
		*h = ranking.History{Votes: int(row.Int()), Young: int(row.Int())}
	})
	return h
}
