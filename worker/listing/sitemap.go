package listing

import (
	"net/http"

	"plaza/data"
	"plaza/data/lists/sitemaps"
	"plaza/locale"
	"plaza/render/feeds"
	"plaza/render/ui"
	"plaza/worker/request"
)

const (
	xmlType = "application/xml; charset=utf-8"
	// sitemapMax is how many addresses a sitemap has at most, as sitemaps.org says.
	sitemapMax = 50_000
	// sitemapCommunities is how many communities are in sitemaps, with their pages: those with the most members.
	sitemapCommunities = 1000
	// mainPart is the sitemap of pages that are not posts.
	mainPart = "main"
)

var errNoSitemap = &data.Error{Code: data.NotFound, Message: "There is no such sitemap."}

// ShowSitemaps lists all sitemaps: one of the site's pages, and one or more for each day of posts.
func (h *Handlers) ShowSitemaps(c *request.Call) error {
	r := c.Read()
	days := h.Sitemaps.FindDays(r)
	if err := c.Run(r); err != nil {
		return err
	}
	var parts []sitemaps.Part
	for _, day := range days() {
		parts = append(parts, day.Parts()...)
	}
	parts = parts[max(0, len(parts)-sitemapMax+1):] // without the oldest
	r = c.Read()
	filled := h.Sitemaps.FindFilled(r, parts)
	if err := c.Run(r); err != nil {
		return err
	}
	begin := h.SiteURL + "/sitemap/"
	list := []feeds.Location{{URL: begin + mainPart}}
	for _, part := range filled() {
		at := feeds.Location{URL: begin + part.String()}
		if _, end := part.Span(); end.Before(c.At) {
			at.At = end // nothing is added later
		}
		list = append(list, at)
	}
	return sendXML(c, feeds.Sitemap{Index: true, List: list})
}

// ShowSitemap is one sitemap.
func (h *Handlers) ShowSitemap(c *request.Call) error {
	name := c.R.PathValue("part")
	if name == mainPart {
		return h.showMainPart(c)
	}
	part, ok := sitemaps.ParsePart(name)
	if !ok {
		return errNoSitemap
	}
	r := c.Read()
	from, to := part.Span()
	posts := h.Sitemaps.FindPosts(r, from, to)
	if err := c.Run(r); err != nil {
		return err
	}
	if len(*posts) == 0 {
		return errNoSitemap
	}
	list := make([]feeds.Location, 0, len(*posts))
	for _, p := range (*posts)[:min(len(*posts), sitemapMax)] {
		list = append(list, feeds.Location{URL: h.SiteURL + "/c/" + p.Community + "/p/" + p.Slug, At: p.At})
	}
	return sendXML(c, feeds.Sitemap{List: list})
}

// mainPages are the site's own pages that search engines may find.
var mainPages = []string{"/", "/new", "/top", "/communities", "/about", "/rules", "/privacy", "/terms"}

func (h *Handlers) showMainPart(c *request.Call) error {
	r := c.Read()
	communities, pages := h.Communities.FindLargest(r, 0, sitemapCommunities), h.Wiki.FindAddresses(r, sitemapCommunities)
	if err := c.Run(r); err != nil {
		return err
	}
	var list []feeds.Location
	for _, page := range mainPages {
		list = append(list, feeds.Location{URL: h.SiteURL + page})
	}
	for _, community := range *communities {
		list = append(list, feeds.Location{URL: h.SiteURL + "/c/" + community.Name})
	}
	for _, page := range *pages {
		list = append(list, feeds.Location{URL: h.SiteURL + request.WikiPageURL(page.Community, page.Slug), At: page.EditedAt})
	}
	return sendXML(c, feeds.Sitemap{List: list})
}

func sendXML(c *request.Call, s feeds.Sitemap) error {
	b, err := ui.Bytes(locale.English, feeds.SitemapXML(s))
	if err != nil {
		return err
	}
	return c.Send(http.StatusOK, xmlType, b)
}
