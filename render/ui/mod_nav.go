package ui

import (
	"cmp"

	g "maragu.dev/gomponents"

	"plaza/locale"
)

// ModNav links to all pages for the moderators of a community, or for administrators. Each of these pages has it.
type ModNav struct {
	Label     locale.Text // its name for screen readers; "" is Moderation
	Community Community   // name and colour; none for the site
	Links     []ModLink
}

// ModLink links to one page for moderators.
type ModLink struct {
	Heading locale.Text // of the group that begins with this link; "" for none
	Label   locale.Text
	URL     string
	Count   int64 // of items that wait; 0 shows nothing
	Active  bool
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
	m.Lit(`<nav class="tabs modnav" aria-label="`).Say(cmp.Or(n.Label, "Moderation")).Lit(`">`)
	if n.Community.Name != "" {
		m.Lit(`<a class="com" href="`).Text(CommunityURL(n.Community.Name)).Lit(`">`).
			Emblem(n.Community.Name, n.Community.Colour, n.Community.Icon).
			Say(CommunityLabel(n.Community.Name)).Lit(`</a>`)
	}
	for _, l := range n.Links {
		if l.Heading != "" {
			m.Lit(`<span>`).Say(l.Heading).Lit(`</span>`)
		}
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

// AdminGroup is a group of the pages of administrators.
type AdminGroup struct {
	Label locale.Text
	Pages []Tab
}

// AdminGroups are all pages of administrators, in the order of their navigation and of the cards on their first page.
var AdminGroups = []AdminGroup{
	{"Waiting", []Tab{
		{Label: "Queue", URL: "/mod/queue"},
		{Label: "Quarantined votes", URL: "/admin/quarantine"},
		{Label: "Waiting for approval", URL: "/admin/waiting"},
		{Label: "Messages from members", URL: "/admin/mail"},
		{Label: "Contact messages", URL: "/admin/messages"},
		{Label: "Dead letters", URL: "/admin/dead-letters"},
	}},
	{"People", []Tab{
		{Label: "Members", URL: "/admin/users"},
		{Label: "Invitations", URL: "/admin/invites"},
		{Label: "Claimed accounts", URL: "/admin/claim"},
	}},
	{"Content", []Tab{
		{Label: "Communities", URL: "/communities?sort=new"},
		{Label: "Automatic rules", URL: "/admin/rules"},
		{Label: "Pictures", URL: "/admin/pictures"},
		{Label: "Blocked pictures", URL: "/admin/blocked-pictures"},
	}},
	{"Site", []Tab{
		{Label: "Site settings", URL: "/admin/settings"},
		{Label: "Pages", URL: EditSitePageURL("about")},
		{Label: "Health", URL: "/admin/health"},
		{Label: "Site log", URL: "/log"},
	}},
}

// EditSitePageURL is where administrators write one of the site's own pages.
func EditSitePageURL(name string) string { return "/admin/pages/" + name }

// AdminNav is the navigation of administrators. address is the page's own in AdminGroups.
func AdminNav(address string) ModNav {
	const first = "/admin"
	n := ModNav{Label: "Administration", Links: []ModLink{{Label: "Administration", URL: first, Active: address == first}}}
	for _, group := range AdminGroups {
		heading := group.Label
		for _, p := range group.Pages {
			n.Links = append(n.Links, ModLink{Heading: heading, Label: p.Label, URL: p.URL, Active: p.URL == address})
			heading = ""
		}
	}
	return n
}

// AdminPage is a page of administrators with their navigation. address is the page's own in AdminGroups.
func AdminPage(f Frame, address string, main ...g.Node) g.Node {
	return ModPage(f, AdminNav(address), main...)
}
