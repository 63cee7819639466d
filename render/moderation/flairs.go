package moderation

import (
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// FlairsPage is the form with which moderators define the flairs of posts or members. Fields: of, revision, required or choose,
// and for N from 1 to Rows flair-N-id, flair-N-text, flair-N-colour, flair-N-place and flair-N-only.
type FlairsPage struct {
	ui.Frame
	Nav       ui.ModNav
	Community ui.Community
	OfMembers bool
	Kinds     []ui.Tab    // of posts and of members
	Choices   []ui.Option // what members can choose
	Colours   []ui.Option
	Rows      int
	Form      ui.Form
}

// GiveFlairPage is the form with which moderators give a post a flair. Fields: target, flair.
type GiveFlairPage struct {
	ui.Frame
	Community ui.Community // name and colour
	Title     string       // of the post
	URL       string       // of the post
	Target    string
	Flairs    []ui.Flair
	Form      ui.Form
}

// Flairs is the page of a FlairsPage.
func Flairs(p FlairsPage) g.Node {
	f, lead := p.Form, locale.Text("Labels for posts. A flair leads to the list of its posts.")
	if p.OfMembers {
		lead = "Labels that stand beside the names of members in this community. You give them on a member's card."
	}
	rows := make(g.Group, p.Rows)
	for i := range rows {
		rows[i] = flairRow(f, i+1, p.Colours)
	}
	return ui.ModPage(p.Frame, p.Nav,
		h.Form(h.Class("sheet"), ui.PostTo(ui.CommunityURL(p.Community.Name)+"/mod/flair"),
			h.H1(ui.T("Flair")),
			ui.Tabs("Flairs", p.Kinds),
			h.P(h.Class("lead"), ui.T(lead)),
			ui.FormError(f), ui.Hidden("revision", f.Values["revision"]), g.If(p.OfMembers, ui.Hidden("of", "members")),
			ui.Several("flairs", "Flairs", "At most 30. Clear a text to delete its flair. Save to get more rows.",
				[]locale.Text{"Text", "Colour", "Place"}, rows),
			h.Div(h.Class("form-rows"),
				g.If(p.OfMembers, ui.Choice(f, "choose", "What members can choose", "", p.Choices)),
				g.If(!p.OfMembers, h.FieldSet(h.Class("field marks"), h.Legend(ui.T("Posts")),
					g.If(f.Errors["required"] != "", h.P(h.Class("wrong"), ui.T(f.Errors["required"]))),
					ui.Checkbox(f, "required", "Posts need a flair", "authors choose one before they post")))),
			ui.Submit("Save the flairs"),
		),
	)
}

func flairRow(f ui.Form, i int, colours []ui.Option) g.Node {
	name, n := func(part string) string { return "flair-" + strconv.Itoa(i) + "-" + part }, strconv.Itoa(i)
	return h.Li(
		h.Input(h.Type("hidden"), h.Name(name("id")), h.Value(f.Values[name("id")])),
		ui.FormField(f, ui.Input{Name: name("text"), Label: locale.With("Text of flair {}", n), Kind: "text",
			Attrs: g.Group{h.MaxLength("30"), h.AutoComplete("off")}}),
		ui.Choice(f, name("colour"), locale.With("Colour of flair {}", n), "", colours),
		ui.FormField(f, ui.Input{Name: name("place"), Label: locale.With("Place of flair {}", n), Kind: "text",
			Attrs: g.Group{g.Attr("inputmode", "numeric"), h.AutoComplete("off")}}),
		h.Div(h.Class("marks"), ui.Checkbox(f, name("only"), "Moderators only", "")),
	)
}

// GiveFlair is the page of a GiveFlairPage.
func GiveFlair(p GiveFlairPage) g.Node {
	problem := p.Form.Errors["flair"]
	option := func(value string, label g.Node) g.Node {
		return h.Label(h.Input(h.Type("radio"), h.Name("flair"), h.Value(value), g.If(p.Form.Values["flair"] == value, h.Checked())), label)
	}
	return ui.Page(p.Frame, "", nil, h.Form(h.Class("sheet form-rows"), ui.PostTo(ui.CommunityURL(p.Community.Name)+"/mod/give-flair"),
		h.H1(ui.T("Flair of this post")), ui.TargetLink(p.Community, p.URL, p.Title),
		ui.FormError(p.Form), ui.Hidden("target", p.Target),
		h.FieldSet(h.Class("field marks"), g.If(problem != "", h.Aria("describedby", "flair-error")), h.Legend(ui.T("Flair")),
			g.If(problem != "", h.P(h.Class("wrong"), h.ID("flair-error"), ui.T(problem))),
			option("", ui.T("None¦flair")),
			g.Map(p.Flairs, func(f ui.Flair) g.Node { return option(f.ID, ui.FlairLabel(f)) })),
		h.Div(h.Class("row"), ui.Submit("Save flair"), ui.Cancel(p.URL)),
	))
}
