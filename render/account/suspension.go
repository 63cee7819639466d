package account

import (
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/locale/kept"
	"plaza/render/ui"
)

// SuspensionPage shows members why they can't log in. A refused login shows it with a link; at that link, they can appeal without a
// session. Field: text.
type SuspensionPage struct {
	ui.Frame
	Name      string    // of the account
	Status    string    // suspended or banned; active when they can log in again
	Refused   bool      // the account was refused when it signed up
	Until     time.Time // when it ends; zero for never
	Rule      string    // "" for none
	Note      string    // of the administrators to the member
	AppealURL string    // where they appeal; "" on that page itself, and if they can't appeal
	FormURL   string    // of the form that appeals, or adds to the appeal; "" if there is none
	Messages  []ui.ConversationMessage
	Verdict   string // of the appeal: upheld or overturned; "" before the decision
	Form      ui.Form
	Reasons   ui.Statement
	Broken    locale.Text // why the link does not work, without other fields; "" if it works
}

// Heading is the heading and the title of the page.
func (p SuspensionPage) Heading() locale.Text {
	switch {
	case p.Broken != "":
		return "This link does not work"
	case p.Refused:
		return "Your sign-up was refused"
	case p.Status == "active":
		return "This decision no longer applies"
	case p.Status == "banned":
		return "Your account is banned"
	}
	return "Your account is suspended"
}

// Suspension is the page of a SuspensionPage.
func Suspension(p SuspensionPage) g.Node {
	heading, label, hint := locale.Text("Appeal¦noun"), locale.Text("Why it is wrong"),
		locale.Text("If there is another administrator than the one who decided, they look at it first. You can appeal once.")
	if len(p.Messages) > 0 {
		heading, label, hint = "Your appeal", "Add to it", "Nobody has decided yet. Log in again at any time to read here what the "+
			"administrators answer."
	}
	return ui.Page(p.Frame, "", nil, h.Div(h.Class("sheet"), h.H1(ui.T(p.Heading())),
		g.If(p.Broken == "", h.P(h.Class("muted"), ui.DisplayName(p.Name),
			g.If(!p.Until.IsZero(), g.Group{ui.Dot, until(p.Until.UTC())}))),
		g.If(p.Broken != "", g.Group{h.P(ui.T(p.Broken)), h.P(h.A(h.Class("button"), h.Href("/login"), ui.T("Log in")))}),
		g.If(p.Status == "active", g.Group{h.P(ui.T("It was taken back, has ended, or was replaced by another one. Please log in: if there " +
			"is another one, you are told there.")),
			h.P(h.A(h.Class("button"), h.Href("/login"), ui.T("Log in")))}),
		g.If(p.Rule != "", h.P(ui.T("Rule: {}", kept.Text(p.Rule)))),
		g.If(p.Note != "", h.P(h.Class("note"), ui.T("The administrators wrote: {}", p.Note))),
		p.Reasons.Node(),
		g.If(p.Status != "active" && p.Broken == "" && p.AppealURL == "" && p.FormURL == "" && p.Verdict == "",
			h.P(ui.T("If you think that this is wrong, {}.", h.A(h.Href("/contact"), ui.T("write to the administrators"))))),
		g.If(p.AppealURL != "", g.Group{
			h.P(ui.T("You are not logged in. If you think that this is wrong, you can appeal, and read there what the administrators answer. " +
				"The link works for half an hour; log in again to get another one.")),
			h.P(h.A(h.Class("button"), h.Href(p.AppealURL), ui.T("Appeal¦verb")))}),
		g.If(p.FormURL != "" || len(p.Messages) > 0, h.H2(ui.T(heading))),
		ui.FormError(p.Form),
		g.If(p.Verdict != "", h.P(h.Role("status"), ui.T(ui.Verdicts[p.Verdict]))),
		g.If(len(p.Messages) > 0, h.Div(h.Class("cases"),
			g.Map(p.Messages, func(m ui.ConversationMessage) g.Node { return ui.MessageRow(m, "", p.Now) }))),
		g.Iff(p.FormURL != "", func() g.Node {
			return h.Form(h.Class("sheet form-rows"), ui.PostTo(p.FormURL), h.P(h.Class("hint"), ui.T(hint)),
				ui.FormField(p.Form, ui.Input{Name: "text", Label: label, Hint: "Markdown, at most 2,000 characters. It can't be edited later.",
					Kind: "textarea", Attrs: g.Group{h.Required(), h.Rows("5"), h.MaxLength("2000")}}),
				h.Div(h.Class("row"), ui.Submit("Send")))
		}),
	))
}

// until says when a decision ends.
func until(t time.Time) g.Node { return ui.T("until {}, {} UTC", locale.Day(t), t.Format("15:04")) }
