package account

import (
	"net/http"
	"strconv"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/content/pictures"
	"plaza/locale"
	pages "plaza/render/account"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

// settingsFields are the fields of a member's settings. A community's are in worker/community/community_settings.go.
var settingsFields = func() []string {
	names := []string{"group", "revision", "colour", "letter", "picture", "bio", "density", "theme", "language", "posts", "comments", "zone",
		"nsfw", "seen", "fold"}
	for n := 1; n <= accounts.LinksMax; n++ {
		names = append(names, accounts.LinkField(n, "label"), accounts.LinkField(n, "url"))
	}
	return names
}()

// AdoptZone sets the time zone of a member who has chosen none to the device's.
func (h *Handlers) AdoptZone(c *request.Call) error {
	if err := h.Accounts.AdoptZone(c.R.Context(), *c.Actor, c.Value("zone")); err != nil {
		return err
	}
	return c.Done("/settings", map[string]any{"ok": true})
}

// ShowSettings is the form by which members change how they read.
func (h *Handlers) ShowSettings(c *request.Call) error {
	return h.showSettings(c, accounts.GroupReading)
}

// ShowProfileSettings is the form by which members change what others see of them.
func (h *Handlers) ShowProfileSettings(c *request.Call) error {
	return h.showSettings(c, accounts.GroupProfile)
}

func (h *Handlers) showSettings(c *request.Call, group string) error {
	r := c.Read()
	set, allowed := h.Accounts.FindSettings(r, *c.Actor), h.Uploads.FindAllowed(r, *c.Actor)
	if err := c.Run(r); err != nil {
		return err
	}
	f := ui.Form{Errors: map[string]locale.Text{}, Values: map[string]string{"group": group,
		"revision": strconv.FormatInt(set.Revision, 10), "colour": set.Avatar.Colour, "letter": set.Avatar.Letter,
		"picture": set.Avatar.Picture, "bio": set.Bio,
		"density": set.Choices.Density, "theme": set.Choices.Theme, "language": set.Choices.Language, "posts": set.Choices.Posts,
		"comments": set.Choices.Comments,
		"zone":     set.Choices.Zone, "nsfw": set.Choices.NSFW, "seen": set.Choices.Seen, "fold": set.Choices.Fold,
	}}
	for i, l := range set.Links {
		f.Values[accounts.LinkField(i+1, "label")], f.Values[accounts.LinkField(i+1, "url")] = l.Label, l.URL
	}
	if _, saved := c.R.URL.Query()["saved"]; saved {
		c.Flash = "Your settings are saved."
	}
	return h.settingsForm(c, http.StatusOK, f, allowed)
}

// settingsPage shows the form of a group again. It reads nothing from the database, so that it shows what was typed even if the database
// is unavailable.
func (h *Handlers) settingsPage(c *request.Call, status int, f ui.Form) error {
	return h.settingsForm(c, status, f, nil)
}

// settingsForm shows the form. allowed is whether the member may upload pictures; nil if that was not read.
func (h *Handlers) settingsForm(c *request.Call, status int, f ui.Form, allowed *pictures.Allowed) error {
	p := pages.SettingsPage{Frame: c.Frame("Settings"), Form: f}
	if f.Values["group"] == accounts.GroupProfile {
		p.Palette, p.Picture = view.Swatches(), h.OneField(allowed)
		return request.Show(c, status, pages.ProfileSettings, p)
	}
	p.Choices = view.ChoicesView()
	return request.Show(c, status, pages.Settings, p)
}

// UpdateSettings changes a group of settings; all of them without the field group.
func (h *Handlers) UpdateSettings(c *request.Call) error {
	u := accounts.Update{Group: c.Value("group"), Settings: accounts.Settings{
		Bio: c.Value("bio"), Avatar: accounts.Avatar{Colour: c.Value("colour"), Letter: c.Value("letter")},
		Choices: accounts.Choices{
			Density: c.Value("density"), Theme: c.Value("theme"), Language: c.Value("language"), Posts: c.Value("posts"),
			Comments: c.Value("comments"),
			Zone:     c.Value("zone"), NSFW: c.Value("nsfw"), Seen: c.Value("seen"), Fold: c.Value("fold")}}}
	for n := 1; n <= accounts.LinksMax; n++ {
		u.Links = append(u.Links, accounts.Link{Label: c.Value(accounts.LinkField(n, "label")), URL: c.Value(accounts.LinkField(n, "url"))})
	}
	if u.Group != accounts.GroupReading {
		if err := h.setPortrait(c, &u); err != nil {
			return h.RefuseSettings(c, err)
		}
	}
	var err error
	if u.Revision, err = strconv.ParseInt(c.Value("revision"), 10, 64); err != nil {
		u.Force = true
	}
	if err := u.Validate(); err != nil { // before the Markdown is rendered
		return h.RefuseSettings(c, err)
	}
	if u.BioHTML, err = view.Markdown("bio", u.Bio, data.BioHTMLMax); err != nil {
		return h.RefuseSettings(c, err)
	}
	revision, err := h.Accounts.Update(c.R.Context(), *c.Actor, u)
	c.Conflict(err, revision) // saving it once more replaces what is there
	if err != nil {
		return h.RefuseSettings(c, err)
	}
	to := "/settings?saved"
	if u.Group == accounts.GroupProfile {
		to = "/settings/profile?saved"
	} else {
		request.RememberOrders(c, request.OrdersOf(u.Choices))
	}
	return c.Done(to, map[string]any{"revision": revision})
}

// setPortrait stores the picture that was sent with the form, and sets the portrait in the update.
func (h *Handlers) setPortrait(c *request.Call, u *accounts.Update) (err error) {
	r := h.DB.Read()
	set := h.Accounts.FindSettings(r, *c.Actor)
	if err := r.Run(c.R.Context()); err != nil {
		return err
	}
	u.Avatar.Picture, err = h.PictureOfField(c, "picture", set.Avatar.Picture, true)
	return err
}

func (h *Handlers) RefuseSettings(c *request.Call, err error) error {
	return request.Refuse(c, err, h.settingsPage, settingsFields)
}
