package post

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/markdown"
	"plaza/render/ui"
)

// DiscussionsPage is what was posted about one web address, or one post and its
// crossposts.
type DiscussionsPage struct {
	ui.Frame
	Link     string        `json:"link"`  // The web address that they are about; empty where the first post is what the others show again.
	Posts    []ui.PostItem `json:"items"` // The posts, newest first.
	NextURL  string        `as:"following"`
	FirstURL string        `json:"-"` // on later pages
}

// Discussions is the page of a DiscussionsPage, newest first.
func Discussions(p DiscussionsPage) g.Node {
	about := h.P(h.Class("lead"), ui.T("A post and its crossposts."))
	if link := markdown.SafeURL(p.Link); link != "" {
		about = h.P(h.Class("lead"), ui.T("What was posted about {}",
			h.A(h.Href(link), h.Rel("nofollow ugc"), g.Text(ui.PlainAddress(link)))))
	}
	return ui.Page(p.Frame, "", nil, h.H1(ui.T("Discussions")), about,
		ui.Posts(p.Posts, p.Frame, true, "Nobody has posted this yet."), ui.Pager(p.FirstURL, p.NextURL))
}

// others links from a post to the other posts about the same.
func others(m *ui.Markup, p *ui.PostItem) {
	if p.OthersURL == "" {
		return
	}
	m.Lit(`<a href="`).Text(p.OthersURL).Lit(`">`)
	switch {
	case p.Others == 0:
		m.Say("Other discussions")
	case p.Others > othersCounted:
		m.Say("{}+ other discussions", othersCounted)
	default:
		m.Count(p.Others, "{} other discussion|{} other discussions")
	}
	m.Lit(`</a>`)
}

// othersCounted is how many other discussions are counted at most.
const othersCounted = 10
