package worker

import (
	"strconv"

	"plaza/data"
	"plaza/data/posts"
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

// exact tells that the caller sees the counts of a community as they are: its moderators
// and administrators do. It holds after the page's Read ran.
func (c *call) exact(community string) bool {
	return c.viewer != nil && c.viewer.Moderates(community)
}

// votes is the state of a target's vote buttons, less whether they are closed.
func (c *call) votes(target data.ID, ups, downs int64, mine int, exact bool) render.Votes {
	v := render.Votes{Target: target.Text(), Mine: mine, Ups: ups, Downs: downs}
	if !exact {
		v.Ups, v.Downs = c.fuzz.Votes(ups, downs, mine)
	}
	v.Score = v.Ups - v.Downs
	return v
}

// apart shows different scores of a listing as different numbers. What had to be moved
// for that is told in the vote form, so that voting there goes on from what was shown.
func (c *call) apart(items []render.PostItem, posts []*posts.Post) {
	list := make([]ranking.Shown, len(posts))
	sorted := make([]*ranking.Shown, len(posts))
	for i, p := range posts {
		list[i] = ranking.Shown{Score: p.Score(), Shown: items[i].Votes.Score, Exact: c.exact(p.Community)}
		sorted[i] = &list[i]
	}
	ranking.Apart(sorted)
	for i := range list {
		lift(&items[i].Votes, list[i].Shown-items[i].Votes.Score)
	}
}

// lift moves what is shown of a target by some votes.
func lift(v *render.Votes, by int64) {
	v.Lift = by
	v.Score += by
	if by > 0 {
		v.Ups += by
	} else {
		v.Downs -= by
	}
}

// lifted is what the listing that a vote was given on had moved the score by. It is
// the caller's word, and nothing but what they are shown in return.
func (c *call) lifted(v *render.Votes) {
	by, err := strconv.ParseInt(c.r.URL.Query().Get("lift"), 10, 64)
	if most := max(v.Score, -v.Score) / 10; err == nil && -most <= by && by <= most {
		lift(v, by)
	}
}
