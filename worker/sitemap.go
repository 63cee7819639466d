package worker

import (
	"net/http"

	"plaza/data"
	"plaza/data/sitemaps"
	"plaza/render"
)

const (
	xmlType = "application/xml; charset=utf-8"
	// sitemapMax is how many addresses a sitemap has at most, as sitemaps.org says.
	sitemapMax = 50_000
	// sitemapCommunities is how many communities are in sitemaps, those with the most members.
	sitemapCommunities = 1000
	// mainPart is the sitemap of pages that are not posts.
	mainPart = "main"
)

var errNoSitemap = &data.Error{Code: data.NotFound, Message: "There is no such sitemap."}

// showSitemaps lists all sitemaps: that of the site's pages, and those of posts by their days.
func (a *App) showSitemaps(c *call) error {
	r := c.read()
	days := a.sitemaps.FindDays(r)
	if err := c.run(r); err != nil {
		return err
	}
	var parts []sitemaps.Part
	for _, day := range days() {
		parts = append(parts, day.Parts()...)
	}
	parts = parts[max(0, len(parts)-sitemapMax+1):] // without the oldest
	r = c.read()
	filled := a.sitemaps.FindFilled(r, parts)
	if err := c.run(r); err != nil {
		return err
	}
	begin := a.SiteURL + "/sitemap/"
	list := []render.Location{{URL: begin + mainPart}}
	for _, part := range filled() {
		at := render.Location{URL: begin + part.String()}
		if _, end := part.Span(); end.Before(c.at) {
			at.At = end // nothing is added later
		}
		list = append(list, at)
	}
	return c.sendXML(render.Sitemap{Index: true, List: list})
}

// showSitemap is one sitemap.
func (a *App) showSitemap(c *call) error {
	name := c.r.PathValue("part")
	if name == mainPart {
		return a.showMainPart(c)
	}
	part, ok := sitemaps.ParsePart(name)
	if !ok {
		return errNoSitemap
	}
	r := c.read()
	from, to := part.Span()
	posts := a.sitemaps.FindPosts(r, from, to)
	if err := c.run(r); err != nil {
		return err
	}
	if len(*posts) == 0 {
		return errNoSitemap
	}
	list := make([]render.Location, 0, len(*posts))
	for _, p := range (*posts)[:min(len(*posts), sitemapMax)] {
		list = append(list, render.Location{URL: a.SiteURL + "/c/" + p.Community + "/p/" + p.Slug, At: p.At})
	}
	return c.sendXML(render.Sitemap{List: list})
}

// mainPages are the site's own pages that search engines may find.
var mainPages = []string{"/", "/new", "/top", "/communities", "/about", "/rules", "/privacy", "/terms"}

func (a *App) showMainPart(c *call) error {
	r := c.read()
	communities := a.communities.FindLargest(r, 0, sitemapCommunities)
	if err := c.run(r); err != nil {
		return err
	}
	var list []render.Location
	for _, page := range mainPages {
		list = append(list, render.Location{URL: a.SiteURL + page})
	}
	for _, community := range *communities {
		list = append(list, render.Location{URL: a.SiteURL + "/c/" + community.Name})
	}
	return c.sendXML(render.Sitemap{List: list})
}

func (c *call) sendXML(s render.Sitemap) error {
	b, err := render.Bytes(render.SitemapXML(s))
	if err != nil {
		return err
	}
	return c.send(http.StatusOK, xmlType, b)
}
