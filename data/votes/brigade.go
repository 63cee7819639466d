package votes

import (
	"context"
	"math"
	"time"

	"plaza/data"
	"plaza/ranking"
)

// How brigades are looked for. A burst is the votes of one direction on one target in the last burstWindow; what it is
// compared with is the votes of the baselineWindow before that count.
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

// crowdedTargets are ranges of the primary key of ballots, in the two parts that the :window can touch. It reads :enough + 1
// rows a target; the last of them makes the target crowded.
const crowdedTargets = `SELECT j.value, ` + data.DatabaseNow + ` FROM json_each(:targets) j WHERE EXISTS (SELECT 1 FROM ballots b
  WHERE b.part IN ((` + data.DatabaseNow + ` - :window) / 43200000, ` + data.DatabaseNow + ` / 43200000) AND b.target_id = j.value
    AND b.created_at > ` + data.DatabaseNow + ` - :window LIMIT 1 OFFSET :enough)`

// crowd is the targets that had enough votes in the last burstWindow to be judged, and the time of the database, by which
// they are judged.
type crowd struct {
	targets []data.ID
	now     time.Time
}

// findCrowded asks along with a fold which of its targets are crowded.
func (s *Store) findCrowded(w *data.Write, targets []data.ID, found *crowd) {
	args := data.Args{"targets": targets, "now": s.Source.DatabaseNow(), "window": burstWindow, "enough": s.Limits.MinVotes - 1}
	w.Find(crowdedTargets, args, func(r *data.Row) {
		found.targets = append(found.targets, r.ID())
		found.now = r.Time()
	})
}

// suspect is a crowded target and what it is judged by.
type suspect struct {
	target   data.ID
	burst    *[]ballot
	before   *[]ballot // that count, of the baselineWindow before the burst
	voters   *ranking.History
	released map[int]time.Time // when votes of a direction were released last
}

// Index quarantines_released.
const releasesOfTarget = `SELECT direction, max(decided_at) FROM quarantines WHERE target_id = :target AND status = 'released' GROUP BY direction`

// judge finds the brigades among the voters of crowded targets. It costs one request, and another one where votes are much
// alike.
func (s *Store) judge(ctx context.Context, targets []data.ID, now time.Time) (found []brigade, err error) {
	start := now.Add(-burstWindow)
	r := s.DB.Read()
	crowded := make([]*suspect, len(targets))
	for i, target := range targets {
		crowded[i] = &suspect{target: target, burst: findBallots(r, ballotsBetween, target, start, now), voters: s.findHistory(r, target, now)}
	}
	if err := r.Run(ctx); err != nil {
		return nil, err
	}
	var suspects []*suspect
	for _, sus := range crowded {
		if !sus.alike(1, s.Limits) && !sus.alike(-1, s.Limits) {
			continue
		}
		sus.released = map[int]time.Time{}
		sus.before = findBallots(r, countedBetween, sus.target, start.Add(-baselineWindow), start)
		r.Find(data.HomeOfID(sus.target), releasesOfTarget, data.Args{"target": sus.target}, func(row *data.Row) {
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

// alike tells that so many votes of a direction show one sign that it would be suspicious, unless it is usual for the
// target.
func (sus *suspect) alike(direction int, limits ranking.Thresholds) bool {
	limits.Deviations = math.Inf(-1)
	burst, _ := tally(*sus.burst, direction, limits)
	return ranking.Brigaded(burst, ranking.Tally{}, *sus.voters, limits).Suspicious
}

// brigade is a burst that was found to be one. Its votes are those after a time that show a suspicious sign.
type brigade struct {
	target    data.ID
	direction int
	from      time.Time
	evidence  Evidence
}

// judge tells whether the votes of a direction after start are a brigade's.
func (sus *suspect) judge(direction int, start time.Time, limits ranking.Thresholds) (b brigade, ok bool) {
	b = brigade{target: sus.target, direction: direction, from: start}
	if at := sus.released[direction]; at.After(start) {
		b.from = at // what a moderator has released is ordinary from then on
	}
	var burst, before []ballot
	for _, one := range *sus.burst {
		if one.at.After(b.from) {
			burst = append(burst, one)
		} else {
			before = append(before, one)
		}
	}
	before = append(before, *sus.before...)
	now, _ := tally(burst, direction, limits)
	earlier, first := tally(before, direction, limits)
	earlier.Span = max(b.from.Sub(b.baselineBegin(len(before), first)), 0)
	verdict := ranking.Brigaded(now, earlier, *sus.voters, limits)
	b.evidence = Evidence{
		Votes: now.Votes, Seconds: int64(now.Span.Seconds()),
		Before: earlier.Votes, BeforeSeconds: int64(earlier.Span.Seconds()), Signals: verdict.Evidence,
	}
	return b, verdict.Suspicious
}

// baselineBegin is since when votes are compared with: since the target is there, at most since the baselineWindow before
// the burst. Where there were more ballots than are read, it is when the first of those that were read was cast.
func (b *brigade) baselineBegin(read int, first time.Time) time.Time {
	begin := b.from.Add(-baselineWindow)
	if made := b.target.Time(); made.After(begin) {
		begin = made
	}
	if read >= ballotLimit && first.After(begin) {
		begin = first
	}
	return begin
}
