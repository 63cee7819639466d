package worker_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

// TestRulesByToken has a program make, try and change rules, as docs/api.md says.
func TestRulesByToken(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	robot := workertest.Program(s, ann.NewToken("read", "moderate"))
	const form = "/c/gophers/mod/rule"
	saved := func(fields ...string) (created struct{ ID, Permalink string }) {
		t.Helper()
		res := robot.Post(form, fields...)
		require.Equal(t, http.StatusOK, res.Code, res.Body.String())
		require.NoError(t, json.Unmarshal(res.Body.Bytes(), &created))
		return created
	}
	created := saved("title", "No pills", "pattern", `pills\s+[0-9]$`, "do", "hold", "active", "1")
	require.Equal(t, "/c/gophers/mod/rules", created.Permalink)
	require.Equal(t, "No pills", s.One("SELECT title FROM rules"))

	for _, title := range []string{"Cheap pills 1", "Cheap pills 2"} {
		ben.MustPost("/submit", "community", "gophers", "title", title, "link", "https://example.org/"+title[len(title)-1:])
		require.Equal(t, "removed", s.One("SELECT status FROM posts WHERE title = ?1", title), "held, though it has no text")
	}
	t.Run("without an id it is another rule, with one it is that rule", func(t *testing.T) {
		other := saved("title", "Another", "words", "slots", "do", "report")
		require.NotEqual(t, created.ID, other.ID)
		require.Equal(t, created.ID, saved("rule", created.ID, "title", "No pills at all", "words", "pills", "do", "hold").ID)
		require.Equal(t, int64(2), s.One("SELECT count(*) FROM rules"))
		res := robot.Post("/c/gophers/mod/rules", "do", "delete "+other.ID)
		require.Equal(t, http.StatusOK, res.Code, res.Body.String())
		res = robot.Post("/c/gophers/mod/rules", "do", "add", "text", "rule: Of a text\nwords: roulette\ndo: hold")
		require.Equal(t, http.StatusOK, res.Code, res.Body.String())
		require.Equal(t, int64(2), s.One("SELECT count(*) FROM rules"))
	})
	t.Run("a dry run looks at what was removed, too", func(t *testing.T) {
		shown := ben.MustPost("/submit", "community", "gophers", "title", "Slots, shown", "text", "x")
		gone := ben.MustPost("/submit", "community", "gophers", "title", "Slots, removed", "text", "x")
		post := workertest.Targets(ben.Page(shown))[0]
		ann.MustPost("/c/gophers/mod/decide", "target", workertest.Targets(ben.Page(gone))[0], "decision", "remove", "rule", "Spam")
		ben.MustPost("/comment", "post", post, "body", "slots again")
		ann.MustPost("/c/gophers/mod/decide", "target", workertest.Targets(s.Visitor().Page("/u/ben/comments"))[0], "decision", "remove", "rule",
			"Spam")
		type found struct {
			Tried, Hits int
			Stopped     bool
			First       []struct {
				Title, Permalink string
				Removed          bool
			}
		}
		res := robot.Post(form, "title", "x", "words", "slots", "do", "hold", "then", "try")
		require.Equal(t, http.StatusOK, res.Code, res.Body.String())
		var response struct{ Posts, Comments found }
		require.NoError(t, json.Unmarshal(res.Body.Bytes(), &response))
		require.Equal(t, []int{2, 2, 1, 1}, []int{response.Posts.Tried, response.Posts.Hits, response.Comments.Tried, response.Comments.Hits},
			"without those that wait")
		removed := map[string]bool{}
		for _, x := range response.Posts.First {
			removed[x.Permalink] = x.Removed
		}
		require.Equal(t, map[string]bool{shown: false, gone: true}, removed)
		require.True(t, response.Comments.First[0].Removed)
		page := ann.Post(form, "rule", created.ID, "title", "x", "words", "slots", "do", "hold", "then", "try").Body.String()
		require.Contains(t, page, "Of the last 2 posts, <strong>2</strong> would have been hit.")
		require.Regexp(t, `Slots, removed</a> ?<span[^>]*>removed</span>`, page)
		root := s.Member("rita")
		s.Exec("UPDATE users SET admin = 1 WHERE username = 'rita'")
		page = root.Post("/admin/rule", "rule", created.ID, "title", "x", "words", "slots", "do", "hold", "then", "try").Body.String()
		require.Contains(t, page, "Of the last 2 posts, <strong>2</strong> would have been hit.", "of the site")
	})
	t.Run("what is typed wrongly is named", func(t *testing.T) {
		for _, fields := range [][]string{{"title", "x", "pattern", "(", "do", "hold"}, {"title", "x", "words", "y", "do", "hold", "rule", "!"}} {
			res := robot.Post(form, fields...)
			require.Equal(t, http.StatusUnprocessableEntity, res.Code)
			require.Contains(t, res.Body.String(), `"field":`)
		}
	})
	require.Equal(t, http.StatusForbidden, workertest.Program(s, ann.NewToken("read", "write")).Post(form, "title", "x", "words", "y", "do",
		"hold").Code)
}
