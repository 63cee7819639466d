package account

import (
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/ui"
)

// SettingsPage is /settings. Fields: revision, colour, letter, bio, link-N-label and link-N-url for N from 1 to 5, density, theme, posts,
// comments, zone, nsfw, seen.
type SettingsPage struct {
	ui.Frame
	Palette []ui.Swatch
	Choices Choices
	Form    ui.Form
}

// Choices are what members can choose about how they read.
type Choices struct{ Posts, Comments, Zones []ui.Option }

// Settings is the form by which members change what others see of them.
func Settings(p SettingsPage) g.Node {
	f := p.Form
	return ui.SettingsPage(p.Frame, "/settings",
		h.Form(h.Class("sheet settings"), ui.PostTo("/settings"),
			ui.FormError(f),
			ui.Hidden("revision", f.Values["revision"]),
			avatarField(p),
			ui.FormField(f, ui.Input{Name: "letter", Label: "Letter of your avatar",
				Hint: "One letter or digit. If you leave it empty, it is the first of your name.", Kind: "text",
				Attrs: g.Group{h.AutoComplete("off"), g.Attr("spellcheck", "false")}}),
			ui.FormField(f, ui.Input{Name: "bio", Label: "About you", Hint: "Shown on your profile. Markdown, at most 2,000 characters.",
				Kind: "textarea", Attrs: g.Group{h.Rows("5")}}),
			profileLinks(f),
			h.H2(g.Text("How you read")),
			ui.Choice(f, "density", "Density of lists", "", ui.Densities),
			ui.Choice(f, "theme", "Theme", "", ui.Themes),
			ui.Choice(f, "posts", "Order of posts", "For communities, unless you pick another order there. Your front page is sorted by new if "+
				"you choose new here, otherwise by hot.", p.Choices.Posts),
			ui.Choice(f, "comments", "Order of comments", "For threads, unless you pick another order there.", p.Choices.Comments),
			ui.Choice(f, "zone", "Time zone", "For the times that you see, and for scheduling posts.", append([]ui.Option{{Value: "", Label: "My device's"}, {Value: "UTC", Label: "UTC"}},
				p.Choices.Zones...)),
			ui.Choice(f, "nsfw", "Posts that are not safe for work", "", []ui.Option{{Value: "", Label: "Show what is in them after a click"},
				{Value: "hide", Label: "Leave them out of listings"}, {Value: "show", Label: "Show them like all others"}}),
			ui.Choice(f, "seen", "Posts that you have seen", "Those whose page you have opened within 90 days.",
				[]ui.Option{{Value: "", Label: "Mark them"}, {Value: "hide", Label: "Leave them out of listings"}}),
			ui.Submit("Save the settings"),
		),
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
			ui.FormField(f, ui.Input{Name: ui.LinkField(i, "label"), Label: "Name of link " + n, Kind: "text",
				Attrs: g.Group{h.AutoComplete("off")}}),
			ui.FormField(f, ui.Input{Name: ui.LinkField(i, "url"), Label: "Address of link " + n, Kind: "url",
				Attrs: g.Group{h.AutoComplete("off")}}),
		))
	}
	return h.FieldSet(h.Class("field rows"),
		h.Legend(g.Text("Links")),
		h.P(h.Class("hint"), g.Text("Shown on your profile. A link without a name shows its address.")),
		h.Ol(rows),
	)
}
