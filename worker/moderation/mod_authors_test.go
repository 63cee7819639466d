package moderation_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/wire/hrana"
	"plaza/test/workertest"
)

func postForm(b *workertest.Browser, path string, fields url.Values) *httptest.ResponseRecorder {
	return b.PostBody(path, "application/x-www-form-urlencoded", fields.Encode())
}

// boxesOf are the fields of a form as it stands.
func boxesOf(t *testing.T, page, action string) url.Values {
	t.Helper()
	form := url.Values{}
	for pair := range slices.Chunk(workertest.FormOf(t, page, action), 2) {
		form.Add(pair[0], pair[1])
	}
	return form
}

// TestBanAuthors: forty spammers are one form, chosen by what they have in common, and one form lifts it again.
func TestBanAuthors(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, eve, old := s.Member("ann"), s.Member("eve"), s.Member("oldie")
	ann.MustPost("/communities", "name", "Gophers")
	s.Now = s.Now.Add(20 * 24 * time.Hour)
	n := 0
	writes := func(b *workertest.Browser, link string) string {
		n++
		address := b.MustPost("/submit", "community", "gophers", "title", fmt.Sprint("Offer ", n), "text", link)
		id := workertest.Targets(ann.Page(address))[0]
		eve.MustPost("/report", "target", id, "reason", "Spam")
		return id
	}
	var spammers []*workertest.Browser
	for i := range 40 {
		b := s.Visitor()
		b.Remote = fmt.Sprintf("203.0.113.%d:1", i+1)
		require.Equal(t, http.StatusSeeOther, b.Post("/signup", "username", fmt.Sprint("spam", i), "password", "correct horse").Code)
		spammers = append(spammers, b)
		writes(b, fmt.Sprintf("Look: https://www.shop%d.pills.example/x", i%3))
	}
	young := s.Visitor()
	young.Remote = "198.51.100.9:1"
	require.Equal(t, http.StatusSeeOther, young.Post("/signup", "username", "young", "password", "correct horse").Code)
	case1, case2 := writes(old, "See https://go.example"), writes(young, "See https://go.example")
	const list = "/c/Gophers/mod/authors"

	t.Run("is for who may ban", func(t *testing.T) {
		approver := s.Member("abe")
		s.Exec("INSERT INTO moderators (community_id, user_id, username, created_at, role) SELECT c.id, u.id, 'abe', 0, 'approver' " +
			"FROM communities c, users u WHERE c.name_key = 'gophers' AND u.username = 'abe'")
		for _, b := range []*workertest.Browser{eve, approver} {
			require.Equal(t, http.StatusForbidden, b.Get(list).Code)
			require.Equal(t, http.StatusForbidden, b.Post(list, "member", case1, "decision", "ban", "rule", "Spam").Code)
		}
		require.Contains(t, ann.Page("/c/Gophers/mod/queue"), "Ban authors…")
		require.NotContains(t, approver.Page("/c/Gophers/mod/queue"), "Ban authors…")
		require.Contains(t, ann.Page("/mod/queue"), `href="`+list+`"`)
	})
	t.Run("begins with the authors of what was ticked in the queue", func(t *testing.T) {
		to := postForm(ann, "/c/Gophers/mod/queue", url.Values{"decision": {"authors"}, "target": {case1, case2}}).Header().Get("Location")
		page := ann.Page(to)
		require.Contains(t, page, `<strong class="ticked">2</strong> of 42 authors selected`)
		require.Len(t, boxesOf(t, page, list)["member"], 2)
		require.Empty(t, boxesOf(t, ann.Page(list), list)["member"], "nobody is ticked by himself")
	})
	t.Run("chooses by age, network and domain, and names no network", func(t *testing.T) {
		page := ann.Page(list)
		require.NotContains(t, page, "203.0.113")
		label := regexp.MustCompile(`<option value="([0-9A-F]{4})">network [0-9A-F]{4} \(40\)</option>`).FindStringSubmatch(page)
		require.NotNil(t, label, page)
		for query, many := range map[string]int{"younger=7": 41, "domain=pills.example": 40, "domain=go.example": 2,
			"domain=shop1.pills.example": 13, "network=" + label[1]: 40,
			"younger=7&domain=go.example": 1, "network=" + label[1] + "&domain=go.example": 0} {
			page := ann.Page(list + "?" + query)
			if many == 0 {
				require.Contains(t, page, "No author matches the filters.", query)
				continue
			}
			require.Contains(t, page, fmt.Sprintf(`<strong class="ticked">%d</strong> of %s`, many, map[bool]string{true: "1 author selected",
				false: fmt.Sprint(many, " authors selected")}[many == 1]), query)
		}
	})
	action := list + "?domain=pills.example"
	form := boxesOf(t, ann.Page(action), action)
	t.Run("keeps what was ticked and typed when something is wrong", func(t *testing.T) {
		form := url.Values{"member": form["member"][:30], "decision": {"ban"}, "text": {"No <b> pills"}, "rule": {""}}
		res := postForm(ann, action, form)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "Please choose the rule that they have broken.")
		require.Contains(t, res.Body.String(), "No &lt;b&gt; pills</textarea>")
		require.ElementsMatch(t, form["member"], boxesOf(t, res.Body.String(), action)["member"])
		require.Equal(t, http.StatusUnprocessableEntity, ann.Post(list, "decision", "ban", "rule", "Spam").Code)
		many := url.Values{"decision": {"ban"}, "rule": {"Spam"}}
		for i := range 101 {
			many.Add("member", data.ID(i+1).Text())
		}
		require.Contains(t, postForm(ann, list, many).Body.String(), "at most 100 members")
		require.Equal(t, int64(0), s.One("SELECT count(*) FROM bans"))
	})
	var banned string
	t.Run("bans forty by one form, each in the log, by few requests", func(t *testing.T) {
		require.Len(t, form["member"], 40)
		form.Set("decision", "ban")
		form.Set("rule", "Spam")
		form.Set("clear", "7")
		form.Set("days", "30")
		r := httptest.NewRequest(http.MethodPost, "https://plaza.example"+action, strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		ctx, meter := hrana.WithMeter(r.Context())
		res := ann.Send(r.WithContext(ctx))
		require.Equal(t, http.StatusSeeOther, res.Code, res.Body.String())
		require.LessOrEqual(t, meter.Requests(), 2+s.MaxPageRequests())
		t.Logf("%d requests, %d rows read, %d written", meter.Requests(), meter.RowsRead(), meter.RowsWritten())
		require.Equal(t, int64(40), s.One("SELECT count(DISTINCT target_id) FROM moderation_log WHERE action = 'ban' AND rule = 'Spam' "+
			"AND actor_name = 'ann'"))
		for range 60 { // one entry a delivery
			s.Deliver()
		}
		require.Equal(t, int64(40), s.One("SELECT count(*) FROM posts WHERE status = 'removed'"))
		require.Equal(t, int64(2), s.One("SELECT count(*) FROM queue_items WHERE status = 'open'"), "what they wrote does not wait any more")
		banned = res.Header().Get("Location")
		page := ann.Page(banned)
		require.Contains(t, page, "40 decided: these are banned or muted now.")
		s.Now = s.Now.Add(data.MemberCacheTTL + time.Second)
		require.Equal(t, http.StatusForbidden, spammers[17].Post("/submit", "community", "gophers", "title", "Again", "text", "x").Code)
		require.Contains(t, ann.Page(list), "of 2 authors selected")
	})
	t.Run("lifts all of it by one form", func(t *testing.T) {
		form := boxesOf(t, ann.Page(banned), "/c/Gophers/mod/bans")
		require.Len(t, form["member"], 40)
		form.Set("decision", "lift")
		require.Equal(t, "/c/Gophers/mod/bans?lifted=40", postForm(ann, "/c/Gophers/mod/bans", form).Header().Get("Location"))
		require.Contains(t, ann.Page("/c/Gophers/mod/bans?lifted=40"), "40 lifted.")
		require.Equal(t, int64(0), s.One("SELECT count(*) FROM bans"))
		require.Equal(t, int64(40), s.One("SELECT count(*) FROM moderation_log WHERE action = 'ban' AND undone_by IS NOT NULL"))
		require.Equal(t, http.StatusUnprocessableEntity, postForm(ann, "/c/Gophers/mod/bans", form).Code, "there is nothing to lift any more")
	})
	t.Run("leaves out who can't be banned", func(t *testing.T) {
		id := func(name string) string {
			return data.ID(s.One("SELECT id FROM users WHERE username = ?1", name).(int64)).Text()
		}
		require.Equal(t, http.StatusUnprocessableEntity, ann.Post(list, "member", id("ann"), "decision", "ban", "rule", "Spam").Code)
		res := postForm(ann, list, url.Values{"member": {id("abe"), id("young")}, "decision": {"mute"}, "rule": {"Spam"}})
		require.Equal(t, http.StatusSeeOther, res.Code)
		require.Equal(t, [][]any{{"young", "mute"}}, s.Sql.Rows("SELECT username, kind FROM bans"))
		ann.MustPost("/c/Gophers/mod/bans", "one", "lift "+id("young"))
		require.Equal(t, int64(0), s.One("SELECT count(*) FROM bans"))
	})
}
