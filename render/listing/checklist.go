package listing

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// Step is one of the steps by which the administrator of a new site begins.
type Step struct {
	Label, Hint locale.Text
	URL         string
	Done        bool
}

// checklist lists the steps, with a button that hides them for good.
func checklist(steps []Step) g.Node {
	done := 0
	for _, s := range steps {
		if s.Done {
			done++
		}
	}
	return h.Section(h.Class("card begin"), h.Aria("labelledby", "begin"),
		h.H2(h.ID("begin"), ui.T("Set up your site")),
		h.P(h.Class("muted"), ui.T("{} of {} done. Only administrators see this.", done, len(steps))),
		h.Ol(g.Map(steps, func(s Step) g.Node {
			return h.Li(g.If(s.Done, h.Class("done")),
				h.A(h.Href(s.URL), ui.T(s.Label)), g.If(s.Done, h.Span(h.Class("vh"), g.Text(" "), ui.T("(done)"))),
				g.If(!s.Done, h.P(h.Class("muted"), ui.T(s.Hint))))
		})),
		h.Form(ui.PostTo("/admin/settings"),
			h.Button(h.Class("button quiet"), h.Name("checklist"), h.Value("dismissed"), ui.T("Don't show this again"))),
	)
}
