package votes

import (
	"context"
	"time"

	"plaza/data"
	"plaza/ranking"
)

// voteOrigin is a row of vote_origins: a vote and its origin.
type voteOrigin struct {
	value int
	at    time.Time
	ranking.VoteOrigin
}

const (
	// originLimit is how many origins of a target findOrigins reads at most, the newest first.
	originLimit = 500
	// originPart is the length of a time range of vote_origins.part. Origins are purged by whole ranges that ended originLifetime ago, so none
	// is stored for more than 48 hours.
	originPart = 12 * time.Hour
	// originPartSQL is originPart in milliseconds. The trigger votes_replaced has the same number.
	originPartSQL  = `43200000`
	originLifetime = 36 * time.Hour
)

func partOf(t time.Time) int64 { return t.UnixMilli() / originPart.Milliseconds() }

const (
	// Ranges of the primary key of vote_origins, backwards, that stop at their LIMIT; votes by primary key.
	originsBetween = `SELECT b.value, b.created_at, b.user_id, b.network, b.referrer FROM vote_origins b
WHERE b.part = :part AND b.target_id = :target AND b.created_at > :after AND b.created_at <= :until
ORDER BY b.created_at DESC, b.user_id DESC LIMIT :limit`
	// Only votes that count: quarantined and dropped votes before a burst must not make it look usual.
	countedBetween = `SELECT b.value, b.created_at, b.user_id, b.network, b.referrer
FROM vote_origins b CROSS JOIN votes v ON v.target_id = b.target_id AND v.user_id = b.user_id AND v.status = ` + data.VoteCountedSQL + `
WHERE b.part = :part AND b.target_id = :target AND b.created_at > :after AND b.created_at <= :until
ORDER BY b.created_at DESC, b.user_id DESC LIMIT :limit`
)

// findOrigins reads the origins of a target between two times along with r, newest first. query is originsBetween for all of them, or
// countedBetween for those of votes that count.
func findOrigins(r *data.Read, query string, target data.ID, after, until time.Time) *[]voteOrigin {
	list := &[]voteOrigin{}
	for part := partOf(until); part >= partOf(after); part-- {
		args := data.Args{"part": part, "target": target, "after": after, "until": until, "limit": originLimit}
		r.FindAt(target, query, args, func(row *data.Row) {
			b := voteOrigin{value: int(row.Int()), at: row.Time()}
			b.AccountAge = b.at.Sub(row.ID().Time())
			b.Network, b.Referrer = row.Text(), row.Text()
			if len(*list) < originLimit {
				*list = append(*list, b)
			}
		})
	}
	return list
}

// summarize sums the votes of one direction and returns when the first was cast.
func summarize(origins []voteOrigin, direction int, limits ranking.Thresholds) (t ranking.VoteSummary, first time.Time) {
	var list []ranking.VoteOrigin
	var last time.Time
	for _, b := range origins {
		if b.value != direction {
			continue
		}
		list = append(list, b.VoteOrigin)
		if first.IsZero() || b.at.Before(first) {
			first = b.at
		}
		if b.at.After(last) {
			last = b.at
		}
	}
	return ranking.SummarizeVotes(list, last.Sub(first), limits.YoungAge), first
}

// purgeOrigins reads and deletes from the start of the primary key.
const purgeOrigins = `DELETE FROM vote_origins WHERE (part, target_id, created_at, user_id) IN (
  SELECT part, target_id, created_at, user_id FROM vote_origins WHERE part < (` + data.DatabaseNow + ` - :life) / ` + originPartSQL + `
  AND (target_id >> 12) & 1023` + data.NotFrozen + `
  ORDER BY part, target_id, created_at, user_id LIMIT :step)`

// A purge runs in steps of purgeStep rows, at most purgeSteps for each shard and minute.
const (
	purgeStep  = 2000
	purgeSteps = 10
)

// PurgeOrigins deletes the origins of votes, at most 48 hours after each vote.
func (s *Store) PurgeOrigins(ctx context.Context) error {
	return s.DB.StepsAll(ctx, purgeSteps, func(w *data.Write) func() bool {
		purged := w.Do(purgeOrigins, data.Args{"now": s.Source.DatabaseNow(), "life": originLifetime, "step": purgeStep})
		return func() bool { return purged.Rows == purgeStep }
	})
}
