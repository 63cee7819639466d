package community

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// MemberFlairPage is the form with which a member chooses a flair in a community, or a moderator gives one. Fields: flair (an id, "own" for
// a text, or nothing), text, was (the text before); for moderators also user, colour and fixed.
type MemberFlairPage struct {
	ui.Frame
	Community ui.Community // name and colour
	Member    string       // name of the member, for a moderator; "" for the viewer's own
	User      string       // id of the member, for a moderator
	Action    string
	BackURL   string
	Flairs    []ui.Flair
	Words     bool // the flair can be a text of one's own
	Colours   []ui.Option
	Form      ui.Form
}

// MemberFlair is the page of a MemberFlairPage.
func MemberFlair(p MemberFlairPage) g.Node {
	f, problem := p.Form, p.Form.Errors["flair"]
	option := func(value string, label g.Node) g.Node {
		return h.Label(h.Input(h.Type("radio"), h.Name("flair"), h.Value(value), g.If(f.Values["flair"] == value, h.Checked())), label)
	}
	title, lead := locale.Text("Your flair"), locale.Text("It stands beside your name at all that you write in this community.")
	if p.Member != "" {
		title, lead = locale.With("Flair of {}", p.Member), "It stands beside the name at all that the member writes in this community. The log "+
			"says what you gave."
	}
	return ui.Page(p.Frame, "", nil, h.Form(h.Class("sheet form-rows"), ui.PostTo(p.Action),
		h.H1(ui.T(title)), h.P(h.Class("crumb"), ui.CommunityLink(p.Community)),
		h.P(h.Class("lead"), ui.T(lead)), ui.FormError(f), g.If(p.User != "", ui.Hidden("user", p.User)),
		h.FieldSet(h.Class("field marks"), g.If(problem != "", h.Aria("describedby", "flair-error")), h.Legend(ui.T("Flair")),
			g.If(problem != "", h.P(h.Class("wrong"), h.ID("flair-error"), ui.T(problem))),
			option("", ui.T("None¦flair")),
			g.Map(p.Flairs, func(f ui.Flair) g.Node { return option(f.ID, ui.FlairLabel(f)) }),
			g.If(p.Words, option("own", ui.T("Other words")))),
		g.If(p.Words, g.Group{ui.Hidden("was", f.Values["was"]), ui.FormField(f, ui.Input{Name: "text", Label: "Other words",
			Hint: "At most 32 characters.", Kind: "text", Attrs: g.Group{h.MaxLength("32"), h.AutoComplete("off"), h.Data("marks", "own")}})}),
		g.If(len(p.Colours) > 0, ui.Choice(f, "colour", "Colour of these words", "", p.Colours)),
		g.If(p.Member != "", h.Div(h.Class("marks"), ui.Checkbox(f, "fixed", "The member can't change it", ""))),
		h.Div(h.Class("row"), ui.Submit("Save flair"), ui.Cancel(p.BackURL)),
	))
}
