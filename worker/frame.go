package worker

import (
	"slices"
	"strings"

	"plaza/data/site"
	"plaza/render"
)

// frame returns the shell of a page. Call it after run, which reads the state of the member's account.
func (c *call) frame(title, description, canonical string) render.Frame {
	a := c.app
	if safeMethod(c.r.Method) && !c.failed { // a page that has read has the settings already
		_ = a.settings.Refresh(c.r.Context())
	}
	set := a.settings.Now()
	f := render.Frame{
		Title: title, Description: description, Path: c.place(), SiteName: a.siteName(), Notice: c.notice, Now: a.now(c),
		Tagline: set.Tagline, Letter: set.Letter, Logo: logo(set), Accent: accentOf(set),
		Inviting: c.viewer != nil && set.MayInvite(c.viewer.Admin),
	}
	if c.actor != nil && c.actor.Waits && f.Notice == "" {
		f.Notice = "Your account waits for an administrator. Until then you can read, but not write."
	}
	if canonical != "" {
		f.Canonical, f.SiteURL, f.Picture = a.SiteURL+canonical, a.SiteURL, a.cardOf(siteCard)
	}
	if c.actor != nil {
		f.Viewer = &render.Viewer{Name: c.actor.Name}
		if c.viewer != nil {
			f.Viewer.Admin, f.Viewer.Avatar, f.Viewer.Theme = c.viewer.Admin, render.Avatar(c.viewer.Avatar), c.viewer.Choices.Theme
			f.Viewer.Unread = c.viewer.Unread
			f.Viewer.Moderates, f.Viewer.Waiting = c.viewer.Admin || len(c.viewer.Moderated()) > 0, c.viewer.Waiting()
		}
	}
	return f
}

// accentOf is the colour that pages have to name, "" for the usual one.
func accentOf(set *site.Settings) string {
	if set.Accent == site.Accents[0] {
		return ""
	}
	return set.Accent
}

// signInPages are the pages on the way to logging in, to which nobody wants to come back.
var signInPages = []string{"/login", "/signup", "/login/link", "/login/continue", "/login/code", "/login/passkey", "/login/done", "/reset", "/link", "/prove", "/prove/code", "/prove/passkey",
	"/prove/link"}

// place returns where somebody comes back to who logs in, or presses a button, on this page: to the page itself.
// From a login page they go where that leads to, and from the answer to a form to where it was sent from.
func (c *call) place() string {
	place := c.r.URL.RequestURI()
	if !safeMethod(c.r.Method) {
		place = c.cameFromPage(0, "/")
	}
	from, _, _ := strings.Cut(place, "?")
	if slices.Contains(signInPages, c.r.URL.Path) || slices.Contains(signInPages, from) {
		return back(c.form.Get("next"))
	}
	return place
}
