package render

import g "maragu.dev/gomponents"

// Embed is a post as other sites show it.
type Embed struct {
	URL     string // absolute
	Title   string
	Author  string
	Place   string // such as c/gardens; "" for a profile
	Site    string // name of the site
	Excerpt string
}

// EmbedHTML is a quotation that looks like the page it stands on. It has no script and loads nothing.
func EmbedHTML(e Embed) g.Node {
	return component(func(m *markup) {
		m.lit(`<blockquote cite="`).text(e.URL).lit(`"><p><a href="`).text(e.URL).lit(`">`).text(named(e.Title)).lit(`</a></p>`)
		if e.Excerpt != "" {
			m.lit(`<p>`).text(e.Excerpt).lit(`</p>`)
		}
		m.lit(`<footer>`)
		if e.Author != "" {
			m.lit(`by `).text(e.Author).lit(` `)
		}
		if e.Place != "" {
			m.lit(`in `).text(e.Place).lit(` `)
		}
		m.lit(`on `).text(e.Site).lit(`</footer></blockquote>`)
	})
}
