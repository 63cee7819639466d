package worker_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRulesByToken has a program make, try and change rules, as docs/api.md says.
func TestRulesByToken(t *testing.T) {
	s := mustOpen(t)
	ann, ben := s.member("ann"), s.member("ben")
	ann.mustPost("/communities", "name", "gophers")
	robot := program(s, ann.newToken("read", "moderate"))
	const form = "/c/gophers/mod/rule"
	saved := func(fields ...string) (made struct{ ID, Permalink string }) {
		t.Helper()
		res := robot.post(form, fields...)
		require.Equal(t, http.StatusOK, res.Code, res.Body.String())
		require.NoError(t, json.Unmarshal(res.Body.Bytes(), &made))
		return made
	}
	made := saved("title", "No pills", "pattern", `pills\s+[0-9]$`, "do", "hold", "active", "1")
	require.Equal(t, "/c/gophers/mod/rules", made.Permalink)
	require.Equal(t, "No pills", s.one("SELECT title FROM rules"))

	for _, title := range []string{"Cheap pills 1", "Cheap pills 2"} {
		ben.mustPost("/submit", "community", "gophers", "title", title, "link", "https://example.org/"+title[len(title)-1:])
		require.Equal(t, "removed", s.one("SELECT status FROM posts WHERE title = ?1", title), "held, though it has no text")
	}
	t.Run("without an id it is another rule, with one it is that rule", func(t *testing.T) {
		other := saved("title", "Another", "words", "slots", "do", "report")
		require.NotEqual(t, made.ID, other.ID)
		require.Equal(t, made.ID, saved("rule", made.ID, "title", "No pills at all", "words", "pills", "do", "hold").ID)
		require.Equal(t, int64(2), s.one("SELECT count(*) FROM rules"))
		res := robot.post("/c/gophers/mod/rules", "do", "delete "+other.ID)
		require.Equal(t, http.StatusOK, res.Code, res.Body.String())
		res = robot.post("/c/gophers/mod/rules", "do", "add", "text", "rule: Of a text\nwords: roulette\ndo: hold")
		require.Equal(t, http.StatusOK, res.Code, res.Body.String())
		require.Equal(t, int64(2), s.one("SELECT count(*) FROM rules"))
	})
	t.Run("a dry run looks at what was removed, too", func(t *testing.T) {
		shown := ben.mustPost("/submit", "community", "gophers", "title", "Slots, shown", "text", "x")
		gone := ben.mustPost("/submit", "community", "gophers", "title", "Slots, removed", "text", "x")
		post := targets(ben.page(shown))[0]
		ann.mustPost("/c/gophers/mod/decide", "target", targets(ben.page(gone))[0], "decision", "remove", "rule", "Spam")
		ben.mustPost("/comment", "post", post, "body", "slots again")
		ann.mustPost("/c/gophers/mod/decide", "target", targets(s.visitor().page("/u/ben/comments"))[0], "decision", "remove", "rule", "Spam")
		type found struct {
			Tried, Hits int
			Stopped     bool
			First       []struct {
				Title, Permalink string
				Removed          bool
			}
		}
		res := robot.post(form, "title", "x", "words", "slots", "do", "hold", "then", "try")
		require.Equal(t, http.StatusOK, res.Code, res.Body.String())
		var answer struct{ Posts, Comments found }
		require.NoError(t, json.Unmarshal(res.Body.Bytes(), &answer))
		require.Equal(t, []int{2, 2, 1, 1}, []int{answer.Posts.Tried, answer.Posts.Hits, answer.Comments.Tried, answer.Comments.Hits}, "without those that wait")
		removed := map[string]bool{}
		for _, x := range answer.Posts.First {
			removed[x.Permalink] = x.Removed
		}
		require.Equal(t, map[string]bool{shown: false, gone: true}, removed)
		require.True(t, answer.Comments.First[0].Removed)
		page := ann.post(form, "rule", made.ID, "title", "x", "words", "slots", "do", "hold", "then", "try").Body.String()
		require.Contains(t, page, "2 of the last 2 posts")
		require.Regexp(t, `Slots, removed</a> ?<span[^>]*>removed</span>`, page)
		root := s.member("rita")
		s.exec("UPDATE users SET admin = 1 WHERE username = 'rita'")
		page = root.post("/admin/rule", "rule", made.ID, "title", "x", "words", "slots", "do", "hold", "then", "try").Body.String()
		require.Contains(t, page, "2 of the last 2 posts", "of the site")
	})
	t.Run("what is typed wrongly is named", func(t *testing.T) {
		for _, fields := range [][]string{{"title", "x", "pattern", "(", "do", "hold"}, {"title", "x", "words", "y", "do", "hold", "rule", "!"}} {
			res := robot.post(form, fields...)
			require.Equal(t, http.StatusUnprocessableEntity, res.Code)
			require.Contains(t, res.Body.String(), `"field":`)
		}
	})
	require.Equal(t, http.StatusForbidden, program(s, ann.newToken("read", "write")).post(form, "title", "x", "words", "y", "do", "hold").Code)
}
