package ui

import (
	"strconv"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
)

// ErrorPage is the page of a failed request that has no form to show again.
type ErrorPage struct {
	Frame
	Status    int
	Heading   locale.Text
	Message   locale.Text
	See       string  // address of a page that explains the failure, such as a decision; "" for none
	RequestID string  // shown with a 500 so that a member can report it
	Again     string  // address of the button Try again; "" for none
	Sent      []Field // fields of the form that Try again sends
	Send      bool    // Try again sends a form; otherwise it is a link
}

// Error is the page of an ErrorPage.
func Error(p ErrorPage) g.Node {
	return Page(p.Frame, "", nil,
		h.Div(h.Class("empty failed"),
			Logo(),
			h.P(h.Class("code"), g.Text(strconv.Itoa(p.Status))),
			h.H1(T(p.Heading)),
			h.P(T(p.Message)),
			g.If(p.RequestID != "", h.P(h.Class("muted"), T("If you report this, please include the request: {}", h.Code(g.Text(p.RequestID))))),
			p.again(),
			h.P(h.Class("next"), g.If(p.See != "", h.A(h.Class("button"), h.Href(p.See), T(seeLabel(p.See)))),
				h.A(h.Class(map[bool]string{true: "button", false: "button quiet"}[p.See+p.Again == ""]), h.Href("/"), T("Front page"))),
		),
	)
}

// again is the button or link Try again.
func (p *ErrorPage) again() g.Node {
	switch {
	case p.Again == "":
		return nil
	case p.Send:
		return h.Form(h.Class("next"), PostTo(p.Again), g.Map(p.Sent, func(f Field) g.Node {
			return h.Input(h.Type("hidden"), h.Name(f.Name), h.Value(f.Value))
		}), Submit("Try again"))
	}
	return h.P(h.Class("next"), h.A(h.Class("button"), h.Href(p.Again), T("Try again")))
}

// seeLabel labels the link to a page that says more about a refusal.
func seeLabel(address string) locale.Text {
	switch path, _, _ := strings.Cut(address, "?"); path {
	case "/agree":
		return "See what is needed"
	case "/login":
		return "Log in"
	}
	return "See the decision or appeal"
}
