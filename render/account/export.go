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
		h.Div(h.Class("sheet"),
			h.H2(ui.T("Your data")),
			h.P(ui.T("Everything this site has about you, as JSON with one entry per line. Long lists are split into several files. The "+
				"files name other members, such as those you follow or block. Of what others wrote they contain only what moderators wrote to you.")),
			h.Table(h.Class("evidence"), h.TBody(
				g.If(p.AccountURL != "", exportRow("Your account",
					h.A(h.Href(p.AccountURL), ui.T("Profile, settings, ways to log in, blocks and inbox")))),
				g.Map(p.Kinds, func(k ExportKind) g.Node {
					return exportRow(k.Label,
						g.Map(k.Parts, func(part ExportPart) g.Node { return h.A(h.Href(part.URL), ui.T("{} entry|{} entries", part.Count)) }),
						g.Map(k.More, func(more ExportMore) g.Node { return h.A(h.Href(more.URL), ui.T("More")) }))
				}))),
		))
}

func exportRow(label locale.Text, files ...g.Node) g.Node {
	return h.Tr(h.Th(h.Scope("row"), ui.T(label)), h.Td(files...))
}
