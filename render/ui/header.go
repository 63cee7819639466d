package ui

import (
	g "maragu.dev/gomponents"

	"plaza/locale"
)

// top writes the header. It is one line at every width. The style sheet hides what does not fit; the menu has it, too.
func (m *Markup) top(f *Frame, carrying bool) {
	m.Lit(`<header class="top"><div class="bar`).When(f.Viewer != nil, ` own`).Lit(`">`)
	m.Lit(`<a class="logo" href="/">`).siteIcon(f).Lit(`<span>`).Text(f.SiteName).Lit(`</span></a>`)
	if f.Viewer == nil {
		m.Lit(`<nav aria-label="`).Say("Site").Lit(`"><a href="/communities">` + communitiesSVG + `<span>`).Say("Communities").
			Lit(`</span></a></nav>`)
	} else {
		m.places(f.Places)
	}
	remember(m, &searches, struct{}{}, search)
	switch {
	case f.Viewer != nil:
		remember(m, &accounts, *f.Viewer, account)
	case !carrying: // else the card has both. Here, Enter in its form would press them, because they come first.
		m.Lit(`<a href="`).Text(WithReturn("/login", f.Path)).Lit(`">`).Say("Log in").Lit(`</a>`)
		m.Lit(`<a class="button" href="`).Text(WithReturn("/signup", f.Path)).Lit(`">`).Say("Sign up").Lit(`</a>`)
	}
	m.Lit(`</div></div></header>`)
}

// placesShown is how many communities the header's menu has.
const placesShown = 20

// places writes the menu with a member's lists and communities. Pages that have not read the communities have only the link to all of
// them. There are no icons: the sidebar has them.
func (m *Markup) places(own []OwnCommunity) {
	m.Lit(`<details class="menu places"><summary>` + communitiesSVG + `<span>`).Say("Communities").
		Lit(`</span></summary><div><nav aria-label="`).
		Say("Posts").Lit(`"><a href="/">`).Say("Front page").Lit(`</a><a href="/hot">`).Say("All posts").Lit(`</a><a href="/home">`).
		Say("What you follow").Lit(`</a></nav><nav aria-label="`).Say("Communities").Lit(`">`)
	for _, c := range own[:min(len(own), placesShown)] {
		m.Lit(`<a href="/c/`).Segment(c.Name).Lit(`">c/`).Text(c.Name).Lit(`</a>`)
	}
	m.Lit(`<a href="/communities/yours">`).Say("All of your communities").Lit(`</a><a href="/communities">`).Say("All communities").
		Lit(`</a></nav></div></details>`)
}

var searches memory[struct{}]

// search writes the search: a field, or an icon where that has no room.
func search(m *Markup, _ struct{}) {
	m.Lit(`<div class="account"><form class="find" action="/search"><input type="search" name="q" placeholder="`).Say("Search").
		Lit(`" aria-label="`).Say("Search").Lit(`" maxlength="2048"></form><a class="icon seek" href="/search" title="`).Say("Search").
		Lit(`" aria-label="`).Say("Search").Lit(`">`).Lit(searchSVG).Lit(`</a>`)
}

// siteIcon writes the icon of the site: its picture, its letter or the tile.
func (m *Markup) siteIcon(f *Frame) *Markup {
	switch {
	case f.Logo != "":
		return m.Lit(`<img class="tile" src="/img/logo/`).Segment(f.Logo).Lit(`" alt="">`)
	case f.Letter != "":
		return m.Lit(`<svg class="tile ci" aria-hidden="true"><rect class="t1"></rect><text>`).initial(f.Letter).Lit(`</text></svg>`)
	}
	return m.Lit(logoSVG)
}

// logoSVG is a paving tile; its colours come from the style sheet.
const logoSVG = `<svg class="tile" width="24" height="24" viewBox="0 0 24 24" aria-hidden="true">` +
	`<path class="t1" d="M2 0h10v12H0V2a2 2 0 0 1 2-2z"></path>` +
	`<path class="t2" d="M12 0h10a2 2 0 0 1 2 2v10A12 12 0 0 1 12 0z"></path>` +
	`<path class="t2" d="M0 12a12 12 0 0 1 12 12H2a2 2 0 0 1-2-2z"></path>` +
	`<path class="t3" d="M12 12h12v10a2 2 0 0 1-2 2H12z"></path></svg>`

// Logo is what stands where a page has nothing to show: the mosaic of the site.
func Logo() g.Node {
	return Component(func(m *Markup) {
		if m.frame != nil {
			m.mosaic("tile", m.frame.SiteName, m.frame.Colour)
		}
	})
}

// queueSVG is a shield; it has the colour of the text.
const queueSVG = `<svg class="bell" viewBox="0 0 24 24" aria-hidden="true"><path d="M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6z"></path></svg>`

// searchSVG is a magnifying glass; it has the colour of the text.
const searchSVG = `<svg class="bell" viewBox="0 0 24 24" aria-hidden="true"><path d="M16 16l5 5M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 ` +
	`0z"></path></svg>`

// communitiesSVG is four tiles; it has the colour of the text.
const communitiesSVG = `<svg class="bell" viewBox="0 0 24 24" aria-hidden="true"><path d="M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 ` +
	`14h6v6h-6z"></path></svg>`

var accounts memory[Viewer]

// account writes a member's part of the header. In narrow windows the style sheet hides the queue: the menu has it, too, and its button
// shows how many items wait there.
func account(m *Markup, v Viewer) {
	m.Lit(`<a class="button write" href="/submit"><span>`).Say("Post¦verb").Lit(`</span></a>`)
	m.Lit(`<a class="icon inbox" href="/inbox" title="`).Say("Inbox").Lit(`">`).Lit(inboxSVG).Lit(`<span class="vh">`).
		iconLabel(v.Unread, "Inbox", "Inbox, {} unread")
	m.Lit(`</span></a>`)
	if v.Moderates {
		m.Lit(`<a class="icon queued" href="/mod/queue" title="`).Say("Moderators' queue").Lit(`">`).Lit(queueSVG).
			Lit(`<span class="vh">`).iconLabel(v.Waiting, "Moderators' queue", "Moderators' queue, {} waiting")
		m.Lit(`</span></a>`)
	}
	m.Lit(`<details class="menu"><summary class="icon">`).Avatar(v.Name, v.Avatar).Lit(`<span class="vh">`).Text(v.Name).Lit(`</span>`)
	if v.Waiting > 0 {
		m.Lit(`<b><span class="vh">`).Say(", {} waiting", Component(func(m *Markup) {
			m.Lit(`</span>`).Text(headerCount(v.Waiting)).Lit(`<span class="vh">`)
		})).Lit(`</span></b>`)
	}
	m.Lit(`</summary><div>`)
	m.Lit(`<a href="/u/`).Segment(v.Name).Lit(`">`).Say("Your profile").Lit(`</a><a href="/messages">`).Say("Messages").
		Lit(`</a><a href="/drafts">`).Say("Drafts").Lit(`</a><a href="/saved">`).Say("Saved¦bookmarks").Lit(`</a><a href="/settings">`).
		Say("Settings").Lit(`</a>`)
	if v.Moderates {
		m.Lit(`<a href="/mod/queue">`).Say("Moderators' queue")
		if v.Waiting > 0 {
			m.Lit(` (`).Text(headerCount(v.Waiting)).Lit(`)`)
		}
		m.Lit(`</a>`)
	}
	if v.Admin {
		m.Lit(`<a href="/admin">`).Say("Administration").Lit(`</a>`)
	}
	m.Lit(`<form method="post" action="/logout"><button>`).Say("Log out").Lit(`</button></form>`)
	m.Lit(`</div></details>`)
}

// iconLabel writes the label of an icon in the header for screen readers: name, or counted with the number n, which everybody sees.
func (m *Markup) iconLabel(n int, name, counted locale.Text) *Markup {
	if n == 0 {
		return m.Say(name)
	}
	return m.Say(counted, Component(func(m *Markup) { m.Lit(`</span><b>`).Text(headerCount(n)).Lit(`</b><span class="vh">`) }))
}
