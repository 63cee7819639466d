package post_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

func TestTextsThatHide(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers", "title", "Go\u202ephers", "description", "About\x07 \u202eGo")
	require.Equal(t, "Gophers About Go", s.One("SELECT title || ' ' || description FROM communities"))

	t.Run("a title in which nothing can be seen is none", func(t *testing.T) {
		for _, title := range []string{"\u200b\u200d", "\u202e", "\u3164", "\x01\x02"} {
			res := ann.Post("/c/gophers/submit", "title", title, "text", "text")
			require.Equal(t, http.StatusUnprocessableEntity, res.Code)
			require.Contains(t, res.Body.String(), "A post needs a title.")
		}
	})
	t.Run("a title turns nothing around", func(t *testing.T) {
		address := ann.MustPost("/c/gophers/submit", "title", "A \u202epicture\u202c\x1b of 👨\u200d👩\u200d👧", "text",
			"the \u202etext &#x202e; of it", "link", "https://аррӏе.com/")
		page := ann.Page(address)
		require.Contains(t, page, "A picture of 👨\u200d👩\u200d👧")
		require.Contains(t, page, ">xn--80ak6aa92e.com")
		require.NotContains(t, page, ">аррӏе.com")
		require.Equal(t, "the text of it", s.One("SELECT excerpt FROM posts"))
		require.Contains(t, ann.Page("/c/gophers/new"), `>xn--80ak6aa92e.com</span>`)
	})
	t.Run("a comment in which nothing can be seen is none", func(t *testing.T) {
		id := workertest.Targets(ann.Page("/c/gophers/new"))[0]
		res := ann.Post("/comment", "post", id, "body", "\u200b\u2060\n")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "Please write something first.")
	})
}
