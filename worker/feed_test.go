package worker_test

import (
	"bytes"
	"encoding/xml"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"plaza/test/workertest"
	"plaza/worker"
	"plaza/worker/api"
)

const atomSpace = "http://www.w3.org/2005/Atom"

// node is an element of XML as it stands in a file.
type node struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
	Inner   []node     `xml:",any"`
	Text    string     `xml:",chardata"`
}

func (e *node) all(name string) (list []node) {
	for _, inner := range e.Inner {
		if inner.XMLName == (xml.Name{Space: atomSpace, Local: name}) {
			list = append(list, inner)
		}
	}
	return list
}

func (e *node) attr(name string) string {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// one is the text of an element that has to be there exactly once.
func (e *node) one(t *testing.T, name string) string {
	t.Helper()
	require.Len(t, e.all(name), 1, name)
	return e.all(name)[0].Text
}

// requireAtom holds a feed to the rules of RFC 4287 (sections in brackets).
func requireAtom(t *testing.T, body []byte) node {
	t.Helper()
	decoder := xml.NewDecoder(bytes.NewReader(body))
	var feed node
	require.NoError(t, decoder.Decode(&feed), "well-formed [2]: %s", body)
	require.Equal(t, xml.Name{Space: atomSpace, Local: "feed"}, feed.XMLName)
	require.True(t, bytes.HasPrefix(body, []byte(`<?xml version="1.0" encoding="UTF-8"?>`)))
	feedElements := []string{"id", "title", "subtitle", "updated", "generator", "link", "icon", "entry"}
	for _, inner := range feed.Inner {
		require.Equal(t, atomSpace, inner.XMLName.Space)
		require.Contains(t, feedElements, inner.XMLName.Local, "[4.1.1]")
	}
	requireID(t, feed.one(t, "id"))
	require.NotEmpty(t, feed.one(t, "title"))
	last := requireDate(t, feed.one(t, "updated"))
	self := requireLinks(t, &feed)["self"]
	require.Equal(t, feed.one(t, "id"), self, "[4.1.1: SHOULD have one of rel self]")
	ids := map[string]bool{}
	newest := time.Unix(0, 0)
	for _, entry := range feed.all("entry") {
		for _, inner := range entry.Inner {
			require.Contains(t, []string{"id", "title", "author", "published", "updated", "link", "category", "content"}, inner.XMLName.Local,
				"[4.1.2]")
		}
		id := entry.one(t, "id")
		requireID(t, id)
		require.False(t, ids[id], "two entries of one id and time [4.1.1]: %s", id)
		ids[id] = true
		require.NotEmpty(t, strings.TrimSpace(entry.one(t, "title")))
		updated, published := requireDate(t, entry.one(t, "updated")), requireDate(t, entry.one(t, "published"))
		require.False(t, updated.Before(published))
		if updated.After(newest) {
			newest = updated
		}
		require.Len(t, entry.all("author"), 1, "[4.1.2: MUST have one where the feed has none]")
		author := entry.all("author")[0]
		require.NotEmpty(t, author.one(t, "name"), "[3.2.1]")
		for _, uri := range author.all("uri") {
			requireID(t, uri.Text)
		}
		require.Equal(t, id, requireLinks(t, &entry)["alternate"])
		for _, category := range entry.all("category") {
			require.NotEmpty(t, category.attr("term"), "[4.2.2.1]")
		}
		require.Len(t, entry.all("content"), 1)
		content := entry.all("content")[0]
		require.Equal(t, "html", content.attr("type"))
		require.Empty(t, content.Inner, "the markup is escaped [4.1.3.3]")
		parts, err := html.ParseFragment(strings.NewReader(content.Text), nil)
		require.NoError(t, err)
		for _, part := range parts {
			for n := range part.Descendants() {
				require.NotEqual(t, "script", n.Data)
			}
		}
	}
	if len(ids) > 0 {
		require.Equal(t, newest, last)
	}
	return feed
}

func requireID(t *testing.T, s string) {
	t.Helper()
	u, err := url.Parse(s)
	require.NoError(t, err)
	require.True(t, u.IsAbs() && u.Host != "", "an absolute IRI [4.2.6]: %q", s)
}

// requireDate reads a date as of RFC 3339 with T and Z in upper case [3.3].
func requireDate(t *testing.T, s string) time.Time {
	t.Helper()
	at, err := time.Parse("2006-01-02T15:04:05Z", s)
	require.NoError(t, err)
	return at
}

// requireLinks reads the links of a feed or an entry. Of one rel and type there is one [4.1.1, 4.1.2].
func requireLinks(t *testing.T, e *node) map[string]string {
	t.Helper()
	links := map[string]string{}
	for _, link := range e.all("link") {
		requireID(t, link.attr("href"))
		require.Contains(t, []string{"self", "alternate", "next", "related"}, link.attr("rel"))
		require.Empty(t, links[link.attr("rel")])
		links[link.attr("rel")] = link.attr("href")
		require.Empty(t, link.Inner)
	}
	return links
}

// TestEveryFeedIsItsPage walks the table: each feed is valid, and has the posts and comments that its page shows to the same person, but
// for what was removed or deleted.
func TestEveryFeedIsItsPage(t *testing.T) {
	t.Parallel()
	s := workertest.MustOpen(t)
	things := somethingOfEverything(s)
	entries := map[string]int{}
	for _, rt := range worker.Routes() {
		if !slices.Contains(rt.Formats, atomEnding) {
			continue
		}
		path := pathOf(rt.Pattern, things)
		for name, who := range map[string]*workertest.Browser{"visitor": s.Visitor(), "moderator": s.LogIn("ann", "")} {
			t.Run(name+" "+path, func(t *testing.T) {
				page := who.Get(path)
				require.Equal(t, http.StatusOK, page.Code)
				res := who.Get(api.Address(path, atomEnding))
				require.Equal(t, http.StatusOK, res.Code)
				require.Equal(t, "application/atom+xml; charset=utf-8", res.Header().Get("Content-Type"))
				require.Equal(t, page.Header().Get("Cache-Control"), res.Header().Get("Cache-Control"))
				feed := requireAtom(t, res.Body.Bytes())
				require.Equal(t, "https://plaza.example"+api.Address(path, atomEnding), feed.one(t, "id"))
				for _, entry := range feed.all("entry") {
					address := strings.TrimPrefix(entry.one(t, "id"), "https://plaza.example")
					if rt.Pattern == "/edition" { // one entry for the whole page
						address += `"`
					} else {
						address = `"` + address
					}
					require.Contains(t, page.Body.String(), address, "the page shows it")
					address = strings.Trim(address, `"`)
					require.Equal(t, http.StatusOK, s.Visitor().Get(address).Code, "everybody may read it: %s", address)
					entries[rt.Pattern]++
				}
				require.NotContains(t, res.Body.String(), "emoved")
			})
		}
	}
	for _, pattern := range []string{"/new", "/c/{community}/new", "/c/{community}/p/{slug}", "/u/{user}", "/u/{user}/comments"} {
		require.NotZero(t, entries[pattern], pattern)
	}
	require.Equal(t, http.StatusNotFound, s.Visitor().Get("/login"+atomEnding).Code)
	require.Equal(t, http.StatusNotFound, s.Visitor().Get("/c/nowhere"+atomEnding).Code)
	require.Contains(t, s.Visitor().Page("/c/gophers"), `<link rel="alternate" type="application/atom+xml" href="/c/gophers/new.atom">`)
}

const atomEnding = ".atom"
