package worker

import (
	"net/http"
	"strconv"

	"plaza/data"
	"plaza/data/people"
	"plaza/render"
)

// settingsFields are the fields of a member's settings. A community's are in community_settings.go.
var settingsFields = func() []string {
	names := []string{"revision", "colour", "letter", "bio", "theme", "posts", "comments", "zone", "nsfw", "seen"}
	for n := 1; n <= people.LinksMax; n++ {
		names = append(names, people.LinkField(n, "label"), people.LinkField(n, "url"))
	}
	return names
}()

// showSettings is the form by which members change what others see of them.
func (a *App) showSettings(c *call) error {
	r := c.read()
	set := a.users.FindSettings(r, *c.actor)
	if err := c.run(r); err != nil {
		return err
	}
	f := render.Form{Errors: map[string]string{}, Values: map[string]string{
		"revision": strconv.FormatInt(set.Revision, 10), "colour": set.Avatar.Colour, "letter": set.Avatar.Letter, "bio": set.Bio,
		"theme": set.Choices.Theme, "posts": set.Choices.Posts, "comments": set.Choices.Comments, "zone": set.Choices.Zone, "nsfw": set.Choices.NSFW, "seen": set.Choices.Seen,
	}}
	for i, l := range set.Links {
		f.Values[people.LinkField(i+1, "label")], f.Values[people.LinkField(i+1, "url")] = l.Label, l.URL
	}
	if _, saved := c.r.URL.Query()["saved"]; saved {
		c.notice = "Your settings are saved."
	}
	return a.settingsPage(c, http.StatusOK, f)
}

// settingsPage shows the form. It reads nothing from the database, so that what was typed is shown again even if that
// is away.
func (a *App) settingsPage(c *call, status int, f render.Form) error {
	p := render.SettingsPage{Frame: c.frame("Settings", "", ""), Form: f, Palette: swatches(), Choices: choicesView()}
	p.NoIndex = true
	return show(c, status, render.Settings, p)
}

func (a *App) updateSettings(c *call) error {
	u := people.Update{Settings: people.Settings{
		Bio: c.value("bio"), Avatar: people.Avatar{Colour: c.value("colour"), Letter: c.value("letter")},
		Choices: people.Choices{
			Theme: c.value("theme"), Posts: c.value("posts"), Comments: c.value("comments"),
			Zone: c.value("zone"), NSFW: c.value("nsfw"), Seen: c.value("seen")}}}
	for n := 1; n <= people.LinksMax; n++ {
		u.Links = append(u.Links, people.Link{Label: c.value(people.LinkField(n, "label")), URL: c.value(people.LinkField(n, "url"))})
	}
	var err error
	if u.Revision, err = strconv.ParseInt(c.value("revision"), 10, 64); err != nil {
		u.Force = true
	}
	if err := u.Validate(); err != nil { // before the Markdown is made
		return a.refuseSettings(c, err)
	}
	if u.BioHTML, err = markdown("bio", u.Bio, data.BioHTMLMax); err != nil {
		return a.refuseSettings(c, err)
	}
	revision, err := a.users.Update(c.r.Context(), *c.actor, u)
	c.conflict(err, revision) // saving it once more replaces what is there
	if err != nil {
		return a.refuseSettings(c, err)
	}
	rememberOrders(c, ordersOf(u.Choices))
	return c.done("/settings?saved", map[string]any{"revision": revision})
}

func (a *App) refuseSettings(c *call, err error) error {
	if c.wantsJSON() || !formCanSay(err) {
		return err
	}
	return a.settingsPage(c, formStatus(err), wrong(c.typed(settingsFields...), err))
}
