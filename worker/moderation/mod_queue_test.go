package moderation_test

import (
	"fmt"
	"html"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/workertest"
)

func TestModQueue(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben, eve, root := s.Member("ann"), s.Member("ben"), s.Member("eve"), s.Member("rita")
	s.Exec("UPDATE users SET admin = 1 WHERE username = 'rita'")
	ann.MustPost("/communities", "name", "gophers")
	ann.MustPost("/communities", "name", "gardens")
	ann.MustPost("/c/gophers/settings", "title", "Gophers", "colour", data.Palette[0].Hex, "rule-1-title", "Be kind")
	s.Exec("INSERT INTO moderators (community_id, user_id, username, created_at) SELECT c.id, u.id, 'rita', 0 FROM communities c, users u " +
		"WHERE c.name = 'gophers' AND u.username = 'rita'")
	n := 0
	reported := func(community string, fields ...string) (id, address string) {
		n++
		address = ben.MustPost("/submit", "community", community, "title", fmt.Sprint("Reported ", n), "text", "x")
		id = workertest.Targets(ben.Page(address))[0]
		eve.MustPost("/report", append([]string{"target", id}, fields...)...)
		return id, address
	}
	first, address := reported("gophers", "reason", "Be kind", "text", "Look <here>")
	second, _ := reported("gophers", "reason", "Spam")
	elsewhere, _ := reported("gardens", "reason", "Spam")
	s.Now = s.Now.Add(data.MemberCacheTTL)

	t.Run("is found by moderators, with its count in their header", func(t *testing.T) {
		page := ann.Page("/")
		require.Contains(t, page, `<b>3</b><span class="vh"> waiting`)
		require.Contains(t, page, `href="/mod/queue"`)
		require.NotContains(t, eve.Page("/"), `/mod/queue`)
		require.Contains(t, ann.Page("/c/gophers"), `href="/c/gophers/mod/queue"`)
		require.Equal(t, http.StatusForbidden, eve.Get("/c/gophers/mod/queue").Code)
		require.Contains(t, eve.Page("/mod/queue"), "Nothing waits for a decision.")
	})
	t.Run("shows what was reported, why, and how often", func(t *testing.T) {
		page := ann.Page("/c/gophers/mod/queue")
		for _, says := range []string{"Reported 1", "Reported 2", "“Look &lt;here&gt;”", "1 report", "Be kind"} {
			require.Contains(t, page, says)
		}
		require.NotContains(t, page, "Reported 3")
		require.NotRegexp(t, `\beve\b`, page)
		for _, b := range []*workertest.Browser{ann, root} {
			require.Contains(t, b.Page("/mod/queue?sort=most"), "Reported 3")
		}
	})
	t.Run("keeps the form where no rule was given", func(t *testing.T) {
		odd, _ := reported("gophers", "reason", "Something else", "text", "odd")
		res := ann.Post("/c/gophers/mod/queue", "target", odd, "decision", "remove", "text", "typed word", "rule", "")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "Please choose the rule that it breaks.")
		require.Contains(t, res.Body.String(), `value="typed word"`, "where the rule is chosen")
		require.Contains(t, res.Body.String(), `value="`+odd+`" aria-label="Select Reported 4" checked`)
		ann.MustPost("/c/gophers/mod/queue", "one", "ignore "+odd)
	})
	t.Run("never takes a reason of reporters for a rule", func(t *testing.T) {
		harm, address := reported("gophers", "reason", "Suicide or self-harm")
		for _, fields := range [][]string{{"one", "remove " + harm}, {"target", harm, "decision", "remove"},
			{"shown", harm, "all", "remove"}, {"target", harm, "ticked", "remove"}} {
			res := ann.Post("/c/gophers/mod/queue", append(fields, "text-"+harm, "typed <word>")...)
			require.Equal(t, http.StatusUnprocessableEntity, res.Code)
			require.Contains(t, res.Body.String(), "Please choose the rule that it breaks.")
		}
		s.Deliver()
		require.NotContains(t, s.Visitor().Page("/c/gophers/log"), "Suicide")
		require.NotContains(t, ben.Page("/inbox/moderation"), "Suicide")
		require.Equal(t, http.StatusOK, s.Visitor().Get(address).Code)
		ann.MustPost("/c/gophers/mod/queue", "one", "ignore "+harm)
	})
	t.Run("says at the case what is wrong with it, where it gets the focus, and offers the reported rule first", func(t *testing.T) {
		res := ann.Post("/c/gophers/mod/queue", "one", "remove "+first, "text-"+first, "typed <word>", "text", "for all")
		_, item, _ := strings.Cut(res.Body.String(), `id="q-`+first+`"`)
		item, rest, _ := strings.Cut(item, "</article>")
		require.Contains(t, item, `<p class="wrong whole" role="alert" tabindex="-1" autofocus>Please choose the rule that it breaks.</p>`)
		require.Contains(t, item, `<details class="pick" name="pick" open>`)
		require.Contains(t, item, `value="typed &lt;word&gt;"`)
		require.NotContains(t, rest, `role="alert"`)
		require.Regexp(t, `(?s)<ol><li><button[^>]*value="remove `+first+` Be kind">Be kind</button></li>`, item)
		all := ann.Page("/mod/queue")
		require.Contains(t, all, `value="remove `+first+` Be kind"`, "each has the rules of its community")
		require.NotContains(t, all, `value="remove `+elsewhere+` Be kind"`)
	})
	t.Run("removes what was reported, and it is gone", func(t *testing.T) {
		require.Equal(t, "/c/gophers/mod/queue?done=1&undo="+first+"#q-"+second, ann.MustPost("/c/gophers/mod/queue", "one", "remove "+first+" Be kind",
			"text-"+first, "Be kinder.", "shown", elsewhere+" "+first+" "+second))
		s.Deliver()
		require.Contains(t, ann.Page("/c/gophers/mod/queue?done=1"), "1 decided.")
		require.NotContains(t, s.Visitor().Page("/c/gophers/new"), "Reported 1")
		require.Contains(t, eve.Page("/report?target="+first), "It was removed.", "who reported it is told")
		require.NotContains(t, eve.Page("/report?target="+first), "Reported 1")
		require.Contains(t, ben.Page(address), "Be kinder.")
		require.Contains(t, s.Visitor().Page("/c/gophers/log"), "Be kind")
	})
	t.Run("tells the second moderator who was faster", func(t *testing.T) {
		root.MustPost("/c/gophers/mod/queue", "target", second, "decision", "approve")
		require.Contains(t, eve.Page("/report?target="+second), "it may stay")
		res := ann.Post("/c/gophers/mod/queue", "target", second, "decision", "remove")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, html.UnescapeString(res.Body.String()), "rita was faster: one of these was decided already.")
		require.Contains(t, s.Visitor().Page("/c/gophers/new"), "Reported 2")
	})
	t.Run("decides for several communities at once", func(t *testing.T) {
		another, _ := reported("gophers", "reason", "Spam")
		require.Equal(t, http.StatusForbidden, eve.Post("/mod/queue", "target", another, "decision", "ignore").Code)
		res := ann.PostBody("/mod/queue", "application/x-www-form-urlencoded", "decision=remove&rule=Spam&target="+another+"&target="+elsewhere)
		require.Regexp(t, `^/mod/queue[?]done=2&undo=\w{13}[+]\w{13}$`, res.Header().Get("Location"))
		require.Contains(t, ann.Page("/mod/queue"), "Nothing waits for a decision.")
		s.Now = s.Now.Add(data.MemberCacheTTL)
		require.NotContains(t, ann.Page("/"), "waiting")
	})
	t.Run("asks before it decides about a whole page, with the number that it will be about", func(t *testing.T) {
		var ids []string
		for range 3 {
			id, _ := reported("gophers", "reason", "Spam")
			ids = append(ids, id)
		}
		eve.MustPost("/report", "user", "ann", "reason", "Impersonation")
		page := root.Page("/mod/queue")
		require.Regexp(t, `(?s)<summary[^>]*>Remove all of this page</summary>.*<strong>Remove all <b>3</b></strong>.*<button name="all" `+
			`value="remove Spam">`, page)
		require.Contains(t, page, ">Approve all <b>4</b></button>")
		value := func(name string) string {
			_, rest, _ := strings.Cut(page, `name="`+name+`" value="`)
			text, _, _ := strings.Cut(rest, `"`)
			return text
		}
		written, shown := value("written"), value("shown")
		require.ElementsMatch(t, ids, strings.Fields(written))
		require.Len(t, strings.Fields(shown), 4)
		require.Contains(t, root.MustPost("/mod/queue", "all", "remove Spam", "all-text", "No spam.", "written", written, "shown", shown),
			"/mod/queue?done=3&undo=")
		require.Equal(t, int64(3), s.One("SELECT count(*) FROM moderation_log WHERE action = 'remove' AND note = 'No spam.'"))
		require.Equal(t, http.StatusUnprocessableEntity, root.Post("/mod/queue", "all", "approve", "shown", shown).Code,
			"three are decided already")
		require.NotContains(t, root.Page("/mod/queue"), "Impersonation")
	})
	t.Run("takes back what was decided: it waits again, and is shown again", func(t *testing.T) {
		one, address := reported("gophers", "reason", "Spam")
		another, _ := reported("gophers", "reason", "Be kind")
		ticked := "&target=" + one + "&target=" + another
		res := ann.PostBody("/c/gophers/mod/queue", "application/x-www-form-urlencoded", "ticked=remove+Spam"+ticked+"&target="+one)
		id, err := data.ParseID(one)
		require.NoError(t, err)
		require.Equal(t, int64(1), s.One("SELECT count(*) FROM moderation_log WHERE action = 'remove' AND target_id = ?1", int64(id)),
			"named twice, it is decided once")
		page := ann.Page(res.Header().Get("Location"))
		require.Contains(t, page, `<span role="status">2 decided.</span><button class="button quiet" name="all" value="undo">Undo</button>`,
			"without the script")
		require.NotContains(t, s.Visitor().Page("/c/gophers/new"), address+`"`)
		require.Equal(t, http.StatusUnprocessableEntity, root.Post("/c/gophers/mod/queue", "one", "undo "+one).Code, "it is not theirs")
		require.Equal(t, http.StatusForbidden, eve.Post("/c/gophers/mod/queue", "one", "undo "+one).Code)
		require.Equal(t, "/c/gophers/mod/queue#q-"+one, ann.MustPost("/c/gophers/mod/queue", "one", "undo "+one))
		require.Contains(t, ann.Page("/c/gophers/mod/queue"), `id="q-`+one+`"`)
		require.Contains(t, s.Visitor().Page("/c/gophers/new"), address+`"`)
		ann.MustPost("/c/gophers/mod/queue", "all", "undo", "shown", another)
		res = ann.PostBody("/c/gophers/mod/queue", "application/x-www-form-urlencoded", "ticked=ignore"+ticked)
		require.Equal(t, http.StatusSeeOther, res.Code)
	})
	t.Run("answers the script with what takes the place of a case", func(t *testing.T) {
		one, _ := reported("gophers", "reason", "Spam")
		defer ann.Header.Del("HX-Request")
		send := func(fields ...string) string {
			res := ann.WithHeader("HX-Request", "true").Post("/c/gophers/mod/queue", fields...)
			require.Equal(t, http.StatusOK, res.Code)
			return res.Body.String()
		}
		require.Contains(t, send("one", "remove "+one+" Spam"), `<article class="case q done" id="q-`+one+
			`" tabindex="-1"><p><strong>Removed: Spam</strong>`)
		require.Empty(t, send("one", "undo "+one))
		require.Contains(t, send("one", "approve "+one), "<strong>Approved</strong>")
	})
	t.Run("says how well the community knows an author, and what waits elsewhere", func(t *testing.T) {
		one, _ := reported("gophers", "reason", "Spam")
		s.Exec("UPDATE reputations SET posts = 60")
		require.Contains(t, ann.Page("/c/gophers/mod/queue"), `<span class="mark">new</span>`, "the account is young")
		s.Now = s.Now.Add(8 * 24 * time.Hour)
		require.Contains(t, ann.Page("/c/gophers/mod/queue"), `<span class="mark">known</span>`, "and has written much")
		require.Regexp(t, `aria-current="page">Queue <b>\d+</b></a><a href="/c/gophers/mod/mail">Mail</a>`, ann.Page("/c/gophers/mod/queue"))
		for _, page := range []string{"mail", "quarantine", "bans", "rules", "rule", "flair", "member?user=" + data.ID(s.One("SELECT id FROM users WHERE username = 'ben'").(int64)).Text(), "authors"} {
			require.Contains(t, ann.Page("/c/gophers/mod/"+page), `<nav class="tabs modnav"`, page)
		}
		for _, page := range []string{"settings", "log", "log/numbers"} {
			require.Contains(t, ann.Page("/c/gophers/"+page), `<nav class="tabs modnav"`, page)
		}
		require.NotContains(t, ben.Page("/c/gophers/log"), "modnav")
		ann.MustPost("/c/gophers/mod/queue", "one", "ignore "+one)
	})
	t.Run("has reports of members for administrators", func(t *testing.T) {
		eve.MustPost("/report", "user", "ben", "reason", "Impersonation")
		require.NotContains(t, ann.Page("/mod/queue"), "Impersonation")
		require.Contains(t, root.Page("/mod/queue"), "Impersonation")
		ben := data.ID(s.One("SELECT id FROM users WHERE username = 'ben'").(int64)).Text()
		require.Equal(t, http.StatusForbidden, ann.Post("/mod/queue", "one", "ignore "+ben).Code)
		root.MustPost("/mod/queue", "one", "ignore "+ben)
		require.NotContains(t, root.Page("/mod/queue"), "Impersonation")
	})
}
