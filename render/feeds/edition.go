package feeds

import (
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/markdown"
	"plaza/render/ui"
)

// AddEdition adds an edition as one entry: a list of links to its posts.
func (f *Feed) AddEdition(address, title string, at time.Time, posts []ui.PostItem) error {
	content, err := ui.Bytes(locale.English, h.Ol(g.Map(posts, func(p ui.PostItem) g.Node {
		return h.Li(h.A(h.Href(f.SiteURL+p.URL), ui.DisplayName(p.Title)), g.Text(" · c/"+p.Community))
	})))
	if err != nil {
		return err
	}
	f.Entries = append(f.Entries, Entry{URL: address, Title: title, Author: f.SiteName, AuthorURL: f.SiteURL + "/about", Published: at,
		Content: markdown.HTML(content)})
	return nil
}
