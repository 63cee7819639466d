package moderation

import (
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/locale/kept"
	"plaza/render/ui"
)

// LegalNoticePage is the form with which anybody can report illegal content. Fields: url, kind, text, name, email, faith.
type LegalNoticePage struct {
	ui.Frame
	Mails bool // the site can send the mail that asks to confirm a notice
	Form  ui.Form
}

// legalNoticeKinds are the kinds of notices.
var legalNoticeKinds = []struct {
	value string
	label locale.Text
}{
	{"illegal", "It is illegal"}, {"rights", "It infringes my rights, such as copyright"}, {"personal", "It is about me: personal data"},
}

// LegalNotice is the page of a LegalNoticePage.
func LegalNotice(p LegalNoticePage) g.Node {
	problem := p.Form.Errors["kind"]
	return ui.Page(p.Frame, "", nil, h.Form(h.Class("sheet"), ui.PostTo("/notice"),
		h.H1(ui.T("Report illegal content")),
		h.P(h.Class("lead"), ui.T("Anybody can send this form, with or without an account. It is about one post, comment or profile. "+
			"Moderators decide. You get the decision by mail, and how to object.")),
		g.If(!p.Mails, h.P(h.Class("notice"), ui.T("This site sends no mails. Please {}.", h.A(h.Href("/contact"), ui.T("write to the "+
			"administrators"))))),
		ui.FormError(p.Form),
		ui.FormField(p.Form, ui.Input{Name: "url", Label: "Address of the post, comment or profile", Kind: "text",
			Attrs: g.Group{h.Required(), h.AutoComplete("off"), g.Attr("autocapitalize", "none")}}),
		h.FieldSet(h.Class("marks"), h.Legend(ui.T("What is wrong?")),
			g.If(problem != "", h.P(h.Class("wrong"), h.ID("kind-error"), ui.T(problem))),
			g.Map(legalNoticeKinds, func(k struct {
				value string
				label locale.Text
			}) g.Node {
				return h.Label(h.Input(h.Type("radio"), h.Name("kind"), h.Value(k.value), h.Required(),
					g.If(p.Form.Values["kind"] == k.value, h.Checked()), g.If(problem != "", h.Aria("describedby", "kind-error"))), ui.T(k.label))
			})),
		ui.FormField(p.Form, ui.Input{Name: "text", Label: "Why", Hint: "Which law or right, and where exactly. Moderators read it. At " +
			"most 2,000 " +
			"characters.", Kind: "textarea", Attrs: g.Group{h.Required(), h.Rows("6"), h.MaxLength("2000")}}),
		ui.FormField(p.Form, ui.Input{Name: "name", Label: "Your name", Kind: "text", Attrs: g.Group{h.Required(), h.AutoComplete("name")}}),
		ui.FormField(p.Form, ui.Input{Name: "email", Label: "Email", Hint: "You get two mails: one to confirm the notice, one with the " +
			"decision. Nobody sees your address.",
			Kind: "email", Attrs: g.Group{h.Required(), h.AutoComplete("email")}}),
		h.Div(h.Class("marks"), g.If(p.Form.Errors["faith"] != "", h.P(h.Class("wrong"), h.ID("faith-error"), ui.T(p.Form.Errors["faith"]))),
			h.Label(h.Input(h.Type("checkbox"), h.Name("faith"), h.Value("1"), h.Required(), g.If(p.Form.Values["faith"] != "", h.Checked()),
				g.If(p.Form.Errors["faith"] != "", h.Aria("describedby", "faith-error"))),
				ui.T("I believe in good faith that what I write here is true and complete."))),
		ui.Submit("Send")))
}

// LegalNoticeStatusPage shows the sender of a notice its status. Field: text, to object.
type LegalNoticeStatusPage struct {
	ui.Frame
	Kind      string // the reason of the report
	Said      string
	At        time.Time
	Status    string // unconfirmed, open, decided, objected or closed
	Decision  string // as in the queue
	Stays     bool   // what it is about stays on the site
	DecidedAt time.Time
	FormURL   string
	Form      ui.Form
	Others    []OtherLegalNotice // unconfirmed ones with the same mailbox
}

// OtherLegalNotice is an unconfirmed notice, on the page of another.
type OtherLegalNotice struct {
	URL  string
	Said string
	At   time.Time
}

// legalNoticeStates are the texts for undecided notices.
var legalNoticeStates = map[string]locale.Text{
	"unconfirmed": "Nobody looks at it before you have confirmed it.",
	"open":        "It waits for the moderators. You will get a mail with their decision.",
	"objected":    "You have objected. It waits for the moderators once more.",
}

// LegalNoticeDecision says what was decided about a notice. Moderators may have chosen to ignore reports about something before the notice
// came.
func LegalNoticeDecision(decision string) locale.Text {
	switch decision {
	case "approve":
		return "The content stays: the moderators found that it breaks neither the law nor a rule."
	case "ignore":
		return "The content stays: the moderators take no reports about it. They may have decided so before your notice came."
	case "deleted":
		return "The content is gone: it was deleted."
	}
	return "The content was removed."
}

// LegalNoticeStatus is the page of a LegalNoticeStatusPage.
func LegalNoticeStatus(p LegalNoticeStatusPage) g.Node {
	decided := p.Status == "decided" || p.Status == "closed"
	says := legalNoticeStates[p.Status]
	if decided {
		says = LegalNoticeDecision(p.Decision)
	}
	return ui.Page(p.Frame, "", nil, h.Div(h.Class("sheet"), h.H1(ui.T("Your notice")),
		h.P(h.Class("muted"), ui.T(kept.Text(p.Kind)), ui.Dot, ui.Ago(p.At, p.Now)),
		g.If(p.Said != "", h.BlockQuote(h.Class("quote-box"), h.P(h.Class("quoted"), g.Text(p.Said)))),
		h.P(h.Role("status"), ui.T(says), g.If(!p.DecidedAt.IsZero(), g.Group{g.Text(" "), ui.Ago(p.DecidedAt, p.Now)})),
		ui.FormError(p.Form),
		g.If(p.Status == "unconfirmed", h.Form(ui.PostTo(p.FormURL), ui.Hidden("do", "confirm"), ui.Submit("Confirm the notice"))),
		g.If(len(p.Others) > 0, g.Group{h.H2(ui.T("Other notices with your address")),
			h.P(ui.T("They are not confirmed yet, either. You may have got no mail about some of them, because a mailbox gets only a few of " +
				"these mails a day. Confirm only what you have sent yourself.")),
			h.Ul(g.Map(p.Others, func(o OtherLegalNotice) g.Node {
				return h.Li(h.A(h.Href(o.URL), g.Text(o.Said)), ui.Dot, ui.Ago(o.At, p.Now))
			}))}),
		g.If(decided, h.P(ui.T("If you don't agree, you can also go to court or, in the European Union, to a certified out-of-court "+
			"dispute settlement body (Article 21 of the Digital Services Act)."))),
		g.If(p.Status == "decided" && p.Stays, h.Form(h.Class("sheet"), ui.PostTo(p.FormURL), h.H2(ui.T("Object")), ui.Hidden("do", "object"),
			ui.FormField(p.Form, ui.Input{Name: "text", Label: "Why the decision was wrong", Hint: "You can object once. At most 2,000 characters.",
				Kind: "textarea", Attrs: g.Group{h.Required(), h.Rows("5"), h.MaxLength("2000")}}),
			ui.Submit("Object")))))
}
