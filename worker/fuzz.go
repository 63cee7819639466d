package worker

import (
	"plaza/data"
	"plaza/ranking"
	"plaza/render"
)

// fuzzer shows counts to this caller: the same ones for five minutes, and the same to
// all visitors, whose pages are shared.
func (a *App) fuzzer(c *call) ranking.Fuzzer {
	viewer := ""
	if c.actor != nil {
		viewer = c.actor.UserID.Text()
	}
	return ranking.NewFuzzer(a.fuzzKey, viewer, ranking.FuzzWindowOf(a.Source.Now()))
}

// counts are displayed votes: fuzzed, but exact below ranking.FuzzExactBelow and for
// moderators, who see the page of their community as it is.
func (c *call) counts(ups, downs int64) (score, shownUps, shownDowns int64) {
	score = ups - downs
	if c.exact {
		return score, ups, downs
	}
	score = c.fuzz.Show(score)
	shownUps = max(c.fuzz.Show(ups), score, 0)
	return score, shownUps, shownUps - score
}

// votes is the state of a target's vote buttons, less whether they are closed.
func (c *call) votes(target data.ID, ups, downs int64, mine int, author data.ID) render.Votes {
	v := render.Votes{Target: target.Text(), Mine: mine, Own: c.isViewer(author)}
	v.Score, v.Ups, v.Downs = c.counts(ups, downs)
	return v
}
