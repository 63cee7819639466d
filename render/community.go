package render

import (
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// Community is what the head and the sidebar of a community's pages show.
type Community struct {
	Name        string // as in /c/{name}
	Title       string
	Description string // one line
	SidebarHTML HTML   // rendered Markdown
	Rules       []Rule
	Members     int64
	NewMembers  int64 // of the last seven days
	Posts       int64
	NewPosts    int64  // of the last seven days
	Colour      string // CSS hex colour of the icon
	CreatedAt   time.Time
	Subscribed  bool
	Role        string // the viewer's: owner, moderator or approver; "" for none
	Moderators  []string
}

// Rule is one of a community's rules.
type Rule struct{ Title, Text string }

// CommunityPage is /c/{name} and its orders.
type CommunityPage struct {
	Frame
	Community Community
	Flair     Flair // the listing has the posts of this flair alone
	Listing   Listing
	Own       OwnCommunities
}

// NewCommunityPage is /communities/new. Fields: name, title, description, token.
type NewCommunityPage struct {
	Frame
	Form Form
}

// CommunityView is the page of a CommunityPage.
func CommunityView(p CommunityPage) g.Node {
	c := p.Community
	label := "About c/" + c.Name
	if len(p.Own.Items) > 0 {
		label += ", and your communities"
	}
	return page(p.Frame, label, g.Group{communitySide(c), ownCommunities(p.Own)},
		component(func(m *markup) {
			m.lit(`<div class="head">`).icon(c.Name, c.Colour).lit(`<div><h1>`).text(named(communityTitle(c)))
			m.lit(`</h1><p class="muted">c/`).text(c.Name).lit(` · `).communitySize(c.Members, c.Posts).lit(`</p></div><div class="do">`)
			m.node(subscribe(c.Name, c.Subscribed, p.Path))
			m.lit(`<a class="button" href="/c/`).segment(c.Name).lit(`/submit">Post here</a></div></div>`)
		}),
		flairFilter(p.Flair, communityURL(c.Name)),
		listing(p.Listing, p.Frame),
	)
}

func communityTitle(c Community) string {
	if c.Title == "" {
		return c.Name
	}
	return c.Title
}

// communitySize writes how many members and posts a community has.
func (m *markup) communitySize(members, posts int64) *markup {
	return m.counted(members, "member", "members").lit(` · `).counted(posts, "post", "posts")
}

func communitySide(c Community) g.Node {
	return component(func(m *markup) {
		m.lit(`<section class="card"><h2>About c/`).text(c.Name).lit(`</h2>`)
		if c.Description != "" {
			m.lit(`<p>`).text(c.Description).lit(`</p>`)
		}
		m.formatted(c.SidebarHTML).communityFacts(&c)
		if c.Role == "owner" || c.Role == "moderator" {
			m.lit(`<p><a href="/c/`).segment(c.Name).lit(`/settings">Community settings</a></p>`)
			m.lit(`<p><a href="/c/`).segment(c.Name).lit(`/mod/flair">Flair</a></p>`)
			m.lit(`<p><a href="/c/`).segment(c.Name).lit(`/mod/bans">Bans</a></p>`)
			m.lit(`<p><a href="/c/`).segment(c.Name).lit(`/mod/mail">Messages</a></p>`)
		}
		if c.Role != "" {
			m.lit(`<p><a href="/c/`).segment(c.Name).lit(`/mod/queue">Queue</a></p>`)
			m.lit(`<p><a href="/c/`).segment(c.Name).lit(`/mod/quarantine">Quarantined votes</a></p>`)
		} else if len(c.Moderators) > 0 {
			m.lit(`<p><a href="/messages/new?community=`).segment(c.Name).lit(`">Message the moderators</a></p>`)
		}
		m.lit(`<p><a href="/c/`).segment(c.Name).lit(`/log">Moderation log</a></p></section>`)
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
			m.lit(`</ul>`)
		} else {
			m.lit(`<section class="card"><h2>Moderators</h2><p>Nobody yet.</p>`)
		}
		m.lit(`<p><a href="/c/`).segment(c.Name).lit(`/moderators">Roles of moderators</a></p></section>`)
	})
}

// communityFacts writes the counts, each with how many of it are of the last seven days.
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
