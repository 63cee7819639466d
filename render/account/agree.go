package account

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// agreeFields ask for the year of birth and for the terms, if the site does.
func agreeFields(f ui.Form, age, terms bool) g.Node {
	return g.Group{
		g.Iff(age, func() g.Node {
			return ui.FormField(f, ui.Input{Name: "born", Label: "Year of birth", Hint: "Kept as a year, and shown to nobody.", Kind: "text",
				Attrs: g.Group{h.Required(), g.Attr("inputmode", "numeric"), h.Pattern("[0-9]{4}"), h.MaxLength("4"), h.AutoComplete("bday-year")}})
		}),
		g.Iff(terms, func() g.Node {
			problem := f.Errors["terms"]
			return h.Div(h.Class("marks"), g.If(problem != "", h.P(h.Class("wrong"), h.ID("terms-error"), ui.T(problem))),
				h.Label(h.Input(h.Type("checkbox"), h.Name("terms"), h.Value("1"), h.Required(), g.If(f.Values["terms"] != "", h.Checked()),
					g.If(problem != "", h.Aria("describedby", "terms-error"))),
					h.Span(ui.T("I have read the {} and accept them.", h.A(h.Href("/terms"), h.Target("_blank"), ui.T("terms"))))))
		}),
	}
}

// tooYoung is the page that replaces the sign-up form for those who are too young.
func tooYoung(f ui.Frame, says locale.Text) g.Node {
	return ui.Page(f, "", nil, h.Div(h.Class("sheet"), h.H1(ui.T("Sign up to {}", f.SiteName)), h.P(h.Role("alert"), ui.T(says)),
		h.P(h.A(h.Class("button"), h.Href("/"), ui.T("Front page")))))
}

// AgreePage is /agree: what a member has to agree to before they write. Fields: born, terms, next.
type AgreePage struct {
	ui.Frame
	Age, Terms bool // what is asked for
	Again      bool // the member has accepted earlier terms
	Changed    string
	Young      bool // they are too young, so the page asks for nothing
	MinAge     int
	BackURL    string // address of the page before
	Version    string // of the terms that are shown
	Form       ui.Form
}

// Agree is the page of an AgreePage.
func Agree(p AgreePage) g.Node {
	if p.Young {
		return ui.Page(p.Frame, "", nil, h.Div(h.Class("sheet"), h.H1(ui.T("You can read, but not write")),
			h.P(ui.T("Members of this site are at least {} years old, and by the year that you have given you are not.", p.MinAge)),
			h.P(ui.T("If you have mistyped the year, {}.", h.A(h.Href("/contact"), ui.T("write to the administrators")))),
			h.P(ui.T("You can {} and {}.", h.A(h.Href("/settings/export"), ui.T("download everything that is kept about you")),
				h.A(h.Href("/settings/account/delete"), ui.T("delete your account"))))))
	}
	terms := locale.Text("The site has terms. They say what you may expect here, and what is expected of you.")
	if p.Again {
		terms = "The terms have changed since you accepted them."
	}
	return ui.Page(p.Frame, "", nil, h.Form(h.Class("sheet"), ui.PostTo("/agree"), h.H1(ui.T("Before you write")), ui.FormError(p.Form),
		g.If(p.Terms, h.P(ui.T(terms))),
		g.If(p.Terms && p.Changed != "", h.Div(h.H2(ui.T("What has changed")), h.P(h.Class("quoted"), g.Text(p.Changed)))),
		g.If(p.Age, h.P(ui.T("Members of this site are at least {} years old. You are asked once.", p.MinAge))),
		agreeFields(p.Form, p.Age, p.Terms),
		ui.NextField(p.Form), g.If(p.Terms, ui.Hidden("version", p.Version)),
		h.Div(h.Class("row"), ui.Submit("Go on"), ui.Cancel(p.BackURL)),
		h.P(h.Class("hint"), ui.T("Without this you can go on reading, and you can {} and {}.",
			h.A(h.Href("/settings/export"), ui.T("download everything that is kept about you")),
			h.A(h.Href("/settings/account/delete"), ui.T("delete your account"))))))
}
