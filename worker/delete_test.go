package worker_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDeletingAPost(t *testing.T) {
	s := mustOpen(t)
	s.member("moderator1").mustPost("/communities", "name", "gophers")
	ann, ben := s.member("ann"), s.member("ben")
	address := ann.mustPost("/submit", "community", "gophers", "title", "Regretted title", "text", "Regretted text", "link", "https://regretted.example/x")
	id := targets(ann.page(address))[0]
	ben.mustPost("/comment", "post", id, "body", "A reply that stays")
	s.deliver()
	ann.page("/c/gophers")
	s.deliver() // the hot sets are whole

	require.Equal(t, http.StatusForbidden, ben.get("/delete?target="+id).Code)
	require.Equal(t, http.StatusForbidden, ben.post("/delete", "target", id).Code)
	require.Contains(t, ann.page("/delete?target="+id), "Delete your post?")
	require.Equal(t, address, ann.mustPost("/delete", "target", id))
	s.deliver()

	for name, who := range map[string]*browser{"its author": ann, "others": ben, "visitors": s.visitor()} {
		t.Run("leaves the thread to "+name, func(t *testing.T) {
			page := who.page(address)
			require.Contains(t, page, "A reply that stays")
			require.Contains(t, page, "[deleted]")
			require.NotContains(t, page, "egretted t")
			require.NotContains(t, page, "regretted.example")
			require.NotContains(t, page, ">ann</a>")
			require.NotContains(t, page, `action="/comment"`)
			for _, path := range []string{"/", "/new", "/c/gophers", "/c/gophers/new", "/c/gophers/top", "/u/ann"} {
				require.NotContains(t, who.page(path), address, path)
			}
		})
	}
	require.Equal(t, http.StatusForbidden, ben.post("/vote", "target", id, "value", "1").Code)
	require.Equal(t, http.StatusNotFound, ann.get("/delete?target="+id).Code)
	require.Equal(t, http.StatusForbidden, ann.get("/edit?target="+id).Code)
}
