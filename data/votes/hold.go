package votes

import (
	"context"
	"encoding/json"
	"time"

	"plaza/data"
	"plaza/data/hot"
	"plaza/data/hrana"
	"plaza/ranking"
)

// The statements that quarantine a brigade: ?1 target, ?2 direction, ?3 ?4 the parts
// of its window, ?5 from when; ?6 ?7 ?8 what its votes show: youth (youngSince, -1 when
// that is not suspicious), a network, a referrer (NULL when they are not). They hold
// whatever became of the case meanwhile, and once they ran they find nothing more to do.
const (
	// The burst's votes that count and show it: a range of the primary key of ballots.
	countedOfBurst = `ballots b CROSS JOIN votes v ON v.target_id = b.target_id AND v.user_id = b.user_id AND v.status = 0
WHERE b.part IN (?3, ?4) AND b.target_id = ?1 AND b.created_at > ?5 AND b.value = ?2
  AND b.created_at > coalesce((SELECT max(r.decided_at) FROM quarantines r WHERE r.target_id = ?1 AND r.direction = ?2 AND r.status = 'released'), 0)
  AND (b.created_at - (b.user_id >> 22) < ?6 OR b.network = ?7 OR b.referrer = ?8)`
	openCase       = `q.target_id = ?1 AND q.direction = ?2 AND q.status = 'open'`
	openQuarantine = `INSERT INTO quarantines (id, target_id, community_id, direction, evidence, created_at)
SELECT ?9, ?1, p.community_id, ?2, ?10, ?11 FROM posts p
WHERE p.id = coalesce((SELECT c.post_id FROM comments c WHERE c.id = ?1), ?1) AND EXISTS (SELECT 1 FROM ` + countedOfBurst + `)
ON CONFLICT (target_id, direction) WHERE status = 'open' DO UPDATE SET evidence = excluded.evidence`
	joinQuarantine = `INSERT INTO quarantined_votes (quarantine_id, user_id)
SELECT q.id, v.user_id FROM quarantines q CROSS JOIN ` + countedOfBurst + ` AND ` + openCase + ` ON CONFLICT DO NOTHING`
	// Of its voters, one may have changed the vote after a release that was undone since.
	holdVotes = `UPDATE votes SET status = 1 WHERE target_id = ?1 AND status = 0 AND value = ?2 AND user_id IN (
  SELECT m.user_id FROM quarantines q CROSS JOIN quarantined_votes m ON m.quarantine_id = q.id WHERE ` + openCase + `)`
	countQuarantine = `UPDATE quarantines AS q SET votes = (SELECT count(*) FROM quarantined_votes m WHERE m.quarantine_id = q.id) WHERE ` + openCase
)

// shows is ?6 to ?8 of the statements. Who voted in the same minutes and shows nothing
// that is suspicious keeps their vote.
func (b *brigade) shows(youngAge time.Duration) []any {
	young, network, referrer := int64(-1), any(nil), any(nil)
	for _, e := range b.evidence.Signals {
		switch {
		case !e.Suspicious:
		case e.Signal == ranking.SignalYoung:
			young = youngSince(youngAge)
		case e.Signal == ranking.SignalNetwork:
			network = e.Value
		case e.Signal == ranking.SignalReferrer:
			referrer = e.Value
		}
	}
	return []any{young, network, referrer}
}

// quarantine takes the votes of brigades out of the counters, those that come later
// in a burst into the case that is open, and folds what that changes: one transaction.
func (s *Store) quarantine(ctx context.Context, shard *hrana.Client, found []brigade, now time.Time) ([]hot.Change, error) {
	var stmts []hrana.Stmt
	var posts, comments []data.ID
	for _, b := range found {
		evidence, err := json.Marshal(b.evidence)
		if err != nil {
			return nil, err
		}
		id := s.Source.NewID(b.target.Shard(), data.KindOther)
		burst := append([]any{b.target, b.direction, partOf(b.from), partOf(now), b.from.UnixMilli()}, b.shows(s.Limits.YoungAge)...)
		stmts = append(stmts,
			data.OldStmt(openQuarantine, append(burst[:len(burst):len(burst)], id, string(evidence), now.UnixMilli())...),
			data.OldStmt(joinQuarantine, burst...), data.OldStmt(holdVotes, b.target, b.direction), data.OldStmt(countQuarantine, b.target, b.direction))
		if b.target.IsComment() {
			comments = append(comments, b.target)
		} else {
			posts = append(posts, b.target)
		}
	}
	stmts = append(stmts, s.countVoters(append(posts[:len(posts):len(posts)], comments...)))
	stmts = append(stmts, foldStmts(posts, comments, nil)...)
	results, err := data.Tx(ctx, shard, stmts...)
	if err != nil {
		return nil, err
	}
	return hotChanges(posts, results)
}
