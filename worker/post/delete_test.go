package post_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

func TestDeletingAPost(t *testing.T) {
	s := workertest.MustOpen(t)
	s.Member("moderator1").MustPost("/communities", "name", "gophers")
	ann, ben := s.Member("ann"), s.Member("ben")
	address := ann.MustPost("/submit", "community", "gophers", "title", "Regretted title", "text", "Regretted text", "link",
		"https://regretted.example/x")
	id := workertest.Targets(ann.Page(address))[0]
	ben.MustPost("/comment", "post", id, "body", "A reply that stays")
	s.Deliver()
	ann.Page("/c/gophers")
	s.Deliver() // the hot sets are whole

	require.Equal(t, http.StatusForbidden, ben.Get("/delete?target="+id).Code)
	require.Equal(t, http.StatusForbidden, ben.Post("/delete", "target", id).Code)
	require.Contains(t, ann.Page("/delete?target="+id), "Delete your post?")
	require.Equal(t, address, ann.MustPost("/delete", "target", id))
	s.Deliver()

	for name, who := range map[string]*workertest.Browser{"its author": ann, "others": ben, "visitors": s.Visitor()} {
		t.Run("leaves the thread to "+name, func(t *testing.T) {
			page := who.Page(address)
			require.Contains(t, page, "A reply that stays")
			require.Contains(t, page, "[deleted]")
			require.NotContains(t, page, "egretted t")
			require.NotContains(t, page, "regretted.example")
			require.NotContains(t, page, ">ann</a>")
			require.NotContains(t, page, `action="/comment"`)
			for _, path := range []string{"/", "/new", "/c/gophers", "/c/gophers/new", "/c/gophers/top", "/u/ann"} {
				require.NotContains(t, who.Page(path), address, path)
			}
		})
	}
	require.Equal(t, http.StatusForbidden, ben.Post("/vote", "target", id, "value", "1").Code)
	require.Equal(t, http.StatusNotFound, ann.Get("/delete?target="+id).Code)
	require.Equal(t, http.StatusForbidden, ann.Get("/edit?target="+id).Code)
}
