package votes

import (
	"context"
	"errors"
	"math"
	"time"

	"plaza/data"
	"plaza/data/hrana"
	"plaza/ranking"
)

// How brigades are looked for. A burst is the votes of one direction on one target in
// burstWindow; its baseline are those that counted in the baselineWindow before.
const (
	burstWindow    = 10 * time.Minute
	baselineWindow = 24 * time.Hour
	// ballotLimit bounds the ballots of one target that a judgement reads, newest first.
	ballotLimit = 500
	// ballotPart is ballots.part's unit. Ballots are purged by whole parts, the first of
	// which ends 36 hours ago: none lives for more than 48.
	ballotPart = 12 * time.Hour
	ballotLife = 36 * time.Hour
)

// Evidence is why votes were quarantined.
type Evidence struct {
	Votes         int                `json:"votes"`         // of the burst, in its direction
	Seconds       int64              `json:"seconds"`       // from its first to its last vote
	Before        int                `json:"before"`        // votes of the baseline
	BeforeSeconds int64              `json:"beforeSeconds"` // its length
	Signals       []ranking.Evidence `json:"signals"`
}

// Shares of the primary key of ballots, in the parts of the window of length ?3. ?4 rows a
// target are read, and the one after them makes it crowded. The second column is the time
// (databaseNow), which ballots have as well.
const (
	crowdedTargets = `SELECT j.value, ` + crowdedNow + ` FROM json_each(?1) j WHERE EXISTS (SELECT 1 FROM ballots b
  WHERE b.part IN ((` + crowdedNow + ` - ?3) / 43200000, ` + crowdedNow + ` / 43200000) AND b.target_id = j.value AND b.created_at > ` + crowdedNow + ` - ?3 LIMIT 1 OFFSET ?4)`
	crowdedNow = `coalesce(?2, ` + data.OldDatabaseNow + `)`
)

// crowded asks which of these targets had enough votes of late to be looked at.
func (s *Store) crowded(targets []data.ID) hrana.Stmt {
	return data.OldStmt(crowdedTargets, data.JsonIDs(targets), s.Source.OldDatabase(), burstWindow.Milliseconds(), s.Limits.MinVotes-1)
}

// suspects are the targets that were found to be crowded, and when.
type suspects struct {
	targets []data.ID
	now     time.Time
}

func (s *suspects) scan(res hrana.Result) error {
	return data.Each(res, func(r *data.Row) {
		s.targets = append(s.targets, r.ID())
		s.now = data.Millis(r.Int())
	})
}

func partOf(t time.Time) int64 { return t.UnixMilli() / ballotPart.Milliseconds() }

// ballot is a row of ballots.
type ballot struct {
	value int
	at    time.Time
	ranking.Ballot
}

const (
	// Ranges of the primary key, backwards, that stop at their LIMIT; votes by primary key.
	burstBallots = `SELECT b.value, b.created_at, b.user_id, b.network, b.referrer FROM ballots b
WHERE b.part = ?1 AND b.target_id = ?2 AND b.created_at > ?3 AND b.created_at <= ?4 ORDER BY b.created_at DESC, b.user_id DESC LIMIT ?5`
	// Votes that were kept out don't excuse those that follow.
	countedBallots = `SELECT b.value, b.created_at, b.user_id, b.network, b.referrer
FROM ballots b CROSS JOIN votes v ON v.target_id = b.target_id AND v.user_id = b.user_id AND v.status = 0
WHERE b.part = ?1 AND b.target_id = ?2 AND b.created_at > ?3 AND b.created_at <= ?4 ORDER BY b.created_at DESC, b.user_id DESC LIMIT ?5`
	// Index quarantines_released.
	releases = `SELECT direction, max(decided_at) FROM quarantines WHERE target_id = ?1 AND status = 'released' GROUP BY direction`
)

// addBallots reads the ballots of a target between two times along, newest first.
func addBallots(r *data.Read, shard *hrana.Client, query string, target data.ID, from, to time.Time) *[]ballot {
	list := &[]ballot{}
	for part := partOf(to); part >= partOf(from); part-- {
		r.OldAdd(shard, data.OldStmt(query, part, target, from.UnixMilli(), to.UnixMilli(), ballotLimit), func(res hrana.Result) error {
			return data.Each(res, func(row *data.Row) {
				b := ballot{value: int(row.Int()), at: data.Millis(row.Int())}
				b.AccountAge = b.at.Sub(row.ID().Time())
				b.Network, b.Referrer = row.Text(), row.Text()
				if len(*list) < ballotLimit {
					*list = append(*list, b)
				}
			})
		})
	}
	return list
}

// brigade is a burst that was found to be one. Its votes are those after from that show
// one of the signals that are suspicious.
type brigade struct {
	target    data.ID
	direction int
	from      time.Time
	evidence  Evidence
}

// judge looks at crowded targets. It costs one request, and another for those whose
// votes are much alike.
func (s *Store) judge(ctx context.Context, shard *hrana.Client, targets []data.ID, now time.Time) (found []brigade, err error) {
	start := now.Add(-burstWindow)
	r := s.DB.Read()
	bursts, histories := make([]*[]ballot, len(targets)), make([]*ranking.History, len(targets))
	for i, target := range targets {
		bursts[i] = addBallots(r, shard, burstBallots, target, start, now)
		histories[i] = s.addHistory(r, shard, target, now)
	}
	if err := r.Run(ctx); err != nil {
		return nil, err
	}
	type suspect struct {
		target    data.ID
		burst     []ballot
		before    *[]ballot
		community ranking.History
		released  map[int]time.Time // by direction
	}
	var suspects []*suspect
	for i, target := range targets {
		if !s.alike(*bursts[i], 1, *histories[i]) && !s.alike(*bursts[i], -1, *histories[i]) {
			continue
		}
		sus := &suspect{target: target, burst: *bursts[i], community: *histories[i], released: map[int]time.Time{}}
		sus.before = addBallots(r, shard, countedBallots, target, start.Add(-baselineWindow), start)
		r.OldAdd(shard, data.OldStmt(releases, target), func(res hrana.Result) error {
			return data.Each(res, func(row *data.Row) {
				direction := int(row.Int())
				sus.released[direction] = data.Millis(row.Int())
			})
		})
		suspects = append(suspects, sus)
	}
	if err := r.Run(ctx); err != nil {
		return nil, err
	}
	for _, sus := range suspects {
		for _, direction := range []int{1, -1} {
			b := brigade{target: sus.target, direction: direction, from: start}
			if at, ok := sus.released[direction]; ok && at.After(start) {
				b.from = at // what a moderator has released is ordinary from then on
			}
			var burst, before []ballot
			for _, one := range sus.burst {
				if one.at.After(b.from) {
					burst = append(burst, one)
				} else {
					before = append(before, one)
				}
			}
			if b.judge(burst, append(before, *sus.before...), sus.community, s.Limits) {
				found = append(found, b)
			}
		}
	}
	return found, nil
}

// alike tells that a burst has a share that is suspicious, unless the target was
// always so.
func (s *Store) alike(ballots []ballot, direction int, community ranking.History) bool {
	limits := s.Limits
	limits.Deviations = math.Inf(-1)
	burst, _ := tally(ballots, direction, limits)
	return ranking.Brigaded(burst, ranking.Tally{}, community, limits).Suspicious
}

func (b *brigade) judge(burst, before []ballot, community ranking.History, limits ranking.Thresholds) bool {
	now, _ := tally(burst, b.direction, limits)
	earlier, first := tally(before, b.direction, limits)
	// The baseline lasts as long as the target was there, unless the rows that were
	// read begin later.
	begin := b.from.Add(-baselineWindow)
	if made := b.target.Time(); made.After(begin) {
		begin = made
	}
	if len(before) >= ballotLimit && first.After(begin) {
		begin = first
	}
	earlier.Span = max(b.from.Sub(begin), 0)
	verdict := ranking.Brigaded(now, earlier, community, limits)
	b.evidence = Evidence{
		Votes: now.Votes, Seconds: int64(now.Span.Seconds()),
		Before: earlier.Votes, BeforeSeconds: int64(earlier.Span.Seconds()), Signals: verdict.Evidence,
	}
	return verdict.Suspicious
}

// tally sums up the ballots of one direction and says when the first was cast.
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

// purgeBallots reads and deletes from the front of the primary key.
const purgeBallots = `DELETE FROM ballots WHERE (part, target_id, created_at, user_id) IN (
  SELECT part, target_id, created_at, user_id FROM ballots WHERE part < (coalesce(?1, ` + data.OldDatabaseNow + `) - ?3) / 43200000 ORDER BY part, target_id, created_at, user_id LIMIT ?2)`

// A purge goes in steps of purgeStep rows, at most purgeSteps a shard and minute.
const (
	purgeStep  = 2000
	purgeSteps = 10
)

// PurgeBallots forgets where votes came from, none later than 48 hours after the vote.
func (s *Store) PurgeBallots(ctx context.Context) error {
	var failed error
	for _, shard := range s.DB.OldShards() {
		for range purgeSteps {
			results, err := data.Tx(ctx, shard, data.OldStmt(purgeBallots, s.Source.OldDatabase(), purgeStep, ballotLife.Milliseconds()))
			failed = errors.Join(failed, err)
			if err != nil || results[0].RowsAffected < purgeStep {
				break
			}
		}
	}
	return failed
}
