package community_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

// TestTeam is a community that gets a moderator and an approver, and changes hands.
func TestTeam(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben, cat, root := s.Member("ann"), s.Member("ben"), s.Member("cat"), s.Admin("rita")
	ann.MustPost("/communities", "name", "gophers")
	const team, own = "/c/gophers/moderators", "/c/gophers/moderators/own"

	res := ann.Post(team, "do", "invite", "user", "<nobody>", "role", "approver")
	require.Equal(t, http.StatusUnprocessableEntity, res.Code)
	require.Contains(t, res.Body.String(), "There is no member of that name.")
	require.Contains(t, res.Body.String(), `value="&lt;nobody&gt;"`)
	ann.MustPost(team, "do", "invite", "user", "ben", "role", "approver")
	require.NotContains(t, cat.Page(team), "Invited")
	require.NotRegexp(t, `\bben\b`, s.Visitor().Page(team))

	t.Run("the invitation is in the inbox, and counts", func(t *testing.T) {
		s.T = t
		page := ben.Page("/inbox")
		require.Contains(t, page, "to be an approver of")
		require.Contains(t, page, `<b>1</b><span class="vh"> unread`)
		require.Contains(t, ben.Page(team), "to be an approver of")
		require.Equal(t, http.StatusForbidden, ben.Get("/c/gophers/mod/queue").Code)
		ben.MustPost(own, "do", "accept", "role", "approver")
		require.NotContains(t, ben.Page("/inbox"), "to be an approver of")
	})
	post := workertest.Targets(cat.Page(cat.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text")))[0]
	t.Run("an approver has the queue, removes and approves, and nothing else", func(t *testing.T) {
		s.T = t
		require.Equal(t, http.StatusOK, ben.Get("/c/gophers/mod/queue").Code)
		require.Equal(t, http.StatusOK, ben.Get("/c/gophers/mod/quarantine").Code)
		require.Equal(t, http.StatusForbidden, ben.Get("/c/gophers/settings").Code)
		page := ben.Page("/c/gophers/p/a-post")
		require.Contains(t, page, "Remove…")
		require.NotContains(t, page, "Lock")
		require.NotContains(t, page, "/c/gophers/settings")
		ann.MustPost("/report", "target", post, "reason", "Spam")
		require.Contains(t, ben.Page("/"), `/mod/queue`)
		ben.MustPost("/c/gophers/mod/queue", "one", "approve "+post)
		ann.MustPost("/c/gophers/mod/decide", "target", post, "decision", "remove", "rule", "Spam")
		require.Contains(t, ben.Page("/c/gophers/p/a-post"), "A post", "it still sees what was removed")
		ben.MustPost("/c/gophers/mod/decide", "target", post, "decision", "approve")
		require.Equal(t, http.StatusForbidden, ben.Post("/c/gophers/mod/decide", "target", post, "decision", "lock").Code)
		require.Equal(t, http.StatusForbidden, ben.Post(team, "do", "invite", "user", "cat", "role", "approver").Code)
	})
	t.Run("the community changes hands", func(t *testing.T) {
		s.T = t
		ann.MustPost(team, "do", "role", "user", "ben", "role", "owner")
		require.Equal(t, http.StatusForbidden, ann.Post(team, "do", "dismiss", "user", "ben").Code)
		require.Equal(t, http.StatusOK, ann.Get("/c/gophers/settings").Code, "who gives it away still moderates")
		ann.MustPost(own, "do", "resign")
		require.Equal(t, http.StatusForbidden, ann.Get("/c/gophers/settings").Code)
		ben.MustPost(own, "do", "resign")
		require.Contains(t, s.Visitor().Page("/c/gophers/log"), "resigned as a moderator")
		root.MustPost(team, "do", "invite", "user", "cat", "role", "owner")
		cat.MustPost(own, "do", "decline")
		require.Equal(t, http.StatusNotFound, cat.Post(own, "do", "accept", "role", "owner").Code)
		require.Equal(t, http.StatusUnprocessableEntity, cat.Post(own, "do", "reign").Code)
		root.MustPost(team, "do", "invite", "user", "cat", "role", "owner")
		cat.MustPost(own, "do", "accept", "role", "owner")
		require.Equal(t, http.StatusOK, cat.Get("/c/gophers/settings").Code)
	})
}
