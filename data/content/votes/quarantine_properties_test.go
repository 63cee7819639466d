package votes_test

import (
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"plaza/data"
	"plaza/data/content/votes"
	"plaza/ranking"
	"plaza/test/storetest"
)

// TestQuarantineProperties applies random operations: the counters are always the sums of the votes that count, and all voters always see
// their own vote counted.
func TestQuarantineProperties(t *testing.T) {
	if checks := flag.Lookup("rapid.checks"); checks.Value.String() == checks.DefValue {
		require.NoError(t, checks.Value.Set("12")) // each makes some hundred requests; -rapid.checks=1000 on demand
		t.Cleanup(func() { _ = checks.Value.Set(checks.DefValue) })
	}
	s := storetest.Open(t)
	s.Votes.Limits = ranking.DefaultThresholds()
	s.Votes.Limits.MinVotes, s.Votes.Limits.Deviations = 3, 1
	ann := s.Member("ann")
	s.Community(ann, "gophers")
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		p := s.Post(ann, "gophers", fmt.Sprint("law ", n))
		c := s.Comment(ann, p.ID, 0, "a comment")
		targets := []data.ID{p.ID, c.ID}
		people := append(s.Actors(4, time.Hour, storetest.OneNetwork), s.Actors(2, storetest.Old, storetest.Anywhere)...)
		cast := map[data.ID]map[data.ID]int{p.ID: {ann.UserID: 1}, c.ID: {ann.UserID: 1}}
		target := rapid.SampledFrom(targets)
		var fresh bool // applied, and unchanged since
		rt.Repeat(map[string]func(*rapid.T){
			"vote": func(rt *rapid.T) {
				a, id, value := rapid.SampledFrom(people).Draw(rt, "who"), target.Draw(rt, "what"), rapid.IntRange(-1, 1).Draw(rt, "value")
				s.Vote(a, id, value)
				cast[id][a.UserID], fresh = value, false
			},
			"apply": func(rt *rapid.T) {
				s.ApplyDeltas(targets...)
				fresh = true
			},
			"apply one": func(rt *rapid.T) { s.ApplyDeltas(target.Draw(rt, "target")) },
			"decide": func(rt *rapid.T) {
				open := append(caseOf(s.Cases("gophers", true), p.ID), caseOf(s.Cases("gophers", true), c.ID)...)
				if len(open) == 0 {
					rt.Skip("nothing to decide")
				}
				d := rapid.SampledFrom([]votes.Decision{votes.Release, votes.Drop}).Draw(rt, "decision")
				_, err := s.Votes.Decide(storetest.Ctx, ann, "gophers", open[0].ID, d)
				require.NoError(rt, err)
				fresh = false
			},
			"wait": func(rt *rapid.T) {
				*s.Clock = s.Clock.Add(rapid.SampledFrom([]time.Duration{1, 3, 11}).Draw(rt, "minutes") * time.Minute)
			},
			"": func(rt *rapid.T) {
				r := s.DB.Read()
				var expect [][3]int64
				var seen []func() [3]int64
				for _, id := range targets {
					res, err := s.At(id).Query(storetest.Ctx, storetest.StmtOf(`SELECT user_id, value, status FROM votes WHERE target_id = ?1`, int64(id)),
						storetest.StmtOf(`SELECT ups, downs FROM posts WHERE id = ?1 UNION ALL SELECT ups, downs FROM comments WHERE id = ?1`, int64(id)),
						storetest.StmtOf(`SELECT coalesce(sum(ups), 0), coalesce(sum(downs), 0) FROM vote_deltas WHERE target_id = ?1`, int64(id)))
					require.NoError(rt, err)
					var ups, downs int64
					uncounted := map[data.ID]bool{}
					for _, row := range res[0].Rows() {
						require.Equal(rt, int64(cast[id][data.ID(row[0].(int64))]), row[1])
						switch {
						case row[2] != int64(0):
							uncounted[data.ID(row[0].(int64))] = true
						case row[1] == int64(1):
							ups++
						case row[1] == int64(-1):
							downs++
						}
					}
					has, waits := res[1].Rows()[0], res[2].Rows()[0]
					require.Equal(rt, [2]int64{ups, downs}, [2]int64{has[0].(int64) + waits[0].(int64), has[1].(int64) + waits[1].(int64)},
						"counters and what waits")
					if !fresh {
						continue
					}
					for _, a := range people { // all viewers see the votes that count, and their own
						mine := cast[id][a.UserID]
						seenUps, seenDowns := ups, downs
						if uncounted[a.UserID] && mine == 1 {
							seenUps++
						}
						if uncounted[a.UserID] && mine == -1 {
							seenDowns++
						}
						expect = append(expect, [3]int64{seenUps, seenDowns, int64(mine)})
						seen = append(seen, look(s, r, id, a.UserID))
					}
				}
				require.NoError(rt, r.Run(storetest.Ctx))
				for i := range seen {
					require.Equal(rt, expect[i], seen[i]())
				}
			},
		})
	})
}
