package post_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

func TestWhatCantBeRepliedTo(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	address := ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text")
	post := workertest.Targets(ann.Page(address))[0]
	ann.MustPost("/comment", "post", post, "body", "words")
	comment := workertest.Targets(ann.Page(address))[1]
	require.Contains(t, ann.Page("/reply?to="+comment), "<textarea")
	for set, says := range map[string]string{
		"posts SET locked = 1": "This thread is locked", "posts SET status = 'archived'": "This thread is archived",
		"posts SET status = 'removed'": "was removed", "posts SET status = 'deleted'": "was removed",
		"comments SET status = 'deleted'": "was removed",
	} {
		t.Run(set, func(t *testing.T) {
			s.Exec("UPDATE " + set)
			defer s.Exec("UPDATE posts SET status = 'published', locked = 0")
			defer s.Exec("UPDATE comments SET status = 'published'")
			res := ann.Get("/reply?to=" + comment)
			require.Equal(t, http.StatusForbidden, res.Code)
			require.Contains(t, res.Body.String(), says)
			require.NotContains(t, res.Body.String(), "<textarea")
			res = ann.Post("/preview", "preview", "reply", "parent", comment, "body", "typed words")
			require.Equal(t, http.StatusForbidden, res.Code)
			require.Contains(t, res.Body.String(), "typed words</textarea>")
		})
	}
}
