package admin

import (
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/ui"
)

// WaitingPage is /admin/waiting: newcomers who wait for approval. Fields: newcomer (those selected), decision.
type WaitingPage struct {
	ui.Frame
	Question  string // that they have answered; "" for none
	Newcomers []Newcomer
	FirstURL  string // "" on page one
	NextURL   string
}

// Newcomer is a member who waits for approval.
type Newcomer struct {
	ID, Name, Answer string
	At               time.Time
}

// Waiting is the page of a WaitingPage.
func Waiting(p WaitingPage) g.Node {
	return ui.AdminPage(p.Frame, "/admin/waiting",
		h.H1(ui.T("Waiting for approval")),
		h.P(h.Class("lead"), ui.T("They can read, but not write, until you approve them. If you refuse them, they can't log in any more.")),
		g.If(p.Question != "", h.P(h.Class("muted"), ui.T("Your question: {}", h.A(h.Href("/admin/settings#question"), g.Text(p.Question))))),
		g.If(len(p.Newcomers) == 0, ui.EmptyState(ui.Nothing("Nobody is waiting.", "Members", "/admin/users"))),
		g.Iff(len(p.Newcomers) > 0, func() g.Node {
			return h.Form(ui.PostTo("/admin/waiting"),
				h.FieldSet(h.Legend(h.Class("vh"), ui.T("Members to approve or refuse")),
					ui.Rows(p.Newcomers, func(n Newcomer) g.Node {
						return ui.Row(h.Label(h.Class("check"), h.Input(h.Type("checkbox"), h.Name("newcomer"), h.Value(n.ID)), g.Text(n.Name)),
							g.Group{ui.Ago(n.At, p.Now), g.If(n.Answer != "", g.Group{ui.Dot, ui.T("“{}”", n.Answer)})}, nil)
					})),
				h.Div(h.Class("row"),
					h.Button(h.Class("button"), h.Name("decision"), h.Value("approve"), ui.T("Approve selected")),
					h.Button(h.Class("button danger"), h.Name("decision"), h.Value("refuse"), ui.T("Refuse selected"))))
		}),
		ui.Pager(p.FirstURL, p.NextURL),
	)
}
