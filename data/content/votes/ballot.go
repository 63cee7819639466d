package votes

import (
	"context"
	"time"

	"plaza/data"
	"plaza/ranking"
)

// ballot is a row of ballots: a vote and its origin.
type ballot struct {
	value int
	at    time.Time
	ranking.Ballot
}

const (
	// ballotLimit is how many ballots of a target findBallots reads at most, the newest first.
	ballotLimit = 500
	// ballotPart is the length of a time range of ballots.part. Ballots are purged by whole ranges that ended ballotLife ago, so none is
	// stored for more than 48 hours.
	ballotPart = 12 * time.Hour
	// ballotPartSQL is ballotPart in milliseconds. The trigger votes_replaced has the same number.
	ballotPartSQL = `43200000`
	ballotLife    = 36 * time.Hour
)

func partOf(t time.Time) int64 { return t.UnixMilli() / ballotPart.Milliseconds() }

const (
	// Ranges of the primary key of ballots, backwards, that stop at their LIMIT; votes by primary key.
	ballotsBetween = `SELECT b.value, b.created_at, b.user_id, b.network, b.referrer FROM ballots b
WHERE b.part = :part AND b.target_id = :target AND b.created_at > :after AND b.created_at <= :until
ORDER BY b.created_at DESC, b.user_id DESC LIMIT :limit`
	// Only votes that count: quarantined and dropped votes before a burst must not make it look usual.
	countedBetween = `SELECT b.value, b.created_at, b.user_id, b.network, b.referrer
FROM ballots b CROSS JOIN votes v ON v.target_id = b.target_id AND v.user_id = b.user_id AND v.status = ` + data.VoteCountedSQL + `
WHERE b.part = :part AND b.target_id = :target AND b.created_at > :after AND b.created_at <= :until
ORDER BY b.created_at DESC, b.user_id DESC LIMIT :limit`
)

// findBallots reads the ballots of a target between two times along with r, newest first. query is ballotsBetween for all of them, or
// countedBetween for the ballots of votes that count.
func findBallots(r *data.Read, query string, target data.ID, after, until time.Time) *[]ballot {
	list := &[]ballot{}
	for part := partOf(until); part >= partOf(after); part-- {
		args := data.Args{"part": part, "target": target, "after": after, "until": until, "limit": ballotLimit}
		r.FindAt(target, query, args, func(row *data.Row) {
			b := ballot{value: int(row.Int()), at: row.Time()}
			b.AccountAge = b.at.Sub(row.ID().Time())
			b.Network, b.Referrer = row.Text(), row.Text()
			if len(*list) < ballotLimit {
				*list = append(*list, b)
			}
		})
	}
	return list
}

// tally sums the ballots of one direction and returns when the first was cast.
func tally(ballots []ballot, direction int, limits ranking.Thresholds) (t ranking.Tally, first time.Time) {
	var list []ranking.Ballot
	var last time.Time
	for _, b := range ballots {
		if b.value != direction {
			continue
		}
		list = append(list, b.Ballot)
		if first.IsZero() || b.at.Before(first) {
			first = b.at
		}
		if b.at.After(last) {
			last = b.at
		}
	}
	return ranking.TallyBallots(list, last.Sub(first), limits.YoungAge), first
}

// purgeBallots reads and deletes from the start of the primary key.
const purgeBallots = `DELETE FROM ballots WHERE (part, target_id, created_at, user_id) IN (
  SELECT part, target_id, created_at, user_id FROM ballots WHERE part < (` + data.DatabaseNow + ` - :life) / ` + ballotPartSQL + `
  AND (target_id >> 12) & 1023` + data.NotClosed + `
  ORDER BY part, target_id, created_at, user_id LIMIT :step)`

// A purge runs in steps of purgeStep rows, at most purgeSteps for each shard and minute.
const (
	purgeStep  = 2000
	purgeSteps = 10
)

// PurgeBallots deletes the origins of votes, at most 48 hours after each vote.
func (s *Store) PurgeBallots(ctx context.Context) error {
	return s.DB.StepsAll(ctx, purgeSteps, func(w *data.Write) func() bool {
		purged := w.Do(purgeBallots, data.Args{"now": s.Source.DatabaseNow(), "life": ballotLife, "step": purgeStep})
		return func() bool { return purged.Rows == purgeStep }
	})
}
