package ui

import g "maragu.dev/gomponents"

// top writes the header. It is one line at every width. The style sheet leaves out what has no room, and the menu has that as well.
func (m *Markup) top(f *Frame, carrying bool) {
	m.Lit(`<header class="top"><div class="bar`).When(f.Viewer != nil, ` own`).Lit(`">`)
	m.Lit(`<a class="logo" href="/">`).siteIcon(f).Lit(`<span>`).Text(f.SiteName).Lit(`</span></a>`)
	m.Lit(`<nav aria-label="Site"><a href="/communities">`).When(f.Viewer == nil, communitiesSVG).Lit(`<span>Communities</span></a></nav>`)
	m.Lit(`<div class="account"><form class="find" action="/search"><input type="search" name="q" placeholder="Search" aria-label="Search" ` +
		`maxlength="200"></form><a class="icon seek" href="/search" title="Search" aria-label="Search">` + searchSVG + `</a>`)
	switch {
	case f.Viewer != nil:
		m.account(f.Viewer)
	case carrying:
		m.Lit(`<button class="plain" form="carrying" name="show" value="1" formaction="/login" formnovalidate>Log in</button>`)
		m.Lit(`<button class="button" form="carrying" name="show" value="1" formaction="/signup" formnovalidate>Sign up</button>`)
	default:
		m.Lit(`<a href="`).Text(WithReturn("/login", f.Path)).Lit(`">Log in</a>`)
		m.Lit(`<a class="button" href="`).Text(WithReturn("/signup", f.Path)).Lit(`">Sign up</a>`)
	}
	m.Lit(`</div></div></header>`)
}

// siteIcon writes what stands for the site: its picture, its letter or the tile.
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
const logoSVG = `<svg class="tile" viewBox="0 0 24 24" aria-hidden="true">` +
	`<path class="t1" d="M2 0h10v12H0V2a2 2 0 0 1 2-2z"></path>` +
	`<path class="t2" d="M12 0h10a2 2 0 0 1 2 2v10A12 12 0 0 1 12 0z"></path>` +
	`<path class="t2" d="M0 12a12 12 0 0 1 12 12H2a2 2 0 0 1-2-2z"></path>` +
	`<path class="t3" d="M12 12h12v10a2 2 0 0 1-2 2H12z"></path></svg>`

// Logo is a paving tile.
func Logo() g.Node { return g.Raw(logoSVG) }

// queueSVG is a shield; its colour is that of the text.
const queueSVG = `<svg class="bell" viewBox="0 0 24 24" aria-hidden="true"><path d="M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6z"></path></svg>`

// searchSVG is a magnifying glass; its colour is that of the text.
const searchSVG = `<svg class="bell" viewBox="0 0 24 24" aria-hidden="true"><path d="M16 16l5 5M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 ` +
	`0z"></path></svg>`

// communitiesSVG is four tiles; its colour is that of the text.
const communitiesSVG = `<svg class="bell" viewBox="0 0 24 24" aria-hidden="true"><path d="M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 ` +
	`14h6v6h-6z"></path></svg>`

// account writes what the header has for a member. Where it is narrow, the style sheet leaves out the queue and the communities: the menu
// has them too, and its handle shows how much waits.
func (m *Markup) account(v *Viewer) {
	m.Lit(`<a class="button write" href="/submit"><span>Post</span></a>`)
	m.Lit(`<a class="icon inbox" href="/inbox" title="Inbox">` + inboxSVG + `<span class="vh">Inbox`)
	if v.Unread > 0 {
		m.Lit(`, </span><b>`).Text(inboxCount(v.Unread)).Lit(`</b><span class="vh"> unread`)
	}
	m.Lit(`</span></a>`)
	if v.Moderates {
		m.Lit(`<a class="icon queued" href="/mod/queue" title="Moderators' queue">` + queueSVG + `<span class="vh">Moderators' queue`)
		if v.Waiting > 0 {
			m.Lit(`, </span><b>`).Text(inboxCount(v.Waiting)).Lit(`</b><span class="vh"> waiting`)
		}
		m.Lit(`</span></a>`)
	}
	m.Lit(`<details class="menu"><summary class="icon">`).Avatar(v.Name, v.Avatar).Lit(`<span class="vh">`).Text(v.Name).Lit(`</span>`)
	if v.Waiting > 0 {
		m.Lit(`<b><span class="vh">, </span>`).Text(inboxCount(v.Waiting)).Lit(`<span class="vh"> waiting</span></b>`)
	}
	m.Lit(`</summary><div>`)
	m.Lit(`<a href="/u/`).Segment(v.Name).Lit(`">Your profile</a><a href="/messages">Messages</a><a href="/drafts">Drafts</a><a ` +
		`href="/saved">Saved</a><a href="/settings">Settings</a>`)
	m.Lit(`<a class="places" href="/communities">Communities</a>`)
	if v.Moderates {
		m.Lit(`<a href="/mod/queue">Moderators' queue`)
		if v.Waiting > 0 {
			m.Lit(` (`).Text(inboxCount(v.Waiting)).Lit(`)`)
		}
		m.Lit(`</a>`)
	}
	m.When(v.Admin, `<a href="/admin">Administration</a>`)
	m.Lit(`<form method="post" action="/logout"><button>Log out</button></form>`)
	m.Lit(`</div></details>`)
}
