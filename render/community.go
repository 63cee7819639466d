package render

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// CommunityView is a community's posts in any of their orders.
func CommunityView(p CommunityPage) g.Node {
	c := p.Community
	return page(p.Frame, "About c/"+c.Name, communitySide(c),
		component(func(m *markup) {
			m.lit(`<div class="head">`).icon(c.Name, c.Colour).lit(`<div><h1>`).text(named(communityTitle(c)))
			m.lit(`</h1><p class="muted">c/`).text(c.Name).lit(` · `).communitySize(c.Members, c.Posts).lit(`</p></div><div class="do">`)
			m.node(subscribe(c.Name, c.Subscribed, p.Path))
			m.lit(`<a class="button" href="/c/`).segment(c.Name).lit(`/submit">Post here</a></div></div>`)
		}),
		listing(p.Listing, p.Frame),
	)
}

func communityTitle(c Community) string {
	if c.Title == "" {
		return c.Name
	}
	return c.Title
}

// communitySize is how many belong to a community and have posted there.
func (m *markup) communitySize(members, posts int64) *markup {
	return m.counted(members, "member", "members").lit(` · `).counted(posts, "post", "posts")
}

// SubscribeFragment is the button after it was used in place.
func SubscribeFragment(name string, on bool, ret string) g.Node { return subscribe(name, on, ret) }

func subscribe(name string, on bool, ret string) g.Node {
	return toggle("/subscribe", "community", name, "to c/"+name, on, "Subscribe", "Subscribed", ret)
}

func communitySide(c Community) g.Node {
	return component(func(m *markup) {
		m.lit(`<section class="card"><h2>About c/`).text(c.Name).lit(`</h2>`)
		if c.Description != "" {
			m.lit(`<p>`).text(c.Description).lit(`</p>`)
		}
		m.formatted(c.SidebarHTML).communityFacts(&c)
		if c.Moderator {
			m.lit(`<p><a href="/c/`).segment(c.Name).lit(`/settings">Community settings</a></p>`)
			m.lit(`<p><a href="/c/`).segment(c.Name).lit(`/mod/quarantine">Quarantined votes</a></p>`)
		}
		m.lit(`</section>`)
		if len(c.Rules) > 0 {
			m.lit(`<section class="card"><h2>Rules</h2><ol class="rules">`)
			for _, r := range c.Rules {
				m.rule(r)
			}
			m.lit(`</ol></section>`)
		}
		if len(c.Moderators) > 0 {
			m.lit(`<section class="card"><h2>Moderators</h2><ul class="people">`)
			for _, name := range c.Moderators {
				m.lit(`<li>`).author(name).lit(`</li>`)
			}
			m.lit(`</ul></section>`)
		}
	})
}

// communityFacts writes the counts, and what of them is of the last seven days.
func (m *markup) communityFacts(c *Community) *markup {
	m.lit(`<dl class="facts"><div><dt>Members</dt><dd>`).grown(c.Members, c.NewMembers).lit(`</dd></div>`)
	m.lit(`<div><dt>Posts</dt><dd>`).grown(c.Posts, c.NewPosts).lit(`</dd></div>`)
	if !c.CreatedAt.IsZero() {
		m.lit(`<div><dt>Founded</dt><dd>`).date(c.CreatedAt).lit(`</dd></div>`)
	}
	return m.lit(`</dl>`)
}

func (m *markup) grown(all, week int64) *markup {
	m.exact(all)
	if week > 0 {
		m.lit(` <span class="grown">+`).exact(week).lit(` this week</span>`)
	}
	return m
}

func (m *markup) rule(r Rule) {
	m.lit(`<li><strong>`).text(r.Title).lit(`</strong>`)
	if r.Text != "" {
		m.lit(`<p>`).text(r.Text).lit(`</p>`)
	}
	m.lit(`</li>`)
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
		g.If(p.NextURL != "" || p.FirstURL != "", h.Nav(h.Class("pager"), h.Aria("label", "Pages"),
			g.If(p.FirstURL != "", h.A(h.Href(p.FirstURL), g.Text("First page"))), next(p.NextURL))),
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
				component(func(m *markup) { m.communityLine(&c, p.New) }),
			),
			subscribe(c.Name, c.Subscribed, p.Path),
		)
	}))
}

func (m *markup) communityLine(c *CommunityItem, age bool) {
	m.lit(`<p class="muted">c/`).text(c.Name).lit(` · `).counted(c.Members, "member", "members")
	if c.Growth > 0 {
		m.lit(` <span class="grown">+`).compact(c.Growth).lit(` this week</span>`)
	}
	if age && !c.CreatedAt.IsZero() {
		m.lit(` · since `).date(c.CreatedAt)
	}
	m.lit(`</p>`)
}

// NewCommunity is the form that founds a community.
func NewCommunity(p NewCommunityPage) g.Node {
	return page(p.Frame, "", nil,
		h.Form(h.Class("sheet"), sentTo("/communities"),
			h.H1(g.Text("New community")),
			formError(p.Form), formToken(p.Form),
			field(p.Form, input{name: "name", label: "Name", hint: "Its address will be /c/name. Letters, digits and _; it cannot be changed later.", kind: "text",
				attrs: g.Group{h.Required(), h.AutoComplete("off"), g.Attr("autocapitalize", "none"), g.Attr("spellcheck", "false")}}),
			field(p.Form, input{name: "title", label: "Title", hint: "What people see, such as “Bread baking”.", kind: "text", attrs: g.Group{h.AutoComplete("off")}}),
			field(p.Form, input{name: "description", label: "Description", hint: "One line: what belongs here?", kind: "textarea", attrs: g.Group{h.Rows("3")}}),
			submit("Create the community"),
		),
	)
}
