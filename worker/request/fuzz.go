package request

import (
	"strconv"

	"plaza/data"
	"plaza/data/content/posts"
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

// Exact tells whether the caller sees the exact counts of a community: its moderators, approvers and administrators do. Call it
// after Call.Run.
func (c *Call) Exact(community string) bool {
	return c.Viewer != nil && c.Viewer.Approves(community)
}

// Votes makes the state of a target's vote buttons. Whether they are closed is left to the caller.
func (c *Call) Votes(target data.ID, ups, downs int64, mine int, exact bool) ui.Votes {
	v := ui.Votes{Target: target.Text(), Mine: mine, Ups: ups, Downs: downs}
	if !exact {
		v.Ups, v.Downs = c.fuzz.Votes(ups, downs, mine)
	}
	v.Score = v.Ups - v.Downs
	return v
}

// Apart makes sure that posts of a listing with different scores show different scores, although these are fuzzed.
// How far a score was moved for that is written into the vote form, so that the answer to a vote counts on from the
// score that was shown.
func (c *Call) Apart(items []ui.PostItem, posts []*posts.Post) {
	list := make([]ranking.Shown, len(posts))
	sorted := make([]*ranking.Shown, len(posts))
	for i, p := range posts {
		list[i] = ranking.Shown{Score: p.Score(), Shown: items[i].Votes.Score, Exact: c.Exact(p.Community)}
		sorted[i] = &list[i]
	}
	ranking.Apart(sorted)
	for i := range list {
		lift(&items[i].Votes, list[i].Shown-items[i].Votes.Score)
	}
}

// lift moves the score that is shown of a target, and its ups or downs with it.
func lift(v *ui.Votes, by int64) {
	v.Lift = by
	v.Score += by
	if by > 0 {
		v.Ups += by
	} else {
		v.Downs -= by
	}
}

// Lifted moves the score in the answer to a vote as far as the listing had moved it. The form says how far. Somebody
// who changes that in the form only sees another score in return.
func (c *Call) Lifted(v *ui.Votes) {
	by, err := strconv.ParseInt(c.R.URL.Query().Get("lift"), 10, 64)
	if most := max(v.Score, -v.Score) / 10; err == nil && -most <= by && by <= most {
		lift(v, by)
	}
}
