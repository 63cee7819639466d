package moderation

import (
	"cmp"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/locale/kept"
	"plaza/render/ui"
)

// DecisionPage is a decision about the viewer, or a post or comment of theirs. Field of the form that appeals: text.
type DecisionPage struct {
	ui.Frame
	Heading   locale.Text
	Community ui.Community // name and colour; zero for a decision about the site
	Title     string       // of the post
	URL       string       // of the post or comment; "" for a decision about the member
	Rule      string       // "" for none
	Note      string       // of the moderators to the viewer
	Until     time.Time    // when it ends; zero for never
	At        time.Time
	By        locale.Text // for moderators: who has decided; "" for the member concerned
	ListURL   string      // of all decisions about the viewer; for moderators, of the log
	Undone    bool
	WriteURL  string // of the form that writes to the moderators about it; "" for a moderator, and where one can appeal
	FormURL   string // of the form that appeals; "" if no appeal is possible
	AppealURL string // of the viewer's appeal; "" for none
	Verdict   string // of the appeal: upheld or overturned; "" before the decision
	Form      ui.Form
	Reasons   ui.Statement
}

// Decision is the page of a DecisionPage.
func Decision(p DecisionPage) g.Node {
	list := locale.Text("All decisions")
	if p.By != "" {
		list = "Moderation log"
	}
	return ui.Page(p.Frame, "", nil, h.Div(h.Class("sheet"), h.H1(ui.T(p.Heading)),
		g.If(p.URL != "", ui.TargetLink(p.Community, p.URL, p.Title)),
		h.P(h.Class("muted"), ui.Ago(p.At, p.Now), g.If(p.By != "", g.Group{ui.Dot, ui.T("by {}", p.By)}),
			g.If(!p.Until.IsZero(), g.Group{ui.Dot, ui.T("until {}", day(p.Until))})),
		g.If(p.Undone, h.P(h.Role("status"), ui.T("This was undone later."))),
		g.If(p.Rule != "", h.P(ui.T("Rule: {}", kept.Text(p.Rule)))),
		g.If(p.Note != "", h.P(h.Class("note"), ui.T("{} wrote: {}", ui.ModeratorsOf(p.Community.Name), p.Note))),
		p.Reasons.Node(),
		g.If(p.WriteURL != "" && !p.Undone, h.P(h.A(h.Href(p.WriteURL),
			ui.T(writeAbout(p.Community.Name))))),
		g.If(p.FormURL == "", g.Group{ui.FormError(p.Form),
			g.If(p.Form.Values["text"] != "", h.P(h.Class("quoted"), g.Text(p.Form.Values["text"])))}),
		g.If(p.AppealURL != "", h.P(h.Role("status"), ui.T(cmp.Or(ui.Verdicts[p.Verdict], "You have appealed this. Nobody has decided yet.")),
			g.Text(" "), h.A(h.Href(p.AppealURL), ui.T("Your appeal")))),
		g.Iff(p.FormURL != "", func() g.Node {
			return h.Form(h.Class("sheet form-rows"), ui.PostTo(p.FormURL), h.H2(ui.T("Appeal¦noun")), ui.FormError(p.Form),
				h.P(h.Class("hint"), ui.T("If there is another moderator than the one who decided, they look at it first. You can appeal once.")),
				ui.FormField(p.Form, ui.Input{Name: "text", Label: "Why the decision was wrong",
					Hint: "Markdown, at most 2,000 characters. It can't be edited later.", Kind: "textarea", Attrs: g.Group{h.Required(), h.Rows("5"),
						h.MaxLength("2000")}}),
				h.Div(h.Class("row"), ui.Submit("Appeal¦verb")))
		}),
		h.P(h.A(h.Class("button quiet"), h.Href(p.ListURL), ui.T(list))),
	))
}

// writeAbout is the label of the link to a message about a decision.
func writeAbout(community string) locale.Text {
	if community == "" {
		return "Write to the administrators about it"
	}
	return locale.With("Write to the moderators of c/{} about it", community)
}

// day is a day as a node.
func day(t time.Time) g.Node { return ui.Component(func(m *ui.Markup) { m.Date(t) }) }
