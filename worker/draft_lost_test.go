package worker_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whatever becomes of a draft or a community elsewhere, what was typed comes back.
func TestNothingTypedIsLost(t *testing.T) {
	s := mustOpen(t)
	ann := s.member("ann")
	ann.mustPost("/communities", "name", "gophers")
	ann.mustPost("/subscribe", "community", "gophers", "on", "1")

	for _, action := range []string{"/draft", "/publish"} {
		t.Run("when a draft was deleted in another tab, "+action, func(t *testing.T) {
			id := targets(ann.page(ann.mustPost("/submit", "community", "gophers", "title", "An idea", "text", "x", "status", "draft")))[0]
			ann.mustPost("/delete", "target", id)
			fields := []string{"target", id, "title", "My title", "text", "an hour's work", "spoiler", "1", "revision", "0"}
			res := ann.post(action, fields...)
			require.Equal(t, http.StatusNotFound, res.Code)
			for _, text := range []string{"This draft is not there any more", `value="My title"`, "an hour&#39;s work</textarea>", `action="/submit"`,
				`name="spoiler" value="1" checked`, `id="community-error"`, `<option value="gophers">`} {
				require.Contains(t, res.Body.String(), text)
			}
			ann.header.Set("Accept", "application/json")
			defer ann.header.Del("Accept")
			res = ann.post(action, fields...)
			require.Equal(t, http.StatusNotFound, res.Code)
			require.Contains(t, res.Body.String(), `"code":"not_found"`)
		})
	}
	for _, address := range []string{"/submit", "/c/rustaceans/submit"} {
		t.Run("when the community is gone, "+address, func(t *testing.T) {
			fields := []string{"community", "rustaceans", "title", "My title", "text", "an hour's work"}
			if address != "/submit" {
				fields = fields[2:]
			}
			res := ann.post(address, fields...)
			require.Equal(t, http.StatusNotFound, res.Code)
			for _, text := range []string{"There is no community of that name.", `value="My title"`, "an hour&#39;s work</textarea>",
				`id="community-error"`, `value="rustaceans"`, `action="/submit"`} {
				require.Contains(t, res.Body.String(), text)
			}
			ann.header.Set("Accept", "application/json")
			defer ann.header.Del("Accept")
			res = ann.post(address, fields...)
			require.Equal(t, http.StatusNotFound, res.Code)
			require.Contains(t, res.Body.String(), `"field":"community"`)
		})
	}
}

// What a request doesn't name stays as it is stored.
func TestAbsentFieldsStay(t *testing.T) {
	s := mustOpen(t)
	ann := s.member("ann")
	ann.mustPost("/communities", "name", "gophers")
	send := func(path, body string) string {
		t.Helper()
		ann.header.Set("Accept", "application/json")
		defer ann.header.Del("Accept")
		res := ann.postBody(path, "application/json", body)
		require.Equal(t, http.StatusOK, res.Code, res.Body.String())
		return res.Body.String()
	}
	stored := func(id string) any {
		t.Helper()
		return s.one("SELECT title || '|' || link || '|' || coalesce(t.text, '') || '|' || nsfw || spoiler || '|' || status FROM posts LEFT JOIN post_texts t ON t.post_id = id WHERE slug = ?1", id)
	}

	t.Run("of a post", func(t *testing.T) {
		address := ann.mustPost("/submit", "community", "gophers", "title", "A post", "text", "the text", "spoiler", "1")
		target := `{"target":"` + targets(ann.page(address))[0] + `"`
		revision := func() string {
			return `,"revision":` + jsonNumber(s.one("SELECT coalesce(edited_at, 0) FROM posts WHERE slug = 'a-post'").(int64))
		}
		send("/edit", target+`,"nsfw":true}`)
		require.Equal(t, "A post||the text|11|published", stored("a-post"))
		send("/edit", target+revision()+`,"text":"a newer text","spoiler":false}`)
		require.Equal(t, "A post||a newer text|10|published", stored("a-post"))
		ann.mustPost("/edit", "target", targets(ann.page(address))[0], "text", "by a form", "revision", revision()[12:])
		require.Equal(t, "A post||by a form|00|published", stored("a-post"), "a box that isn't ticked is not sent")
		res := ann.post("/edit", "target", targets(ann.page(address))[0], "nsfw", "1", "revision", "0")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code, "of the version that was read")
	})
	t.Run("of a draft", func(t *testing.T) {
		address := ann.mustPost("/submit", "community", "gophers", "title", "A draft", "text", "the text", "link", "https://example.org/a", "nsfw", "1", "status", "draft")
		target := `{"target":"` + targets(ann.page(address))[0] + `"`
		revision := func() string {
			return `,"revision":` + jsonNumber(s.one("SELECT coalesce(edited_at, 0) FROM posts WHERE slug = 'a-draft'").(int64))
		}
		send("/draft", target+`,"text":"a newer text"}`)
		require.Equal(t, "A draft|https://example.org/a|a newer text|10|draft", stored("a-draft"))
		send("/publish", target+revision()+`,"status":"scheduled","publish_at":"2026-12-01T12:00:00Z"}`)
		require.Equal(t, "A draft|https://example.org/a|a newer text|10|scheduled", stored("a-draft"))
		ann.mustPost("/draft", "target", targets(ann.page(address))[0], "title", "A draft", "text", "by a form", "revision", revision()[12:])
		require.Equal(t, "A draft|https://example.org/a|by a form|00|draft", stored("a-draft"))
		send("/publish", target+revision()+`,"text":"the last text"}`)
		require.Equal(t, "A draft|https://example.org/a|the last text|00|published", stored("a-draft"))
	})
	t.Run("of a comment, which is its text", func(t *testing.T) {
		post := targets(ann.page("/c/gophers/p/a-post"))[0]
		ann.mustPost("/comment", "post", post, "body", "words")
		comment := targets(ann.page("/c/gophers/p/a-post"))[1]
		ann.header.Set("Accept", "application/json")
		defer ann.header.Del("Accept")
		res := ann.postBody("/edit", "application/json", `{"target":"`+comment+`"}`)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), `"field":"body"`)
	})
}

func TestPublishingALinkThatWasPosted(t *testing.T) {
	s := mustOpen(t)
	ann := s.member("ann")
	ann.mustPost("/communities", "name", "gophers")
	ann.mustPost("/submit", "community", "gophers", "title", "The first", "link", "https://example.org/a")
	draft := func() string {
		return targets(ann.page(ann.mustPost("/submit", "community", "gophers", "title", "Mine", "link", "https://example.org/a", "status", "draft")))[0]
	}
	id := draft()
	res := ann.post("/publish", "target", id)
	require.Equal(t, http.StatusUnprocessableEntity, res.Code)
	for _, text := range []string{"Publish it anyway?", "The first", "Publish anyway", `value="Mine"`, `name="anyway" value="https://example.org/a"`} {
		require.Contains(t, res.Body.String(), text)
	}
	require.NotContains(t, res.Body.String(), "Saved in the meantime")
	fields := []string{"target", id, "title", "Mine, with words", "link", "https://example.org/a", "text", "typed text", "revision", revisionIn(t, res.Body.String())}
	res = ann.post("/publish", fields...)
	require.Equal(t, http.StatusUnprocessableEntity, res.Code)
	require.Contains(t, res.Body.String(), "typed text</textarea>")
	require.Equal(t, fields[9], revisionIn(t, res.Body.String()))
	require.Equal(t, "/c/gophers/p/mine-with-words", ann.mustPost("/publish", append(fields, "anyway", "https://example.org/a")...))

	id = draft()
	ann.header.Set("Accept", "application/json")
	res = ann.post("/publish", "target", id)
	require.Equal(t, http.StatusUnprocessableEntity, res.Code)
	require.Contains(t, res.Body.String(), `"field":"link"`)
	require.Equal(t, http.StatusOK, ann.post("/publish", "target", id, "anyway", "1").Code)
	ann.header.Del("Accept")

	// A crosspost has no field for the link by which it was found.
	ann.mustPost("/communities", "name", "rustaceans")
	ann.mustPost("/submit", "community", "rustaceans", "title", "There already", "link", "https://example.org/a")
	original := s.one("SELECT id FROM posts WHERE slug = 'the-first'").(int64)
	cross := []string{"community", "rustaceans", "title", "Again", "crosspost", jsonNumber(original)}
	res = ann.post("/submit", cross...)
	require.Equal(t, http.StatusUnprocessableEntity, res.Code)
	require.Contains(t, res.Body.String(), `name="anyway" value="`+jsonNumber(original)+`"`)
	ann.mustPost("/submit", append(cross, "anyway", jsonNumber(original))...)
}
