package render

import g "maragu.dev/gomponents"

// OwnCommunities are those of the viewer, for a sidebar: the moderated ones first.
type OwnCommunities struct {
	Items []OwnCommunity
	More  bool // there are others
}

// OwnCommunity is a line of OwnCommunities.
type OwnCommunity struct {
	Name, Colour string
	Moderated    bool
}

// ownCommunities is a card of a sidebar; nil where there are none.
func ownCommunities(own OwnCommunities) g.Node {
	if len(own.Items) == 0 {
		return nil
	}
	return component(func(m *markup) {
		m.lit(`<nav class="card" aria-label="Your communities"><h2>Your communities</h2><ul class="clist">`)
		for _, c := range own.Items {
			m.lit(`<li><a href="/c/`).segment(c.Name).lit(`">`).icon(c.Name, c.Colour).text(named(c.Name)).lit(`</a>`)
			m.when(c.Moderated, `<span class="mark">moderator</span>`).lit(`</li>`)
		}
		m.lit(`</ul>`)
		if own.More {
			m.lit(`<p><a href="/communities/yours">All of your communities</a></p>`)
		}
		m.lit(`</nav>`)
	})
}
