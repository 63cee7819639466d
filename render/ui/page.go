package ui

import (
	"strings"
	"time"

	g "maragu.dev/gomponents"

	"plaza/locale"
)

// Viewer is the logged-in member a page is made for; a nil *Viewer is a visitor.
type Viewer struct {
	Name   string `json:"name"`   // Username.
	Avatar Avatar `json:"avatar"` // The member's tile.
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
	Title           locale.Text `json:"title"`               // Title of the page, without the name of the site.
	Description     locale.Text `json:"description"`         // One sentence about the page.
	Canonical       string      `json:"canonical" as:"text"` // Absolute address of the page for people; null where it is no page of its own.
	SiteURL         string      `json:"-"`                   // scheme and host of the site
	Picture         Picture     `json:"-"`
	Posting         *Posting    `json:"-"`         // nil if the page is no post
	FeedURL         string      `json:"-"`         // path of the feed of what the page shows; "" for none
	Path            string      `json:"-"`         // path and query of the request, where forms return to
	SiteName        string      `json:"site_name"` // Name of the site.
	Viewer          *Viewer     `json:"viewer"`    // The member who asks; null for a visitor.
	Flash           locale.Text `json:"-"`         // one sentence about what was done, above the page
	Requirement     locale.Text `json:"-"`         // what the viewer has to do before they write; "" for nothing
	Partial         bool        `json:"partial"`   // Whether posts of some communities are missing, because these can't be reached right now.
	Unavailable     []string    `json:"-"`         // of a partial page: names of communities that can't be reached, the largest first
	MoreUnavailable bool        `json:"-"`         // others can't be reached, either
	Now             time.Time   `json:"-"`
	Tagline         string      `json:"-"` // one line about the site
	Letter          string      `json:"-"` // the site's icon; "" is the tile
	Logo            string      `json:"-"` // end of the address of a picture that is the site's icon; it goes before Letter
	Accent          string      `json:"-"` // colour of links and buttons; "" is the default
	Inviting        bool        `json:"-"` // the viewer may invite people
	NoIndex         bool        `json:"-"`
	// Places are communities of the viewer, for the header's menu; nil on pages that have not read them.
	Places  []OwnCommunity `json:"-"`
	Display Display        `json:"-"` // what the reader has chosen
}

// NothingElsewhere is the text of a page that is Partial and has nothing to show.
const NothingElsewhere locale.Text = "The other communities have nothing here."

// missing says what a partial page is missing.
func (f *Frame) missing() locale.Text {
	if len(f.Unavailable) == 0 {
		return "Some communities can't be reached right now. What was posted there is missing."
	}
	list := "c/" + strings.Join(f.Unavailable, ", c/")
	if f.MoreUnavailable {
		return locale.With("{} and others can't be reached right now. What was posted there is missing.", list)
	}
	return locale.With("{} can't be reached right now. What was posted there is missing.", list)
}

// Page is the shell around every page. side, which may be nil, is shown beside the main part, on phones below it. Its name is sideLabel.
func Page(f Frame, sideLabel locale.Text, side g.Node, main ...g.Node) g.Node {
	return Shell(f, false, sideLabel, side, main...)
}

// Shell is Page. carrying means that a form of the page keeps what a visitor has written, so the header does not lead away from it.
func Shell(f Frame, carrying bool, sideLabel locale.Text, side g.Node, main ...g.Node) g.Node {
	return Component(func(m *Markup) {
		m.Lit(`<!doctype html><html lang="`).Text(m.language().Tag).Lit(`"`).When(m.language().RTL, ` dir="rtl"`).
			display(f.Display).chosenZone(f.Viewer).accent(f.Accent).Lit(`>`)
		m.head(&f)
		m.Lit(`<body><a class="skip" href="#main">`).Say("Skip to content").Lit(`</a>`)
		if side != nil {
			m.Lit(`<a class="skip" href="#about">`).Say("Skip to: {}", sideLabel).Lit(`</a>`)
		}
		m.top(&f, carrying)
		m.Lit(`<div class="wrap"><main id="main" tabindex="-1" hx-swap="outerHTML">`)
		if f.Flash != "" {
			m.Lit(`<p class="notice" role="status">`).Say(f.Flash).Lit(`</p>`)
		}
		if f.Partial {
			m.Lit(`<p class="notice" role="status">`).Say(f.missing()).Lit(`</p>`)
		}
		if f.Requirement != "" {
			m.Lit(`<p class="notice"><span>`).Say(f.Requirement).Lit(`</span> <a href="`).Text(WithReturn("/agree", f.Path)).Lit(`">`).
				Say("See what is needed").Lit(`</a></p>`)
		}
		for _, n := range main {
			m.Node(n)
		}
		m.Lit(`</main>`)
		if side != nil {
			m.Lit(`<aside id="about" tabindex="-1" aria-label="`).Say(sideLabel).Lit(`"><div class="cards">`).Node(side).
				Lit(`</div></aside>`)
		}
		m.Lit(`</div>`)
		m.footer(&f)
		m.Lit(buttonForm + `<div id="toast" role="status" aria-live="polite" aria-atomic="false"></div></body></html>`)
	})
}

// chosenZone writes the time zone of a member who has chosen one. Others have their device's, which the script knows.
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
	title := m.language().Say(f.Title)
	if title != "" {
		title += " · "
	}
	title += f.SiteName
	m.Lit(`<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`)
	m.Lit(`<title>`).Text(title).Lit(`</title>`)
	m.meta(`name="description"`, m.language().Say(f.Description))
	m.When(f.NoIndex, `<meta name="robots" content="noindex">`)
	if f.Canonical != "" {
		m.Lit(`<link rel="canonical" href="`).Text(f.Canonical).Lit(`">`)
	}
	m.previewHead(f)
	if f.FeedURL != "" {
		m.Lit(`<link rel="alternate" type="application/atom+xml" href="`).Text(f.FeedURL).Lit(`">`)
	}
	m.Lit(headOfEveryPage).Lit(`<script src="`).Text(AppJS.address(m.language())).Lit(`"></script>`)
	m.Lit(`<script src="` + HTMXJS + `" defer></script></head>`)
}

// headOfEveryPage ends the head. htmx is configured for the Content-Security-Policy: no eval, no injected style, no request to another
// origin. Browsers without SVG icons request /favicon.ico themselves. app.js is small and not deferred, because it marks pages as
// having a script before anything is painted.
const headOfEveryPage = `<meta name="color-scheme" content="light dark">` +
	`<meta name="theme-color" content="#fffdf9" media="(prefers-color-scheme: light)">` +
	`<meta name="theme-color" content="#1b1c1a" media="(prefers-color-scheme: dark)">` +
	`<meta name="htmx-config" content="{&#34;allowEval&#34;:false,&#34;includeIndicatorStyles&#34;:false,&#34;selfRequestsOnly&#34;:true}">` +
	`<link rel="icon" href="/favicon.svg" type="image/svg+xml">` +
	`<link rel="apple-touch-icon" href="/apple-touch-icon.png"><link rel="manifest" href="/manifest.webmanifest">` +
	`<link rel="preload" href="` + SerifWOFF2 + `" as="font" type="font/woff2" crossorigin>` +
	`<link rel="stylesheet" href="` + AppCSS + `">`

func (m *Markup) meta(key Literal, content string) {
	if content != "" {
		m.Lit(`<meta `).Lit(key).Lit(` content="`).Text(content).Lit(`">`)
	}
}

func (m *Markup) footer(f *Frame) {
	remember(m, &footers, struct{}{}, footerLinks)
	if f.FeedURL != "" {
		m.Lit(`<a href="`).Text(f.FeedURL).Lit(`">`).Say("Feed").Lit(`</a>`)
	}
	m.Lit(`<button id="keys" type="button">`).Say("Keys").Lit(`</button></p></footer>`)
}

var footers memory[struct{}]

// footerLinks writes the links that all footers have.
func footerLinks(m *Markup, _ struct{}) {
	m.Lit(`<footer class="foot"><p><a href="/about">`).Say("About").Lit(`</a><a href="/rules">`).Say("Rules").
		Lit(`</a><a href="/privacy">`).Say("Privacy").Lit(`</a><a href="/terms">`).Say("Terms").Lit(`</a><a href="/notice">`).Say("Report " +
		"illegal content").Lit(`</a><a href="/contact">`).
		Say("Contact").Lit(`</a><a href="/transparency">`).Say("Transparency").
		Lit(`</a><a href="/tags">`).Say("Tags").Lit(`</a><a href="/api">`).Say("API").Lit(`</a>`)
}
