package render

import (
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// listing is a page of posts under its orders.
func listing(l Listing, f Frame) g.Node {
	return g.Group{
		tabs("Order", l.Tabs),
		tabs("Time", l.Windows),
		posts(l.Items, f, l.ShowCommunity, l.Empty),
		pager(l),
	}
}

func tabs(label string, ts []Tab) g.Node {
	if len(ts) == 0 {
		return nil
	}
	return h.Nav(h.Class("tabs"), h.Aria("label", label), g.Map(ts, func(t Tab) g.Node {
		return h.A(h.Href(t.URL), g.If(t.Active, h.Aria("current", "page")), g.Text(t.Label))
	}))
}

func posts(items []PostItem, f Frame, showCommunity bool, empty string) g.Node {
	if len(items) == 0 {
		if empty == "" {
			empty = "Nothing here yet."
		}
		return h.Div(h.Class("empty"), logo(), h.P(g.Text(empty)))
	}
	return h.Div(h.Class("posts"), g.Map(items, func(p PostItem) g.Node { return postRow(p, f, showCommunity) }))
}

func pager(l Listing) g.Node {
	first := ""
	for _, t := range append(l.Tabs[:len(l.Tabs):len(l.Tabs)], l.Windows...) {
		if t.Active {
			first = t.URL
		}
	}
	if l.NextURL == "" && (l.FirstPage || first == "") {
		return nil
	}
	return h.Nav(h.Class("pager"), h.Aria("label", "Pages"),
		g.If(!l.FirstPage && first != "", h.A(h.Href(first), g.Text("First page"))),
		next(l.NextURL),
	)
}

func next(address string) g.Node {
	if address == "" {
		return nil
	}
	return h.A(h.Class("button"), h.Rel("next"), h.Href(address), g.Text("Next page"))
}

func postRow(p PostItem, f Frame, showCommunity bool) g.Node {
	class := "post"
	if p.Seen {
		class = "post seen"
	}
	if p.Pinned {
		class += " pinned"
	}
	return h.Article(h.Class(class), h.ID("p-"+p.ID),
		h.H2(titleLink(p), domain(p)),
		excerpt(p),
		byline(p, f.Now, showCommunity),
		votes(p.Votes, f.Path+"#p-"+p.ID),
		commentCount(p.URL, p.Comments),
	)
}

// commentCount leads to a post's thread.
func commentCount(address string, n int64) g.Node {
	return h.A(h.Class("cc"), h.Href(address), g.If(n >= 1000, h.Title(exact(n))), g.Text(compact(n)+" "+noun(n, "comment", "comments")))
}

// titleLink leads outside when the post is a link, else to its thread.
func titleLink(p PostItem) g.Node {
	if gone := p.gone(); gone != "" {
		return h.A(h.Class("gone"), h.Href(p.URL), g.Text(gone))
	}
	if link := safeURL(p.Link); link != "" {
		return h.A(h.Href(link), outside(), g.Text(named(p.Title)))
	}
	return h.A(h.Href(p.URL), g.Text(named(p.Title)))
}

// outside marks a link that a person set; it opens in the same tab, so it needs no
// noopener.
func outside() g.Node { return h.Rel("nofollow ugc") }

// named keeps a link to something without a visible name from being empty.
func named(s string) string {
	if strings.TrimSpace(s) == "" {
		return "[untitled]"
	}
	return s
}

// gone is what stands in the place of a title that is no longer shown.
func (p PostItem) gone() string {
	switch {
	case p.Removed:
		return "[removed by a moderator]"
	case p.Deleted:
		return "[deleted]"
	}
	return ""
}

func domain(p PostItem) g.Node {
	if p.Domain == "" || p.gone() != "" {
		return nil
	}
	class := "dom"
	if p.Kind == "image" {
		class = "dom img"
	}
	return g.Group{g.Text(" "), h.Span(h.Class(class), g.Text(p.Domain))}
}

func excerpt(p PostItem) g.Node {
	if p.Excerpt == "" || p.gone() != "" || p.NSFW || p.Spoiler {
		return nil
	}
	return h.P(h.Class("ex"), g.Text(p.Excerpt))
}

func byline(p PostItem, now time.Time, showCommunity bool) g.Node {
	return h.P(h.Class("by"),
		marks(p),
		g.If(showCommunity, h.A(h.Class("com"), h.Href(communityURL(p.Community)), icon(p.Community, p.Colour), g.Text("c/"+p.Community))),
		author(p.Author),
		timeAgo(p.CreatedAt, now),
		g.If(p.Edited, h.Span(g.Text("edited"))),
	)
}

func author(name string) g.Node {
	if name == "" {
		return nil
	}
	return h.A(h.Href(userURL(name)), g.Text(named(name)))
}

func marks(p PostItem) g.Node {
	return g.Group{
		mark(p.Pinned, "", "pinned"),
		mark(p.NSFW, " hot", "NSFW"),
		mark(p.Spoiler, "", "spoiler"),
		mark(p.Locked, "", "locked"),
		g.If(p.CrosspostOf != "", h.A(h.Class("mark"), h.Href(p.CrosspostOf), g.Text("crosspost"))),
	}
}

func mark(on bool, class, label string) g.Node {
	if !on {
		return nil
	}
	return h.Span(h.Class("mark"+class), g.Text(label))
}
