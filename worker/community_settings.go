package worker

import (
	"net/http"
	"strconv"

	"plaza/data"
	"plaza/data/communities"
	"plaza/render"
)

// communitySettingsFields are the fields of the settings' form.
var communitySettingsFields = func() []string {
	names := []string{"revision", "title", "description", "sidebar", "colour"}
	for n := 1; n <= communities.RulesMax; n++ {
		names = append(names, communities.RuleField(n, "title"), communities.RuleField(n, "text"))
	}
	return names
}()

// showCommunitySettings is the form by which moderators change a community.
func (a *App) showCommunitySettings(c *call) error {
	name := c.r.PathValue("community")
	r := c.read()
	set := a.communities.FindSettings(r, name)
	if err := c.run(r); err != nil {
		return err
	}
	if set.Colour == "" {
		return errNoCommunity
	}
	f := render.Form{Errors: map[string]string{}, Values: map[string]string{
		"revision": strconv.FormatInt(set.Revision, 10), "title": set.Title, "description": set.Description,
		"sidebar": set.Sidebar, "colour": set.Colour,
	}}
	for i, rule := range set.Rules {
		f.Values[communities.RuleField(i+1, "title")], f.Values[communities.RuleField(i+1, "text")] = rule.Title, rule.Text
	}
	return a.communitySettingsPage(c, http.StatusOK, f)
}

// communitySettingsPage shows the form. It reads nothing from the database, so that what was typed is shown again even if that
// is away.
func (a *App) communitySettingsPage(c *call, status int, f render.Form) error {
	name := c.r.PathValue("community")
	p := render.CommunitySettingsPage{Frame: c.frame("Settings of c/"+name, "", ""), Community: name, Form: f, Palette: swatches(), Rules: ruleRows(f)}
	p.NoIndex = true
	return show(c, status, render.CommunitySettings, p)
}

func (a *App) updateCommunitySettings(c *call) error {
	u := communities.Update{Settings: communities.Settings{
		Title: c.value("title"), Description: c.value("description"), Sidebar: c.value("sidebar"), Colour: c.value("colour")}}
	for n := 1; n <= communities.RulesMax; n++ {
		u.Rules = append(u.Rules, communities.Rule{Title: c.value(communities.RuleField(n, "title")), Text: c.value(communities.RuleField(n, "text"))})
	}
	var err error
	if u.Revision, err = strconv.ParseInt(c.value("revision"), 10, 64); err != nil {
		u.Force = true
	}
	if err := u.Validate(); err != nil { // before the Markdown is made
		return a.refuseCommunitySettings(c, err)
	}
	if u.SidebarHTML, err = markdown("sidebar", u.Sidebar, data.SidebarHTMLMax); err != nil {
		return a.refuseCommunitySettings(c, err)
	}
	name := c.r.PathValue("community")
	revision, err := a.communities.Update(c.r.Context(), *c.actor, name, u)
	if data.ErrorCode(err) == data.Conflict {
		c.form.Set("revision", strconv.FormatInt(revision, 10)) // saving it once more replaces theirs
	}
	if err != nil {
		return a.refuseCommunitySettings(c, err)
	}
	return c.done("/c/"+name, map[string]any{"permalink": "/c/" + name, "revision": revision})
}

func (a *App) refuseCommunitySettings(c *call, err error) error {
	if c.wantsJSON() || !formCanSay(err) || data.ErrorCode(err) == data.NotFound {
		return err
	}
	return a.communitySettingsPage(c, formStatus(err), wrong(c.typed(communitySettingsFields...), err))
}
