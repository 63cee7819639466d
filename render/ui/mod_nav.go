package ui

import (
	g "maragu.dev/gomponents"

	"plaza/locale"
)

// ModNav links to all pages for the moderators of a community, or of the site. Each of these pages has it.
type ModNav struct {
	Community Community // name and colour; none for the site
	Links     []ModLink
}

// ModLink links to one page for moderators.
type ModLink struct {
	Label  locale.Text
	URL    string
	Count  int64 // of items that wait; 0 shows nothing
	Active bool
}

// maxModCount is the highest count that is shown.
const maxModCount = 99

// ModPage is a page for moderators. Its navigation is beside the main part, in narrow windows above it.
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
	m.Lit(`<nav class="tabs modnav" aria-label="`).Say("Moderation").Lit(`">`)
	if n.Community.Name != "" {
		m.Lit(`<a class="com" href="`).Text(CommunityURL(n.Community.Name)).Lit(`">`).
			Icon(n.Community.Name, n.Community.Colour, n.Community.Icon).
			Say(CommunityLabel(n.Community.Name)).Lit(`</a>`)
	}
	for _, l := range n.Links {
		m.Lit(`<a href="`).Text(l.URL).Lit(`"`).When(l.Active, ` aria-current="page"`).Lit(`>`).Say(l.Label)
		if l.Count > maxModCount {
			m.Lit(` <b>99+</b>`)
		} else if l.Count > 0 {
			m.Lit(` <b>`).exact(l.Count).Lit(`</b>`)
		}
		m.Lit(`</a>`)
	}
	return m.Lit(`</nav>`)
}

// ChoiceMenu is a menu that shows the current choice and links to the others; nothing for fewer than two choices.
func ChoiceMenu(label locale.Text, choices []Tab) g.Node {
	return Component(func(m *Markup) {
		if len(choices) > 1 {
			m.Choose(label, choices)
		}
	})
}
