package votes

import (
	"context"
	"math"
	"time"

	"plaza/data"
	"plaza/ranking"
)

// The parameters of the detection of brigades. A burst is the votes of one direction on one target in the last burstWindow. Its baseline
// is the counted votes of the baselineWindow before it.
const (
	burstWindow    = 10 * time.Minute
	baselineWindow = 24 * time.Hour
)

// Evidence is why votes were quarantined.
type Evidence struct {
	Votes         int                `json:"votes"`         // of the burst, in its direction
	Seconds       int64              `json:"seconds"`       // from its first to its last vote
	Before        int                `json:"before"`        // votes of the baseline
	BeforeSeconds int64              `json:"beforeSeconds"` // its length
	Signals       []ranking.Evidence `json:"signals"`
}

// targetsOfBursts finds the targets that had more than :enough votes in the last :window: ranges of the primary key of vote_origins, in the
// two parts that overlap the window. It reads at most :enough + 1 rows for each target.
const targetsOfBursts = `SELECT j.value, ` + data.DatabaseNow + ` FROM json_each(:targets) j WHERE EXISTS (SELECT 1 FROM vote_origins b
  WHERE b.part IN ((` + data.DatabaseNow + ` - :window) / ` + originPartSQL + `,
    ` + data.DatabaseNow + ` / ` + originPartSQL + `) AND b.target_id = j.value
    AND b.created_at > ` + data.DatabaseNow + ` - :window LIMIT 1 OFFSET :enough)`

// burstTargets are the targets that had enough votes in the last burstWindow to be judged, and the database's time of that read, which ends
// the window.
type burstTargets struct {
	targets []data.ID
	now     time.Time
}

// findBursts finds, in the transaction of a delta run, the targets with a burst of votes.
func (s *Store) findBursts(w *data.Write, targets []data.ID, found *burstTargets) {
	args := data.Args{"targets": targets, "now": s.Source.DatabaseNow(), "window": burstWindow, "enough": s.Limits.MinVotes - 1}
	w.Find(targetsOfBursts, args, func(r *data.Row) {
		found.targets = append(found.targets, r.ID())
		found.now = r.Time()
	})
}

// suspect is a target with a burst, and the data to judge it.
type suspect struct {
	target   data.ID
	burst    *[]voteOrigin
	before   *[]voteOrigin     // of the baseline
	voters   *ranking.History  // of the community
	released map[int]time.Time // when votes of a direction were released last
}

// Index quarantines_released.
const releasesOfTarget = `SELECT direction, max(decided_at) FROM quarantines WHERE target_id = :target AND status = 'released'
  GROUP BY direction`

// judge finds the brigades on targets with a burst. It costs one request, and a second one if the votes on some target are alike.
func (s *Store) judge(ctx context.Context, targets []data.ID, now time.Time) (found []brigade, err error) {
	start := now.Add(-burstWindow)
	r := s.DB.Read()
	bursts := make([]*suspect, len(targets))
	for i, target := range targets {
		bursts[i] = &suspect{target: target, burst: findOrigins(r, originsBetween, target, start, now)}
	}
	if err := r.Run(ctx); err != nil {
		return nil, err
	}
	var suspects []*suspect
	for _, sus := range bursts {
		if !sus.alike(1, s.Limits) && !sus.alike(-1, s.Limits) {
			continue
		}
		sus.voters = s.findHistory(r, sus.target, now)
		sus.released = map[int]time.Time{}
		sus.before = findOrigins(r, countedBetween, sus.target, start.Add(-baselineWindow), start)
		r.FindAt(sus.target, releasesOfTarget, data.Args{"target": sus.target}, func(row *data.Row) {
			direction := int(row.Int())
			sus.released[direction] = row.Time()
		})
		suspects = append(suspects, sus)
	}
	if err := r.Run(ctx); err != nil {
		return nil, err
	}
	for _, sus := range suspects {
		for _, direction := range []int{1, -1} {
			if b, ok := sus.judge(direction, start, s.Limits); ok {
				found = append(found, b)
			}
		}
	}
	return found, nil
}

// alike is the first check: it reports whether enough votes of a direction share a sign. It does not compare them with what is usual for
// the target or, for young accounts, in its community.
func (sus *suspect) alike(direction int, limits ranking.Thresholds) bool {
	limits.Deviations = math.Inf(-1)
	burst, _ := summarize(*sus.burst, direction, limits)
	return ranking.Brigaded(burst, ranking.VoteSummary{}, ranking.History{Votes: limits.MinHistory}, limits).Suspicious
}

// brigade is a burst that was judged a brigade. Its votes are those after from with a suspicious sign.
type brigade struct {
	target    data.ID
	direction int
	from      time.Time
	evidence  Evidence
}

// judge reports whether the votes of a direction after start belong to a brigade.
func (sus *suspect) judge(direction int, start time.Time, limits ranking.Thresholds) (b brigade, ok bool) {
	b = brigade{target: sus.target, direction: direction, from: start}
	if released := sus.released[direction]; released.After(start) {
		b.from = released // votes that a moderator has released belong to the baseline
	}
	var burst, before []voteOrigin
	for _, vote := range *sus.burst {
		if vote.at.After(b.from) {
			burst = append(burst, vote)
		} else {
			before = append(before, vote)
		}
	}
	before = append(before, *sus.before...)
	now, _ := summarize(burst, direction, limits)
	earlier, first := summarize(before, direction, limits)
	earlier.Span = max(b.from.Sub(b.baselineBegin(len(before), first)), 0)
	verdict := ranking.Brigaded(now, earlier, *sus.voters, limits)
	b.evidence = Evidence{
		Votes: now.Votes, Seconds: int64(now.Span.Seconds()),
		Before: earlier.Votes, BeforeSeconds: int64(earlier.Span.Seconds()), Signals: verdict.Evidence,
	}
	return b, verdict.Suspicious
}

// baselineBegin returns when the baseline begins: baselineWindow before the burst, or when the target was created if that is later. If
// there are more origins than are read, it begins with the earliest that was read.
func (b *brigade) baselineBegin(read int, first time.Time) time.Time {
	begin := b.from.Add(-baselineWindow)
	if created := b.target.Time(); created.After(begin) {
		begin = created
	}
	if read >= originLimit && first.After(begin) {
		begin = first
	}
	return begin
}
