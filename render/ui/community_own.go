package ui

import g "maragu.dev/gomponents"

// OwnCommunities are the viewer's communities, for a sidebar: the moderated ones first.
type OwnCommunities struct {
	Items []OwnCommunity `json:"items"` // Some of the communities that the member has joined.
	More  bool           `json:"more"`  // Whether there are others (`/communities/yours.json`).
}

// OwnCommunity is a line of OwnCommunities.
type OwnCommunity struct {
	Name      string `json:"name"`      // Name, as in `/c/{name}`.
	Colour    string `json:"colour"`    // Colour of its icon.
	Icon      string `json:"icon"`      // Sum of the picture that is its icon (`/picture/{sum}`); empty for a letter on the colour.
	Moderated bool   `json:"moderated"` // Whether the member moderates it.
}

// OwnCommunityList is a card of a sidebar; nil for no communities.
func OwnCommunityList(own OwnCommunities) g.Node {
	if len(own.Items) == 0 {
		return nil
	}
	return Component(func(m *Markup) {
		m.Lit(`<nav class="card" aria-label="`).Say("Your communities").Lit(`"><h2>`).Say("Your communities").
			Lit(`</h2><ul class="clist">`)
		for _, c := range own.Items {
			m.Lit(`<li><a href="/c/`).Segment(c.Name).Lit(`">`).Icon(c.Name, c.Colour, c.Icon).DisplayName(c.Name).Lit(`</a>`)
			m.Mark(c.Moderated, "", "moderator").Lit(`</li>`)
		}
		m.Lit(`</ul>`)
		if own.More {
			m.Lit(`<p><a href="/communities/yours">`).Say("All of your communities").Lit(`</a></p>`)
		}
		m.Lit(`</nav>`)
	})
}
