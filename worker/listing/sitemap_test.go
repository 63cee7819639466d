package listing_test

import (
	"encoding/xml"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

// sitemapFile has what the schemas of sitemaps.org (sitemap.xsd and siteindex.xsd, 0.9) know of urlset and sitemapindex.
type sitemapFile struct {
	XMLName xml.Name
	Other   []xml.Attr     `xml:",any,attr"`
	URLs    []sitemapEntry `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 url"`
	Maps    []sitemapEntry `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 sitemap"`
	Unknown []xml.Name     `xml:",any"`
}

type sitemapEntry struct {
	Loc     []string   `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 loc"`
	Lastmod []string   `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 lastmod"`
	Unknown []xml.Name `xml:",any"`
}

// sitemap reads a sitemap as strictly as the schemas: elements, their number, lengths and types.
func sitemap(s *workertest.Site, address string) (locations []string) {
	s.Helper()
	res := s.Visitor().Get(address)
	require.Equal(s, http.StatusOK, res.Code, address)
	require.Equal(s, "application/xml; charset=utf-8", res.Header().Get("Content-Type"))
	var file sitemapFile
	require.NoError(s, xml.Unmarshal(res.Body.Bytes(), &file))
	require.Equal(s, "http://www.sitemaps.org/schemas/sitemap/0.9", file.XMLName.Space)
	list := file.URLs
	if address == "/sitemap.xml" {
		require.Equal(s, "sitemapindex", file.XMLName.Local)
		require.Empty(s, file.URLs)
		list = file.Maps
	} else {
		require.Equal(s, "urlset", file.XMLName.Local)
		require.Empty(s, file.Maps)
	}
	require.NotEmpty(s, list)
	require.LessOrEqual(s, len(list), 50_000)
	require.LessOrEqual(s, res.Body.Len(), 50<<20)
	require.Empty(s, file.Unknown)
	require.Len(s, file.Other, 1, "the namespace")
	for _, entry := range list {
		require.Empty(s, entry.Unknown)
		require.Len(s, entry.Loc, 1)
		require.Regexp(s, `^https://plaza\.example/\S*$`, entry.Loc[0])
		require.Less(s, len(entry.Loc[0]), 2048)
		require.LessOrEqual(s, len(entry.Lastmod), 1)
		for _, at := range entry.Lastmod {
			_, err := time.Parse(time.RFC3339, at)
			require.NoError(s, err)
		}
		locations = append(locations, entry.Loc[0])
	}
	return locations
}

func TestSitemap(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	address := ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text")
	removed := ann.MustPost("/submit", "community", "gophers", "title", "Removed", "text", "text")
	ann.MustPost("/c/gophers/mod/decide", "target", workertest.Targets(ann.Page(removed))[0], "decision", "remove", "rule", "Spam")
	deleted := ann.MustPost("/submit", "community", "gophers", "title", "Deleted", "text", "text")
	ann.MustPost("/delete", "target", workertest.Targets(ann.Page(deleted))[0])
	ann.MustPost("/submit", "community", "gophers", "title", "A draft", "status", "draft")

	today := s.Now.Format("2006-01-02")
	require.Equal(t, []string{"https://plaza.example/sitemap/main", "https://plaza.example/sitemap/" + today}, sitemap(s, "/sitemap.xml"))
	require.Equal(t, []string{"https://plaza.example" + address}, sitemap(s, "/sitemap/"+today),
		"nothing that was removed, deleted or is a draft")
	require.Contains(t, sitemap(s, "/sitemap/main"), "https://plaza.example/c/gophers")
	for _, page := range sitemap(s, "/sitemap/main") {
		require.Equal(t, http.StatusOK, s.Visitor().Get(page[len("https://plaza.example"):]).Code, page)
	}
	for _, missing := range []string{"2020-01-01", "x", today + "-1-of-1", today + "-1-of-2"} {
		require.Equal(t, http.StatusNotFound, s.Visitor().Get("/sitemap/"+missing).Code, missing)
	}
	// A day of many posts has several parts. Of today, those that are still to come have none, and neither have hours in which all slept.
	s.Exec(`INSERT INTO posts (id, community_id, community_name, author_name, slug, kind, title, status, hot, created_at)
WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 4000)
SELECT p.id + 4194304 * value, p.community_id, 'gophers', '', 's' || value, 'text', 't', 'published', 0, p.created_at - 60000 - 5000 *
  (value / 2000) * 1000 - value % 2000 * 100
FROM n CROSS JOIN posts p WHERE p.title = 'A post'`)
	listed := sitemap(s, "/sitemap.xml")
	require.GreaterOrEqual(t, len(listed), 3)
	for _, part := range listed {
		sitemap(s, strings.TrimPrefix(part, "https://plaza.example"))
	}
	require.Contains(t, s.Visitor().Get("/robots.txt").Body.String(), "\nSitemap: https://plaza.example/sitemap.xml\n")
}
