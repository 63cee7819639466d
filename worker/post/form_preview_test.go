package post_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

func TestPreview(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	address := ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "The *bygone* text")
	id := workertest.Targets(ann.Page(address))[0]
	place := ann.MustPost("/comment", "post", id, "body", "Words")
	comment := place[strings.LastIndex(place, "#c-")+3:]
	before := s.Rows()

	for name, test := range map[string]struct {
		fields []string
		shows  []string
	}{
		"a post": {[]string{"preview", "post", "community", "gophers", "title", "A title <b>", "text", "Some **bold** <i>text", "nsfw", "1"},
			[]string{"<strong>bold</strong> &lt;i&gt;text", "Some **bold** &lt;i&gt;text</textarea>", `value="A title &lt;b&gt;"`, `value="gophers"`,
				`name="nsfw" value="1" checked`, `action="/submit"`}},
		"a post in a community": {[]string{"preview", "post", "in", "gophers", "title", "", "text", "**bold**"},
			[]string{"<strong>bold</strong>", `action="/c/gophers/submit"`}},
		"a comment": {[]string{"preview", "reply", "post", id, "body", "Some **bold** words"},
			[]string{"<strong>bold</strong>", "Some **bold** words</textarea>", `name="post" value="` + id + `"`, `action="/comment"`}},
		"a reply": {[]string{"preview", "reply", "parent", comment, "body", "Some **bold** words"},
			[]string{"<strong>bold</strong>", `name="parent" value="` + comment + `"`}},
		"an edited post": {[]string{"preview", "edit", "target", id, "revision", "7", "text", "**bold**", "spoiler", "1"},
			[]string{"<strong>bold</strong>", "**bold**</textarea>", `name="revision" value="7"`, `name="spoiler" value="1" checked`,
				`action="/edit"`}},
		"an edited comment": {[]string{"preview", "edit", "target", comment, "revision", "0", "body", "**bold**"},
			[]string{"<strong>bold</strong>", "**bold**</textarea>", `name="target" value="` + comment + `"`, `action="/edit"`}},
	} {
		t.Run("shows "+name+" and its form, and saves nothing", func(t *testing.T) {
			res := ann.Post("/preview", test.fields...)
			require.Equal(t, http.StatusOK, res.Code, res.Body.String())
			for _, text := range test.shows {
				require.Contains(t, res.Body.String(), text)
			}
			require.Equal(t, before, s.Rows())
		})
		t.Run("shows "+name+" in place", func(t *testing.T) {
			ann.Header.Set("HX-Request", "true")
			defer ann.Header.Del("HX-Request")
			body := ann.Post("/preview", test.fields...).Body.String()
			require.Contains(t, body, "<strong>bold</strong>")
			require.NotContains(t, body, "<form")
			require.NotContains(t, body, "<html")
		})
	}
	t.Run("comes back with what was typed when it is too long", func(t *testing.T) {
		res := ann.Post("/preview", "preview", "reply", "post", id, "body", strings.Repeat("x", 10001))
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "too long")
		require.Contains(t, res.Body.String(), strings.Repeat("x", 10001))
	})
	t.Run("shows nobody else's post", func(t *testing.T) {
		res := ben.Post("/preview", "preview", "edit", "target", id, "text", "mine")
		require.Equal(t, http.StatusForbidden, res.Code)
		require.NotContains(t, res.Body.String(), "bygone")
	})
	t.Run("is of a form there is", func(t *testing.T) {
		require.Equal(t, http.StatusNotFound, ann.Post("/preview", "preview", "nothing").Code)
	})
	t.Run("and the marks of a new post are kept", func(t *testing.T) {
		marked := ann.MustPost("/submit", "community", "gophers", "title", "Marked", "text", "What is veiled", "nsfw", "1")
		page := s.Visitor().Page(marked)
		require.Contains(t, page, ">NSFW<")
		require.Regexp(t, `(?s)<summary>Show NSFW</summary>.*<p>What is veiled</p>`, page)
		require.NotContains(t, page, `content="What is veiled"`, "nor do other sites show it")
		s.Deliver()
		list := s.Visitor().Page("/c/gophers/new")
		require.Contains(t, list, ">Marked<")
		require.NotContains(t, list, "What is veiled")
		spoiled := ann.MustPost("/submit", "community", "gophers", "title", "Spoiled", "text", "What nobody expects", "spoiler", "1")
		require.Contains(t, s.Visitor().Page(spoiled), "Show the spoiler")
		require.NotContains(t, s.Visitor().Page("/c/gophers/new"), "What nobody expects")
	})
}
