package render

import (
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// DraftsPage is /drafts: a member's own posts that are not published yet.
type DraftsPage struct {
	Frame
	Items    []DraftItem
	NextURL  string
	FirstURL string // on later pages
}

// DraftItem is such a post.
type DraftItem struct {
	Post      PostItem
	SavedAt   time.Time
	PublishAt time.Time // zero for one that waits for its author
}

// Drafts is the page of a DraftsPage, last saved first.
func Drafts(p DraftsPage) g.Node {
	return page(p.Frame, "", nil,
		h.Div(h.Class("head"),
			h.Div(h.H1(g.Text("Drafts and scheduled posts"))),
			h.Div(h.Class("do"), h.A(h.Class("button"), h.Href("/submit"), g.Text("New post")))),
		draftRows(p),
		turning(p.FirstURL, p.NextURL))
}

func draftRows(p DraftsPage) g.Node {
	if len(p.Items) == 0 {
		return h.Div(h.Class("empty"), logo(), h.P(g.Text("You have no drafts. “Save draft” under a new post keeps it here.")))
	}
	return h.Ul(h.Class("crows"), g.Map(p.Items, func(d DraftItem) g.Node {
		return h.Li(
			icon(d.Post.Community, d.Post.Colour),
			h.Div(
				h.H2(h.A(h.Href(d.Post.URL), titleText(d.Post)), component(func(m *markup) { m.domain(&d.Post) })),
				g.If(d.Post.Excerpt != "", h.P(h.Class("muted"), g.Text(d.Post.Excerpt))),
				component(func(m *markup) {
					m.lit(`<p class="muted">`).text(placeName(d.Post.Community)).lit(` · `)
					if !d.PublishAt.IsZero() {
						m.lit(`will be published on `).moment(d.PublishAt, p.Now)
					} else {
						m.lit(`saved `).timeAgo(d.SavedAt, p.Now)
					}
					m.lit(`</p>`)
				}),
			),
			h.Div(h.Class("do"),
				h.A(h.Class("button quiet"), h.Href("/draft?target="+d.Post.ID), g.Text("Edit"), h.Span(h.Class("vh"), g.Text(" "+d.Post.Title))),
				h.A(h.Class("button quiet"), h.Href("/delete?target="+d.Post.ID), g.Text("Delete"), h.Span(h.Class("vh"), g.Text(" "+d.Post.Title))),
			),
		)
	}))
}
