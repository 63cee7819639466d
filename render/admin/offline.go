package admin

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/ui"
)

// OfflinePage is /offline.
type OfflinePage struct{ ui.Frame }

// Offline lists the pages that a device has kept for reading offline. web/offline.js fills the list. public/offline.js puts the note of the
// template into all pages that it shows without the network, also into this one.
func Offline(p OfflinePage) g.Node {
	return ui.Page(p.Frame, "", nil,
		h.Div(h.Class("sheet"),
			h.H1(ui.T("Reading offline")),
			h.P(ui.T("The threads and editions that you open stay on this device, up to 30 pages, so that you can read them without a network."),
				g.If(p.Viewer != nil, g.Group{g.Text(" "), ui.T("It is off until you turn it on."), g.Text(" "),
					h.A(h.Href("/settings#offline"), ui.T("Settings"))})),
			h.Section(ui.Attr("aria-label", "Kept pages"), h.Ul(h.Class("rows"), h.ID("kept")),
				h.P(h.Class("hint"), h.ID("none"), ui.T("No pages are kept here."))),
			h.P(h.Class("row"),
				h.Button(h.Type("button"), h.Class("button quiet"), h.ID("again"), h.Hidden(""), ui.T("Try again")),
				h.Button(h.Type("button"), h.Class("button quiet"), h.ID("delete-kept"), h.Hidden(""), ui.T("Delete these pages"))),
		),
		h.Template(h.P(h.Class("notice"), h.Role("status"),
			h.Span(ui.T("You are offline. What you see was kept on this device.")), g.Text(" "),
			h.A(h.Href("/offline"), ui.T("Kept pages")))),
		h.Script(ui.Src(ui.OfflineJS), h.Defer()),
	)
}
