package post

import (
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/ui"
)

// ReportPage is the form by which a post, comment or member is reported, or says that it was. Fields: target or user, reason, text.
type ReportPage struct {
	ui.Frame
	Community ui.Community // name and colour; of a member's report none
	Title     string       // of the post
	URL       string       // of what is reported
	Author    string       // of it, or the member; "" when the account is gone
	IsComment bool
	Target    string // "" for a member
	Said      string // the beginning of a comment
	Rules     []string
	Reasons   []string // of the site
	Reported  bool     // by the viewer
	Decision  string   // what became of it: remove, approve, ignore, or deleted by its author; "" while it waits
	Form      ui.Form
}

func (p *ReportPage) what() string {
	switch {
	case p.Target == "":
		return ui.DisplayName(p.Author)
	case p.IsComment:
		return "this comment"
	}
	return "this post"
}

// Report is the page of a ReportPage.
func Report(p ReportPage) g.Node {
	heading := "Report " + p.what() + "?"
	if p.Reported {
		heading = "You have reported " + p.what()
	}
	return ui.Page(p.Frame, "", nil, h.Div(h.Class("sheet"), h.H1(g.Text(heading)), ui.PlaceOf(p.Community, p.URL, p.Title),
		g.If(p.Said != "", h.BlockQuote(h.Class("answered"), h.P(h.Class("quoted"), g.Text(p.Said)))),
		g.Iff(p.Reported, func() g.Node {
			return g.Group{
				h.P(h.Role("status"), g.Text(p.outcome())),
				h.P(h.A(h.Class("button quiet"), h.Href(p.URL), g.Text("Go back"))),
			}
		}),
		g.Iff(!p.Reported, func() g.Node { return reportForm(p) }),
	))
}

// outcome says what became of the report.
func (p *ReportPage) outcome() string {
	switch p.Decision {
	case "":
		return "Thank you. " + p.reader() + " will look at it. No need to report it again."
	case "remove":
		return "It was removed. Thank you for reporting it."
	case "deleted":
		return "Its author has deleted it."
	}
	return "Thank you. " + p.reader() + " has looked at it and decided that it may stay."
}

// reader says who reads the report.
func (p *ReportPage) reader() string {
	if p.Target == "" || ui.IsProfile(p.Community.Name) {
		return "An administrator of this site"
	}
	return "A moderator of c/" + p.Community.Name
}

func reportForm(p ReportPage) g.Node {
	f, n := p.Form, 0
	choices := func(legend string, reasons []string) g.Node {
		if len(reasons) == 0 {
			return nil
		}
		return g.Group{g.If(legend != "", h.P(h.Class("hint"), g.Text(legend))), g.Map(reasons, func(reason string) g.Node {
			n++
			id := "reason-" + strconv.Itoa(n)
			return h.Div(h.Class("choice"),
				h.Input(h.Type("radio"), h.ID(id), h.Name("reason"), h.Value(reason), h.Required(), g.If(reason == f.Values["reason"], h.Checked())),
				h.Label(h.For(id), g.Text(reason)))
		})}
	}
	about := ui.Hidden("target", p.Target)
	if p.Target == "" {
		about = ui.Hidden("user", p.Author)
	}
	ofSite := ""
	if len(p.Rules) > 0 {
		ofSite = "Or a rule of the whole site"
	}
	return h.Form(h.Class("sheet"), ui.PostTo("/report"),
		ui.FormError(f),
		h.P(h.Class("hint"), g.Text(p.reader()+" reads your report. The author is not told who reported it.")),
		about,
		h.FieldSet(h.Class("field"), h.Legend(g.Text("What is wrong with it?")),
			g.If(f.Errors["reason"] != "", h.P(h.Class("wrong"), h.ID("reason-error"), g.Text(f.Errors["reason"]))),
			choices("It breaks a rule of c/"+p.Community.Name, p.Rules),
			choices(ofSite, p.Reasons)),
		ui.FormField(f, ui.Input{Name: "text", Label: "Details", Hint: "At most 500 characters. Optional, except for “Something else”.",
			Kind: "textarea", Attrs: g.Group{h.Rows("3"), h.MaxLength("500")}}),
		h.Div(h.Class("row"), ui.Submit("Report"), ui.Cancel(p.URL)),
	)
}
