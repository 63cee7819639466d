package worker

import (
	"crypto/sha256"
	"encoding/binary"
	"net/http"
	"strconv"
	"strings"

	"plaza/data"
	"plaza/data/communities"
	"plaza/data/site"
	"plaza/render"
)

// siteSettingsFields are the fields of the form.
var siteSettingsFields = func() []string {
	names := []string{"revision", "name", "tagline", "letter", "logo", "accent", "founders", "sign_up", "question", "inviters", "archive"}
	for n := 1; n <= communities.RulesMax; n++ {
		names = append(names, communities.RuleField(n, "title"), communities.RuleField(n, "text"))
	}
	return names
}()

// logoID is the id of a logo among the ids of posts, because the same code fetches both kinds of pictures. It is below zero, so it is no
// post's. Each address has its own id, so that a failed fetch of a wrong address doesn't delay that of the right one.
func logoID(set *site.Settings) data.ID {
	sum := sha256.Sum256([]byte(set.Logo))
	return -1 - data.ID(binary.BigEndian.Uint64(sum[:8])>>1)
}

// showLogo passes on the picture that stands for the site.
func (a *App) showLogo(c *call) error {
	r := a.DB.Read()
	a.settings.Find(r)
	if err := r.Run(c.r.Context()); err != nil {
		return err
	}
	set := a.settings.Now()
	if strings.Contains(c.r.RequestURI, "?") || set.Logo == "" || c.r.URL.EscapedPath() != "/img/logo/"+logo(set) || a.pictures.Rests(logoID(set)) {
		return errNoImage
	}
	_, err := a.passOn(c, logoID(set), set.Logo)
	return err
}

// showSiteSettings is the form by which administrators change what holds for the whole site.
func (a *App) showSiteSettings(c *call) error {
	r := c.read()
	set := a.settings.FindStored(r)
	if err := c.run(r); err != nil {
		return err
	}
	if c.r.URL.Query().Has("saved") {
		c.notice = "Saved. Visitors see the change within a few minutes."
	}
	f := render.Form{Errors: map[string]string{}, Values: map[string]string{
		"revision": strconv.FormatInt(set.Revision, 10), "name": set.Name, "tagline": set.Tagline, "letter": set.Letter, "logo": set.Logo,
		"accent": set.Accent, "founders": set.Founders, "sign_up": set.SignUp, "question": set.Question, "inviters": set.Inviters, "archive": strconv.Itoa(set.Archive),
	}}
	for i, rule := range set.Rules {
		f.Values[communities.RuleField(i+1, "title")], f.Values[communities.RuleField(i+1, "text")] = rule.Title, rule.Text
	}
	return a.siteSettingsPage(c, http.StatusOK, f)
}

func (a *App) siteSettingsPage(c *call, status int, f render.Form) error {
	p := render.SiteSettingsPage{Frame: c.frame("Site settings", "", ""), Form: f, Rules: ruleRows(f), DeployedName: a.SiteName}
	p.NoIndex = true
	for _, accent := range site.Accents {
		p.Accents = append(p.Accents, render.Option{Value: accent, Label: strings.ToUpper(accent[:1]) + accent[1:]})
	}
	return show(c, status, render.SiteSettings, p)
}

// updateSiteSettings saves the form. A field that a program leaves out stays as it is.
func (a *App) updateSiteSettings(c *call) error {
	r := c.read()
	stored := a.settings.FindStored(r)
	if err := c.run(r); err != nil {
		return err
	}
	set := *stored
	for name, field := range map[string]*string{"name": &set.Name, "tagline": &set.Tagline, "letter": &set.Letter, "logo": &set.Logo,
		"accent": &set.Accent, "founders": &set.Founders, "sign_up": &set.SignUp, "question": &set.Question, "inviters": &set.Inviters} {
		if c.names(name) {
			*field = strings.TrimSpace(c.value(name))
		}
	}
	if c.names("archive") {
		days, err := strconv.Atoi(strings.TrimSpace(c.value("archive")))
		if err != nil {
			days = -1
		}
		set.Archive = days
	}
	if c.names(siteSettingsFields[11:]...) {
		set.Rules = nil
		for n := 1; n <= communities.RulesMax; n++ {
			set.Rules = append(set.Rules, communities.Rule{Title: c.value(communities.RuleField(n, "title")), Text: c.value(communities.RuleField(n, "text"))})
		}
	}
	set.Revision = stored.Revision
	if c.names("revision") {
		set.Revision = revisionOf(c)
	}
	revision, err := a.settings.Update(c.r.Context(), *c.actor, set)
	if data.ErrorCode(err) == data.Conflict {
		c.form.Set("revision", strconv.FormatInt(revision, 10)) // saving it once more replaces theirs
	}
	if err != nil {
		return a.refuseSiteSettings(c, err)
	}
	return c.done(siteSettingsURL+"?saved", map[string]any{"revision": revision})
}

func (a *App) refuseSiteSettings(c *call, err error) error {
	if c.wantsJSON() || !formCanSay(err) || data.ErrorCode(err) == data.Forbidden {
		return err
	}
	return a.siteSettingsPage(c, formStatus(err), wrong(c.typed(siteSettingsFields...), err))
}
