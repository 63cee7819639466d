package ui

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
)

// Original is the post that a crosspost shows again.
type Original struct {
	URL       string `json:"permalink"` // Address of the post with its thread.
	Community string `json:"community"` // Name of its community.
	Title     string `json:"title"`     // Title.
	Author    string `json:"author"`    // Username of its author; empty when deleted or nobody's.
	Domain    string `json:"domain"`    // Host of what it links to.
	Removed   bool   `json:"removed"`   // Whether it was removed.
}

// crosspostMark marks a crosspost beside its title, in listings and on its own page.
const crosspostMark locale.Text = "crosspost"

// OriginalCard links to the post that a crosspost shows again.
func OriginalCard(o *Original) g.Node {
	if o == nil {
		return nil
	}
	from := locale.With("Crosspost from c/{}", o.Community)
	if o.Author != "" {
		from = locale.With("Crosspost from c/{}, by {}", o.Community, o.Author)
	}
	return h.A(h.Class("linkcard again"), h.Href(o.URL),
		h.Span(h.Class("ex"), T(from)),
		g.If(o.Removed, h.Span(h.Class("gone"), T("[removed by a moderator]"))),
		g.If(!o.Removed, h.Strong(DisplayName(o.Title))),
		g.If(o.Domain != "", h.Span(h.Class("dom"), g.Text(o.Domain))),
	)
}
