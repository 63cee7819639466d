package worker_test

import (
	"fmt"
	"html"
	"net/http"
	"strings"
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
		res := ann.post("/c/gophers/mod/queue", "target", odd, "decision", "remove", "text", "typed word", "rule", "")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "Please choose the rule that it breaks.")
		require.Contains(t, res.Body.String(), `value="typed word"`)
		require.Contains(t, res.Body.String(), `value="`+odd+`" aria-label="Tick Reported 4" checked`)
		ann.mustPost("/c/gophers/mod/queue", "one", "ignore "+odd)
	})
	t.Run("never takes a reason of reporters for a rule", func(t *testing.T) {
		harm, address := reported("gophers", "reason", "Suicide or self-harm")
		for _, fields := range [][]string{{"one", "remove " + harm}, {"target", harm, "decision", "remove"}, {"shown", harm, "decision", "remove all"}} {
			res := ann.post("/c/gophers/mod/queue", append(fields, "text-"+harm, "typed <word>")...)
			require.Equal(t, http.StatusUnprocessableEntity, res.Code)
			require.Contains(t, res.Body.String(), "Please choose the rule that it breaks.")
		}
		s.deliver()
		require.NotContains(t, s.visitor().page("/c/gophers/log"), "Suicide")
		require.NotContains(t, ben.page("/inbox/moderation"), "Suicide")
		require.Equal(t, http.StatusOK, s.visitor().get(address).Code)
		ann.mustPost("/c/gophers/mod/queue", "one", "ignore "+harm)
	})
	t.Run("says at the case what is wrong with it, where it gets the focus, and offers the reported rule first", func(t *testing.T) {
		res := ann.post("/c/gophers/mod/queue", "one", "remove "+first, "text-"+first, "typed <word>", "text", "for all")
		_, item, _ := strings.Cut(res.Body.String(), `id="q-`+first+`"`)
		item, rest, _ := strings.Cut(item, "</article>")
		require.Contains(t, item, `<p class="wrong whole" role="alert" tabindex="-1" autofocus>Please choose the rule that it breaks.</p>`)
		require.Contains(t, item, `<details class="pick" open>`)
		require.Contains(t, item, `typed &lt;word&gt;</textarea>`)
		require.NotContains(t, rest, `role="alert"`)
		require.Regexp(t, `(?s)<ol><li><button[^>]*value="remove `+first+` Be kind">Be kind</button></li>`, item)
		all := ann.page("/mod/queue")
		require.Contains(t, all, `value="remove `+first+` Be kind"`, "each has the rules of its community")
		require.NotContains(t, all, `value="remove `+elsewhere+` Be kind"`)
	})
	t.Run("removes what was reported, and it is gone", func(t *testing.T) {
		require.Equal(t, "/c/gophers/mod/queue?done=1#q-"+second, ann.mustPost("/c/gophers/mod/queue", "one", "remove "+first+" Be kind", "text-"+first, "Be kinder.", "shown", elsewhere+" "+first+" "+second))
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
		res := ann.postBody("/mod/queue", "application/x-www-form-urlencoded", "decision=remove&rule=Spam&target="+another+"&target="+elsewhere)
		require.Equal(t, "/mod/queue?done=2", res.Header().Get("Location"))
		require.Contains(t, ann.page("/mod/queue"), "Nothing waits for a decision.")
		s.now = s.now.Add(data.OwnLife)
		require.NotContains(t, ann.page("/"), "waiting")
	})
	t.Run("asks before it decides about a whole page, with the number that it will be about", func(t *testing.T) {
		var ids []string
		for range 3 {
			id, _ := reported("gophers", "reason", "Spam")
			ids = append(ids, id)
		}
		eve.mustPost("/report", "user", "ann", "reason", "Impersonation")
		page := root.page("/mod/queue")
		require.Regexp(t, `(?s)<summary[^>]*>Remove all of this page…</summary>.*<button[^>]*value="remove all">Remove all 3</button>`, page)
		require.Contains(t, page, ">Approve all 4</button>")
		value := func(name string) string {
			_, rest, _ := strings.Cut(page, `name="`+name+`" value="`)
			text, _, _ := strings.Cut(rest, `"`)
			return text
		}
		written, shown := value("written"), value("shown")
		require.ElementsMatch(t, ids, strings.Fields(written))
		require.Len(t, strings.Fields(shown), 4)
		require.Equal(t, "/mod/queue?done=3", strings.Split(root.mustPost("/mod/queue", "decision", "remove all", "rule", "Spam", "written", written, "shown", shown), "#")[0])
		require.Equal(t, http.StatusUnprocessableEntity, root.post("/mod/queue", "decision", "approve all", "shown", shown).Code, "three are decided already")
		require.NotContains(t, root.page("/mod/queue"), "Impersonation")
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
