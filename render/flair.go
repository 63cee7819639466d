package render

import (
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// Flair is a flair of a community. The zero value is none.
type Flair struct {
	ID     string
	Text   string
	Colour string // name of a rule in the style sheet; "plain" has none
	URL    string // of the community's posts with it
}

// FlairChoice is what the form of a post can choose from. The form has no field where there is nothing.
type FlairChoice struct {
	Flairs   []Flair
	Required bool
}

// FlairsPage is the form by which moderators define the flairs of a community. Fields: revision, required, and for N from 1 to Rows flair-N-id,
// flair-N-text, flair-N-colour, flair-N-place and flair-N-only.
type FlairsPage struct {
	Frame
	Community Community
	Colours   []Option
	Rows      int
	Form      Form
}

// GiveFlairPage is the form by which moderators give a post a flair. Fields: target, flair.
type GiveFlairPage struct {
	Frame
	Community Community // name and colour
	Title     string    // of the post
	URL       string    // of the post
	Target    string
	Flairs    []Flair
	Form      Form
}

// flair writes the label of a flair, which leads to the posts that have it.
func (m *markup) flair(f *Flair) *markup {
	if f.URL == "" {
		return m
	}
	return m.lit(`<a class="mark" href="`).text(f.URL).lit(`"`).flairColour(f.Colour).lit(`>`).text(f.Text).lit(`</a>`)
}

// flairColour writes the colour of a flair, for the style sheet.
func (m *markup) flairColour(colour string) *markup {
	if colour == "plain" {
		return m
	}
	return m.lit(` data-accent="`).text(colour).lit(`"`)
}

// flairLabel is the label of a flair that leads nowhere.
func flairLabel(f Flair) g.Node {
	return component(func(m *markup) {
		m.lit(`<span class="mark"`).flairColour(f.Colour).lit(`>`).text(f.Text).lit(`</span>`)
	})
}

// flairField is the field of a post's flair.
func flairField(f Form, c FlairChoice) g.Node {
	if len(c.Flairs) == 0 {
		return nil
	}
	options, hint := []Option{{Label: "None"}}, ""
	if c.Required {
		options[0].Label, hint = "Please choose", "Posts in this community need one."
	}
	for _, flair := range c.Flairs {
		options = append(options, Option{flair.ID, flair.Text})
	}
	return choice(f, "flair", "Flair", hint, options)
}

// flairFilter says that a listing has the posts of one flair alone.
func flairFilter(f Flair, all string) g.Node {
	if f.URL == "" {
		return nil
	}
	return h.P(h.Class("notice"), g.Text("Posts with the flair "), flairLabel(f), g.Text(" · "), h.A(h.Href(all), g.Text("All posts")))
}

// Flairs is the page of a FlairsPage.
func Flairs(p FlairsPage) g.Node {
	f := p.Form
	rows := make(g.Group, p.Rows)
	for i := range rows {
		rows[i] = flairRow(f, i+1, p.Colours)
	}
	return page(p.Frame, "", nil,
		h.Form(h.Class("sheet submit"), sentTo(communityURL(p.Community.Name)+"/mod/flair"),
			ruledPlace(&p.Community),
			h.H1(g.Text("Flair")),
			h.P(h.Class("lead"), g.Text("Labels that posts can have. Everybody can list the posts of one flair.")),
			formError(f), hidden("revision", f.Values["revision"]),
			h.FieldSet(h.Class("field rows"),
				h.Legend(g.Text("Flairs")),
				h.P(h.Class("hint"), g.Text("At most 30. Posts of a flair whose text is taken away show none; saving brings new empty rows.")),
				h.Ol(rows)),
			h.FieldSet(h.Class("field marks"), h.Legend(g.Text("Posts")),
				g.If(f.Errors["required"] != "", h.P(h.Class("wrong"), g.Text(f.Errors["required"]))),
				checkbox(f, "required", "Posts need a flair", "authors choose one before they publish")),
			submit("Save the flairs"),
		),
	)
}

func flairRow(f Form, i int, colours []Option) g.Node {
	name, n := func(part string) string { return "flair-" + strconv.Itoa(i) + "-" + part }, strconv.Itoa(i)
	return h.Li(
		h.Input(h.Type("hidden"), h.Name(name("id")), h.Value(f.Values[name("id")])),
		field(f, input{name: name("text"), label: "Text of flair " + n, kind: "text", attrs: g.Group{h.MaxLength("30"), h.AutoComplete("off")}}),
		choice(f, name("colour"), "Colour of flair "+n, "", colours),
		field(f, input{name: name("place"), label: "Place of flair " + n, kind: "text", attrs: g.Group{g.Attr("inputmode", "numeric"), h.AutoComplete("off")}}),
		h.Div(h.Class("marks"), checkbox(f, name("only"), "Only moderators give it", "")),
	)
}

// GiveFlair is the page of a GiveFlairPage.
func GiveFlair(p GiveFlairPage) g.Node {
	problem := p.Form.Errors["flair"]
	option := func(value string, label g.Node) g.Node {
		return h.Label(h.Input(h.Type("radio"), h.Name("flair"), h.Value(value), g.If(p.Form.Values["flair"] == value, h.Checked())), label)
	}
	return page(p.Frame, "", nil, h.Form(h.Class("sheet"), sentTo(communityURL(p.Community.Name)+"/mod/give-flair"),
		h.H1(g.Text("Flair of this post")), placeOf(p.Community, p.URL, p.Title),
		formError(p.Form), hidden("target", p.Target),
		h.FieldSet(h.Class("marks"), g.If(problem != "", h.Aria("describedby", "flair-error")), h.Legend(g.Text("Flair")),
			g.If(problem != "", h.P(h.Class("wrong"), h.ID("flair-error"), g.Text(problem))),
			option("", g.Text("None")),
			g.Map(p.Flairs, func(f Flair) g.Node { return option(f.ID, flairLabel(f)) })),
		h.Div(h.Class("row"), submit("Give the flair"), cancel(p.URL)),
	))
}
