package request

import (
	"plaza/data"
	"plaza/ranking"
	"plaza/render/ui"
)

// fuzzer makes the fuzzed counts that this caller sees. They stay the same for five minutes. All visitors see the
// same ones, because they share pages.
func (s *Server) fuzzer(c *Call) ranking.Fuzzer {
	viewer := ""
	if c.Actor != nil {
		viewer = c.Actor.UserID.Text()
	}
	return ranking.NewFuzzer(s.fuzzKey, viewer, ranking.FuzzWindowOf(s.Source.Now()))
}

// Exact reports whether the caller sees the exact counts of a community: its moderators, approvers and administrators do. Call it after
// Call.Run.
func (c *Call) Exact(community string) bool {
	return c.Viewer != nil && c.Viewer.Approves(community)
}

// Votes makes the state of a target's vote buttons. Whether they are closed is left to the caller.
func (c *Call) Votes(target data.ID, ups, downs int64, mine int, exact bool) ui.Votes {
	v := ui.Votes{Target: target.Text(), Mine: mine}
	v.Ups, v.Downs = c.counts(ups, downs, mine, exact)
	v.Score = v.Ups - v.Downs
	return v
}

// Score returns the score that Votes shows.
func (c *Call) Score(ups, downs int64, mine int, exact bool) int64 {
	ups, downs = c.counts(ups, downs, mine, exact)
	return ups - downs
}

func (c *Call) counts(ups, downs int64, mine int, exact bool) (shownUps, shownDowns int64) {
	if exact {
		return ups, downs
	}
	return c.fuzz.Votes(ups, downs, mine)
}
