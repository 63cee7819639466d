package listing

import (
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// OwnPostsPage is /drafts and the pages below it: a member's own posts of one status.
type OwnPostsPage struct {
	ui.Frame
	Tabs     []ui.Tab  `json:"-"`
	Items    []OwnPost `json:"items"` // The member's own posts of one status, newest first.
	Empty    ui.Empty  `json:"-"`     // what it says without items
	NextURL  string    `as:"following"`
	FirstURL string    `json:"-"` // "" on page one
}

// OwnPost is one of these posts.
type OwnPost struct {
	Post      ui.PostItem `json:"post"`       // The post.
	Icon      string      `json:"-"`          // of its community, as in ui.Community
	SavedAt   time.Time   `json:"saved_at"`   // When it was last saved; null where that isn't known.
	PublishAt time.Time   `json:"publish_at"` // When it will be published; null for one that is not scheduled.
	Removed   bool        `json:"removed"`    // Whether a moderator has removed it.
	Held      bool        `json:"waits"`      // Whether it waits for a moderator.
}

// OwnPosts is the page of an OwnPostsPage.
func OwnPosts(p OwnPostsPage) g.Node {
	return ui.Page(p.Frame, "", nil,
		h.Div(h.Class("head"),
			h.Div(h.H1(ui.T("Your posts"))),
			h.Div(h.Class("do"), h.A(h.Class("button"), h.Href("/submit"), ui.T("New post")))),
		ui.Tabs("Your posts by status", p.Tabs),
		ownPostRows(p),
		ui.Pager(p.FirstURL, p.NextURL))
}

func ownPostRows(p OwnPostsPage) g.Node {
	if len(p.Items) == 0 {
		return ui.EmptyState(p.Empty)
	}
	return h.Ul(h.Class("crows"), g.Map(p.Items, func(d OwnPost) g.Node {
		return h.Li(
			ui.Component(func(m *ui.Markup) { m.Emblem(d.Post.Community, d.Post.Colour, d.Icon) }),
			h.Div(
				h.H2(h.A(h.Href(d.Post.URL), ui.TitleText(d.Post)), ui.Component(func(m *ui.Markup) { m.Domain(&d.Post) })),
				g.If(d.Post.Excerpt != "", h.P(h.Class("muted"), g.Text(d.Post.Excerpt))),
				ui.Component(func(m *ui.Markup) { ownPostState(m, &d, p.Now) }),
			),
			ownPostButtons(d.Post),
		)
	}))
}

// ownPostState writes the community and the status of a post.
func ownPostState(m *ui.Markup, d *OwnPost, now time.Time) {
	m.Lit(`<p class="muted">`).Say(ui.CommunityLabel(d.Post.Community)).Dot()
	switch {
	case !d.PublishAt.IsZero():
		m.Say("will be posted on {}", ui.Component(func(m *ui.Markup) { m.Moment(d.PublishAt, now) }))
	case d.Post.Unpublished:
		m.Say("saved {}", ui.Since(d.SavedAt, now))
	case d.Held:
		m.Say("waits for a moderator, sent {}", ui.Since(d.Post.CreatedAt, now))
	case d.Removed:
		m.Say("removed by a moderator, posted {}", ui.Since(d.Post.CreatedAt, now))
	default:
		m.Say("posted {}", ui.Since(d.Post.CreatedAt, now)).Dot().Counted(d.Post.Votes.Score, "{} point|{} points").
			Dot().Counted(d.Post.Comments, "{} comment|{} comments").Dot().Counted(d.Post.Views, "{} view|{} views")
	}
	m.Lit(`</p>`)
}

func ownPostButtons(p ui.PostItem) g.Node {
	button := func(path string, label locale.Text) g.Node {
		return h.A(h.Class("button quiet"), h.Href(path+"?target="+p.ID), ui.T(label),
			h.Span(h.Class("vh"), g.Text(" "), ui.DisplayName(p.Title)))
	}
	var edit g.Node
	switch {
	case p.Unpublished:
		edit = button("/draft", "Edit")
	case p.CanEdit:
		edit = button("/edit", "Edit")
	}
	return h.Div(h.Class("do"), edit, g.If(p.CanDelete, button("/delete", "Delete")))
}
