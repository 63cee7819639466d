package moderation_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/workertest"
)

func TestReporting(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben, eve := s.Member("ann"), s.Member("ben"), s.Member("eve")
	ann.MustPost("/communities", "name", "gophers")
	ann.MustPost("/c/gophers/settings", "title", "Gophers", "colour", data.Palette[0].Hex, "rule-1-title", "Be <kind>")
	address := ben.MustPost("/submit", "community", "gophers", "title", "A post", "text", "x")
	post := workertest.Targets(ben.Page(address))[0]
	ben.MustPost("/comment", "post", post, "body", "ben says")
	comment := data.ID(s.One("SELECT id FROM comments WHERE body = 'ben says'").(int64)).Text()

	t.Run("is offered to members, below what others have written", func(t *testing.T) {
		for _, id := range []string{post, comment} {
			require.Contains(t, eve.Page(address), `<a href="/report?target=`+id+`">Report</a>`)
			require.NotContains(t, ben.Page(address), `/report?target=`+id)
			require.NotContains(t, s.Visitor().Page(address), "/report?")
		}
		require.Contains(t, eve.Page("/u/ben"), `href="/report?user=ben"`)
		require.NotContains(t, ben.Page("/u/ben"), `/report?`)
		require.Contains(t, s.Visitor().Get("/report?target="+post).Header().Get("Location"), "/login?next=")
	})
	t.Run("has a form with the rules of the community", func(t *testing.T) {
		page := eve.Page("/report?target=" + comment)
		require.Contains(t, page, `value="Be &lt;kind&gt;"`)
		require.Contains(t, page, "ben says")
		require.Contains(t, page, "It breaks a rule of c/gophers")
		require.NotContains(t, eve.Page("/report?user=ben"), "rule of c/")
		require.Equal(t, http.StatusNotFound, eve.Get("/report?user=nobody").Code)
		require.Equal(t, http.StatusNotFound, eve.Get("/report?target=00000000000zz").Code)
		require.GreaterOrEqual(t, eve.Get("/report?target=x").Code, 400)
	})
	t.Run("comes back with what was typed", func(t *testing.T) {
		res := eve.Post("/report", "target", post, "reason", "Something else", "text", "")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "Please say in a few words what it is.")
		require.Contains(t, res.Body.String(), `value="Something else" required checked`)
		res = eve.Post("/report", "target", post, "reason", "", "text", "typed <words>")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "Please choose why you report this.")
		require.Contains(t, res.Body.String(), "typed &lt;words&gt;")
		require.Equal(t, http.StatusUnprocessableEntity, ben.Post("/report", "target", post, "reason", "Spam").Code)
		require.Zero(t, s.One("SELECT count(*) FROM reports"))
	})
	t.Run("thanks, once a member and thing", func(t *testing.T) {
		for _, about := range [][2]string{{"target", post}, {"target", comment}, {"user", "ben"}} {
			reason := "Spam"
			if about[1] == comment {
				reason = "Be <kind>"
			}
			place := eve.MustPost("/report", about[0], about[1], "reason", reason, "text", "Look!")
			require.Equal(t, "/report?"+about[0]+"="+about[1], place)
			require.Contains(t, eve.Page(place), "You have reported")
			require.Equal(t, place, eve.MustPost("/report", about[0], about[1], "reason", "Spam"))
		}
		require.Equal(t, int64(3), s.One("SELECT count(*) FROM reports"))
	})
	t.Run("offers the rules of the site as well, by which moderators remove", func(t *testing.T) {
		root := s.Member("rita")
		s.Exec("UPDATE users SET admin = 1 WHERE username = 'rita'")
		root.MustPost(workertest.SiteSettings, "rule-1-title", "No <ads>")
		loud := ben.MustPost("/submit", "community", "gophers", "title", "An ad", "text", "x")
		ad := workertest.Targets(ben.Page(loud))[0]
		for _, place := range []string{"/report?target=" + ad, "/report?user=ben"} {
			require.Contains(t, root.Page(place), `value="No &lt;ads&gt;"`)
			require.Contains(t, root.Page(place), `value="Spam"`)
		}
		require.Contains(t, ann.Page("/c/gophers/mod/decide?target="+ad), `value="No &lt;ads&gt;"`)
		require.Equal(t, http.StatusUnprocessableEntity, eve.Post("/report", "target", ad, "reason", "No such rule").Code)
		eve.MustPost("/report", "target", ad, "reason", "No <ads>")
		ann.MustPost("/c/gophers/mod/queue", "one", "remove "+ad+" No <ads>")
		require.Contains(t, ben.Page(loud), "Rule: No &lt;ads&gt;")
	})
}
