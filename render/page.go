package render

import (
	"time"

	g "maragu.dev/gomponents"
)

// Viewer is the logged-in member a page is made for; a nil *Viewer is a visitor.
type Viewer struct {
	Name      string
	Avatar    Avatar
	Theme     string // light or dark; "" as the device
	Admin     bool
	Unread    int  // things in the inbox
	Moderates bool // a community, or as an administrator all of them
	Waiting   int  // for moderators in the communities that the member moderates
}

// Frame is what the shell around every page needs.
type Frame struct {
	Title       string // of this page; the site name is appended
	Description string // for search engines and link previews
	Canonical   string // absolute URL
	SiteURL     string // scheme and host of the site
	Picture     Picture
	Posting     *Posting // nil for what is no post
	FeedURL     string   // path of the feed of what the page shows; "" for none
	Path        string   // path and query of the request, where forms return to
	SiteName    string
	Viewer      *Viewer
	Notice      string // one sentence of good news above the page
	Now         time.Time
	Tagline     string // one line about the site
	Letter      string // that stands for the site; "" is the tile
	Logo        string // end of the address of a picture that stands for the site; it goes before Letter
	Accent      string // colour of links and buttons; "" is the usual one
	Inviting    bool   // the viewer may invite people
	NoIndex     bool
}

// page is the shell around every page. side, which may be nil, stands beside the main part. On phones it stands below, and a link named
// sideLabel leads there.
func page(f Frame, sideLabel string, side g.Node, main ...g.Node) g.Node {
	return shell(f, false, sideLabel, side, main...)
}

// shell is page. carrying tells that the page has a form with the id carrying, which has what a visitor has written.
func shell(f Frame, carrying bool, sideLabel string, side g.Node, main ...g.Node) g.Node {
	return component(func(m *markup) {
		m.lit(`<!doctype html><html lang="en"`).theme(f.Viewer).accent(f.Accent).lit(`>`)
		m.head(&f)
		m.lit(`<body><a class="skip" href="#main">Skip to content</a>`)
		m.top(&f, carrying)
		m.lit(`<div class="wrap`).when(side == nil, ` solo`).lit(`">`)
		m.lit(`<main id="main" tabindex="-1" hx-swap="outerHTML">`)
		if side != nil {
			m.lit(`<p class="aside-link"><a href="#about">`).text(sideLabel).lit(`</a></p>`)
		}
		if f.Notice != "" {
			m.lit(`<p class="notice" role="status">`).text(f.Notice).lit(`</p>`)
		}
		for _, n := range main {
			m.node(n)
		}
		m.lit(`</main>`)
		if side != nil {
			m.lit(`<aside id="about" tabindex="-1" aria-label="`).text(sideLabel).lit(`"><div class="cards">`).node(side).lit(`</div></aside>`)
		}
		m.lit(`</div>`)
		m.footer(&f)
		m.lit(`<div id="toast" role="status" aria-live="polite"></div></body></html>`)
	})
}

// theme writes the theme that a member has chosen. A visitor's is remembered by the device, for the script.
func (m *markup) theme(v *Viewer) *markup {
	switch {
	case v == nil:
		return m
	case v.Theme == "light":
		return m.lit(` data-theme="light"`)
	case v.Theme == "dark":
		return m.lit(` data-theme="dark"`)
	}
	return m.lit(` data-theme="auto"`)
}

// accent writes the colour of the site, for the style sheet.
func (m *markup) accent(name string) *markup {
	if name == "" {
		return m
	}
	return m.lit(` data-accent="`).text(name).lit(`"`)
}

func (m *markup) head(f *Frame) {
	title := f.SiteName
	if f.Title != "" {
		title = f.Title + " · " + title
	}
	m.lit(`<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`)
	m.lit(`<title>`).text(title).lit(`</title>`)
	m.meta(`name="description"`, f.Description)
	m.when(f.NoIndex, `<meta name="robots" content="noindex">`)
	if f.Canonical != "" {
		m.lit(`<link rel="canonical" href="`).text(f.Canonical).lit(`">`)
	}
	m.previewHead(f)
	if f.FeedURL != "" {
		m.lit(`<link rel="alternate" type="application/atom+xml" href="`).text(f.FeedURL).lit(`">`)
	}
	m.lit(headOfEveryPage)
}

// headOfEveryPage ends the head. htmx is told to keep to the Content-Security-Policy: no eval, no injected style, no request to another
// origin. app.js is small and not deferred, because it sets the chosen theme before anything is painted: otherwise the page would flash.
const headOfEveryPage = `<meta name="color-scheme" content="light dark">` +
	`<meta name="theme-color" content="#f3f5f1" media="(prefers-color-scheme: light)">` +
	`<meta name="theme-color" content="#111614" media="(prefers-color-scheme: dark)">` +
	`<meta name="htmx-config" content="{&#34;allowEval&#34;:false,&#34;includeIndicatorStyles&#34;:false,&#34;selfRequestsOnly&#34;:true}">` +
	`<link rel="icon" href="/favicon.svg" type="image/svg+xml">` +
	`<link rel="stylesheet" href="` + AppCSS + `">` +
	`<script src="` + AppJS + `"></script>` +
	`<script src="` + HTMXJS + `" defer></script></head>`

func (m *markup) meta(key literal, content string) {
	if content != "" {
		m.lit(`<meta `).lit(key).lit(` content="`).text(content).lit(`">`)
	}
}

func (m *markup) top(f *Frame, carrying bool) {
	m.lit(`<header class="top"><div class="bar`).when(f.Viewer != nil, ` own`).lit(`">`)
	m.lit(`<a class="logo" href="/">`).siteIcon(f).text(f.SiteName).lit(`</a>`)
	m.lit(`<nav aria-label="Site"><a href="/communities">`).when(f.Viewer == nil, communitiesSVG).lit(`<span>Communities</span></a></nav>`)
	m.lit(`<div class="account"><a class="inbox" href="/search" title="Search" aria-label="Search">` + searchSVG + `</a>`)
	switch {
	case f.Viewer != nil:
		m.account(f.Viewer)
	case carrying:
		m.lit(`<button class="plain" form="carrying" name="show" value="1" formaction="/login" formnovalidate>Log in</button>`)
		m.lit(`<button class="button" form="carrying" name="show" value="1" formaction="/signup" formnovalidate>Sign up</button>`)
	default:
		m.lit(`<a href="`).text(withReturn("/login", f.Path)).lit(`">Log in</a>`)
		m.lit(`<a class="button" href="`).text(withReturn("/signup", f.Path)).lit(`">Sign up</a>`)
	}
	m.lit(`</div></div></header>`)
}

// siteIcon writes what stands for the site: its picture, its letter or the tile.
func (m *markup) siteIcon(f *Frame) *markup {
	switch {
	case f.Logo != "":
		return m.lit(`<img class="tile" src="/img/logo/`).segment(f.Logo).lit(`" alt="">`)
	case f.Letter != "":
		return m.lit(`<svg class="tile ci" aria-hidden="true"><rect class="t1"></rect><text>`).initial(f.Letter).lit(`</text></svg>`)
	}
	return m.lit(logoSVG)
}

// logoSVG is a paving tile; its colours come from the style sheet.
const logoSVG = `<svg class="tile" viewBox="0 0 24 24" aria-hidden="true">` +
	`<path class="t1" d="M2 0h10v12H0V2a2 2 0 0 1 2-2z"></path>` +
	`<path class="t2" d="M12 0h10a2 2 0 0 1 2 2v10A12 12 0 0 1 12 0z"></path>` +
	`<path class="t2" d="M0 12a12 12 0 0 1 12 12H2a2 2 0 0 1-2-2z"></path>` +
	`<path class="t3" d="M12 12h12v10a2 2 0 0 1-2 2H12z"></path></svg>`

func logo() g.Node { return g.Raw(logoSVG) }

// queueSVG is a shield; its colour is that of the text.
const queueSVG = `<svg class="bell" viewBox="0 0 24 24" aria-hidden="true"><path d="M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6z"></path></svg>`

// searchSVG is a magnifying glass; its colour is that of the text.
const searchSVG = `<svg class="bell" viewBox="0 0 24 24" aria-hidden="true"><path d="M16 16l5 5M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0z"></path></svg>`

// communitiesSVG is four tiles; its colour is that of the text.
const communitiesSVG = `<svg class="bell" viewBox="0 0 24 24" aria-hidden="true"><path d="M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z"></path></svg>`

// account writes what the header has for a member. Where it is narrow, the style sheet leaves out the queue and the communities: the menu
// has them too, and its handle shows how much waits.
func (m *markup) account(v *Viewer) {
	m.lit(`<a class="button write" href="/submit"><span>Post</span></a>`)
	m.lit(`<a class="inbox" href="/inbox" title="Inbox">` + inboxSVG + `<span class="vh">Inbox`)
	if v.Unread > 0 {
		m.lit(`, </span><b>`).text(inboxCount(v.Unread)).lit(`</b><span class="vh"> unread`)
	}
	m.lit(`</span></a>`)
	if v.Waiting > 0 {
		m.lit(`<a class="inbox queued" href="/mod/queue" title="Moderators' queue">` + queueSVG + `<span class="vh">Moderators' queue, </span><b>`)
		m.text(inboxCount(v.Waiting)).lit(`</b><span class="vh"> waiting</span></a>`)
	}
	m.lit(`<details class="menu"><summary>`).avatar(v.Name, v.Avatar).lit(`<span>`).text(v.Name).lit(`</span>`)
	if v.Waiting > 0 {
		m.lit(`<b><span class="vh">, </span>`).text(inboxCount(v.Waiting)).lit(`<span class="vh"> waiting</span></b>`)
	}
	m.lit(`</summary><div>`)
	m.lit(`<a href="/u/`).segment(v.Name).lit(`">Your profile</a><a href="/messages">Messages</a><a href="/drafts">Drafts</a><a href="/saved">Saved</a><a href="/settings">Settings</a>`)
	m.lit(`<a class="places" href="/communities">Communities</a>`)
	if v.Moderates {
		m.lit(`<a href="/mod/queue">Moderators' queue`)
		if v.Waiting > 0 {
			m.lit(` (`).text(inboxCount(v.Waiting)).lit(`)`)
		}
		m.lit(`</a>`)
	}
	m.when(v.Admin, `<a href="/admin">Administration</a>`)
	m.lit(`<form method="post" action="/logout"><button>Log out</button></form>`)
	m.lit(`</div></details>`)
}

func (m *markup) footer(f *Frame) {
	m.lit(`<footer class="foot"><p>`).text(f.SiteName)
	m.lit(` works without JavaScript, sets no tracker and asks no other site for anything.</p><p>`)
	m.lit(`<a href="/about">About</a><a href="/rules">Rules</a><a href="/privacy">Privacy</a><a href="/terms">Terms</a><a href="/contact">Contact</a><a href="/tags">Tags</a><a href="/api">API</a>`)
	if f.FeedURL != "" {
		m.lit(`<a href="`).text(f.FeedURL).lit(`">Feed</a>`)
	}
	m.when(f.Viewer == nil, `<button id="theme" type="button">Theme: as the device</button>`).lit(`</p></footer>`)
}
