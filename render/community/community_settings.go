package community

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/ui"
)

// CommunitySettingsPage is /c/{name}/settings. The form has a field for each of communities.SettingColumns.
type CommunitySettingsPage struct {
	ui.Frame
	Nav       ui.ModNav
	Community string // name
	Palette   []ui.Swatch
	Rules     int            // rows of the form
	Pictures  *ui.OnePicture // nil if none can be uploaded
	Form      ui.Form
}

// CommunitySettings is the form of a community's settings.
func CommunitySettings(p CommunitySettingsPage) g.Node {
	f := p.Form
	return ui.ModPage(p.Frame, p.Nav,
		h.Form(h.Class("sheet form-rows"), ui.PostTo(ui.CommunityURL(p.Community)+"/settings"), ui.TakesFiles(p.Pictures),
			h.H1(ui.T("Community settings")),
			ui.FormError(f),
			ui.Hidden("revision", f.Values["revision"]),
			ui.FormField(f, ui.Input{Name: "title", Label: "Title", Hint: "What people see, such as “Bread baking”.", Kind: "text",
				Attrs: g.Group{h.Required(), h.AutoComplete("off")}}),
			ui.FormField(f, ui.Input{Name: "description", Label: "Description", Hint: "One line: what belongs here?", Kind: "textarea",
				Attrs: g.Group{h.Rows("3")}}),
			ui.FormField(f, ui.Input{Name: "sidebar", Label: "Sidebar", Hint: "Longer: what new members should know. Markdown.", Kind: "textarea",
				Attrs: g.Group{h.Rows("10")}}),
			ui.PictureInput(f, p.Pictures, ui.Input{Name: "icon", Label: "Icon", Hint: "A square, shown in place of the letter."}, "square"),
			ui.ColourField(f, "Colour of the icon", p.Palette, func(colour string) g.Node { return ui.Icon(p.Community, colour, "") }),
			ui.PictureInput(f, p.Pictures, ui.Input{Name: "banner", Label: "Banner",
				Hint: "Shown above the community's posts, four times as wide as high."},
				"wide"),
			ui.PictureScript(p.Pictures),
			ui.Choice(f, "comment_pictures", "Who can add pictures to comments", "Trusted members have been here for a week and have 20 karma, "+
				"or moderate.", []ui.Option{{Value: "", Label: "As on the whole site"}, {Value: "trusted", Label: "Trusted members"},
				{Value: "nobody", Label: "Nobody"}}),
			ui.Rules(f, p.Rules),
			ui.Submit("Save the settings"),
		),
	)
}
