package data_test

import (
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"plaza/data"
	"plaza/ranking"
)

// TestQuarantineLaw does random things in random order: the counters are always the
// sums of the votes that count, and everybody always sees their own vote counted.
func TestQuarantineLaw(t *testing.T) {
	if checks := flag.Lookup("rapid.checks"); checks.Value.String() == checks.DefValue {
		require.NoError(t, checks.Value.Set("20")) // each of some hundred requests; -rapid.checks=1000 on demand
		t.Cleanup(func() { _ = checks.Value.Set(checks.DefValue) })
	}
	s := mustOpen(t)
	s.votes.Limits = ranking.DefaultThresholds()
	s.votes.Limits.MinVotes, s.votes.Limits.Deviations = 3, 1
	ann := s.member("ann")
	s.community(ann, "gophers")
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		p := s.post(ann, "gophers", fmt.Sprint("law ", n))
		c := s.comment(ann, p.ID, 0, "a comment")
		targets := []data.ID{p.ID, c.ID}
		people := append(s.crowd(4, time.Hour, oneNetwork), s.crowd(2, old, anywhere)...)
		votes := map[data.ID]map[data.ID]int{p.ID: {ann.UserID: 1}, c.ID: {ann.UserID: 1}}
		target := rapid.SampledFrom(targets)
		var fresh bool // folded, and nothing happened since
		rt.Repeat(map[string]func(*rapid.T){
			"vote": func(rt *rapid.T) {
				a, id, value := rapid.SampledFrom(people).Draw(rt, "who"), target.Draw(rt, "what"), rapid.IntRange(-1, 1).Draw(rt, "value")
				s.vote(a, id, value)
				votes[id][a.UserID], fresh = value, false
			},
			"fold": func(rt *rapid.T) {
				s.fold(targets...)
				fresh = true
			},
			"fold one": func(rt *rapid.T) { s.fold(target.Draw(rt, "target")) },
			"decide": func(rt *rapid.T) {
				open := append(caseOf(s.cases("gophers", true), p.ID), caseOf(s.cases("gophers", true), c.ID)...)
				if len(open) == 0 {
					rt.Skip("nothing to decide")
				}
				d := rapid.SampledFrom([]data.Decision{data.Release, data.Drop}).Draw(rt, "decision")
				_, err := s.votes.DecideQuarantine(ctx, ann, "gophers", open[0].ID, d)
				require.NoError(rt, err)
				fresh = false
			},
			"wait": func(rt *rapid.T) {
				*s.clock = s.clock.Add(rapid.SampledFrom([]time.Duration{1, 3, 11}).Draw(rt, "minutes") * time.Minute)
			},
			"": func(rt *rapid.T) {
				r := s.db.Read()
				var expect [][3]int64
				var seen []func() [3]int64
				for _, id := range targets {
					res, err := s.sql.Query(ctx, stmtOf(`SELECT user_id, value, status FROM votes WHERE target_id = ?1`, int64(id)),
						stmtOf(`SELECT ups, downs FROM posts WHERE id = ?1 UNION ALL SELECT ups, downs FROM comments WHERE id = ?1`, int64(id)),
						stmtOf(`SELECT coalesce(sum(ups), 0), coalesce(sum(downs), 0) FROM vote_deltas WHERE target_id = ?1`, int64(id)))
					require.NoError(rt, err)
					var ups, downs int64
					uncounted := map[data.ID]bool{}
					for _, row := range res[0].Rows {
						require.Equal(rt, int64(votes[id][data.ID(row[0].(int64))]), row[1])
						switch {
						case row[2] != int64(0):
							uncounted[data.ID(row[0].(int64))] = true
						case row[1] == int64(1):
							ups++
						case row[1] == int64(-1):
							downs++
						}
					}
					has, waits := res[1].Rows[0], res[2].Rows[0]
					require.Equal(rt, [2]int64{ups, downs}, [2]int64{has[0].(int64) + waits[0].(int64), has[1].(int64) + waits[1].(int64)}, "counters and what waits")
					if !fresh {
						continue
					}
					for _, a := range people { // every viewer sees the others that count, and themselves
						mine := votes[id][a.UserID]
						seenUps, seenDowns := ups, downs
						if uncounted[a.UserID] && mine == 1 {
							seenUps++
						}
						if uncounted[a.UserID] && mine == -1 {
							seenDowns++
						}
						expect = append(expect, [3]int64{seenUps, seenDowns, int64(mine)})
						seen = append(seen, s.look(r, id, a.UserID))
					}
				}
				require.NoError(rt, r.Run(ctx))
				for i := range seen {
					require.Equal(rt, expect[i], seen[i]())
				}
			},
		})
	})
}
