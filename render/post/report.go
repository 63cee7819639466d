package post

import (
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/locale/kept"
	"plaza/render/ui"
)

// ReportPage is the form to report a post, comment or member, or says that the viewer has done so. Fields: target or user, reason, text.
type ReportPage struct {
	ui.Frame
	Community ui.Community // name and colour; zero for a report of a member
	Title     string       // of the post
	URL       string       // of what is reported
	Author    string       // of it, or the member; "" when the account is gone
	IsComment bool
	Target    string // "" for a member
	Said      string // the beginning of a comment
	Rules     []string
	Reasons   []string // of the site
	Reported  bool     // by the viewer
	Decision  string   // the decision: remove, approve, ignore, or deleted by its author; "" while it waits
	Form      ui.Form
}

// heading asks whether to report something, or says that the viewer has.
func (p *ReportPage) heading() g.Node {
	switch {
	case p.Target == "" && p.Reported:
		return ui.T("You have reported {}", ui.DisplayName(p.Author))
	case p.Target == "":
		return ui.T("Report {}?", ui.DisplayName(p.Author))
	case p.IsComment && p.Reported:
		return ui.T("You have reported this comment")
	case p.IsComment:
		return ui.T("Report this comment?")
	case p.Reported:
		return ui.T("You have reported this post")
	}
	return ui.T("Report this post?")
}

// Report is the page of a ReportPage.
func Report(p ReportPage) g.Node {
	return ui.Page(p.Frame, "", nil, h.Div(h.Class("sheet"), h.H1(p.heading()), ui.TargetLink(p.Community, p.URL, p.Title),
		g.If(p.Said != "", h.BlockQuote(h.Class("quote-box"), h.P(h.Class("quoted"), g.Text(p.Said)))),
		g.Iff(p.Reported, func() g.Node {
			return g.Group{
				h.P(h.Role("status"), ui.T(p.outcome())),
				h.P(h.A(h.Class("button quiet"), h.Href(p.URL), ui.T("Go back"))),
			}
		}),
		g.Iff(!p.Reported, func() g.Node { return reportForm(p) }),
	))
}

// outcome says what was decided about the report.
func (p *ReportPage) outcome() locale.Text {
	switch p.Decision {
	case "":
		return locale.With("Thank you. {} will look at it. No need to report it again.", p.reader())
	case "remove":
		return "It was removed. Thank you for reporting it."
	case "deleted":
		return "Its author has deleted it."
	}
	return locale.With("Thank you. {} has looked at it and decided that it may stay.", p.reader())
}

// reader says who reads the report.
func (p *ReportPage) reader() locale.Text {
	if p.Target == "" || ui.IsProfile(p.Community.Name) {
		return "An administrator of this site"
	}
	return locale.With("A moderator of c/{}", p.Community.Name)
}

func reportForm(p ReportPage) g.Node {
	f, n := p.Form, 0
	choices := func(legend locale.Text, reasons []string) g.Node {
		if len(reasons) == 0 {
			return nil
		}
		return g.Group{g.If(legend != "", h.P(h.Class("hint"), ui.T(legend))), g.Map(reasons, func(reason string) g.Node {
			n++
			id := "reason-" + strconv.Itoa(n)
			return h.Div(h.Class("choice"),
				h.Input(h.Type("radio"), h.ID(id), h.Name("reason"), h.Value(reason), h.Required(), g.If(reason == f.Values["reason"], h.Checked())),
				h.Label(h.For(id), ui.T(kept.Text(reason))))
		})}
	}
	about := ui.Hidden("target", p.Target)
	if p.Target == "" {
		about = ui.Hidden("user", p.Author)
	}
	ofSite := locale.Text("")
	if len(p.Rules) > 0 {
		ofSite = "Or a rule of the whole site"
	}
	return h.Form(h.Class("sheet"), ui.PostTo("/report"),
		ui.FormError(f),
		h.P(h.Class("hint"), ui.T("{} reads your report. The author is not told who reported it.", p.reader())),
		about,
		h.FieldSet(h.Class("field"), h.Legend(ui.T("What is wrong with it?")),
			g.If(f.Errors["reason"] != "", h.P(h.Class("wrong"), h.ID("reason-error"), ui.T(f.Errors["reason"]))),
			choices(locale.With("It breaks a rule of c/{}", p.Community.Name), p.Rules),
			choices(ofSite, p.Reasons)),
		ui.FormField(f, ui.Input{Name: "text", Label: "Details", Hint: "At most 500 characters. Optional, except for “Something else”.",
			Kind: "textarea", Attrs: g.Group{h.Rows("3"), h.MaxLength("500")}}),
		h.Div(h.Class("row"), ui.Submit("Report¦verb"), ui.Cancel(p.URL)),
	)
}
