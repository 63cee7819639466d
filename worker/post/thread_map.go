package post

import (
	"math"
	"time"

	"plaza/data/content/comments"
	"plaza/data/content/posts"
	pages "plaza/render/post"
	"plaza/render/ui"
	"plaza/worker/view"
)

const (
	// mapMin is the number of comments from which a page has a map.
	mapMin  = 8
	mapBars = 40
	// mapLines is how many lines a map has, so that it weighs at most 3 KB (TestTheMapIsSmall).
	mapLines = 64
	// mapExcerpt is how many characters of a comment the map shows. About as many fit beside the author.
	mapExcerpt = 28
)

// threadMap makes the map of a page. Its bars have all comments, from the row of the post (posts.CommentSpans), and its lines those that
// the page shows. It reads nothing. It returns nil for a part of a thread, later comments, a short thread, a fragment, and other formats
// than HTML.
func (v *threadView) threadMap() *pages.ThreadMap {
	if v.query.Parent != 0 || !v.query.After.IsZero() || v.c.Format != nil || v.c.Fragment() || v.thread.Len() < mapMin {
		return nil
	}
	t := &pages.ThreadMap{Bars: make([]pages.MapBar, mapBars), From: v.post.CreatedAt, To: v.post.LastCommentAt.Add(time.Minute), Visit: -1}
	roots := v.thread.Under(0)
	v.eachShown(roots, 0, func(m *comments.Comment, _ int) {
		if m.CreatedAt.Before(t.From) {
			t.From = m.CreatedAt
		}
		if m.CreatedAt.After(t.To) {
			t.To = m.CreatedAt
		}
	})
	place := func(at time.Time) float64 {
		return mapBars * float64(at.Sub(t.From)) / float64(max(t.To.Sub(t.From), 1))
	}
	bar := func(at time.Time) int { return max(0, min(int(place(at)), mapBars-1)) }
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
		switch {
		case depth == 0 && len(t.Roots) == mapLines:
			t.More = &ui.More{URL: "#c-" + roots[mapLines].ID.Text(), Count: max(v.post.Comments-covered(roots[:mapLines]), 1)}
		case t.More != nil: // below the last line
		case depth == 0:
			t.Roots = append(t.Roots, v.mapRoot(m))
		default:
			root := &t.Roots[len(t.Roots)-1]
			root.Replies = append(root.Replies, pages.MapReply{Depth: depth, New: v.isNew(m)})
		}
	})
	if int64(v.thread.Len()) < v.post.Comments {
		addOthers(t.Bars, v.post.CommentSpans(), place)
	}
	return t
}

// addOthers raises the bars from the comments of the page to all comments. place is where a time is, in bars. The comments of a span that
// is longer than a bar are spread evenly.
func addOthers(bars []pages.MapBar, spans []posts.CommentSpan, place func(time.Time) float64) {
	before := make([]float64, len(bars)+1) // how many comments were written before each bar, and at the end all
	for _, span := range spans {
		from, to := place(span.From), place(span.To)
		for i := range bars {
			before[i] += float64(span.Comments) * max(0, min((float64(i)-from)/(to-from), 1))
		}
		before[len(bars)] += float64(span.Comments)
	}
	for i := range bars {
		bars[i].All = max(bars[i].All, int(math.Round(before[i+1])-math.Round(before[i])))
	}
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
