package worker_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatCantBeAnswered(t *testing.T) {
	s := mustOpen(t)
	ann := s.member("ann")
	ann.mustPost("/communities", "name", "gophers")
	address := ann.mustPost("/submit", "community", "gophers", "title", "A post", "text", "text")
	post := targets(ann.page(address))[0]
	ann.mustPost("/comment", "post", post, "body", "words")
	comment := targets(ann.page(address))[1]
	require.Contains(t, ann.page("/reply?to="+comment), "<textarea")
	for set, says := range map[string]string{
		"posts SET locked = 1": "This thread is locked", "posts SET status = 'archived'": "This thread is archived",
		"posts SET status = 'removed'": "was removed", "posts SET status = 'deleted'": "was removed", "comments SET status = 'deleted'": "was removed",
	} {
		t.Run(set, func(t *testing.T) {
			s.exec("UPDATE " + set)
			defer s.exec("UPDATE posts SET status = 'published', locked = 0")
			defer s.exec("UPDATE comments SET status = 'published'")
			res := ann.get("/reply?to=" + comment)
			require.Equal(t, http.StatusForbidden, res.Code)
			require.Contains(t, res.Body.String(), says)
			require.NotContains(t, res.Body.String(), "<textarea")
			res = ann.post("/preview", "preview", "reply", "parent", comment, "body", "typed words")
			require.Equal(t, http.StatusForbidden, res.Code)
			require.Contains(t, res.Body.String(), "typed words</textarea>")
		})
	}
}
