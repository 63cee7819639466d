package listing

import (
	"net/url"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/markdown"
	"plaza/render/ui"
)

// ProfilePage is /u/{name}.
type ProfilePage struct {
	ui.Frame
	Name    string        `json:"name"`     // Username.
	Avatar  ui.Avatar     `json:"avatar"`   // The member's tile.
	BioHTML markdown.HTML `json:"bio_html"` // What the member says of themselves, as safe HTML.
	// Site from which an account was brought that nobody has claimed, such as `reddit`; empty for all others.
	Site         string        `json:"brought_from"`
	Elsewhere    string        `json:"name_there"`    // Its name there.
	Links        []ProfileLink `json:"links"`         // Links of the member.
	Views        int64         `json:"views"`         // How many people have looked at the profile, each counted once a week.
	PostKarma    int64         `json:"post_karma"`    // Karma of posts.
	CommentKarma int64         `json:"comment_karma"` // Karma of comments.
	JoinedAt     time.Time     `json:"joined_at"`     // When the member signed up; null where that isn't known.
	Followers    int64         `json:"followers"`     // How many follow the member.
	Following    int64         `json:"following"`     // How many the member follows.
	View         string        `json:"-"`             // as in PostPage
	IsFollowed   bool          `json:"followed"`      // Whether the viewer follows the member.
	IsBlocked    bool          `json:"blocked"`       // Whether the viewer blocks the member.
	IsSelf       bool          `json:"self"`          // Whether it is the viewer's own profile.
	Tabs         []ui.Tab      `json:"-"`
	Orders       []ui.Tab      `json:"-"` // of the posts or comments
	// Posts of the member.
	//
	// On `/u/{user}.json`, they and the comments are the newest of both. With an order it has posts alone.
	Posts    []ui.PostItem    `json:"posts"`
	ByViews  bool             `json:"-"`        // the order of the posts is by their views
	Comments []ProfileComment `json:"comments"` // Comments of the member, on `/u/{user}.json` and `/u/{user}/comments.json`.
	Older    []ui.Tab         `json:"-"`        // lists with what an overview leaves out
	People   []ui.Person      `json:"people"`   // Members, on `/u/{user}/followers.json` and `/u/{user}/following.json`.
	Empty    locale.Text      `json:"-"`        // the sentence shown for an empty list
	NextURL  string           `as:"following"`
	BanFrom  []ui.Tab         `json:"-"` // where the viewer, a moderator, bans the member from a community
	Short    *ui.Form         `json:"-"` // form to post to the viewer's own profile; nil on others, and on other tabs
}

// ProfileLink is a link that a member shows.
type ProfileLink struct {
	Name string `json:"name"` // What it is called.
	Link string `json:"link"` // Where it leads.
}

// ProfileComment is a comment in a list, away from its thread.
type ProfileComment struct {
	Comment   ui.Comment `as:"inline"`
	PostTitle string     `json:"post_title"` // Title of its post.
	PostURL   string     `json:"-"`
	Community string     `json:"community"` // Name of the community.
}

// Profile is a person's page with their posts or comments.
func Profile(p ProfilePage) g.Node {
	return ui.Page(p.Frame, locale.With("About {}", p.Name), profileSide(p),
		h.Div(h.Class("head"), ui.ViewMark(p.View),
			ui.AvatarImage(p.Name, p.Avatar),
			h.Div(
				h.H1(g.Text(p.Name)),
				h.P(h.Class("muted"), h.Span(g.Text("u/"+p.Name)), ui.Dot, ui.T("{} karma", p.PostKarma+p.CommentKarma)),
			),
			h.Div(h.Class("do"), g.If(!p.IsSelf, ui.FollowFragment(p.Name, p.IsFollowed, p.Path)),
				g.Iff(len(p.BanFrom) > 0, func() g.Node {
					return h.Details(h.Class("menu mod"), h.Summary(ui.T("Ban¦verb")),
						h.Div(g.Map(p.BanFrom, func(t ui.Tab) g.Node { return h.A(h.Href(t.URL), ui.T(t.Label)) })))
				}),
				g.If(p.IsSelf, h.A(h.Class("button quiet"), h.Href("/settings/profile"), ui.T("Edit your profile"))),
				g.Iff(!p.IsSelf && p.Viewer != nil, func() g.Node {
					return h.Details(h.Class("menu dots"), h.Summary(ui.Attr("aria-label", "More"), g.Text("⋯")),
						h.Div(h.A(h.Href("/report?user="+url.QueryEscape(p.Name)), ui.T("Report¦verb")), BlockFragment(p.Name, p.IsBlocked, p.Path)))
				})),
		),
		claimNote(p.Name, p.Site, p.Elsewhere),
		g.Iff(p.Short != nil, func() g.Node { return ui.ProfilePostForm(*p.Short) }),
		ui.OrderBar(p.Frame, "What to show", p.Tabs, p.Orders, nil),
		profileBody(p),
		g.If(p.NextURL != "" || len(p.Older) > 0, h.Nav(h.Class("pager"), ui.Attr("aria-label", "Pages"), ui.Next(p.NextURL),
			g.Map(p.Older, func(t ui.Tab) g.Node { return h.A(h.Href(t.URL), ui.T(t.Label)) }))),
	)
}

func profileBody(p ProfilePage) g.Node {
	switch {
	case len(p.Posts) > 0 && len(p.Comments) > 0:
		return h.Div(h.Class("posts"), overview(p))
	case len(p.Comments) > 0:
		return commentList(p.Comments, p.Frame)
	case len(p.People) > 0:
		return ui.People(p.People, p.Frame)
	}
	return ui.PostRows(ui.Listing{Items: p.Posts, ShowCommunity: true, ShowViews: p.ByViews, Empty: p.Empty}, p.Frame)
}

// overview are posts and comments by their age. Those of a kind that follow each other are a list.
func overview(p ProfilePage) (lists g.Group) {
	posts, comments := p.Posts, p.Comments
	for len(posts)+len(comments) > 0 {
		n := 0
		for n < len(posts) && (len(comments) == 0 || !posts[n].CreatedAt.Before(comments[0].Comment.CreatedAt)) {
			n++
		}
		if n > 0 {
			lists = append(lists, ui.Posts(posts[:n], p.Frame, true, ""))
		}
		posts, n = posts[n:], 0
		for n < len(comments) && (len(posts) == 0 || comments[n].Comment.CreatedAt.After(posts[0].CreatedAt)) {
			n++
		}
		if n > 0 {
			lists = append(lists, commentList(comments[:n], p.Frame))
		}
		comments = comments[n:]
	}
	return lists
}

// commentList is a list of comments, each with a link to its post.
func commentList(list []ProfileComment, f ui.Frame) g.Node {
	return h.Div(h.Class("said"), g.Map(list, func(c ProfileComment) g.Node {
		return h.Section(
			h.H2(h.A(h.Href(c.PostURL), ui.DisplayName(c.PostTitle)), g.Text(" "),
				h.Span(h.Class("dom"), ui.T(ui.CommunityLabel(c.Community)))),
			ui.CommentRow(&c.Comment, ui.Thread{Now: f.Now, Flat: true}),
		)
	}))
}

func profileSide(p ProfilePage) g.Node {
	return h.Section(h.Class("card"),
		h.H2(ui.T("About {}", p.Name)),
		ui.Formatted(p.BioHTML),
		profileLinkList(p.Links),
		h.Dl(h.Class("facts"),
			fact("Post karma", ui.Exact(p.PostKarma)),
			fact("Comment karma", ui.Exact(p.CommentKarma)),
			fact("Followers", h.A(h.Href(ui.ProfileURL(p.Name)+"/followers"), ui.Exact(p.Followers))),
			fact("Following¦people", h.A(h.Href(ui.ProfileURL(p.Name)+"/following"), ui.Exact(p.Following))),
			fact("Profile views", ui.Exact(p.Views)),
			g.If(!p.JoinedAt.IsZero(), fact("Joined¦date", ui.Component(func(m *ui.Markup) { m.Date(p.JoinedAt) }))),
		),
	)
}

func profileLinkList(links []ProfileLink) g.Node {
	if len(links) == 0 {
		return nil
	}
	return h.Ul(h.Class("people"), g.Map(links, func(l ProfileLink) g.Node {
		address := markdown.SafeURL(l.Link)
		if address == "" {
			return nil
		}
		return h.Li(h.A(h.Href(address), h.Rel("me nofollow ugc"), ui.DisplayName(l.Name)))
	}))
}

func fact(label locale.Text, value g.Node) g.Node {
	return h.Div(h.Dt(ui.T(label)), h.Dd(value))
}

// claimNote says on an imported profile that no member has written what it lists.
func claimNote(name, site, elsewhere string) g.Node {
	if site == "" {
		return nil
	}
	return h.P(h.Class("hint"), ui.T("Imported from {}, where it is by {}.", site, elsewhere), g.Text(" "),
		h.A(h.Href("/claim?user="+url.QueryEscape(name)), h.Rel("nofollow"), ui.T("Is it yours?")))
}
