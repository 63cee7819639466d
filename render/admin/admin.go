package admin

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// AdminPage is /admin: a card for each page of administrators.
type AdminPage struct {
	ui.Frame
	Counts []AdminCount
}

// AdminCount is how much waits on a page of administrators, or is new there.
type AdminCount struct {
	URL  string // of the page
	Says locale.Text
	None bool // it is 0
}

// Admin is the page of an AdminPage.
func Admin(p AdminPage) g.Node {
	return ui.AdminPage(p.Frame, "/admin", sheet(), h.H1(ui.T("Administration")), g.Map(ui.AdminGroups, func(group ui.AdminGroup) g.Node {
		return g.Group{h.H2(ui.T(group.Label)), h.Ul(h.Class("areas"), g.Map(group.Pages, func(t ui.Tab) g.Node {
			return h.Li(h.A(h.Href(t.URL), ui.T(t.Label)), p.count(t.URL))
		}))}
	}))
}

func (p *AdminPage) count(address string) g.Node {
	for _, n := range p.Counts {
		switch {
		case n.URL == address && n.None:
			return h.Span(h.Class("muted"), ui.T(n.Says))
		case n.URL == address:
			return h.Strong(ui.T(n.Says))
		}
	}
	return nil
}

// sheet is the style sheet of some pages of administrators.
func sheet() g.Node { return h.Link(h.Rel("stylesheet"), h.Href(ui.AdminCSS)) }

// memberSearch is the form that shows the members, or what belongs to a member, of a name.
func memberSearch(address, name string) g.Node {
	return h.Form(h.Class("find"), h.Action(address), h.Role("search"),
		h.Label(h.For("find"), ui.T("Member")),
		h.Input(h.ID("find"), h.Name("user"), h.Value(name), h.AutoComplete("off"), g.Attr("autocapitalize", "none"),
			g.Attr("spellcheck", "false")),
		h.Button(h.Class("button quiet"), ui.T("Find")))
}
