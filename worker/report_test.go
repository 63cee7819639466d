package worker_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
)

func TestReporting(t *testing.T) {
	s := mustOpen(t)
	ann, ben, eve := s.member("ann"), s.member("ben"), s.member("eve")
	ann.mustPost("/communities", "name", "gophers")
	ann.mustPost("/c/gophers/settings", "title", "Gophers", "colour", data.Palette[0].Hex, "rule-1-title", "Be <kind>")
	address := ben.mustPost("/submit", "community", "gophers", "title", "A post", "text", "x")
	post := targets(ben.page(address))[0]
	ben.mustPost("/comment", "post", post, "body", "ben says")
	comment := data.ID(s.one("SELECT id FROM comments WHERE body = 'ben says'").(int64)).Text()

	t.Run("is offered to members, below what others have written", func(t *testing.T) {
		for _, id := range []string{post, comment} {
			require.Contains(t, eve.page(address), `<a href="/report?target=`+id+`">Report</a>`)
			require.NotContains(t, ben.page(address), `/report?target=`+id)
			require.NotContains(t, s.visitor().page(address), "/report?")
		}
		require.Contains(t, eve.page("/u/ben"), `href="/report?user=ben"`)
		require.NotContains(t, ben.page("/u/ben"), `/report?`)
		require.Contains(t, s.visitor().get("/report?target="+post).Header().Get("Location"), "/login?next=")
	})
	t.Run("has a form with the rules of the community", func(t *testing.T) {
		page := eve.page("/report?target=" + comment)
		require.Contains(t, page, `value="Be &lt;kind&gt;"`)
		require.Contains(t, page, "ben says")
		require.Contains(t, page, "It breaks a rule of c/gophers")
		require.NotContains(t, eve.page("/report?user=ben"), "rule of c/")
		require.Equal(t, http.StatusNotFound, eve.get("/report?user=nobody").Code)
		require.Equal(t, http.StatusNotFound, eve.get("/report?target=00000000000zz").Code)
		require.GreaterOrEqual(t, eve.get("/report?target=x").Code, 400)
	})
	t.Run("comes back with what was typed", func(t *testing.T) {
		res := eve.post("/report", "target", post, "reason", "Something else", "text", "")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "Please say in a few words what it is.")
		require.Contains(t, res.Body.String(), `value="Something else" required checked`)
		res = eve.post("/report", "target", post, "reason", "", "text", "typed <words>")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "Please choose why you report this.")
		require.Contains(t, res.Body.String(), "typed &lt;words&gt;")
		require.Equal(t, http.StatusUnprocessableEntity, ben.post("/report", "target", post, "reason", "Spam").Code)
		require.Zero(t, s.one("SELECT count(*) FROM reports"))
	})
	t.Run("thanks, once a member and thing", func(t *testing.T) {
		for _, about := range [][2]string{{"target", post}, {"target", comment}, {"user", "ben"}} {
			reason := "Spam"
			if about[1] == comment {
				reason = "Be <kind>"
			}
			place := eve.mustPost("/report", about[0], about[1], "reason", reason, "text", "Look!")
			require.Equal(t, "/report?"+about[0]+"="+about[1], place)
			require.Contains(t, eve.page(place), "You have reported")
			require.Equal(t, place, eve.mustPost("/report", about[0], about[1], "reason", "Spam"))
		}
		require.Equal(t, int64(3), s.one("SELECT count(*) FROM reports"))
	})
	t.Run("offers the rules of the site as well, by which moderators remove", func(t *testing.T) {
		root := s.member("rita")
		s.exec("UPDATE users SET admin = 1 WHERE username = 'rita'")
		root.mustPost(siteSettings, "rule-1-title", "No <ads>")
		loud := ben.mustPost("/submit", "community", "gophers", "title", "An ad", "text", "x")
		ad := targets(ben.page(loud))[0]
		for _, place := range []string{"/report?target=" + ad, "/report?user=ben"} {
			require.Contains(t, root.page(place), `value="No &lt;ads&gt;"`)
			require.Contains(t, root.page(place), `value="Spam"`)
		}
		require.Contains(t, ann.page("/c/gophers/mod/decide?target="+ad), `value="No &lt;ads&gt;"`)
		require.Equal(t, http.StatusUnprocessableEntity, eve.post("/report", "target", ad, "reason", "No such rule").Code)
		eve.mustPost("/report", "target", ad, "reason", "No <ads>")
		ann.mustPost("/c/gophers/mod/queue", "one", "remove "+ad+" No <ads>")
		require.Contains(t, ben.page(loud), "Rule: No &lt;ads&gt;")
	})
}
