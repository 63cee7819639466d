package render

import (
	"slices"
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// settingsTabs are the pages of a member's settings in the order of their tabs: each has its address here. A community's settings are
// another page, CommunitySettings.
var settingsTabs = []Tab{
	{Label: "Profile", URL: "/settings"},
	{Label: "Account", URL: "/settings/account"},
	{Label: "Security", URL: "/settings/security"},
	{Label: "Notifications", URL: "/settings/notifications"},
	{Label: "Blocked", URL: "/settings/blocked"},
	{Label: "Tokens", URL: "/settings/tokens"},
}

// settingsPage is the shell around the pages of a member's settings. address is the page's own in settingsTabs.
func settingsPage(f Frame, address string, main ...g.Node) g.Node {
	list := slices.Clone(settingsTabs)
	if f.Inviting || address == invitesURL {
		list = append(list, Tab{Label: "Invitations", URL: invitesURL})
	}
	for i := range list {
		list[i].Active = list[i].URL == address
	}
	return page(f, "", nil, append([]g.Node{h.H1(g.Text("Settings")), tabs("Settings", list)}, main...)...)
}

// choice is a field with a list of values to choose from.
func choice(f Form, name, label, hint string, options []Option) g.Node {
	return control(f, input{name: name, label: label, hint: hint}, func(attrs g.Group) g.Node {
		return h.Select(attrs, g.Map(options, func(o Option) g.Node {
			return h.Option(h.Value(o.Value), g.If(o.Value == f.Values[name], h.Selected()), g.Text(o.Label))
		}))
	})
}

// SettingsPage is /settings. Fields: revision, colour, letter, bio, link-N-label and link-N-url for N from 1 to 5, theme, posts,
// comments, zone, nsfw, seen.
type SettingsPage struct {
	Frame
	Palette []Swatch
	Choices Choices
	Form    Form
}

// Option is one of the values of a field to choose from.
type Option struct{ Value, Label string }

// Choices are what members can choose about how they read.
type Choices struct{ Posts, Comments, Zones []Option }

// Settings is the form by which members change what others see of them.
func Settings(p SettingsPage) g.Node {
	f := p.Form
	return settingsPage(p.Frame, "/settings",
		h.Form(h.Class("sheet settings"), sentTo("/settings"),
			formError(f),
			hidden("revision", f.Values["revision"]),
			avatarField(p),
			field(f, input{name: "letter", label: "Letter of your avatar", hint: "One letter or digit. If you leave it empty, it is the first of your name.", kind: "text",
				attrs: g.Group{h.AutoComplete("off"), g.Attr("spellcheck", "false")}}),
			field(f, input{name: "bio", label: "About you", hint: "Shown on your profile. Markdown, at most 2,000 characters.", kind: "textarea", attrs: g.Group{h.Rows("5")}}),
			profileLinks(f),
			h.H2(g.Text("How you read")),
			choice(f, "theme", "Theme", "", []Option{{"", "Same as your device"}, {"light", "Light"}, {"dark", "Dark"}}),
			choice(f, "posts", "Order of posts", "For communities, unless you pick another order there. Your front page is sorted by new if you choose new here, otherwise by hot.", p.Choices.Posts),
			choice(f, "comments", "Order of comments", "For threads, unless you pick another order there.", p.Choices.Comments),
			choice(f, "zone", "Time zone", "For the times that you see, and for scheduling posts.", append([]Option{{"", "UTC"}}, p.Choices.Zones...)),
			choice(f, "nsfw", "Posts that are not safe for work", "", []Option{{"", "Show what is in them after a click"}, {"hide", "Leave them out of listings"}, {"show", "Show them like all others"}}),
			choice(f, "seen", "Posts that you have seen", "Those whose page you have opened within 90 days.", []Option{{"", "Mark them"}, {"hide", "Leave them out of listings"}}),
			submit("Save the settings"),
		),
	)
}

// avatarField offers the colours of the palette, and the one that the name gives.
func avatarField(p SettingsPage) g.Node {
	name, letter := "", p.Form.Values["letter"]
	if p.Viewer != nil {
		name = p.Viewer.Name
	}
	list := append([]Swatch{{Name: "By name"}}, p.Palette...)
	return colourField(p.Form, "Colour of your avatar", list, func(colour string) g.Node { return avatar(name, Avatar{colour, letter}) })
}

// linkField is the name of the field for the label or url of the n-th link, from 1.
func linkField(n int, part string) string { return "link-" + strconv.Itoa(n) + "-" + part }

// linkFields are the names of the fields of all links that a profile can have.
func linkFields() (names []string) {
	for n := 1; n <= 5; n++ {
		names = append(names, linkField(n, "label"), linkField(n, "url"))
	}
	return names
}

func profileLinks(f Form) g.Node {
	var rows g.Group
	for i := 1; i <= 5; i++ {
		n := strconv.Itoa(i)
		rows = append(rows, h.Li(
			field(f, input{name: linkField(i, "label"), label: "Name of link " + n, kind: "text", attrs: g.Group{h.AutoComplete("off")}}),
			field(f, input{name: linkField(i, "url"), label: "Address of link " + n, kind: "url", attrs: g.Group{h.AutoComplete("off")}}),
		))
	}
	return h.FieldSet(h.Class("field rows"),
		h.Legend(g.Text("Links")),
		h.P(h.Class("hint"), g.Text("Shown on your profile. A link without a name shows its address.")),
		h.Ol(rows),
	)
}
