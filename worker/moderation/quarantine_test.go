package moderation_test

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/workertest"
)

func TestQuarantine(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	address := ann.MustPost("/submit", "community", "gophers", "title", "Brigaded", "text", "text")
	id := workertest.Targets(ann.Page(address))[0]
	s.Deliver()

	var mob []*workertest.Browser
	for i := range 22 {
		b := s.Member(fmt.Sprintf("mob%d", i))
		r := httptest.NewRequest(http.MethodGet, "https://plaza.example"+address, nil)
		r.Header.Set("Referer", "https://www.brigade.example/thread?x=1")
		res := b.Send(r)
		require.Equal(t, http.StatusOK, res.Code)
		from := res.Result().Cookies()[0]
		require.Equal(t, "__Host-from", from.Name)
		require.True(t, from.Secure && from.HttpOnly && from.Path == "/" && from.MaxAge == 1800 && from.SameSite == http.SameSiteLaxMode)
		b.From = from.Value
		b.MustPost("/vote", "target", id, "value", "-1")
		mob = append(mob, b)
	}
	s.Deliver()
	require.Equal(t, int64(1), s.One("SELECT score FROM posts WHERE slug = 'brigaded'"))
	require.Contains(t, mob[0].Page(address), `title="0 points`, "who voted sees their vote counted")
	require.Contains(t, s.Visitor().Page(address), `title="1 point`)

	t.Run("the moderator is shown the evidence and releases the votes", func(t *testing.T) {
		page := ann.Page("/c/gophers/mod/quarantine")
		for _, says := range []string{"22 downvotes in quarantine", "by accounts younger than a week", "from one network, ",
			"led here by brigade.example", "22 of 22", "100%", "Brigaded", "The score is 1 without these votes and about -21 with them."} {
			require.Contains(t, page, says)
		}
		require.NotContains(t, page, "192.0.2", "only administrators read which network it is")
		mob[0].MustPost("/submit", "community", "gophers", "title", "Reported", "text", "text")
		mob[1].MustPost("/submit", "community", "gophers", "title", "Reported, too", "text", "text")
		for _, post := range s.Sql.Rows("SELECT id FROM posts WHERE title LIKE 'Reported%'") {
			mob[2].MustPost("/report", "target", data.ID(post[0].(int64)).Text(), "reason", "Spam")
		}
		label := regexp.MustCompile(`network ([0-9A-F]{4}) \(2\)`).FindStringSubmatch(ann.Page("/c/gophers/mod/authors"))
		require.NotNil(t, label)
		require.Contains(t, page, "from one network, "+label[1]+" ", "the label is that of the page of authors")
		require.Contains(t, ann.Page("/c/gophers"), "/c/gophers/mod/quarantine")
		_, rest, _ := strings.Cut(page, `name="case" value="`)
		c, _, _ := strings.Cut(rest, `"`)
		require.Equal(t, http.StatusForbidden, mob[0].Get("/c/gophers/mod/quarantine").Code)
		require.Equal(t, http.StatusForbidden, mob[0].Post("/c/gophers/mod/quarantine", "case", c, "decision", "release").Code)
		require.Equal(t, http.StatusUnprocessableEntity, ann.Post("/c/gophers/mod/quarantine", "case", c, "decision", "both").Code)
		require.Equal(t, http.StatusUnprocessableEntity, ann.Post("/c/gophers/mod/quarantine", "case", "x", "decision", "drop").Code)
		require.Equal(t, int64(22), s.One("SELECT count(*) FROM votes WHERE status = 1"))

		require.Equal(t, "/c/gophers/mod/quarantine", ann.MustPost("/c/gophers/mod/quarantine", "case", c, "decision", "release"))
		s.Deliver()
		require.Equal(t, int64(-21), s.One("SELECT score FROM posts WHERE slug = 'brigaded'"))
		page = ann.Page("/c/gophers/mod/quarantine")
		require.Contains(t, page, "No votes wait for a decision.")
		require.Contains(t, page, "released by")
		require.Equal(t, http.StatusUnprocessableEntity, ann.Post("/c/gophers/mod/quarantine", "case", c, "decision", "drop").Code)
	})

	t.Run("and undoes that", func(t *testing.T) {
		page := ann.Page("/c/gophers/mod/quarantine")
		require.Contains(t, page, `value="undo"`)
		_, rest, _ := strings.Cut(page, `name="case" value="`)
		c, _, _ := strings.Cut(rest, `"`)
		res := ann.Post("/c/gophers/mod/quarantine", "case", c, "decision", "drop")
		require.Contains(t, html.UnescapeString(res.Body.String()), "You have decided this already: these votes were released.")
		require.Equal(t, http.StatusForbidden, mob[0].Post("/c/gophers/mod/quarantine", "case", c, "decision", "undo").Code)
		ann.MustPost("/c/gophers/mod/quarantine", "case", c, "decision", "undo")
		s.Deliver()
		require.Equal(t, int64(1), s.One("SELECT score FROM posts WHERE slug = 'brigaded'"))
		require.Contains(t, ann.Page("/c/gophers/mod/quarantine"), "22 downvotes in quarantine")
	})

	t.Run("administrators find the cases of all communities in one list, and decide there", func(t *testing.T) {
		root := s.Member("rita")
		require.Equal(t, http.StatusForbidden, root.Get("/admin/quarantine").Code)
		require.Equal(t, http.StatusForbidden, ann.Get("/admin/quarantine").Code, "a moderator has a page of their own")
		s.Exec("UPDATE users SET admin = 1 WHERE username = 'rita'")
		require.Contains(t, root.Page("/admin"), `href="/admin/quarantine"`)
		page := root.Page("/admin/quarantine")
		require.Contains(t, page, `href="/c/gophers/mod/quarantine"`)
		require.Contains(t, page, "1 open case")
		require.Contains(t, page, "from one network, 192.0.2.0/24")
		require.Contains(t, root.Page("/c/gophers/mod/quarantine"), "from one network, 192.0.2.0/24")
		require.Contains(t, page, "22 downvotes in quarantine")
		_, rest, _ := strings.Cut(page, `name="case" value="`)
		c, _, _ := strings.Cut(rest, `"`)
		require.Equal(t, http.StatusForbidden, mob[0].Post("/admin/quarantine", "community", "gophers", "case", c, "decision", "drop").Code)
		require.Equal(t, http.StatusNotFound, root.Post("/admin/quarantine", "community", "nowhere", "case", c, "decision", "drop").Code)
		require.Equal(t, "/admin/quarantine", root.MustPost("/admin/quarantine", "community", "gophers", "case", c, "decision", "release"))
		s.Deliver()
		require.Equal(t, int64(-21), s.One("SELECT score FROM posts WHERE slug = 'brigaded'"))
		require.Contains(t, root.Page("/admin/quarantine"), "No votes wait for a decision.")

		for i := range 60 { // more than a page
			s.Exec(`INSERT INTO quarantines (id, target_id, community_id, direction, evidence, votes, created_at)
SELECT ?1, ?1, p.community_id, 1, '{}', 1, 0 FROM posts p WHERE p.slug = 'brigaded'`, int64(i+1)<<22)
		}
		first := root.Page("/admin/quarantine")
		require.Contains(t, first, "60 open cases")
		_, rest, ok := strings.Cut(first, `/admin/quarantine?before=`)
		require.True(t, ok)
		cursor, _, _ := strings.Cut(rest, `"`)
		second := root.Page("/admin/quarantine?before=" + cursor)
		for i := range 60 {
			item := `value="` + data.ID(int64(i+1)<<22).Text() + `"`
			require.True(t, strings.Contains(first, item) != strings.Contains(second, item), item)
		}
	})

	t.Run("voters are told of it once, an hour later, and of what becomes of it", func(t *testing.T) {
		const notified = "SELECT event, count(*), count(DISTINCT user_id), sum(unread) FROM inbox WHERE event LIKE 'vote-%' GROUP BY 1"
		s.Exec("DELETE FROM quarantines WHERE evidence = '{}'")
		require.Equal(t, [][]any{{"vote-released", int64(22), int64(22), int64(22)}}, s.Sql.RowsOfAll(notified), "what moderators undo is told at once")
		s.Exec("DELETE FROM inbox")
		eve := s.Member("eve")
		second := eve.MustPost("/submit", "community", "gophers", "title", "Another", "text", "text")
		target := workertest.Targets(ann.Page(second))[0]
		s.DeliverAll()
		for _, b := range mob {
			b.MustPost("/vote", "target", target, "value", "-1")
		}
		s.DeliverAll()
		require.Equal(t, int64(22), s.One("SELECT count(*) FROM votes WHERE status = 1"))
		require.Empty(t, s.Sql.RowsOfAll(notified), "who is told at once could try out what is found")
		s.Pass(59 * time.Minute)
		require.Empty(t, s.Sql.RowsOfAll(notified))
		s.Pass(2 * time.Minute)
		require.Equal(t, [][]any{{"vote-quarantined", int64(22), int64(22), int64(22)}}, s.Sql.RowsOfAll(notified))
		require.Contains(t, mob[3].Page("/inbox"), "Your vote on a post does not count until a moderator has decided")
		c := data.ID(s.One("SELECT id FROM quarantines WHERE status = 'open'").(int64)).Text()
		page := mob[3].Page("/decisions/" + c)
		for _, says := range []string{"does not count until a moderator has decided", "Another", "An automatic check found it",
			"votes must not be arranged", "You can also go to court", `href="/messages/new?community=gophers&amp;target=` + target} {
			require.Contains(t, page, says)
		}
		require.NotRegexp(t, `>[^<]*\b22\b[^<]*<`, page, "how many they were") // ids and tokens may have these digits
		for _, hides := range []string{"192.0.2", "brigade.example", "younger"} {
			require.NotContains(t, page, hides)
		}
		require.Equal(t, http.StatusNotFound, eve.Get("/decisions/"+c).Code, "nobody else reads it")
		require.Equal(t, http.StatusNotFound, mob[3].Post("/decisions/"+c, "text", "No").Code)
		mob[3].MustPost("/messages", "community", "gophers", "target", target, "title", "My vote", "text", "It was mine.")

		ann.MustPost("/c/gophers/mod/quarantine", "case", c, "decision", "drop")
		s.DeliverAll()
		require.Equal(t, [][]any{{"vote-dropped", int64(22), int64(22), int64(22)}}, s.Sql.RowsOfAll(notified))
		require.Contains(t, mob[3].Page("/decisions/"+c), "A person decided this")
		ann.MustPost("/c/gophers/mod/quarantine", "case", c, "decision", "undo")
		ann.MustPost("/c/gophers/mod/quarantine", "case", c, "decision", "release")
		s.DeliverAll()
		require.Equal(t, [][]any{{"vote-released", int64(22), int64(22), int64(22)}}, s.Sql.RowsOfAll(notified))
		page = mob[3].Page("/decisions/" + c)
		require.Contains(t, page, "Your vote on a post counts again")
		require.NotContains(t, page, "You can also go to court")
	})

	t.Run("where a vote came from is taken from nobody's invention", func(t *testing.T) {
		for from, want := range map[string]string{
			"https://plaza.example/c/gophers": "", "https://Evil.Example:8443/x": "evil.example", "javascript:alert(1)": "", "https://": "",
			"https://" + strings.Repeat("x", 101) + ".example/": "", "https://a b/": "", "android-app://com.example/": "com.example",
		} {
			r := httptest.NewRequest(http.MethodGet, "https://plaza.example"+address, nil)
			r.Header.Set("Referer", from)
			res := ann.Send(r)
			got := ""
			for _, c := range res.Result().Cookies() {
				got = c.Value[14:]
			}
			require.Equal(t, want, got, from)
		}
		voters := 0
		for cookie, want := range map[string]string{
			id + ".news.example": "news.example", "00000000000zz.news.example": "", id + ".": "", id + ".<script>": "", id: "", "": "",
		} {
			voters++
			b := s.Member(fmt.Sprint("voter", voters))
			b.From = cookie
			b.MustPost("/vote", "target", id, "value", "1")
			require.Equal(t, want, s.One("SELECT referrer FROM vote_origins ORDER BY created_at DESC LIMIT 1"), cookie)
		}
		r := httptest.NewRequest(http.MethodGet, "https://plaza.example"+address, nil)
		r.Header.Set("Referer", "https://news.example/")
		require.Empty(t, s.Visitor().Send(r).Result().Cookies(), "a visitor's page is everybody's")
	})
}
