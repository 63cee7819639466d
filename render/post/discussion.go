package post

import (
	"net/url"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/markdown"
	"plaza/render/ui"
)

// DiscussionsPage is what was posted about one web address, or one post and its crossposts.
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
		ui.Posts(p.Posts, p.Frame, true, ui.Nothing("Nobody has posted this yet.", "Post¦verb", "/submit?link="+url.QueryEscape(p.Link))),
		ui.Pager(p.FirstURL, p.NextURL))
}

// Elsewhere lists the other discussions of a post. The script puts it below the post's thread. Each has a link to its first comments, which
// open in place.
func Elsewhere(p DiscussionsPage, now time.Time) g.Node {
	return h.Section(h.Class("elsewhere"), h.Aria("labelledby", "elsewhere"), h.H2(h.ID("elsewhere"), ui.T("Discussions elsewhere")),
		g.If(len(p.Posts) == 0, h.P(h.Class("muted"), ui.T("There are none that you can see."))),
		g.Map(p.Posts, func(post ui.PostItem) g.Node {
			return h.Article(
				h.P(h.Class("by"), h.A(h.Href(ui.CommunityURL(post.Community)), ui.T(ui.CommunityLabel(post.Community))),
					ui.Component(func(m *ui.Markup) { m.TimeAgo(post.CreatedAt, now) }),
					h.Span(ui.T("{} point|{} points", post.Votes.Score)),
					ui.Component(func(m *ui.Markup) { m.CommentCount(post.URL, post.Comments) })),
				h.P(h.A(h.Href(post.URL), ui.DisplayName(post.Title))),
				g.If(post.Comments > 0, h.A(h.Class("more"), h.Href(post.URL), ui.T("Show the first comments"),
					h.Span(h.Class("vh"), g.Text(" "+post.Title)))))
		}),
		g.If(p.NextURL != "", h.P(h.A(h.Href(p.NextURL), ui.T("More discussions")))),
	)
}

// elsewhere is the link below a thread to the other discussions of its post. The script opens them in place.
func elsewhere(p *ui.PostItem) g.Node {
	if p.OthersURL == "" {
		return nil
	}
	return h.Div(h.Class("elsewhere"), h.A(h.Class("more"), h.Href(p.OthersURL), ui.T("Discussions elsewhere")))
}

// others links from a post to the other posts about the same address.
func others(m *ui.Markup, p *ui.PostItem) {
	if p.OthersURL == "" {
		return
	}
	m.Lit(`<a href="`).Text(p.OthersURL).Lit(`">`)
	switch {
	case p.Others == 0:
		m.Say("Other discussions")
	case p.Others > maxOthers:
		m.Say("{}+ other discussions", maxOthers)
	default:
		m.Count(p.Others, "{} other discussion|{} other discussions")
	}
	m.Lit(`</a>`)
}

// maxOthers is the maximum number of other discussions that are counted.
const maxOthers = 10
