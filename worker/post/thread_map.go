package post

import (
	"html"
	"strings"
	"time"
	"unicode/utf8"

	"plaza/data/content/comments"
	pages "plaza/render/post"
)

const (
	// mapLeast is from how many comments on a page it has a map.
	mapLeast = 8
	mapBars  = 40
	// mapWords is how many characters of a comment the map shows.
	mapWords = 40
)

// overview makes the map of the page. It reads nothing: it is about the comments that the page shows. It returns nil for pages that need none:
// parts of a thread, and short threads.
func (v *threadView) overview() *pages.ThreadMap {
	if v.query.Parent != 0 || !v.query.After.IsZero() || v.c.Format != nil || v.c.Fragment() || v.thread.Len() < mapLeast {
		return nil
	}
	t := &pages.ThreadMap{Bars: make([]pages.MapBar, mapBars), From: v.now, Visit: -1}
	roots := v.thread.Under(0)
	v.eachShown(roots, 0, func(m *comments.Comment, _ int) {
		if m.CreatedAt.Before(t.From) {
			t.From = m.CreatedAt
		}
	})
	bar := func(at time.Time) int {
		whole := v.now.Sub(t.From)
		if whole <= 0 {
			return mapBars - 1
		}
		return min(int(at.Sub(t.From)*mapBars/whole), mapBars-1)
	}
	if v.since.After(t.From) {
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
		root.Words = firstWords(m.BodyHTML, m.BodyPlain)
	}
	return root
}

// firstWords returns the first characters of a comment without its markup, or of its text if that is all there is. It leaves out what a
// spoiler hides.
func firstWords(shown, plain string) string {
	if shown == "" {
		shown = html.EscapeString(plain)
	}
	var b strings.Builder
	hidden := 0
	for len(shown) > 0 && b.Len() < 4*mapWords {
		open := strings.IndexByte(shown, '<')
		if open < 0 {
			open = len(shown)
		}
		if hidden == 0 {
			b.WriteString(shown[:open])
			b.WriteByte(' ')
		}
		shown = shown[open:]
		switch {
		case strings.HasPrefix(shown, "<details"):
			hidden++
		case strings.HasPrefix(shown, "</details"):
			hidden--
		}
		_, shown, _ = strings.Cut(shown, ">")
	}
	words := strings.Join(strings.Fields(html.UnescapeString(b.String())), " ")
	if utf8.RuneCountInString(words) <= mapWords {
		return words
	}
	return string([]rune(words)[:mapWords-1]) + "…"
}
