package votes

import (
	"time"

	"plaza/data"
	"plaza/data/hrana"
	"plaza/ranking"
)

// What share of a community's voters is young is kept and not counted: a row of voter_ages
// a community, which each fold of its votes adds to. It holds two times. The first is whole
// weeks that are over, and is what a burst is compared with: whoever votes now has no part
// in it. The second goes on until a week is over in which, or since which, there were enough
// votes to tell; then it takes the first one's place.
//
// What is added are deltas: a vote that is kept out is taken away again, one that is
// released is added again. Authors' votes on their own are left out.

// ?1 is a JSON array of targets, ?2 before databaseNow, ?3 what ids that are older than young are
// older by (youngSince), ?4 how many votes are enough. Index vote_deltas_target, and the
// primary keys of comments and posts.
const (
	countVoters = `INSERT INTO voter_ages (community_id, week, votes, young)
SELECT p.community_id, coalesce(?2, ` + data.OldDatabaseNow + `) / 604800000, sum(d.ups + d.downs), sum((d.ups + d.downs) * (d.created_at - (d.user_id >> 22) < ?3))
FROM vote_deltas d LEFT JOIN comments c ON c.id = d.target_id CROSS JOIN posts p ON p.id = coalesce(c.post_id, d.target_id)
WHERE d.target_id IN (SELECT value FROM json_each(?1)) AND d.user_id IS NOT iif(c.id IS NULL, p.author_id, c.author_id) GROUP BY p.community_id
ON CONFLICT (community_id) DO UPDATE SET
  votes_before = iif(` + weekOver + `, votes, votes_before), young_before = iif(` + weekOver + `, young, young_before),
  votes = iif(` + weekOver + `, 0, votes) + excluded.votes, young = iif(` + weekOver + `, 0, young) + excluded.young,
  week = iif(` + weekOver + `, excluded.week, week)`
	weekOver = `excluded.week > week AND votes >= ?4`

	// ?1 is a post or a comment. Primary keys.
	votersOfTarget = `SELECT v.week, v.votes, v.young, v.votes_before, v.young_before FROM posts p CROSS JOIN voter_ages v ON v.community_id = p.community_id
WHERE p.id = coalesce((SELECT c.post_id FROM comments c WHERE c.id = ?1), ?1)`
)

const votersWeek = 7 * 24 * time.Hour

func weekOf(t time.Time) int64 { return t.UnixMilli() / votersWeek.Milliseconds() }

// youngSince is what the time of a vote is less than after the time bits of a young
// voter's id, in milliseconds.
func youngSince(youngAge time.Duration) int64 {
	return data.Epoch.UnixMilli() + youngAge.Milliseconds()
}

// countVoters adds what waits to be folded to how old voters are.
func (s *Store) countVoters(targets []data.ID) hrana.Stmt {
	return data.OldStmt(countVoters, data.JsonIDs(targets), s.Source.OldDatabase(), youngSince(s.Limits.YoungAge), s.Limits.MinHistory)
}

// addHistory reads along how old the voters of a target's community are.
func (s *Store) addHistory(r *data.Read, shard *hrana.Client, target data.ID, now time.Time) *ranking.History {
	h := &ranking.History{}
	r.OldAdd(shard, data.OldStmt(votersOfTarget, target), func(res hrana.Result) error {
		return data.Each(res, func(row *data.Row) {
			week := row.Int()
			recent := ranking.History{Votes: int(row.Int()), Young: int(row.Int())}
			*h = ranking.History{Votes: int(row.Int()), Young: int(row.Int())}
			if week < weekOf(now) && recent.Votes >= s.Limits.MinHistory {
				*h = recent
			}
		})
	})
	return h
}
