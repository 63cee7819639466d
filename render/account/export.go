package account

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// ExportPage is /settings/export, from which members download what the site has about them.
type ExportPage struct {
	ui.Frame
	AccountURL string // of the file about the account itself; "" after page one
	Kinds      []ExportKind
}

// ExportKind is a kind of data, such as posts.
type ExportKind struct {
	Label locale.Text
	Parts []ExportPart
	More  []ExportMore
}

// ExportPart is a file with a part of a kind.
type ExportPart struct {
	URL   string
	Count int64
}

// ExportMore is a page with further parts.
type ExportMore struct{ URL string }

// Export is the page of an ExportPage.
func Export(p ExportPage) g.Node {
	return ui.SettingsPage(p.Frame, "/settings/account",
		h.Div(h.Class("sheet settings"),
			h.H2(ui.T("Your data")),
			h.P(ui.T("Everything this site has about you, as JSON with one entry per line. Long lists are split into several files. The "+
				"files name other members, such as those you follow or block. Of what others wrote they contain only what moderators wrote to you.")),
			g.Iff(p.AccountURL != "", func() g.Node {
				return g.Group{h.H3(ui.T("Your account")),
					h.P(h.A(h.Href(p.AccountURL), ui.T("Profile, settings, ways to log in, blocks and inbox")))}
			}),
			g.Map(p.Kinds, func(k ExportKind) g.Node {
				return g.Group{
					h.H3(ui.T(k.Label)),
					h.Ul(g.Map(k.Parts, func(part ExportPart) g.Node {
						return h.Li(h.A(h.Href(part.URL), ui.T("{} entry|{} entries", part.Count)))
					})),
					g.Map(k.More, func(more ExportMore) g.Node { return h.P(h.A(h.Href(more.URL), ui.T("More"))) }),
				}
			}),
		))
}
