package post

import (
	g "maragu.dev/gomponents"

	"plaza/render/ui"
)

// Embed is a post as other sites show it.
type Embed struct {
	URL     string // absolute
	Title   string
	Author  string
	Place   string // such as c/gardens; "" for a profile
	Site    string // name of the site
	Excerpt string
}

// EmbedHTML is a quotation that looks like the page it is on. It has no script and loads nothing.
func EmbedHTML(e Embed) g.Node {
	return ui.Component(func(m *ui.Markup) {
		m.Lit(`<blockquote cite="`).Text(e.URL).Lit(`"><p><a href="`).Text(e.URL).Lit(`">`).DisplayName(e.Title).Lit(`</a></p>`)
		if e.Excerpt != "" {
			m.Lit(`<p>`).Text(e.Excerpt).Lit(`</p>`)
		}
		m.Lit(`<footer>`)
		switch {
		case e.Author != "" && e.Place != "":
			m.Say("by {} in {} on {}", e.Author, e.Place, e.Site)
		case e.Author != "":
			m.Say("by {} on {}", e.Author, e.Site)
		case e.Place != "":
			m.Say("in {} on {}", e.Place, e.Site)
		default:
			m.Say("on {}", e.Site)
		}
		m.Lit(`</footer></blockquote>`)
	})
}
