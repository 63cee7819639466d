package ui

import (
	"time"

	g "maragu.dev/gomponents"

	"plaza/render/markdown"
)

// Community is what the head and the sidebar of a community's pages show.
type Community struct {
	Name        string        `json:"name"`         // Name, as in `/c/{name}`.
	Title       string        `json:"title"`        // Title.
	Description string        `json:"description"`  // What it is about, in one line.
	SidebarHTML markdown.HTML `json:"sidebar_html"` // Its sidebar, as safe HTML.
	Rules       []Rule        `json:"rules"`        // Its rules.
	Members     int64         `json:"members"`      // How many have joined.
	NewMembers  int64         `json:"new_members"`  // How many of them in the last seven days.
	Posts       int64         `json:"posts"`        // How many posts it has.
	NewPosts    int64         `json:"new_posts"`    // How many of them are of the last seven days.
	// Colour of its icon.
	//
	// As CSS has it, such as #b3261e.
	Colour string `json:"colour"`
	// Sum of the picture that is its icon; empty for a letter on the colour.
	//
	// `/picture/{sum}` shows it.
	Icon string `json:"icon"`
	// Sum of the picture above its pages; empty for none.
	//
	// `/picture/{sum}` shows it.
	Banner     string     `json:"banner"`
	CreatedAt  time.Time  `json:"created_at"` // When it was founded.
	Subscribed bool       `json:"subscribed"` // Whether the viewer has joined.
	Role       string     `json:"role"`       // The viewer's role: `owner`, `moderator` or `approver`; empty for none.
	Moderators []string   `json:"moderators"` // Usernames of its moderators.
	OwnFlair   *OwnFlair  `json:"-"`          // the viewer's flair there; nil where they have none and can choose none
	Pages      []PageLink `json:"-"`          // that its moderators have written
}

// PageLink links to a page of a community.
type PageLink struct{ Title, URL string }

// Rule is one of a community's rules.
type Rule struct {
	Title string `json:"title"` // The rule.
	Text  string `json:"text"`  // What it means.
}

func CommunityTitle(c Community) string {
	if c.Title == "" {
		return c.Name
	}
	return c.Title
}

// CommunitySize writes how many members and posts a community has.
func (m *Markup) CommunitySize(members, posts int64) *Markup {
	return m.Counted(members, "{} member|{} members").Dot().Counted(posts, "{} post|{} posts")
}

func CommunitySide(c Community) g.Node {
	return Component(func(m *Markup) {
		m.Lit(`<section class="card"><h2>`).Emblem(c.Name, c.Colour, c.Icon).Say("About c/{}", c.Name).Lit(`</h2>`)
		if c.Description != "" {
			m.Lit(`<p>`).Text(c.Description).Lit(`</p>`)
		}
		m.Formatted(c.SidebarHTML).communityFacts(&c)
		m.ownFlair(c.OwnFlair)
		if c.Role == "owner" || c.Role == "moderator" {
			m.Lit(`<p><a href="/c/`).Segment(c.Name).Lit(`/settings">`).Say("Community settings").Lit(`</a></p>`)
			m.Lit(`<p><a href="/c/`).Segment(c.Name).Lit(`/mod/flair">`).Say("Flair").Lit(`</a></p>`)
			m.Lit(`<p><a href="/c/`).Segment(c.Name).Lit(`/pages">`).Say("Pages").Lit(`</a></p>`)
			m.Lit(`<p><a href="/c/`).Segment(c.Name).Lit(`/mod/bans">`).Say("Bans").Lit(`</a></p>`)
			m.Lit(`<p><a href="/c/`).Segment(c.Name).Lit(`/mod/mail">`).Say("Messages").Lit(`</a></p>`)
		}
		if c.Role != "" {
			m.Lit(`<p><a href="/c/`).Segment(c.Name).Lit(`/mod/queue">`).Say("Queue").Lit(`</a></p>`)
			m.Lit(`<p><a href="/c/`).Segment(c.Name).Lit(`/mod/quarantine">`).Say("Quarantined votes").Lit(`</a></p>`)
		} else if len(c.Moderators) > 0 {
			m.Lit(`<p><a href="/messages/new?community=`).Segment(c.Name).Lit(`">`).Say("Message the moderators").Lit(`</a></p>`)
		}
		m.Lit(`<p><a href="/c/`).Segment(c.Name).Lit(`/log">`).Say("Moderation log").Lit(`</a></p></section>`)
		if len(c.Pages) > 0 {
			m.Lit(`<section class="card"><h2>`).Say("Pages").Lit(`</h2><ul class="pages">`)
			for _, p := range c.Pages {
				m.Lit(`<li><a href="`).Text(p.URL).Lit(`">`).Text(p.Title).Lit(`</a></li>`)
			}
			m.Lit(`</ul></section>`)
		}
		m.rules(c.Rules)
		if len(c.Moderators) > 0 {
			m.Lit(`<section class="card"><h2>`).Say("Moderators").Lit(`</h2><ul class="people">`)
			for _, name := range c.Moderators {
				m.Lit(`<li>`).author(name).Lit(`</li>`)
			}
			m.Lit(`</ul>`)
		} else {
			m.Lit(`<section class="card"><h2>`).Say("Moderators").Lit(`</h2><p>`).Say("Nobody yet.").Lit(`</p>`)
		}
		m.Lit(`<p><a href="/c/`).Segment(c.Name).Lit(`/moderators">`).Say("All moderators").Lit(`</a></p></section>`)
	})
}

// CommunityRules is the part of CommunitySide with the rules; nil for none.
func CommunityRules(c Community) g.Node {
	if len(c.Rules) == 0 {
		return nil
	}
	return Component(func(m *Markup) { m.rules(c.Rules) })
}

func (m *Markup) rules(list []Rule) {
	if len(list) == 0 {
		return
	}
	m.Lit(`<section class="card"><h2>`).Say("Rules").Lit(`</h2><ol class="rules">`)
	for _, r := range list {
		m.Rule(r)
	}
	m.Lit(`</ol></section>`)
}

// ownFlair writes the viewer's flair in a community, with a link to change it.
func (m *Markup) ownFlair(f *OwnFlair) {
	switch {
	case f == nil:
		return
	case f.Text == "":
		m.Lit(`<p><a href="`).Text(f.URL).Lit(`">`).Say("Choose your flair")
	default:
		m.Lit(`<p>`).Say("Your flair:").Lit(` `).MemberFlair(&f.MemberFlair)
		if f.URL == "" {
			m.Lit(`</p>`)
			return
		}
		m.Lit(` <a href="`).Text(f.URL).Lit(`">`).Say("Change flair")
	}
	m.Lit(`</a></p>`)
}

// communityFacts writes the counts, each with its growth in the last seven days.
func (m *Markup) communityFacts(c *Community) *Markup {
	m.Lit(`<dl class="facts"><div><dt>`).Say("Members").Lit(`</dt><dd>`).grown(c.Members, c.NewMembers).Lit(`</dd></div>`)
	m.Lit(`<div><dt>`).Say("Posts").Lit(`</dt><dd>`).grown(c.Posts, c.NewPosts).Lit(`</dd></div>`)
	if !c.CreatedAt.IsZero() {
		m.Lit(`<div><dt>`).Say("Created").Lit(`</dt><dd>`).Date(c.CreatedAt).Lit(`</dd></div>`)
	}
	return m.Lit(`</dl>`)
}

func (m *Markup) grown(all, week int64) *Markup {
	m.exact(all)
	if week > 0 {
		m.Lit(` <span class="grown">`).Say("+{} this week", week).Lit(`</span>`)
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
