package post

import (
	"time"

	"plaza/data/content/comments"
	pages "plaza/render/post"
	"plaza/worker/view"
)

const (
	// mapMin is the number of comments from which a page has a map.
	mapMin  = 8
	mapBars = 40
	// mapExcerpt is how many characters of a comment the map shows.
	mapExcerpt = 40
)

// threadMap makes the map of a page from the comments that it shows. It reads nothing. It returns nil for a part of a thread, later
// comments, a short thread, a fragment, and other formats than HTML.
func (v *threadView) threadMap() *pages.ThreadMap {
	if v.query.Parent != 0 || !v.query.After.IsZero() || v.c.Format != nil || v.c.Fragment() || v.thread.Len() < mapMin {
		return nil
	}
	t := &pages.ThreadMap{Bars: make([]pages.MapBar, mapBars), From: v.now, Visit: -1}
	roots := v.thread.Under(0)
	v.eachShown(roots, 0, func(m *comments.Comment, _ int) {
		if m.CreatedAt.Before(t.From) {
			t.From = m.CreatedAt
		}
		if m.CreatedAt.After(t.To) {
			t.To = m.CreatedAt
		}
	})
	bar := func(at time.Time) int {
		whole := t.To.Sub(t.From)
		if whole <= 0 {
			return mapBars - 1
		}
		return max(0, min(int(float64(at.Sub(t.From))/float64(whole)*mapBars), mapBars-1))
	}
	if v.since.After(t.From) && v.since.Before(t.To) {
		t.Visit = bar(v.since)
	}
	v.eachShown(roots, 0, func(m *comments.Comment, depth int) {
		m = v.thread.Of(m)
		part := &t.Bars[bar(m.CreatedAt)]
		part.All++
		if v.isNew(m) {
			part.New++
		}
		if depth == 0 {
			t.Roots = append(t.Roots, v.mapRoot(m))
			return
		}
		root := &t.Roots[len(t.Roots)-1]
		root.Replies = append(root.Replies, pages.MapReply{Depth: depth, New: v.isNew(m)})
	})
	return t
}

// eachShown calls do for comments and for what is shown below them, in the order of the page.
func (v *threadView) eachShown(list []*comments.Comment, depth int, do func(m *comments.Comment, depth int)) {
	for _, m := range list {
		do(m, depth)
		v.eachShown(v.thread.Under(m.ID), depth+1, do)
	}
}

func (v *threadView) mapRoot(m *comments.Comment) pages.MapRoot {
	root := pages.MapRoot{ID: m.ID.Text(), Author: m.Author, Score: v.c.Score(m.Ups, m.Downs, m.MyVote, v.c.Exact(v.post.Community))}
	switch {
	case m.Status == "deleted":
		root.State = "[deleted]"
	case m.Status != "published":
		root.State = "[removed by a moderator]"
	case v.c.Blocks(m.AuthorID):
		root.Author, root.State = "", "From somebody you block"
	default:
		root.Words = view.ShownText(m.BodyHTML, m.BodyPlain).PlainText(mapExcerpt)
	}
	return root
}
