package ui

import (
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// CommunityItem is a community as a line of a list.
type CommunityItem struct {
	Name        string    `json:"name"`        // Name, as in `/c/{name}`.
	Title       string    `json:"title"`       // Title.
	Description string    `json:"description"` // What it is about, in one line.
	Colour      string    `json:"colour"`      // Colour of its icon.
	Icon        string    `json:"icon"`        // Sum of the picture that is its icon, as in a community; empty for a letter on the colour.
	Members     int64     `json:"members"`     // How many have joined.
	Growth      int64     `json:"new_members"` // How many of them in the last seven days.
	CreatedAt   time.Time `json:"created_at"`  // When it was founded.
	Subscribed  bool      `json:"subscribed"`  // Whether the viewer has joined.
}

func CommunityRows(p CommunitiesPage) g.Node {
	if len(p.Items) == 0 && p.Own {
		return EmptyState(Nothing("You have not joined a community yet.", "Find communities", "/welcome"))
	}
	if len(p.Items) == 0 {
		return EmptyState(NoCommunities(p.CanFound))
	}
	return h.Ul(h.Class("crows mosaics"), g.Map(p.Items, func(c CommunityItem) g.Node {
		return h.Li(
			Component(func(m *Markup) { m.mosaic("", c.Name, c.Colour) }),
			h.Div(
				g.If(c.Icon != "", Icon(c.Name, c.Colour, c.Icon)),
				h.H2(h.A(h.Href(CommunityURL(c.Name)), DisplayName(CommunityTitle(Community{Name: c.Name, Title: c.Title})))),
				g.If(c.Description != "", h.P(g.Text(c.Description))),
				Component(func(m *Markup) { m.communityLine(&c, p.New) }),
			),
			Subscribe(c.Name, c.Subscribed, p.Path),
		)
	}))
}

// NoCommunities is what a list of all communities says. canFound means that the reader may create the first one.
func NoCommunities(canFound bool) Empty {
	if canFound {
		return Nothing("No communities yet.", "Create the first one", "/communities/new")
	}
	return Nothing("No communities yet.", "Contact", "/contact")
}

func (m *Markup) communityLine(c *CommunityItem, age bool) {
	m.Lit(`<p class="muted"><bdi>c/`).Text(c.Name).Lit(`</bdi>`).Dot().Counted(c.Members, "{} member|{} members")
	if c.Growth > 0 {
		m.Lit(` <span class="grown">`).Say("+{} this week", Component(func(m *Markup) { m.Compact(c.Growth) })).Lit(`</span>`)
	}
	if age && !c.CreatedAt.IsZero() {
		m.Dot().Say("since {}", Component(func(m *Markup) { m.Date(c.CreatedAt) }))
	}
	m.Lit(`</p>`)
}

// CommunitiesPage is /communities, in one of its orders.
type CommunitiesPage struct {
	Frame
	Items    []CommunityItem `json:"items"` // The communities.
	Tabs     []Tab           `json:"-"`
	FirstURL string          `json:"-"` // "" on page one
	New      bool            `json:"-"` // the order is by age, so rows show it
	Own      bool            `json:"-"` // only those that the viewer has joined
	// Whether the member may found a community.
	//
	// A visitor might once logged in.
	CanFound bool   `json:"can_found"`
	NextURL  string `as:"following"`
}
