package render

import (
	"time"

	g "maragu.dev/gomponents"
)

// Location is an address for search engines.
type Location struct {
	URL string    // absolute
	At  time.Time // when it changed last; zero where that isn't known
}

// Sitemap is a list of pages, or of sitemaps, as of sitemaps.org.
type Sitemap struct {
	Index bool // it lists sitemaps
	List  []Location
}

// SitemapXML is the file of a Sitemap.
func SitemapXML(s Sitemap) g.Node {
	return component(func(m *markup) {
		list, entry := literal("urlset"), literal("url")
		if s.Index {
			list, entry = "sitemapindex", "sitemap"
		}
		m.lit(xmlDeclaration).lit(`<`).lit(list).lit(` xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
		for i := range s.List {
			m.lit(`<`).lit(entry).lit(`><loc>`).xml(s.List[i].URL).lit(`</loc>`)
			if at := s.List[i].At; !at.IsZero() {
				m.lit(`<lastmod>`).rfc3339(at).lit(`</lastmod>`)
			}
			m.lit(`</`).lit(entry).lit(">\n")
		}
		m.lit(`</`).lit(list).lit(">\n")
	})
}
