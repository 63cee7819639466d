package account

import (
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// SettingsPage is /settings, with the fields revision, theme, language, density, zone, nsfw, seen, posts, comments, fold; and
// /settings/profile, with the fields revision, colour, letter, picture, bio, and link-N-label and link-N-url for N from 1 to 5.
type SettingsPage struct {
	ui.Frame
	Palette []ui.Swatch
	Choices Choices
	Picture *ui.OnePicture // nil where no pictures can be uploaded
	Form    ui.Form
}

// Choices are the options of three of the settings.
type Choices struct{ Posts, Comments, Zones []ui.Option }

// Settings is the form of the settings for reading.
func Settings(p SettingsPage) g.Node {
	f := p.Form
	zones := append([]ui.Option{{Value: "", Label: "My device's"}, {Value: "UTC", Label: "UTC"}}, p.Choices.Zones...)
	return group(p, "/settings", "reading",
		ui.Choice(f, "theme", "Theme", "", ui.Themes),
		ui.Choice(f, "language", "Language", "", ui.Languages),
		ui.Choice(f, "density", "View of lists", "", ui.Densities),
		ui.Choice(f, "zone", "Time zone", "For times, and for scheduling posts.", zones),
		ui.Choice(f, "nsfw", "NSFW posts", "", []ui.Option{{Value: "", Label: "Show after a click"}, {Value: "hide", Label: "Hide in lists"},
			{Value: "show", Label: "Show"}}),
		ui.Choice(f, "seen", "Posts you have seen", "Posts you opened in the past 90 days.",
			[]ui.Option{{Value: "", Label: "Mark as seen"}, {Value: "hide", Label: "Hide in lists"}}),
		ui.Choice(f, "posts", "Order of posts", "For communities. “New” and “Active” also apply to your front page.", p.Choices.Posts),
		ui.Choice(f, "comments", "Order of comments", "", p.Choices.Comments),
		ui.Choice(f, "fold", "Fold comments at a score of", "A click shows them.", []ui.Option{{Value: "-1", Label: "−1 or less"},
			{Value: "", Label: "−5 or less"}, {Value: "-10", Label: "−10 or less"}, {Value: "-20", Label: "−20 or less"},
			{Value: "never", Label: "Never¦fold"}}),
	)
}

// ProfileSettings is the form of what others see of a member.
func ProfileSettings(p SettingsPage) g.Node {
	f := p.Form
	return group(p, "/settings/profile", "profile",
		ui.PictureInput(f, p.Picture, ui.Input{Name: "picture", Label: "Your picture", Hint: "Shown in place of the letter."}, "square"),
		ui.PictureScript(p.Picture),
		avatarField(p),
		ui.FormField(f, ui.Input{Name: "letter", Label: "Letter of your avatar", Hint: "One letter or digit. Empty: the first of your name.",
			Kind: "text", Attrs: g.Group{h.AutoComplete("off"), g.Attr("spellcheck", "false")}}),
		ui.FormField(f, ui.Input{Name: "bio", Label: "About you", Hint: "Markdown, at most 2,000 characters.", Kind: "textarea",
			Attrs: g.Group{h.Rows("5")}}),
		profileLinks(f),
	)
}

// group is the form of some settings, which are saved together.
func group(p SettingsPage, address, name string, fields ...g.Node) g.Node {
	return ui.SettingsPage(p.Frame, address,
		h.Form(h.Class("sheet form-rows"), ui.PostTo("/settings"), ui.TakesFiles(p.Picture), ui.FormError(p.Form), ui.Hidden("group", name),
			ui.Hidden("revision", p.Form.Values["revision"]), g.Group(fields), ui.Submit("Save")),
		g.If(name == "reading", offlineSection()))
}

// offlineSection is the switch for reading offline. web/offline.js works it. The choice belongs to the device, so nothing is sent.
func offlineSection() g.Node {
	return h.Section(h.Class("sheet"), h.ID("offline"),
		h.H2(ui.T("On this device")),
		h.Label(h.Class("check"), h.Input(h.Type("checkbox"), h.Disabled(), h.AutoComplete("off"), h.Aria("describedby", "offline-hint")),
			h.Span(ui.T("Keep pages for reading offline"))),
		h.P(h.Class("hint"), h.ID("offline-hint"), ui.T("The threads and editions that you open, up to 30 pages, stay on this device until you "+
			"log out. Until then, whoever uses the device can read them.")),
		h.P(h.A(h.Href("/offline"), ui.T("Kept pages"))),
		h.NoScript(h.P(h.Class("hint"), ui.T("This needs JavaScript: browsers keep pages only with it."))),
		h.Script(ui.Src(ui.OfflineJS), h.Defer()),
	)
}

// avatarField offers the colours of the palette, and the one that the name gives.
func avatarField(p SettingsPage) g.Node {
	name, letter := "", p.Form.Values["letter"]
	if p.Viewer != nil {
		name = p.Viewer.Name
	}
	list := append([]ui.Swatch{{Name: "By name"}}, p.Palette...)
	return ui.ColourField(p.Form, "Colour of your avatar", list,
		func(colour string) g.Node { return ui.AvatarImage(name, ui.Avatar{Colour: colour, Letter: letter}) })
}

func profileLinks(f ui.Form) g.Node {
	var rows g.Group
	for i := 1; i <= 5; i++ {
		n := strconv.Itoa(i)
		rows = append(rows, h.Li(
			ui.FormField(f, ui.Input{Name: ui.LinkField(i, "label"), Label: locale.With("Name of link {}", n), Kind: "text",
				Attrs: g.Group{h.AutoComplete("off")}}),
			ui.FormField(f, ui.Input{Name: ui.LinkField(i, "url"), Label: locale.With("Address of link {}", n), Kind: "url",
				Attrs: g.Group{h.AutoComplete("off")}}),
		))
	}
	return ui.Several("", "Links", "A link without a name shows its address.", []locale.Text{"Name", "Address"}, rows)
}
