package render

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// CommunityView is a community's posts in any of their orders.
func CommunityView(p CommunityPage) g.Node {
	c := p.Community
	return page(p.Frame, "About c/"+c.Name, communitySide(c),
		h.Div(h.Class("head"),
			icon(c.Name, c.Colour),
			h.Div(
				h.H1(g.Text(named(communityTitle(c)))),
				h.P(h.Class("muted"), g.Text("c/"+c.Name+" · "), counted(c.Members, "member", "members"), g.Text(" · "), counted(c.Posts, "post", "posts")),
			),
			h.Div(h.Class("do"),
				subscribe(c.Name, c.Subscribed, p.Path),
				h.A(h.Class("button"), h.Href(communityURL(c.Name)+"/submit"), g.Text("Post here")),
			),
		),
		listing(p.Listing, p.Frame),
	)
}

func communityTitle(c Community) string {
	if c.Title == "" {
		return c.Name
	}
	return c.Title
}

func counted(n int64, one, many string) g.Node {
	return h.Span(h.Title(plural(n, one, many)), g.Text(compact(n)+" "+noun(n, one, many)))
}

func subscribe(name string, on bool, ret string) g.Node {
	return toggle("/subscribe", "community", name, on, "Subscribe", "Subscribed", ret)
}

func communitySide(c Community) g.Node {
	return g.Group{
		h.Section(h.Class("card"),
			h.H2(g.Text("About c/"+c.Name)),
			g.If(c.Description != "", h.P(g.Text(c.Description))),
			markup(c.SidebarHTML),
			h.P(h.Class("muted"), counted(c.Members, "member", "members"), g.Text(" · "), counted(c.Posts, "post", "posts"),
				g.If(!c.CreatedAt.IsZero(), g.Group{h.Br(), g.Text("since "), date(c.CreatedAt)})),
		),
		g.If(len(c.Rules) > 0, h.Section(h.Class("card"),
			h.H2(g.Text("Rules")),
			h.Ol(h.Class("rules"), g.Map(c.Rules, func(r Rule) g.Node {
				return h.Li(h.Strong(g.Text(r.Title)), g.If(r.Text != "", h.P(g.Text(r.Text))))
			})),
		)),
		g.If(len(c.Moderators) > 0, h.Section(h.Class("card"),
			h.H2(g.Text("Moderators")),
			h.Ul(h.Class("people"), g.Map(c.Moderators, func(name string) g.Node { return h.Li(author(name)) })),
		)),
	}
}

// Communities lists communities to discover.
func Communities(p CommunitiesPage) g.Node {
	return page(p.Frame, "", nil,
		h.Div(h.Class("head"),
			h.Div(h.H1(g.Text("Communities"))),
			h.Div(h.Class("do"), h.A(h.Class("button"), h.Href("/communities/new"), g.Text("New community"))),
		),
		tabs("Order", p.Tabs),
		communityRows(p),
		g.If(p.NextURL != "", h.Nav(h.Class("pager"), h.Aria("label", "Pages"), next(p.NextURL))),
	)
}

func communityRows(p CommunitiesPage) g.Node {
	if len(p.Items) == 0 {
		return h.Div(h.Class("empty"), logo(), h.P(g.Text("No community yet. "), h.A(h.Href("/communities/new"), g.Text("Start the first one"))))
	}
	return h.Ul(h.Class("crows"), g.Map(p.Items, func(c CommunityItem) g.Node {
		return h.Li(
			icon(c.Name, c.Colour),
			h.Div(
				h.H2(h.A(h.Href(communityURL(c.Name)), g.Text(named(communityTitle(Community{Name: c.Name, Title: c.Title}))))),
				g.If(c.Description != "", h.P(g.Text(c.Description))),
				h.P(h.Class("muted"), g.Text("c/"+c.Name+" · "), counted(c.Members, "member", "members"), g.Text(" · "), counted(c.Posts, "post", "posts")),
			),
			subscribe(c.Name, c.Subscribed, p.Path),
		)
	}))
}

// NewCommunity is the form that founds a community.
func NewCommunity(p NewCommunityPage) g.Node {
	return page(p.Frame, "", nil,
		h.Form(h.Class("sheet"), action(p.Form, "/communities"),
			h.H1(g.Text("New community")),
			formError(p.Form),
			field(p.Form, input{name: "name", label: "Name", hint: "Its address will be /c/name. Letters, digits and _; it cannot be changed later.", kind: "text",
				attrs: g.Group{h.Required(), h.AutoComplete("off"), g.Attr("autocapitalize", "none"), g.Attr("spellcheck", "false")}}),
			field(p.Form, input{name: "title", label: "Title", hint: "What people see, such as “Bread baking”.", kind: "text", attrs: g.Group{h.AutoComplete("off")}}),
			field(p.Form, input{name: "description", label: "Description", hint: "One line: what belongs here?", kind: "textarea", attrs: g.Group{h.Rows("3")}}),
			submit("Create the community"),
		),
	)
}
