package account

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// ExportPage is /settings/export, from which members take away what the site has about them.
type ExportPage struct {
	ui.Frame
	AccountURL string // of the file about the account itself; "" behind the first page
	Kinds      []ExportKind
}

// ExportKind is a kind of things that a member has.
type ExportKind struct {
	Name  string
	Label locale.Text
	Parts []ExportPart
	More  []ExportMore
}

// ExportPart is a file with some of them.
type ExportPart struct {
	URL   string
	Count int64
}

// ExportMore is a page with the parts that follow.
type ExportMore struct{ URL string }

// exportCounts say how much of a kind a file has.
var exportCounts = map[string]locale.Text{
	"posts": "{} post|{} posts", "drafts": "{} post|{} posts", "comments": "{} comment|{} comments",
	"removed-comments": "{} comment|{} comments", "votes": "{} vote|{} votes", "saved": "{} post or comment|{} posts and comments",
	"hidden": "{} post|{} posts", "visits": "{} thread|{} threads", "follows": "{} member|{} members",
	"subscriptions": "{} community|{} communities", "reports": "{} report|{} reports", "reported-members": "{} report|{} reports",
	"messages": "{} message|{} messages", "conversations": "{} conversation|{} conversations", "contact": "{} message|{} messages",
	"watches": "{} thread|{} threads",
}

// Export is the page of an ExportPage.
func Export(p ExportPage) g.Node {
	return ui.SettingsPage(p.Frame, "/settings/account",
		h.Div(h.Class("sheet settings"),
			h.H2(ui.T("Your data")),
			h.P(ui.T("Everything this site has about you, as JSON with one entry per line. Long lists are split into several files. The "+
				"files name members whom you follow or block and who replied to you, but contain nothing that they wrote.")),
			g.Iff(p.AccountURL != "", func() g.Node {
				return g.Group{h.H3(ui.T("Your account")),
					h.P(h.A(h.Href(p.AccountURL), ui.T("Profile, settings, ways to log in, blocks and inbox")))}
			}),
			g.Map(p.Kinds, func(k ExportKind) g.Node {
				return g.Group{
					h.H3(ui.T(k.Label)),
					h.Ul(g.Map(k.Parts, func(part ExportPart) g.Node {
						return h.Li(h.A(h.Href(part.URL), ui.T(exportCounts[k.Name], part.Count)))
					})),
					g.Map(k.More, func(more ExportMore) g.Node { return h.P(h.A(h.Href(more.URL), ui.T("More"))) }),
				}
			}),
		))
}
