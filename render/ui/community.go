package ui

import (
	"time"

	g "maragu.dev/gomponents"

	"plaza/render/markdown"
)

// Community is what the head and the sidebar of a community's pages show.
type Community struct {
	Name        string // as in /c/{name}
	Title       string
	Description string        // one line
	SidebarHTML markdown.HTML // rendered Markdown
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

func CommunityTitle(c Community) string {
	if c.Title == "" {
		return c.Name
	}
	return c.Title
}

// CommunitySize writes how many members and posts a community has.
func (m *Markup) CommunitySize(members, posts int64) *Markup {
	return m.Counted(members, "member", "members").Lit(` · `).Counted(posts, "post", "posts")
}

func CommunitySide(c Community) g.Node {
	return Component(func(m *Markup) {
		m.Lit(`<section class="card"><h2>About c/`).Text(c.Name).Lit(`</h2>`)
		if c.Description != "" {
			m.Lit(`<p>`).Text(c.Description).Lit(`</p>`)
		}
		m.Formatted(c.SidebarHTML).communityFacts(&c)
		if c.Role == "owner" || c.Role == "moderator" {
			m.Lit(`<p><a href="/c/`).Segment(c.Name).Lit(`/settings">Community settings</a></p>`)
			m.Lit(`<p><a href="/c/`).Segment(c.Name).Lit(`/mod/flair">Flair</a></p>`)
			m.Lit(`<p><a href="/c/`).Segment(c.Name).Lit(`/mod/bans">Bans</a></p>`)
			m.Lit(`<p><a href="/c/`).Segment(c.Name).Lit(`/mod/mail">Messages</a></p>`)
		}
		if c.Role != "" {
			m.Lit(`<p><a href="/c/`).Segment(c.Name).Lit(`/mod/queue">Queue</a></p>`)
			m.Lit(`<p><a href="/c/`).Segment(c.Name).Lit(`/mod/quarantine">Quarantined votes</a></p>`)
		} else if len(c.Moderators) > 0 {
			m.Lit(`<p><a href="/messages/new?community=`).Segment(c.Name).Lit(`">Message the moderators</a></p>`)
		}
		m.Lit(`<p><a href="/c/`).Segment(c.Name).Lit(`/log">Moderation log</a></p></section>`)
		if len(c.Rules) > 0 {
			m.Lit(`<section class="card"><h2>Rules</h2><ol class="rules">`)
			for _, r := range c.Rules {
				m.Rule(r)
			}
			m.Lit(`</ol></section>`)
		}
		if len(c.Moderators) > 0 {
			m.Lit(`<section class="card"><h2>Moderators</h2><ul class="people">`)
			for _, name := range c.Moderators {
				m.Lit(`<li>`).author(name).Lit(`</li>`)
			}
			m.Lit(`</ul>`)
		} else {
			m.Lit(`<section class="card"><h2>Moderators</h2><p>Nobody yet.</p>`)
		}
		m.Lit(`<p><a href="/c/`).Segment(c.Name).Lit(`/moderators">Roles of moderators</a></p></section>`)
	})
}

// communityFacts writes the counts, each with how many of it are of the last seven days.
func (m *Markup) communityFacts(c *Community) *Markup {
	m.Lit(`<dl class="facts"><div><dt>Members</dt><dd>`).grown(c.Members, c.NewMembers).Lit(`</dd></div>`)
	m.Lit(`<div><dt>Posts</dt><dd>`).grown(c.Posts, c.NewPosts).Lit(`</dd></div>`)
	if !c.CreatedAt.IsZero() {
		m.Lit(`<div><dt>Founded</dt><dd>`).Date(c.CreatedAt).Lit(`</dd></div>`)
	}
	return m.Lit(`</dl>`)
}

func (m *Markup) grown(all, week int64) *Markup {
	m.exact(all)
	if week > 0 {
		m.Lit(` <span class="grown">+`).exact(week).Lit(` this week</span>`)
	}
	return m
}

func (m *Markup) Rule(r Rule) {
	m.Lit(`<li><strong>`).Text(r.Title).Lit(`</strong>`)
	if r.Text != "" {
		m.Lit(`<p>`).Text(r.Text).Lit(`</p>`)
	}
	m.Lit(`</li>`)
}
