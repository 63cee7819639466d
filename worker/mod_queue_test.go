package worker_test

import (
	"fmt"
	"html"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
)

func TestModQueue(t *testing.T) {
	s := mustOpen(t)
	ann, ben, eve, root := s.member("ann"), s.member("ben"), s.member("eve"), s.member("rita")
	s.exec("UPDATE users SET admin = 1 WHERE username = 'rita'")
	ann.mustPost("/communities", "name", "gophers")
	ann.mustPost("/communities", "name", "gardens")
	ann.mustPost("/c/gophers/settings", "title", "Gophers", "colour", data.Palette[0].Hex, "rule-1-title", "Be kind")
	s.exec("INSERT INTO moderators (community_id, user_id, username, created_at) SELECT c.id, u.id, 'rita', 0 FROM communities c, users u WHERE c.name = 'gophers' AND u.username = 'rita'")
	n := 0
	reported := func(community string, fields ...string) (id, address string) {
		n++
		address = ben.mustPost("/submit", "community", community, "title", fmt.Sprint("Reported ", n), "text", "x")
		id = targets(ben.page(address))[0]
		eve.mustPost("/report", append([]string{"target", id}, fields...)...)
		return id, address
	}
	first, address := reported("gophers", "reason", "Be kind", "text", "Look <here>")
	second, _ := reported("gophers", "reason", "Spam")
	elsewhere, _ := reported("gardens", "reason", "Spam")
	s.now = s.now.Add(data.OwnLife)

	t.Run("is found by moderators, with its count in their header", func(t *testing.T) {
		page := ann.page("/")
		require.Contains(t, page, `<b>3</b><span class="vh"> waiting`)
		require.Contains(t, page, `href="/mod/queue"`)
		require.NotContains(t, eve.page("/"), `/mod/queue`)
		require.Contains(t, ann.page("/c/gophers"), `href="/c/gophers/mod/queue"`)
		require.Equal(t, http.StatusForbidden, eve.get("/c/gophers/mod/queue").Code)
		require.Contains(t, eve.page("/mod/queue"), "Nothing waits for a decision.")
	})
	t.Run("shows what was reported, why, and how often", func(t *testing.T) {
		page := ann.page("/c/gophers/mod/queue")
		for _, says := range []string{"Reported 1", "Reported 2", "“Look &lt;here&gt;”", "1 report", "Be kind"} {
			require.Contains(t, page, says)
		}
		require.NotContains(t, page, "Reported 3")
		require.NotContains(t, page, "eve")
		for _, b := range []*browser{ann, root} {
			require.Contains(t, b.page("/mod/queue?sort=most"), "Reported 3")
		}
	})
	t.Run("keeps the form where no rule was given", func(t *testing.T) {
		odd, _ := reported("gophers", "reason", "Something else", "text", "odd")
		res := ann.post("/c/gophers/mod/queue", "target", odd, "decision", "remove", "text", "typed word")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "Please choose the rule that it breaks.")
		require.Contains(t, res.Body.String(), `value="typed word"`)
		require.Contains(t, res.Body.String(), `value="`+odd+`" aria-label="Tick Reported 4" checked`)
		ann.mustPost("/c/gophers/mod/queue", "one", "ignore "+odd)
	})
	t.Run("removes what was reported, and it is gone", func(t *testing.T) {
		require.Equal(t, "/c/gophers/mod/queue?done=1", ann.mustPost("/c/gophers/mod/queue", "one", "remove "+first, "text", "Be kinder."))
		s.deliver()
		require.Contains(t, ann.page("/c/gophers/mod/queue?done=1"), "1 decided.")
		require.NotContains(t, s.visitor().page("/c/gophers/new"), "Reported 1")
		require.Contains(t, eve.page("/report?target="+first), "It was removed.", "who reported it is told")
		require.NotContains(t, eve.page("/report?target="+first), "Reported 1")
		require.Contains(t, ben.page(address), "Be kinder.")
		require.Contains(t, s.visitor().page("/c/gophers/log"), "Be kind")
	})
	t.Run("tells the second moderator who was faster", func(t *testing.T) {
		root.mustPost("/c/gophers/mod/queue", "target", second, "decision", "approve")
		require.Contains(t, eve.page("/report?target="+second), "it may stay")
		res := ann.post("/c/gophers/mod/queue", "target", second, "decision", "remove")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, html.UnescapeString(res.Body.String()), "rita was faster: one of these was decided already.")
		require.Contains(t, s.visitor().page("/c/gophers/new"), "Reported 2")
	})
	t.Run("decides for several communities at once", func(t *testing.T) {
		another, _ := reported("gophers", "reason", "Spam")
		require.Equal(t, http.StatusForbidden, eve.post("/mod/queue", "target", another, "decision", "ignore").Code)
		res := ann.postBody("/mod/queue", "application/x-www-form-urlencoded", "decision=remove&target="+another+"&target="+elsewhere)
		require.Equal(t, "/mod/queue?done=2", res.Header().Get("Location"))
		require.Contains(t, ann.page("/mod/queue"), "Nothing waits for a decision.")
		s.now = s.now.Add(data.OwnLife)
		require.NotContains(t, ann.page("/"), "waiting")
	})
	t.Run("has reports of members for administrators", func(t *testing.T) {
		eve.mustPost("/report", "user", "ben", "reason", "Impersonation")
		require.NotContains(t, ann.page("/mod/queue"), "Impersonation")
		require.Contains(t, root.page("/mod/queue"), "Impersonation")
		ben := data.ID(s.one("SELECT id FROM users WHERE username = 'ben'").(int64)).Text()
		require.Equal(t, http.StatusForbidden, ann.post("/mod/queue", "one", "ignore "+ben).Code)
		root.mustPost("/mod/queue", "one", "ignore "+ben)
		require.NotContains(t, root.page("/mod/queue"), "Impersonation")
	})
}
