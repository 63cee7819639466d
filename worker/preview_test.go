package worker_test

import (
	"bytes"
	"encoding/json"
	"image/png"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const hostileTitle = `</script><script>alert(1)</script>"'&`

// What other sites show of a post, in link previews, embedded and in search engines, is what everybody may see here.
func TestWhatOtherSitesShow(t *testing.T) {
	s := mustOpen(t)
	ann, eve := s.member("ann"), s.member("eve")
	ann.mustPost("/communities", "name", "gophers")
	s.web.file("pics.org", "image/gif", tinyGIF)
	address := ann.mustPost("/submit", "community", "gophers", "title", hostileTitle, "text", "Some *words* "+hostileTitle)
	id := targets(ann.page(address))[0]
	eve.mustPost("/comment", "post", id, "body", "An answer")
	eve.mustPost("/comment", "post", id, "body", "A removed answer")
	removed := targets(ann.page(address + "?sort=new"))[1]
	ann.mustPost("/c/gophers/mod/decide", "target", removed, "decision", "remove", "rule", "Spam")
	s.deliver()
	embed := "/oembed?url=" + url.QueryEscape("https://plaza.example"+address)
	visitor := s.visitor()
	page := visitor.page(address)

	t.Run("link previews", func(t *testing.T) {
		for _, tag := range []string{
			`<meta property="og:type" content="article">`, `<meta property="og:url" content="https://plaza.example` + address + `">`,
			`<meta property="og:image" content="https://plaza.example/img/card/` + id + `">`, `<meta property="og:image:width" content="800">`,
			`<link rel="alternate" type="application/json+oembed" href="https://plaza.example` + embed + `">`,
		} {
			require.Contains(t, page, tag)
		}
		picture := ann.mustPost("/submit", "community", "gophers", "title", "A picture", "image", "https://pics.org/a.gif")
		require.Contains(t, visitor.page(picture), `<meta property="og:image" content="https://plaza.example/img/`+targets(ann.page(picture))[0]+`">`)
		spoiler := ann.mustPost("/submit", "community", "gophers", "title", "The end", "image", "https://pics.org/b.gif", "spoiler", "1")
		require.Contains(t, visitor.page(spoiler), `<meta property="og:image" content="https://plaza.example/img/card/`)
		require.Contains(t, visitor.page("/c/gophers"), `<meta property="og:image" content="https://plaza.example/img/card/c/gophers">`)
		require.Contains(t, visitor.page("/"), `<meta property="og:image" content="https://plaza.example/img/card/site">`)
		require.NotContains(t, ann.page("/submit"), `og:image`)
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
		require.Equal(t, http.StatusOK, visitor.get(strings.TrimPrefix(thread.Comment[0].URL, "https://plaza.example")).Code)
		require.NotContains(t, eve.page(address), "ld+json", "members' pages are not searched")
		require.NotContains(t, visitor.page(address+"/"+targets(page)[1]), "ld+json", "nor parts of a thread")
	})

	t.Run("embedding", func(t *testing.T) {
		res := visitor.get(embed + "&maxwidth=300")
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
		require.Contains(t, visitor.get(embed).Body.String(), `"thumbnail_width":800`)
		require.Equal(t, http.StatusNotImplemented, visitor.get(embed+"&format=xml").Code)
		require.Equal(t, http.StatusOK, visitor.get("/oembed?url="+url.QueryEscape("https://plaza.example"+address+"/"+targets(page)[1]+"?sort=new")).Code)
		for _, other := range []string{"", "x", "https://evil.example" + address, "https://plaza.example/c/gophers", "https://plaza.example/c/gophers/p/nothing", "https://plaza.example/c/gophers/p/%ff"} {
			require.Equal(t, http.StatusNotFound, visitor.get("/oembed?url="+url.QueryEscape(other)).Code, other)
		}
	})

	t.Run("pictures", func(t *testing.T) {
		for _, name := range []string{"site", id, "c/gophers"} {
			res := visitor.get("/img/card/" + name)
			require.Equal(t, http.StatusOK, res.Code)
			require.Equal(t, "image/png", res.Header().Get("Content-Type"))
			_, err := png.Decode(bytes.NewReader(res.Body.Bytes()))
			require.NoError(t, err)
		}
		for _, name := range []string{"x", "0000000000000", strings.ToUpper(id), "c/nowhere", "c/u-ann", removed} {
			require.GreaterOrEqual(t, visitor.get("/img/card/"+name).Code, 400, name)
		}
	})

	t.Run("nothing of what is gone", func(t *testing.T) {
		draft := ann.mustPost("/submit", "community", "gophers", "title", "A draft", "status", "draft")
		deleted := ann.mustPost("/submit", "community", "gophers", "title", "Deleted", "text", "text")
		deletedID, draftID := targets(ann.page(deleted))[0], targets(ann.page(draft))[0]
		ann.mustPost("/delete", "target", deletedID)
		ann.mustPost("/c/gophers/mod/decide", "target", id, "decision", "remove", "rule", "Spam")
		for id, gone := range map[string]string{id: address, deletedID: deleted, draftID: draft} {
			require.Equal(t, http.StatusNotFound, visitor.get("/img/card/"+id).Code)
			require.Equal(t, http.StatusNotFound, ann.get("/oembed?url="+url.QueryEscape("https://plaza.example"+gone)).Code)
			page := visitor.get(gone).Body.String()
			require.NotContains(t, page, "ld+json")
			require.NotContains(t, page, "/img/card/"+id)
			require.NotContains(t, page, "oembed")
		}
	})
}
