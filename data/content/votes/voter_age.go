package votes

import (
	"time"

	"plaza/data"
	"plaza/ranking"
)

// How many of a community's voters are young is kept in voter_ages, in a row for each community to which each fold of
// its votes adds. The row has two spans of time. The first is of whole weeks that are over. A burst is compared with
// this one, because nobody who votes now has a part in it. The second goes on until its week is over and it has
// enough votes to show what is usual; then it takes the first one's place.
//
// A vote that is quarantined is subtracted again, and one that is released is added again. The votes of authors on
// what they wrote are left out.
const (
	// A vote is young when its time, less the time bits of its voter's id, is less than :young (youngSince). :enough
	// is how many votes show what is usual. Primary keys of vote_deltas, comments and posts.
	countVoters = `INSERT INTO voter_ages (community_id, week, votes, young)
SELECT p.community_id, ` + data.DatabaseNow + ` / ` + VotersWeekSQL + `, sum(d.ups + d.downs), sum((d.ups + d.downs) * (d.created_at -
  (d.user_id >> 22) < :young))
FROM vote_deltas d LEFT JOIN comments c ON c.id = d.target_id CROSS JOIN posts p ON p.id = coalesce(c.post_id, d.target_id)
WHERE d.target_id IN (SELECT value FROM json_each(:targets)) AND d.user_id IS NOT iif(c.id IS NULL, p.author_id, c.author_id)
  GROUP BY p.community_id
ON CONFLICT (community_id) DO UPDATE SET
  votes_before = iif(` + weekOver + `, votes, votes_before), young_before = iif(` + weekOver + `, young, young_before),
  votes = iif(` + weekOver + `, 0, votes) + excluded.votes, young = iif(` + weekOver + `, 0, young) + excluded.young,
  week = iif(` + weekOver + `, excluded.week, week)`
	weekOver = `excluded.week > week AND votes >= :enough`

	// :target is a post or a comment.
	votersOfTarget = `SELECT v.week, v.votes, v.young, v.votes_before, v.young_before FROM posts p
  CROSS JOIN voter_ages v ON v.community_id = p.community_id
WHERE p.id = coalesce((SELECT c.post_id FROM comments c WHERE c.id = :target), :target)`
)

const (
	// votersWeek is the unit of voter_ages.week.
	votersWeek = 7 * 24 * time.Hour
	// VotersWeekSQL is votersWeek in milliseconds.
	VotersWeekSQL = `604800000`
)

// youngSince returns the argument :young, in milliseconds: a vote is young if its time, less the time bits of its
// voter's id, is less than this. So no account has to be looked up for its age.
func youngSince(youngAge time.Duration) int64 {
	return data.Epoch.UnixMilli() + youngAge.Milliseconds()
}

// countVoters adds the voters of votes that are about to be folded to voter_ages. It has to come before the fold of
// the same transaction, which deletes the deltas.
func (s *Store) countVoters(w *data.Write, targets []data.ID) {
	w.Do(countVoters, data.Args{"targets": targets, "now": s.Source.DatabaseNow(), "young": youngSince(s.Limits.YoungAge),
		"enough": s.Limits.MinHistory})
}

// findHistory reads how old the voters of a target's community were along with r, in the last weeks that are over.
func (s *Store) findHistory(r *data.Read, target data.ID, now time.Time) *ranking.History {
	h := &ranking.History{}
	r.Find(data.HomeOfID(target), votersOfTarget, data.Args{"target": target}, func(row *data.Row) {
		week := row.Int()
		recent := ranking.History{Votes: int(row.Int()), Young: int(row.Int())}
		*h = ranking.History{Votes: int(row.Int()), Young: int(row.Int())}
		if week < now.UnixMilli()/votersWeek.Milliseconds() && recent.Votes >= s.Limits.MinHistory {
			*h = recent
		}
	})
	return h
}
