package feeds

import (
	"time"

	g "maragu.dev/gomponents"

	"plaza/render/ui"
)

// Location is an address for search engines.
type Location struct {
	URL string    // absolute
	At  time.Time // when it changed last; zero where that isn't known
}

// Sitemap is a list of pages, or of sitemaps, of sitemaps.org.
type Sitemap struct {
	Index bool // it lists sitemaps
	List  []Location
}

// SitemapXML is the file of a Sitemap.
func SitemapXML(s Sitemap) g.Node {
	return ui.Component(func(m *ui.Markup) {
		list, entry := ui.Literal("urlset"), ui.Literal("url")
		if s.Index {
			list, entry = "sitemapindex", "sitemap"
		}
		m.Lit(ui.XmlDeclaration).Lit(`<`).Lit(list).Lit(` xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
		for i := range s.List {
			m.Lit(`<`).Lit(entry).Lit(`><loc>`).XML(s.List[i].URL).Lit(`</loc>`)
			if at := s.List[i].At; !at.IsZero() {
				m.Lit(`<lastmod>`).RFC3339(at).Lit(`</lastmod>`)
			}
			m.Lit(`</`).Lit(entry).Lit(">\n")
		}
		m.Lit(`</`).Lit(list).Lit(">\n")
	})
}
