package worker_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTeam is a community that gets a moderator and an approver, and changes hands.
func TestTeam(t *testing.T) {
	s := mustOpen(t)
	ann, ben, cat, root := s.member("ann"), s.member("ben"), s.member("cat"), s.admin("rita")
	ann.mustPost("/communities", "name", "gophers")
	const team, own = "/c/gophers/moderators", "/c/gophers/moderators/own"

	res := ann.post(team, "do", "invite", "user", "<nobody>", "role", "approver")
	require.Equal(t, http.StatusUnprocessableEntity, res.Code)
	require.Contains(t, res.Body.String(), "There is nobody of that name here.")
	require.Contains(t, res.Body.String(), `value="&lt;nobody&gt;"`)
	ann.mustPost(team, "do", "invite", "user", "ben", "role", "approver")
	require.NotContains(t, cat.page(team), "Invited")
	require.NotContains(t, s.visitor().page(team), "ben")

	t.Run("the invitation is in the inbox, and counts", func(t *testing.T) {
		s.T = t
		page := ben.page("/inbox")
		require.Contains(t, page, "to be an approver of")
		require.Contains(t, page, `<b>1</b><span class="vh"> unread`)
		require.Contains(t, ben.page(team), "to be an approver of")
		require.Equal(t, http.StatusForbidden, ben.get("/c/gophers/mod/queue").Code)
		ben.mustPost(own, "do", "accept", "role", "approver")
		require.NotContains(t, ben.page("/inbox"), "to be an approver of")
	})
	post := targets(cat.page(cat.mustPost("/submit", "community", "gophers", "title", "A post", "text", "text")))[0]
	t.Run("an approver has the queue, removes and approves, and nothing else", func(t *testing.T) {
		s.T = t
		require.Equal(t, http.StatusOK, ben.get("/c/gophers/mod/queue").Code)
		require.Equal(t, http.StatusOK, ben.get("/c/gophers/mod/quarantine").Code)
		require.Equal(t, http.StatusForbidden, ben.get("/c/gophers/settings").Code)
		page := ben.page("/c/gophers/p/a-post")
		require.Contains(t, page, "Remove…")
		require.NotContains(t, page, "Lock")
		require.NotContains(t, page, "/c/gophers/settings")
		ann.mustPost("/report", "target", post, "reason", "Spam")
		require.Contains(t, ben.page("/"), `/mod/queue`)
		ben.mustPost("/c/gophers/mod/queue", "one", "approve "+post)
		ann.mustPost("/c/gophers/mod/decide", "target", post, "decision", "remove", "rule", "Spam")
		require.Contains(t, ben.page("/c/gophers/p/a-post"), "A post", "it still sees what was removed")
		ben.mustPost("/c/gophers/mod/decide", "target", post, "decision", "approve")
		require.Equal(t, http.StatusForbidden, ben.post("/c/gophers/mod/decide", "target", post, "decision", "lock").Code)
		require.Equal(t, http.StatusForbidden, ben.post(team, "do", "invite", "user", "cat", "role", "approver").Code)
	})
	t.Run("the community changes hands", func(t *testing.T) {
		s.T = t
		ann.mustPost(team, "do", "role", "user", "ben", "role", "owner")
		require.Equal(t, http.StatusForbidden, ann.post(team, "do", "dismiss", "user", "ben").Code)
		require.Equal(t, http.StatusOK, ann.get("/c/gophers/settings").Code, "who gives it away still moderates")
		ann.mustPost(own, "do", "resign")
		require.Equal(t, http.StatusForbidden, ann.get("/c/gophers/settings").Code)
		ben.mustPost(own, "do", "resign")
		require.Contains(t, s.visitor().page("/c/gophers/log"), "resigned as a moderator")
		root.mustPost(team, "do", "invite", "user", "cat", "role", "owner")
		cat.mustPost(own, "do", "decline")
		require.Equal(t, http.StatusNotFound, cat.post(own, "do", "accept", "role", "owner").Code)
		require.Equal(t, http.StatusUnprocessableEntity, cat.post(own, "do", "reign").Code)
		root.mustPost(team, "do", "invite", "user", "cat", "role", "owner")
		cat.mustPost(own, "do", "accept", "role", "owner")
		require.Equal(t, http.StatusOK, cat.get("/c/gophers/settings").Code)
	})
}
