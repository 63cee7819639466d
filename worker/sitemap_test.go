package worker_test

import (
	"encoding/xml"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
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
func (s *site) sitemap(address string) (locations []string) {
	s.Helper()
	res := s.visitor().get(address)
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
	s := mustOpen(t)
	ann := s.member("ann")
	ann.mustPost("/communities", "name", "gophers")
	address := ann.mustPost("/submit", "community", "gophers", "title", "A post", "text", "text")
	removed := ann.mustPost("/submit", "community", "gophers", "title", "Removed", "text", "text")
	ann.mustPost("/c/gophers/mod/decide", "target", targets(ann.page(removed))[0], "decision", "remove", "rule", "Spam")
	deleted := ann.mustPost("/submit", "community", "gophers", "title", "Deleted", "text", "text")
	ann.mustPost("/delete", "target", targets(ann.page(deleted))[0])
	ann.mustPost("/submit", "community", "gophers", "title", "A draft", "status", "draft")

	today := s.now.Format("2006-01-02")
	require.Equal(t, []string{"https://plaza.example/sitemap/main", "https://plaza.example/sitemap/" + today}, s.sitemap("/sitemap.xml"))
	require.Equal(t, []string{"https://plaza.example" + address}, s.sitemap("/sitemap/"+today), "nothing that was removed, deleted or is a draft")
	require.Contains(t, s.sitemap("/sitemap/main"), "https://plaza.example/c/gophers")
	for _, page := range s.sitemap("/sitemap/main") {
		require.Equal(t, http.StatusOK, s.visitor().get(page[len("https://plaza.example"):]).Code, page)
	}
	for _, missing := range []string{"2020-01-01", "x", today + "-1-of-1", today + "-1-of-2"} {
		require.Equal(t, http.StatusNotFound, s.visitor().get("/sitemap/"+missing).Code, missing)
	}
	// A day of many posts has several parts. Of today, those that are still to come have none, and neither have hours in which all slept.
	s.exec(`INSERT INTO posts (id, community_id, community_name, author_name, slug, kind, title, status, hot, created_at)
WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 4000)
SELECT p.id + 4194304 * value, p.community_id, 'gophers', '', 's' || value, 'text', 't', 'published', 0, p.created_at - 60000 - 5000 * (value / 2000) * 1000 - value % 2000 * 100
FROM n CROSS JOIN posts p WHERE p.title = 'A post'`)
	listed := s.sitemap("/sitemap.xml")
	require.GreaterOrEqual(t, len(listed), 3)
	for _, part := range listed {
		s.sitemap(strings.TrimPrefix(part, "https://plaza.example"))
	}
	require.Contains(t, s.visitor().get("/robots.txt").Body.String(), "\nSitemap: https://plaza.example/sitemap.xml\n")
}
