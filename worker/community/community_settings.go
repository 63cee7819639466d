package community

import (
	"net/http"
	"strconv"

	"plaza/data"
	"plaza/data/content/communities"
	"plaza/data/content/pictures"
	"plaza/locale"
	pages "plaza/render/community"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

// communitySettingsFields are the names of all fields of the form.
var communitySettingsFields = func() []string {
	names := []string{"revision"}
	for _, column := range communities.SettingColumns {
		if column != "rules" { // which have fields of their own
			names = append(names, column)
		}
	}
	for n := 1; n <= communities.RulesMax; n++ {
		names = append(names, communities.RuleField(n, "title"), communities.RuleField(n, "text"))
	}
	return names
}()

// ShowCommunitySettings is the form by which moderators change a community.
func (h *Handlers) ShowCommunitySettings(c *request.Call) error {
	name := c.R.PathValue("community")
	r := c.Read()
	set, counts := h.Communities.FindSettings(r, name), h.FindModCounts(c, r, name)
	var allowed *pictures.Allowed
	if c.Actor != nil {
		allowed = h.Uploads.FindAllowed(r, *c.Actor)
	}
	if err := c.Run(r); err != nil {
		return err
	}
	if set.Colour == "" {
		return request.ErrNoCommunity
	}
	f := ui.Form{Errors: map[string]locale.Text{}, Values: map[string]string{"revision": strconv.FormatInt(set.Revision, 10)}}
	for _, column := range communities.SettingColumns {
		if text := set.Text(column); text != nil {
			f.Values[column] = *text
		}
	}
	for i, rule := range set.Rules {
		f.Values[communities.RuleField(i+1, "title")], f.Values[communities.RuleField(i+1, "text")] = rule.Title, rule.Text
	}
	return h.settingsPage(c, http.StatusOK, f, counts, allowed)
}

// communitySettingsPage shows the form again. It reads nothing from the database, so that it shows what was typed even if the
// database is unavailable.
func (h *Handlers) communitySettingsPage(c *request.Call, status int, f ui.Form) error {
	return h.settingsPage(c, status, f, nil, nil)
}

func (h *Handlers) settingsPage(c *request.Call, status int, f ui.Form, counts *view.ModCounts, allowed *pictures.Allowed) error {
	name := c.R.PathValue("community")
	p := pages.CommunitySettingsPage{Frame: c.Frame(locale.With("Settings of c/{}", name)), Community: name, Form: f,
		Palette: view.Swatches(), Rules: view.RuleRows(f), Nav: view.ModNav(c, ui.Community{Name: name, Colour: f.Values["colour"],
			Icon: f.Values["icon"]}, counts,
			request.CommunitySettingsURL(name)), Pictures: h.OneField(allowed)}
	return request.Show(c, status, pages.CommunitySettings, p)
}

func (h *Handlers) UpdateCommunitySettings(c *request.Call) error {
	var u communities.Update
	name := c.R.PathValue("community")
	if err := h.storePictures(c, name); err != nil {
		return h.RefuseCommunitySettings(c, err)
	}
	for _, column := range communities.SettingColumns {
		if text := u.Text(column); text != nil {
			*text = c.Value(column)
		}
	}
	for n := 1; n <= communities.RulesMax; n++ {
		u.Rules = append(u.Rules, communities.Rule{Title: c.Value(communities.RuleField(n, "title")),
			Text: c.Value(communities.RuleField(n, "text"))})
	}
	var err error
	if u.Revision, err = strconv.ParseInt(c.Value("revision"), 10, 64); err != nil {
		u.Force = true
	}
	if err := u.Validate(); err != nil { // before the Markdown is rendered
		return h.RefuseCommunitySettings(c, err)
	}
	if u.SidebarHTML, err = view.Markdown("sidebar", u.Sidebar, data.SidebarHTMLMax); err != nil {
		return h.RefuseCommunitySettings(c, err)
	}
	revision, err := h.Communities.Update(c.R.Context(), *c.Actor, name, u)
	c.Conflict(err, revision) // saving it once more replaces what is there
	if err != nil {
		return h.RefuseCommunitySettings(c, err)
	}
	return c.Done("/c/"+name, map[string]any{"permalink": "/c/" + name, "revision": revision})
}

// storePictures stores the icon and the banner that were sent with the form. It sets the form's fields to the sums that the community will
// have.
func (h *Handlers) storePictures(c *request.Call, name string) error {
	r := h.DB.Read()
	set := h.Communities.FindSettings(r, name)
	if err := r.Run(c.R.Context()); err != nil {
		return err
	}
	if _, err := h.PictureOfField(c, "icon", set.Icon, true); err != nil {
		return err
	}
	_, err := h.PictureOfField(c, "banner", set.Banner, false)
	return err
}

func (h *Handlers) RefuseCommunitySettings(c *request.Call, err error) error {
	return request.Refuse(c, err, h.communitySettingsPage, communitySettingsFields, data.NotFound)
}
