package render

import (
	"net/url"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// ProfilePage is /u/{name}.
type ProfilePage struct {
	Frame
	Name         string
	Avatar       Avatar
	BioHTML      HTML
	Site         string // another, from which an account came that nobody has claimed; "" for all others
	Elsewhere    string // its name there
	Links        []ProfileLink
	PostKarma    int64
	CommentKarma int64
	JoinedAt     time.Time
	Followers    int64
	Following    int64
	Views        int64
	View         string // as in PostPage
	IsFollowed   bool
	IsBlocked    bool // by the viewer
	IsSelf       bool
	Tabs         []Tab
	Orders       []Tab            // of the posts or comments
	Posts        []PostItem       // on the posts tab
	Comments     []ProfileComment // on the comments tab
	People       []Person         // on the tabs of followers and of whom the member follows
	Empty        string           // the sentence shown when there is nothing
	NextURL      string
	BanFrom      []Tab // where the viewer, a moderator, bans the member from a community
	Short        *Form // to post to it; nil for others, and on other tabs
}

// ProfileLink is a link that a member shows.
type ProfileLink struct{ Name, Link string }

// ProfileComment is a comment in a list, away from its thread.
type ProfileComment struct {
	Comment   Comment
	PostTitle string
	PostURL   string
	Community string
}

// Profile is a person's page with their posts or comments.
func Profile(p ProfilePage) g.Node {
	return page(p.Frame, "About "+p.Name, profileSide(p),
		h.Div(h.Class("head"), viewMark(p.View),
			avatar(p.Name, p.Avatar),
			h.Div(
				h.H1(g.Text(p.Name)),
				h.P(h.Class("muted"), h.Span(g.Text("u/"+p.Name)), g.Text(" · "+exact(p.PostKarma+p.CommentKarma)+" karma")),
			),
			h.Div(h.Class("do"), g.If(!p.IsSelf, FollowFragment(p.Name, p.IsFollowed, p.Path)),
				g.If(!p.IsSelf && p.Viewer != nil, BlockFragment(p.Name, p.IsBlocked, p.Path)),
				g.If(!p.IsSelf && p.Viewer != nil, h.A(h.Class("button quiet"), h.Href("/report?user="+url.QueryEscape(p.Name)), g.Text("Report"))),
				g.Iff(len(p.BanFrom) > 0, func() g.Node {
					return h.Details(h.Class("menu mod"), h.Summary(g.Text("Ban")), h.Div(g.Map(p.BanFrom, func(t Tab) g.Node { return h.A(h.Href(t.URL), g.Text(t.Label)) })))
				}),
				g.If(p.IsSelf, h.A(h.Class("button quiet"), h.Href("/settings"), g.Text("Edit your profile")))),
		),
		claimNote(p.Name, p.Site, p.Elsewhere),
		tabs("What to show", p.Tabs),
		g.Iff(p.Short != nil, func() g.Node { return shortForm(*p.Short) }),
		tabs("Order", p.Orders),
		profileBody(p),
		g.If(p.NextURL != "", h.Nav(h.Class("pager"), h.Aria("label", "Pages"), next(p.NextURL))),
	)
}

func profileBody(p ProfilePage) g.Node {
	switch {
	case len(p.Comments) > 0:
		return said(p.Comments, p.Frame)
	case len(p.People) > 0:
		return people(p.People, p.Frame)
	}
	return posts(p.Posts, p.Frame, true, p.Empty)
}

// said is a list of comments, each with a link to its post.
func said(list []ProfileComment, f Frame) g.Node {
	return h.Div(h.Class("said"), g.Map(list, func(c ProfileComment) g.Node {
		return h.Section(
			h.H2(h.A(h.Href(c.PostURL), g.Text(named(c.PostTitle))), g.Text(" "), h.Span(h.Class("dom"), g.Text(placeName(c.Community)))),
			comment(&c.Comment, thread{now: f.Now, flat: true}),
		)
	}))
}

func profileSide(p ProfilePage) g.Node {
	return h.Section(h.Class("card"),
		h.H2(g.Text("About "+p.Name)),
		formatted(p.BioHTML),
		profileLinkList(p.Links),
		h.Dl(h.Class("facts"),
			fact("Post karma", g.Text(exact(p.PostKarma))),
			fact("Comment karma", g.Text(exact(p.CommentKarma))),
			fact("Followers", h.A(h.Href(profileURL(p.Name)+"/followers"), g.Text(exact(p.Followers)))),
			fact("Following", h.A(h.Href(profileURL(p.Name)+"/following"), g.Text(exact(p.Following)))),
			fact("Profile views", g.Text(exact(p.Views))),
			g.If(!p.JoinedAt.IsZero(), fact("Joined", component(func(m *markup) { m.date(p.JoinedAt) }))),
		),
	)
}

func profileLinkList(links []ProfileLink) g.Node {
	if len(links) == 0 {
		return nil
	}
	return h.Ul(h.Class("people"), g.Map(links, func(l ProfileLink) g.Node {
		address := safeURL(l.Link)
		if address == "" {
			return nil
		}
		return h.Li(h.A(h.Href(address), h.Rel("me nofollow ugc"), g.Text(named(l.Name))))
	}))
}

func fact(label string, value g.Node) g.Node {
	return h.Div(h.Dt(g.Text(label)), h.Dd(value))
}
