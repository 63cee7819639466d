package render

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// DiscussionsPage is what was posted about one web address, or one post and its
// crossposts.
type DiscussionsPage struct {
	Frame
	Link     string // the web address; "" where the first post is what the others show again
	Posts    []PostItem
	NextURL  string
	FirstURL string // on later pages
}

// Discussions is the page of a DiscussionsPage, newest first.
func Discussions(p DiscussionsPage) g.Node {
	about := h.P(h.Class("lead"), g.Text("A post, and where it was shown again."))
	if link := safeURL(p.Link); link != "" {
		about = h.P(h.Class("lead"), g.Text("What was posted about "), h.A(h.Href(link), h.Rel("nofollow ugc"), g.Text(plainAddress(link))))
	}
	return page(p.Frame, "", nil, h.H1(g.Text("Discussions")), about,
		posts(p.Posts, p.Frame, true, "Nobody has posted this yet."), turning(p.FirstURL, p.NextURL))
}

// others links from a post to the other posts about the same.
func (m *markup) others(p *PostItem) {
	if p.OthersURL == "" {
		return
	}
	m.lit(`<a href="`).text(p.OthersURL).lit(`">`)
	switch {
	case p.Others == 0:
		m.lit(`Other discussions`)
	case p.Others > othersCounted:
		m.lit(`10+ other discussions`)
	default:
		m.plural(p.Others, "other discussion", "other discussions")
	}
	m.lit(`</a>`)
}

// othersCounted is how many other discussions are counted at most.
const othersCounted = 10
