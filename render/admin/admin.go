package admin

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// AdminPage is /admin.
type AdminPage struct {
	ui.Frame
	Rows []AdminRow
}

// AdminRow links to a page of administrators.
type AdminRow struct {
	URL   string // "" for a row that is only a number
	Label locale.Text
	Note  locale.Text // how many items wait there; "" for none
}

// Admin is the page of an AdminPage.
func Admin(p AdminPage) g.Node {
	return ui.Page(p.Frame, "", nil,
		h.H1(ui.T("Administration")),
		h.Ul(h.Class("clist"), g.Map(p.Rows, func(r AdminRow) g.Node {
			label := ui.T(r.Label)
			if r.URL != "" {
				label = h.A(h.Href(r.URL), label)
			}
			return h.Li(label, h.Span(h.Class("muted"), ui.T(r.Note)))
		})),
	)
}
