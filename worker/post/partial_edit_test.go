package post_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

// TestAbsentFieldsStay sends edits that leave out fields.
func TestAbsentFieldsStay(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	send := func(path, body string) string {
		t.Helper()
		ann.Header.Set("Accept", "application/json")
		defer ann.Header.Del("Accept")
		res := ann.PostBody(path, "application/json", body)
		require.Equal(t, http.StatusOK, res.Code, res.Body.String())
		return res.Body.String()
	}
	stored := func(id string) any {
		t.Helper()
		return s.One("SELECT title || '|' || link || '|' || coalesce(t.text, '') || '|' || nsfw || spoiler || '|' || status FROM posts "+
			"LEFT JOIN post_texts t ON t.post_id = id WHERE slug = ?1", id)
	}

	t.Run("of a post", func(t *testing.T) {
		address := ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "the text", "spoiler", "1")
		target := `{"target":"` + workertest.Targets(ann.Page(address))[0] + `"`
		revision := func() string {
			return `,"revision":` + jsonNumber(s.One("SELECT coalesce(edited_at, 0) FROM posts WHERE slug = 'a-post'").(int64))
		}
		send("/edit", target+`,"nsfw":true}`)
		require.Equal(t, "A post||the text|11|published", stored("a-post"))
		send("/edit", target+revision()+`,"text":"a newer text","spoiler":false}`)
		require.Equal(t, "A post||a newer text|10|published", stored("a-post"))
		ann.MustPost("/edit", "target", workertest.Targets(ann.Page(address))[0], "text", "by a form", "revision", revision()[12:])
		require.Equal(t, "A post||by a form|00|published", stored("a-post"), "a box that isn't ticked is not sent")
		res := ann.Post("/edit", "target", workertest.Targets(ann.Page(address))[0], "nsfw", "1", "revision", "0")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code, "of the version that was read")
	})
	t.Run("of a draft", func(t *testing.T) {
		address := ann.MustPost("/submit", "community", "gophers", "title", "A draft", "text", "the text", "link", "https://example.org/a",
			"nsfw", "1", "status", "draft")
		target := `{"target":"` + workertest.Targets(ann.Page(address))[0] + `"`
		revision := func() string {
			return `,"revision":` + jsonNumber(s.One("SELECT coalesce(edited_at, 0) FROM posts WHERE slug = 'a-draft'").(int64))
		}
		send("/draft", target+`,"text":"a newer text"}`)
		require.Equal(t, "A draft|https://example.org/a|a newer text|10|draft", stored("a-draft"))
		send("/publish", target+revision()+`,"status":"scheduled","publish_at":"2026-12-01T12:00:00Z"}`)
		require.Equal(t, "A draft|https://example.org/a|a newer text|10|scheduled", stored("a-draft"))
		ann.MustPost("/draft", "target", workertest.Targets(ann.Page(address))[0], "title", "A draft", "text", "by a form", "revision",
			revision()[12:])
		require.Equal(t, "A draft|https://example.org/a|by a form|00|draft", stored("a-draft"))
		send("/publish", target+revision()+`,"text":"the last text"}`)
		require.Equal(t, "A draft|https://example.org/a|the last text|00|published", stored("a-draft"))
	})
	t.Run("of a comment, which is its text", func(t *testing.T) {
		post := workertest.Targets(ann.Page("/c/gophers/p/a-post"))[0]
		ann.MustPost("/comment", "post", post, "body", "words")
		comment := workertest.Targets(ann.Page("/c/gophers/p/a-post"))[1]
		ann.Header.Set("Accept", "application/json")
		defer ann.Header.Del("Accept")
		res := ann.PostBody("/edit", "application/json", `{"target":"`+comment+`"}`)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), `"field":"body"`)
	})
}
