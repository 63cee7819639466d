package admin

import (
	"crypto/sha256"
	"encoding/binary"
	"net/http"
	"strconv"
	"strings"
	"unicode"

	"plaza/data"
	"plaza/data/content/communities"
	"plaza/data/site"
	"plaza/locale"
	pages "plaza/render/admin"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

// siteSettingsFields are the fields of the form, siteRuleFields those of its rules.
var siteSettingsFields, siteRuleFields = func() ([]string, []string) {
	names := []string{"revision", "name", "tagline", "letter", "logo", "accent", "founders", "sign_up", "question", "inviters", "archive",
		"uploads", "comment_pictures", "member_room", "site_room", "closed", "reason", "min_age",
		"terms", "changed", "ai_crawlers", "visitors", "front", "editions", "edition_hour"}
	fixed := len(names)
	for n := 1; n <= communities.RulesMax; n++ {
		names = append(names, communities.RuleField(n, "title"), communities.RuleField(n, "text"))
	}
	return names, names[fixed:]
}()

// accentNames has the labels of a site's colours.
var accentNames = map[string]locale.Text{"green": "Green", "blue": "Blue", "violet": "Violet", "magenta": "Magenta", "crimson": "Crimson",
	"orange": "Orange", "slate": "Slate"}

// logoID is the id of a logo among the ids of posts, because the same code fetches both kinds of pictures. It is below zero, as no post's
// is. Each address has its own id, so that a failed fetch of a wrong address doesn't delay the fetch of the right one.
func logoID(set *site.Settings) data.ID {
	sum := sha256.Sum256([]byte(set.Logo))
	return -1 - data.ID(binary.BigEndian.Uint64(sum[:8])>>1)
}

// ShowLogo sends the site's logo, which it fetches from its address.
func (h *Handlers) ShowLogo(c *request.Call) error {
	r := h.DB.Read()
	h.Settings.Find(r)
	if err := r.Run(c.R.Context()); err != nil {
		return err
	}
	set := h.Settings.Now()
	if strings.Contains(c.R.RequestURI, "?") || set.Logo == "" || c.R.URL.EscapedPath() != "/img/logo/"+request.Logo(set) ||
		h.Pictures.ShouldSkip(logoID(set), false) {
		return view.ErrNoImage
	}
	_, err := h.ServePicture(c, logoID(set), set.Logo, false)
	return err
}

// ShowSiteSettings is the form by which administrators change the settings of the whole site.
func (h *Handlers) ShowSiteSettings(c *request.Call) error {
	r := c.Read()
	set := h.Settings.FindStored(r)
	if err := c.Run(r); err != nil {
		return err
	}
	if c.R.URL.Query().Has("saved") {
		c.Flash = "Saved. Visitors see the change within a few minutes."
	}
	f := ui.Form{Errors: map[string]locale.Text{}, Values: map[string]string{
		"revision": strconv.FormatInt(set.Revision, 10), "name": set.Name, "tagline": set.Tagline, "letter": set.Letter, "logo": set.Logo,
		"accent": set.Accent, "founders": set.Founders, "sign_up": set.SignUp, "question": set.Question, "inviters": set.Inviters,
		"archive": strconv.Itoa(set.Archive), "uploads": set.Uploads, "comment_pictures": set.CommentPictures,
		"member_room": strconv.Itoa(set.MemberRoom),
		"site_room":   strconv.Itoa(set.SiteRoom), "closed": strings.Join(set.Closed, ", "), "reason": set.Reason,
		"min_age": strconv.Itoa(set.MinAge), "terms": strconv.FormatInt(set.Terms, 10), "changed": set.Changed,
		"ai_crawlers": set.AICrawlers, "visitors": set.Visitors, "front": set.Front, "editions": set.Editions,
		"edition_hour": strconv.Itoa(set.EditionHour),
	}}
	for i, rule := range set.Rules {
		f.Values[communities.RuleField(i+1, "title")], f.Values[communities.RuleField(i+1, "text")] = rule.Title, rule.Text
	}
	return h.siteSettingsPage(c, http.StatusOK, f)
}

func (h *Handlers) siteSettingsPage(c *request.Call, status int, f ui.Form) error {
	p := pages.SiteSettingsPage{Frame: c.Frame("Site settings"), Form: f, Rules: view.RuleRows(f), DeployedName: h.DeployedName}
	for _, accent := range site.Accents {
		p.Accents = append(p.Accents, ui.Option{Value: accent, Label: accentNames[accent]})
	}
	return request.Show(c, status, pages.SiteSettings, p)
}

// UpdateSiteSettings saves the form. A field that a program leaves out is not changed.
func (h *Handlers) UpdateSiteSettings(c *request.Call) error {
	r := c.Read()
	stored := h.Settings.FindStored(r)
	if err := c.Run(r); err != nil {
		return err
	}
	set := *stored
	for name, field := range map[string]*string{"name": &set.Name, "tagline": &set.Tagline, "letter": &set.Letter, "logo": &set.Logo,
		"accent": &set.Accent, "founders": &set.Founders, "sign_up": &set.SignUp, "question": &set.Question, "inviters": &set.Inviters,
		"uploads": &set.Uploads, "comment_pictures": &set.CommentPictures, "reason": &set.Reason,
		"changed": &set.Changed, "ai_crawlers": &set.AICrawlers, "visitors": &set.Visitors,
		"front": &set.Front, "editions": &set.Editions} {
		if c.HasAny(name) {
			*field = strings.TrimSpace(c.Value(name))
		}
	}
	terms := int(set.Terms)
	for name, field := range map[string]*int{"min_age": &set.MinAge, "terms": &terms, "archive": &set.Archive,
		"member_room": &set.MemberRoom, "site_room": &set.SiteRoom, "edition_hour": &set.EditionHour} {
		if c.HasAny(name) {
			n, err := strconv.Atoi(strings.TrimSpace(c.Value(name)))
			if err != nil {
				n = -1
			}
			*field = n
		}
	}
	set.Terms = int64(terms)
	if c.HasAny("closed") {
		set.Closed = strings.FieldsFunc(c.Value("closed"), func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
		typed := site.Settings{Closed: strings.Fields(strings.ToUpper(strings.Join(set.Closed, " ")))}
		if typed.IsClosedTo(c.Location()) {
			return h.RefuseSiteSettings(c, data.Mistake("closed", locale.With("You are in {} yourself, and could not open the site again.",
				c.Location())))
		}
	}
	if c.HasAny(siteRuleFields...) {
		set.Rules = nil
		for n := 1; n <= communities.RulesMax; n++ {
			set.Rules = append(set.Rules, communities.Rule{Title: c.Value(communities.RuleField(n, "title")),
				Text: c.Value(communities.RuleField(n, "text"))})
		}
	}
	set.Revision = stored.Revision
	if c.HasAny("revision") {
		set.Revision = request.RevisionOf(c)
	}
	to := request.SiteSettingsURL + "?saved"
	if c.HasAny("checklist") { // a form of the front page
		set.ChecklistDismissed, to = c.Value("checklist") == "dismissed", "/"
	}
	revision, err := h.Settings.Update(c.R.Context(), *c.Actor, set)
	c.Conflict(err, revision) // saving it once more replaces what is there
	if err != nil {
		return h.RefuseSiteSettings(c, err)
	}
	return c.Done(to, map[string]any{"revision": revision})
}

func (h *Handlers) RefuseSiteSettings(c *request.Call, err error) error {
	return request.Refuse(c, err, h.siteSettingsPage, siteSettingsFields, data.Forbidden)
}
