package feeds

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/listing"
	"plaza/render/markdown"
	"plaza/render/ui"
)

// AddEdition adds an edition as one entry: a list of links to its posts.
func (f *Feed) AddEdition(p *listing.EditionPage) error {
	content, err := ui.Bytes(locale.English, h.Ol(g.Map(p.Items, func(item ui.PostItem) g.Node {
		return h.Li(h.A(h.Href(f.SiteURL+item.URL), ui.DisplayName(item.Title)), g.Text(" · c/"+item.Community))
	})))
	if err != nil {
		return err
	}
	f.Entries = append(f.Entries, Entry{URL: p.Canonical, Title: p.Title.String(), Author: f.SiteName, AuthorURL: f.SiteURL + "/about",
		Published: p.PublishedAt, Content: markdown.HTML(content)})
	return nil
}
