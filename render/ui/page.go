package ui

import (
	"time"

	g "maragu.dev/gomponents"
)

// Viewer is the logged-in member a page is made for; a nil *Viewer is a visitor.
type Viewer struct {
	Name   string `json:"name"`   // Username.
	Avatar Avatar `json:"avatar"` // The member's tile.
	Theme  string `json:"-"`      // light or dark; "" as the device
	Zone   string `json:"-"`      // the time zone that the member has chosen; "" for none
	Admin  bool   `json:"admin"`  // Whether the member is an administrator.
	Unread int    `json:"unread"` // How many things in the inbox are unread.
	// Whether the member moderates a community.
	//
	// Administrators moderate all of them.
	Moderates bool `json:"moderates"`
	Waiting   int  `json:"waiting"` // How many things wait in the queues of the communities that the member moderates.
}

// Frame is what the shell around every page needs.
type Frame struct {
	Title       string    `json:"title"`               // Title of the page, without the name of the site.
	Description string    `json:"description"`         // One sentence about the page.
	Canonical   string    `json:"canonical" as:"text"` // Absolute address of the page for people; null where it is no page of its own.
	SiteURL     string    `json:"-"`                   // scheme and host of the site
	Picture     Picture   `json:"-"`
	Posting     *Posting  `json:"-"`         // nil for what is no post
	FeedURL     string    `json:"-"`         // path of the feed of what the page shows; "" for none
	Path        string    `json:"-"`         // path and query of the request, where forms return to
	SiteName    string    `json:"site_name"` // Name of the site.
	Viewer      *Viewer   `json:"viewer"`    // The member who asks; null for a visitor.
	Notice      string    `json:"-"`         // one sentence of good news above the page
	Now         time.Time `json:"-"`
	Tagline     string    `json:"-"` // one line about the site
	Letter      string    `json:"-"` // that stands for the site; "" is the tile
	Logo        string    `json:"-"` // end of the address of a picture that stands for the site; it goes before Letter
	Accent      string    `json:"-"` // colour of links and buttons; "" is the usual one
	Inviting    bool      `json:"-"` // the viewer may invite people
	NoIndex     bool      `json:"-"`
}

// Page is the shell around every page. side, which may be nil, stands beside the main part. On phones it stands below, and a link named
// sideLabel leads there.
func Page(f Frame, sideLabel string, side g.Node, main ...g.Node) g.Node {
	return Shell(f, false, sideLabel, side, main...)
}

// Shell is page. carrying tells that the page has a form with the id carrying, which has what a visitor has written.
func Shell(f Frame, carrying bool, sideLabel string, side g.Node, main ...g.Node) g.Node {
	return Component(func(m *Markup) {
		m.Lit(`<!doctype html><html lang="en"`).theme(f.Viewer).chosenZone(f.Viewer).accent(f.Accent).Lit(`>`)
		m.head(&f)
		m.Lit(`<body><a class="skip" href="#main">Skip to content</a>`)
		m.top(&f, carrying)
		m.Lit(`<div class="wrap`).When(side == nil, ` solo`).Lit(`">`)
		m.Lit(`<main id="main" tabindex="-1" hx-swap="outerHTML">`)
		if side != nil {
			m.Lit(`<p class="aside-link"><a href="#about">`).Text(sideLabel).Lit(`</a></p>`)
		}
		if f.Notice != "" {
			m.Lit(`<p class="notice" role="status">`).Text(f.Notice).Lit(`</p>`)
		}
		for _, n := range main {
			m.Node(n)
		}
		m.Lit(`</main>`)
		if side != nil {
			m.Lit(`<aside id="about" tabindex="-1" aria-label="`).Text(sideLabel).Lit(`"><div class="cards">`).Node(side).Lit(`</div></aside>`)
		}
		m.Lit(`</div>`)
		m.footer(&f)
		m.Lit(`<div id="toast" role="status" aria-live="polite" aria-atomic="false"></div></body></html>`)
	})
}

// theme writes the theme that a member has chosen. A visitor's is remembered by the device, for the script.
func (m *Markup) theme(v *Viewer) *Markup {
	switch {
	case v == nil:
		return m
	case v.Theme == "light":
		return m.Lit(` data-theme="light"`)
	case v.Theme == "dark":
		return m.Lit(` data-theme="dark"`)
	}
	return m.Lit(` data-theme="auto"`)
}

// chosenZone writes the time zone of a member who has chosen one. Others have that of their device, which the script knows.
func (m *Markup) chosenZone(v *Viewer) *Markup {
	if v == nil || v.Zone == "" {
		return m
	}
	return m.Lit(` data-zone="`).Text(v.Zone).Lit(`"`)
}

// accent writes the colour of the site, for the style sheet.
func (m *Markup) accent(name string) *Markup {
	if name == "" {
		return m
	}
	return m.Lit(` data-accent="`).Text(name).Lit(`"`)
}

func (m *Markup) head(f *Frame) {
	title := f.SiteName
	if f.Title != "" {
		title = f.Title + " · " + title
	}
	m.Lit(`<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`)
	m.Lit(`<title>`).Text(title).Lit(`</title>`)
	m.meta(`name="description"`, f.Description)
	m.When(f.NoIndex, `<meta name="robots" content="noindex">`)
	if f.Canonical != "" {
		m.Lit(`<link rel="canonical" href="`).Text(f.Canonical).Lit(`">`)
	}
	m.previewHead(f)
	if f.FeedURL != "" {
		m.Lit(`<link rel="alternate" type="application/atom+xml" href="`).Text(f.FeedURL).Lit(`">`)
	}
	m.Lit(headOfEveryPage)
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

func (m *Markup) meta(key Literal, content string) {
	if content != "" {
		m.Lit(`<meta `).Lit(key).Lit(` content="`).Text(content).Lit(`">`)
	}
}

func (m *Markup) top(f *Frame, carrying bool) {
	m.Lit(`<header class="top"><div class="bar`).When(f.Viewer != nil, ` own`).Lit(`">`)
	m.Lit(`<a class="logo" href="/">`).siteIcon(f).Text(f.SiteName).Lit(`</a>`)
	m.Lit(`<nav aria-label="Site"><a href="/communities">`).When(f.Viewer == nil, communitiesSVG).Lit(`<span>Communities</span></a></nav>`)
	m.Lit(`<div class="account"><a class="inbox" href="/search" title="Search" aria-label="Search">` + searchSVG + `</a>`)
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
	m.Lit(`<a class="inbox" href="/inbox" title="Inbox">` + inboxSVG + `<span class="vh">Inbox`)
	if v.Unread > 0 {
		m.Lit(`, </span><b>`).Text(inboxCount(v.Unread)).Lit(`</b><span class="vh"> unread`)
	}
	m.Lit(`</span></a>`)
	if v.Waiting > 0 {
		m.Lit(`<a class="inbox queued" href="/mod/queue" title="Moderators' queue">` + queueSVG +
			`<span class="vh">Moderators' queue, </span><b>`)
		m.Text(inboxCount(v.Waiting)).Lit(`</b><span class="vh"> waiting</span></a>`)
	}
	m.Lit(`<details class="menu"><summary>`).Avatar(v.Name, v.Avatar).Lit(`<span>`).Text(v.Name).Lit(`</span>`)
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

func (m *Markup) footer(f *Frame) {
	m.Lit(`<footer class="foot"><p>`).Text(f.SiteName)
	m.Lit(` works without JavaScript, sets no tracker and asks no other site for anything.</p><p>`)
	m.Lit(`<a href="/about">About</a><a href="/rules">Rules</a><a href="/privacy">Privacy</a><a href="/terms">Terms</a><a ` +
		`href="/contact">Contact</a><a href="/tags">Tags</a><a href="/api">API</a>`)
	if f.FeedURL != "" {
		m.Lit(`<a href="`).Text(f.FeedURL).Lit(`">Feed</a>`)
	}
	m.Lit(`<button id="keys" type="button">Keys</button>`)
	m.When(f.Viewer == nil, `<button id="theme" type="button">Theme: as the device</button>`).Lit(`</p></footer>`)
}
