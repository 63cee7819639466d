package post_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/png"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

const hostileTitle = `</script><script>alert(1)</script>"'&`

// TestASpoilerStaysOnThePage: what a click shows there, nothing else shows.
func TestASpoilerStaysOnThePage(t *testing.T) {
	s := workertest.MustOpen(t)
	s.Mailbox()
	ann, eve := s.Member("ann"), s.Member("eve")
	ann.MustPost("/communities", "name", "gophers")
	for i, text := range []string{
		"The butler >!zanzibar!< @eve", ">!zanzibar!< by the butler @eve", "The butler >!" + strings.Repeat("zanzibar ", 100) + "!< @eve",
		">!" + strings.Repeat("zanzibar ", 100) + "!< by the butler @eve", "> butler\n> >!zanzibar *>!zanzibar!<*!<\n\n@eve",
	} {
		address := ann.MustPost("/submit", "community", "gophers", "title", fmt.Sprint("An end ", i), "text", text)
		id := workertest.Targets(ann.Page(address))[0]
		ann.MustPost("/comment", "post", id, "body", text)
		profile := ann.MustPost("/post", "text", text)
		s.DeliverAll()
		s.Pass(time.Minute)
		visitor := s.Visitor()
		require.Contains(t, visitor.Page(address), "zanzibar")
		head, body, _ := strings.Cut(visitor.Page(address), "</head>")
		require.Contains(t, head, "[spoiler]")
		places := map[string]string{"head": head, "search engines": regexp.MustCompile(`<script type="application/ld\+json">.*?</script>`).FindString(body)}
		for _, path := range []string{"/oembed?url=" + url.QueryEscape("https://plaza.example"+address), address + ".atom", profile + ".atom", "/c/gophers/new",
			"/c/gophers/new.json", "/c/gophers/new.atom", "/u/ann", "/u/ann.atom", "/u/ann.json", "/search?q=butler", "/search?q=butler&type=comments"} {
			places[path] = visitor.Page(path)
		}
		places["inbox"] = eve.Page("/inbox")
		for place, shown := range places {
			if place == "/u/ann" || place == "/u/ann.json" { // which has whole texts of comments
				shown = regexp.MustCompile(`<details class="sp">.*</details>|"body_html":"(?:\\.|[^"\\])*"`).ReplaceAllString(shown, "")
			}
			require.NotContains(t, shown, "zanzibar", "%s of %.40q", place, text)
		}
		require.Contains(t, places[address+".atom"], "[spoiler]")
		require.Contains(t, places["search engines"], "[spoiler]")
	}
}

// What other sites show of a post, in link previews, embedded and in search engines, is what everybody may see here.
func TestWhatOtherSitesShow(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, eve := s.Member("ann"), s.Member("eve")
	ann.MustPost("/communities", "name", "gophers")
	s.Web.File("pics.org", "image/gif", workertest.TinyGIF)
	address := ann.MustPost("/submit", "community", "gophers", "title", hostileTitle, "text", "Some *words* "+hostileTitle)
	id := workertest.Targets(ann.Page(address))[0]
	eve.MustPost("/comment", "post", id, "body", "An answer")
	eve.MustPost("/comment", "post", id, "body", "A removed answer")
	removed := workertest.Targets(ann.Page(address + "?sort=new"))[1]
	ann.MustPost("/c/gophers/mod/decide", "target", removed, "decision", "remove", "rule", "Spam")
	s.Deliver()
	embed := "/oembed?url=" + url.QueryEscape("https://plaza.example"+address)
	visitor := s.Visitor()
	page := visitor.Page(address)

	t.Run("link previews", func(t *testing.T) {
		for _, tag := range []string{
			`<meta property="og:type" content="article">`, `<meta property="og:url" content="https://plaza.example` + address + `">`,
			`<meta property="og:image" content="https://plaza.example/img/card/` + id + `">`, `<meta property="og:image:width" content="800">`,
			`<link rel="alternate" type="application/json+oembed" href="https://plaza.example` + embed + `">`,
		} {
			require.Contains(t, page, tag)
		}
		picture := ann.MustPost("/submit", "community", "gophers", "title", "A picture", "image", "https://pics.org/a.gif")
		require.Contains(t, visitor.Page(picture), `<meta property="og:image" content="https://plaza.example/img/`+
			workertest.Targets(ann.Page(picture))[0]+`">`)
		spoiler := ann.MustPost("/submit", "community", "gophers", "title", "The end", "image", "https://pics.org/b.gif", "spoiler", "1")
		require.Contains(t, visitor.Page(spoiler), `<meta property="og:image" content="https://plaza.example/img/card/`)
		require.Contains(t, visitor.Page("/c/gophers"), `<meta property="og:image" content="https://plaza.example/img/card/c/gophers">`)
		require.Contains(t, visitor.Page("/"), `<meta property="og:image" content="https://plaza.example/img/card/site">`)
		require.NotContains(t, ann.Page("/submit"), `og:image`)
	})

	t.Run("search engines", func(t *testing.T) {
		var thread struct {
			Type, Headline, Text, URL string
			Author                    struct{ Name, URL string }
			Comment                   []struct{ Text, URL string }
		}
		data := regexp.MustCompile(`<script type="application/ld\+json">(.*?)</script>`).FindStringSubmatch(page)
		require.NotNil(t, data)
		require.NoError(t, json.Unmarshal([]byte(strings.ReplaceAll(data[1], `"@type"`, `"type"`)), &thread))
		require.Equal(t, "DiscussionForumPosting", thread.Type)
		require.Equal(t, hostileTitle, thread.Headline)
		require.Equal(t, "https://plaza.example"+address, thread.URL)
		require.Equal(t, "https://plaza.example/u/ann", thread.Author.URL)
		require.Contains(t, thread.Text, "Some words ")
		require.Len(t, thread.Comment, 1, "without what was removed")
		require.Equal(t, "An answer", thread.Comment[0].Text)
		require.Equal(t, http.StatusOK, visitor.Get(strings.TrimPrefix(thread.Comment[0].URL, "https://plaza.example")).Code)
		require.NotContains(t, eve.Page(address), "ld+json", "members' pages are not searched")
		require.NotContains(t, visitor.Page(address+"/"+workertest.Targets(page)[1]), "ld+json", "nor parts of a thread")
	})

	t.Run("embedding", func(t *testing.T) {
		res := visitor.Get(embed + "&maxwidth=300")
		require.Equal(t, http.StatusOK, res.Code)
		require.Equal(t, "*", res.Header().Get("Access-Control-Allow-Origin"))
		require.Equal(t, "application/json", res.Header().Get("Content-Type"))
		var e map[string]any
		require.NoError(t, json.Unmarshal(res.Body.Bytes(), &e))
		require.Equal(t, "rich", e["type"])
		require.Equal(t, "1.0", e["version"])
		require.Equal(t, hostileTitle, e["title"])
		require.EqualValues(t, 300, e["width"])
		require.NotContains(t, e, "thumbnail_url", "which is wider")
		require.NotContains(t, e["html"], "<script")
		require.Contains(t, e["html"], `<a href="https://plaza.example`+address+`">`)
		require.Contains(t, visitor.Get(embed).Body.String(), `"thumbnail_width":800`)
		require.Equal(t, http.StatusNotImplemented, visitor.Get(embed+"&format=xml").Code)
		require.Equal(t, http.StatusOK, visitor.Get("/oembed?url="+url.QueryEscape("https://plaza.example"+address+"/"+
			workertest.Targets(page)[1]+"?sort=new")).Code)
		for _, other := range []string{"", "x", "https://evil.example" + address, "https://plaza.example/c/gophers",
			"https://plaza.example/c/gophers/p/nothing", "https://plaza.example/c/gophers/p/%ff"} {
			require.Equal(t, http.StatusNotFound, visitor.Get("/oembed?url="+url.QueryEscape(other)).Code, other)
		}
	})

	t.Run("pictures", func(t *testing.T) {
		for _, name := range []string{"site", id, "c/gophers"} {
			res := visitor.Get("/img/card/" + name)
			require.Equal(t, http.StatusOK, res.Code)
			require.Equal(t, "image/png", res.Header().Get("Content-Type"))
			_, err := png.Decode(bytes.NewReader(res.Body.Bytes()))
			require.NoError(t, err)
		}
		for _, name := range []string{"x", "0000000000000", strings.ToUpper(id), "c/nowhere", "c/u-ann", removed} {
			require.GreaterOrEqual(t, visitor.Get("/img/card/"+name).Code, 400, name)
		}
	})

	t.Run("nothing of what is gone", func(t *testing.T) {
		draft := ann.MustPost("/submit", "community", "gophers", "title", "A draft", "status", "draft")
		deleted := ann.MustPost("/submit", "community", "gophers", "title", "Deleted", "text", "text")
		deletedID, draftID := workertest.Targets(ann.Page(deleted))[0], workertest.Targets(ann.Page(draft))[0]
		ann.MustPost("/delete", "target", deletedID)
		ann.MustPost("/c/gophers/mod/decide", "target", id, "decision", "remove", "rule", "Spam")
		for id, gone := range map[string]string{id: address, deletedID: deleted, draftID: draft} {
			require.Equal(t, http.StatusNotFound, visitor.Get("/img/card/"+id).Code)
			require.Equal(t, http.StatusNotFound, ann.Get("/oembed?url="+url.QueryEscape("https://plaza.example"+gone)).Code)
			page := visitor.Get(gone).Body.String()
			require.NotContains(t, page, "ld+json")
			require.NotContains(t, page, "/img/card/"+id)
			require.NotContains(t, page, "oembed")
		}
	})
}
