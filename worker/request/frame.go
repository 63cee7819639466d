package request

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/pace/deadline"
	"plaza/data/site"
	"plaza/locale"
	"plaza/render/ui"
)

// namesTime is how long a page that lacks a shard waits for the names of its communities.
const namesTime = 500 * time.Millisecond

// Frame returns the shell of a page that search engines must not index. Call it after Call.Run, which reads the member's account.
func (c *Call) Frame(title locale.Text) ui.Frame {
	f := c.PublicFrame(title, "", "")
	f.NoIndex = true
	return f
}

// PublicFrame is Frame for a page that search engines may index at its canonical address.
func (c *Call) PublicFrame(title, description locale.Text, canonical string) ui.Frame {
	s := c.Server
	if SafeMethod(c.R.Method) && !c.failed { // does nothing if Call.Read has read the settings
		_ = s.Settings.Refresh(c.R.Context())
	}
	set := s.Settings.Now()
	f := ui.Frame{
		Title: title, Description: description, Path: c.place(), SiteName: s.SiteName(), Flash: c.Flash, Partial: c.Partial(), Now: s.Now(c),
		Tagline: set.Tagline, Letter: set.Letter, Logo: Logo(set), Accent: accentOf(set), Colour: s.Colour(),
		Inviting: c.Viewer != nil && set.MayInvite(c.Viewer.Admin),
	}
	if f.Partial {
		f.Unavailable, f.MoreUnavailable = s.Communities.LargestOn(deadline.ForPart(c.R.Context(), namesTime), c.missing)
	}
	f.Display = c.Display()
	f.Display.EditionFirst = c.Actor == nil && set.Front == site.FrontEdition && set.Editions != site.EditionsNever
	c.rememberLanguage()
	if c.Actor != nil && c.Actor.Unapproved && f.Flash == "" {
		f.Flash = "Your account waits for an administrator. Until then you can read, but not write."
	}
	f.Requirement = c.requirementText(set)
	if canonical != "" {
		f.Canonical, f.SiteURL, f.Picture = s.SiteURL+canonical, s.SiteURL, s.CardOf(SiteCard)
	}
	if c.Actor != nil {
		f.Viewer = &ui.Viewer{Name: c.Actor.Name}
		if c.Viewer != nil {
			f.Viewer.Admin, f.Viewer.Avatar = c.Viewer.Admin, ui.Avatar(c.Viewer.Avatar)
			f.Viewer.Zone = c.Viewer.Choices.Zone
			f.Viewer.Unread = c.Viewer.Unread
			f.Viewer.Moderates, f.Viewer.Waiting = c.Viewer.Admin || len(c.Viewer.Moderated()) > 0, c.Viewer.Waiting()
		}
	}
	return f
}

// SiteName returns the name of the site.
func (s *Server) SiteName() string {
	if name := s.Settings.Now().Name; name != "" {
		return name
	}
	return s.DeployedName
}

// About returns one line about the site.
func (s *Server) About() locale.Text {
	return cmp.Or(locale.Verbatim(s.Settings.Now().Tagline), "Communities and what they talk about.")
}

// Colour returns the accent colour of the site as data.Palette has it; "" for the default.
func (s *Server) Colour() string {
	accent := accentOf(s.Settings.Now())
	for _, c := range data.Palette {
		if strings.EqualFold(string(c.Name), accent) {
			return c.Hex
		}
	}
	return ""
}

// Logo returns the end of the address of the site's logo; "" for none. Each logo has its own address, so that no cached copy of
// the previous logo is shown.
func Logo(set *site.Settings) string {
	if set.Logo == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(set.Logo))
	return hex.EncodeToString(sum[:8])
}

// accentOf returns the accent colour that pages have to set; "" for the default.
func accentOf(set *site.Settings) string {
	if set.Accent == site.Accents[0] {
		return ""
	}
	return set.Accent
}

// signInPages are the pages of logging in. Logging in never leads back to them.
var signInPages = []string{"/login", "/signup", "/login/link", "/login/continue", "/login/code", "/login/passkey", "/login/done", "/reset",
	"/link", "/prove", "/prove/code", "/prove/passkey",
	"/prove/link"}

// place returns the address to return to after logging in, or pressing a button, on this page: the page itself. On a login
// page it is the address to which that leads, and on the response to a form the page from which it was sent.
func (c *Call) place() string {
	place := c.R.URL.RequestURI()
	if !SafeMethod(c.R.Method) {
		place = c.CameFromPage(0, "/")
	}
	from, _, _ := strings.Cut(place, "?")
	if slices.Contains(signInPages, c.R.URL.Path) || slices.Contains(signInPages, from) {
		return Back(c.Form.Get("next"))
	}
	return place
}
