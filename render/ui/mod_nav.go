package ui

import (
	g "maragu.dev/gomponents"

	"plaza/locale"
)

// ModNav leads to all pages of the moderators of a community, or of the site. It stands on each of them.
type ModNav struct {
	Community Community // name and colour; none for the site
	Links     []ModLink
}

// ModLink leads to one page of moderators.
type ModLink struct {
	Label  locale.Text
	URL    string
	Count  int64 // of what waits there; 0 shows nothing
	Active bool
}

// modCountMost is how much a count shows at most.
const modCountMost = 99

// ModPage is a page of moderators. Its navigation stands beside the main part, and above it where there is no room.
func ModPage(f Frame, nav ModNav, main ...g.Node) g.Node {
	if len(nav.Links) == 0 {
		return Page(f, "", nil, main...)
	}
	return Page(f, "", nil, Component(func(m *Markup) {
		m.modNav(&nav).Lit(`<div class="modmain">`)
		for _, n := range main {
			m.Node(n)
		}
		m.Lit(`</div>`)
	}))
}

func (m *Markup) modNav(n *ModNav) *Markup {
	m.Lit(`<nav class="modnav" aria-label="`).Say("Moderation").Lit(`">`)
	if n.Community.Name != "" {
		m.Lit(`<a class="com" href="`).Text(CommunityURL(n.Community.Name)).Lit(`">`).
			Icon(n.Community.Name, n.Community.Colour, n.Community.Icon).
			Say(PlaceName(n.Community.Name)).Lit(`</a>`)
	}
	for _, l := range n.Links {
		m.Lit(`<a href="`).Text(l.URL).Lit(`"`).When(l.Active, ` aria-current="page"`).Lit(`>`).Say(l.Label)
		if l.Count > modCountMost {
			m.Lit(` <b>99+</b>`)
		} else if l.Count > 0 {
			m.Lit(` <b>`).exact(l.Count).Lit(`</b>`)
		}
		m.Lit(`</a>`)
	}
	return m.Lit(`</nav>`)
}

// ChoiceMenu is a menu that shows what is chosen, and leads to what else can be; nothing where there is no choice.
func ChoiceMenu(label locale.Text, choices []Tab) g.Node {
	return Component(func(m *Markup) {
		if len(choices) > 1 {
			m.Choose(label, choices)
		}
	})
}
