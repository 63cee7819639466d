package render

import (
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// DeskPage is /drafts and the pages below it: a member's own posts of one status.
type DeskPage struct {
	Frame
	Tabs     []Tab
	Items    []DeskItem
	Empty    string // the sentence shown when there is nothing
	NextURL  string
	FirstURL string // on later pages
}

// DeskItem is such a post.
type DeskItem struct {
	Post      PostItem
	SavedAt   time.Time
	PublishAt time.Time // zero for one that is not scheduled
	Removed   bool      // by a moderator
	Waits     bool      // for a moderator
}

// Desk is the page of a DeskPage, the newest first.
func Desk(p DeskPage) g.Node {
	return page(p.Frame, "", nil,
		h.Div(h.Class("head"),
			h.Div(h.H1(g.Text("Your posts"))),
			h.Div(h.Class("do"), h.A(h.Class("button"), h.Href("/submit"), g.Text("New post")))),
		tabs("Your posts by status", p.Tabs),
		deskRows(p),
		turning(p.FirstURL, p.NextURL))
}

func deskRows(p DeskPage) g.Node {
	if len(p.Items) == 0 {
		return h.Div(h.Class("empty"), logo(), h.P(g.Text(p.Empty)))
	}
	return h.Ul(h.Class("crows"), g.Map(p.Items, func(d DeskItem) g.Node {
		return h.Li(
			icon(d.Post.Community, d.Post.Colour),
			h.Div(
				h.H2(h.A(h.Href(d.Post.URL), titleText(d.Post)), component(func(m *markup) { m.domain(&d.Post) })),
				g.If(d.Post.Excerpt != "", h.P(h.Class("muted"), g.Text(d.Post.Excerpt))),
				component(func(m *markup) { m.deskState(&d, p.Now) }),
			),
			deskButtons(d.Post),
		)
	}))
}

// deskState says where a post is and how it stands.
func (m *markup) deskState(d *DeskItem, now time.Time) {
	m.lit(`<p class="muted">`).text(placeName(d.Post.Community)).lit(` · `)
	switch {
	case !d.PublishAt.IsZero():
		m.lit(`will be published on `).moment(d.PublishAt, now)
	case d.Post.Unpublished:
		m.lit(`saved `).timeAgo(d.SavedAt, now)
	case d.Waits:
		m.lit(`waits for a moderator, sent `).timeAgo(d.Post.CreatedAt, now)
	case d.Removed:
		m.lit(`removed by a moderator, published `).timeAgo(d.Post.CreatedAt, now)
	default:
		m.lit(`published `).timeAgo(d.Post.CreatedAt, now).lit(` · `).counted(d.Post.Votes.Score, "point", "points").lit(` · `).counted(d.Post.Comments, "comment", "comments").lit(` · `).counted(d.Post.Views, "view", "views")
	}
	m.lit(`</p>`)
}

func deskButtons(p PostItem) g.Node {
	button := func(path, label string) g.Node {
		return h.A(h.Class("button quiet"), h.Href(path+"?target="+p.ID), g.Text(label), h.Span(h.Class("vh"), g.Text(" "+named(p.Title))))
	}
	edit := g.Node(nil)
	switch {
	case p.Unpublished:
		edit = button("/draft", "Edit")
	case p.CanEdit:
		edit = button("/edit", "Edit")
	}
	return h.Div(h.Class("do"), edit, g.If(p.CanDelete, button("/delete", "Delete")))
}
