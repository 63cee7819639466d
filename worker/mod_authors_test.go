package worker_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/hrana"
)

func (b *browser) postForm(path string, fields url.Values) *httptest.ResponseRecorder {
	return b.postBody(path, "application/x-www-form-urlencoded", fields.Encode())
}

// TestBanAuthors: forty spammers are one form, chosen by what they have in common, and one form lifts it again.
func TestBanAuthors(t *testing.T) {
	s := mustOpen(t)
	ann, eve, old := s.member("ann"), s.member("eve"), s.member("oldie")
	ann.mustPost("/communities", "name", "Gophers")
	s.now = s.now.Add(20 * 24 * time.Hour)
	n := 0
	writes := func(b *browser, link string) string {
		n++
		address := b.mustPost("/submit", "community", "gophers", "title", fmt.Sprint("Offer ", n), "text", link)
		id := targets(ann.page(address))[0]
		eve.mustPost("/report", "target", id, "reason", "Spam")
		return id
	}
	var spammers []*browser
	for i := range 40 {
		b := s.visitor()
		b.remote = fmt.Sprintf("203.0.113.%d:1", i+1)
		require.Equal(t, http.StatusSeeOther, b.post("/signup", "username", fmt.Sprint("spam", i), "password", "correct horse").Code)
		spammers = append(spammers, b)
		writes(b, fmt.Sprintf("Look: https://www.shop%d.pills.example/x", i%3))
	}
	young := s.visitor()
	young.remote = "198.51.100.9:1"
	require.Equal(t, http.StatusSeeOther, young.post("/signup", "username", "young", "password", "correct horse").Code)
	case1, case2 := writes(old, "See https://go.example"), writes(young, "See https://go.example")
	const list = "/c/Gophers/mod/authors"

	t.Run("is for who may ban", func(t *testing.T) {
		approver := s.member("abe")
		s.exec("INSERT INTO moderators (community_id, user_id, username, created_at, role) SELECT c.id, u.id, 'abe', 0, 'approver' FROM communities c, users u WHERE c.name_key = 'gophers' AND u.username = 'abe'")
		for _, b := range []*browser{eve, approver} {
			require.Equal(t, http.StatusForbidden, b.get(list).Code)
			require.Equal(t, http.StatusForbidden, b.post(list, "member", case1, "decision", "ban", "rule", "Spam").Code)
		}
		require.Contains(t, ann.page("/c/Gophers/mod/queue"), "Ban their authors…")
		require.NotContains(t, approver.page("/c/Gophers/mod/queue"), "Ban their authors…")
		require.Contains(t, ann.page("/mod/queue"), `href="`+list+`"`)
	})
	t.Run("begins with the authors of what was ticked in the queue", func(t *testing.T) {
		to := ann.postForm("/c/Gophers/mod/queue", url.Values{"decision": {"authors"}, "target": {case1, case2}}).Header().Get("Location")
		page := ann.page(to)
		require.Contains(t, page, `<strong class="ticked">2</strong> of 42 authors ticked`)
		require.Len(t, boxesOf(page, list)["member"], 2)
		require.Empty(t, boxesOf(ann.page(list), list)["member"], "nobody is ticked by himself")
	})
	t.Run("chooses by age, network and domain, and names no network", func(t *testing.T) {
		page := ann.page(list)
		require.NotContains(t, page, "203.0.113")
		label := regexp.MustCompile(`<option value="([0-9A-F]{4})">network [0-9A-F]{4} \(40\)</option>`).FindStringSubmatch(page)
		require.NotNil(t, label, page)
		for query, many := range map[string]int{"younger=7": 41, "domain=pills.example": 40, "domain=go.example": 2, "domain=shop1.pills.example": 13, "network=" + label[1]: 40,
			"younger=7&domain=go.example": 1, "network=" + label[1] + "&domain=go.example": 0} {
			page := ann.page(list + "?" + query)
			if many == 0 {
				require.Contains(t, page, "No author matches the filters.", query)
				continue
			}
			require.Contains(t, page, fmt.Sprintf(`<strong class="ticked">%d</strong> of %s`, many, map[bool]string{true: "1 author ticked", false: fmt.Sprint(many, " authors ticked")}[many == 1]), query)
		}
	})
	action := list + "?domain=pills.example"
	form := boxesOf(ann.page(action), action)
	t.Run("keeps what was ticked and typed when something is wrong", func(t *testing.T) {
		form := url.Values{"member": form["member"][:30], "decision": {"ban"}, "text": {"No <b> pills"}, "rule": {""}}
		res := ann.postForm(action, form)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "Please choose the rule that they have broken.")
		require.Contains(t, res.Body.String(), "No &lt;b&gt; pills</textarea>")
		require.ElementsMatch(t, form["member"], boxesOf(res.Body.String(), action)["member"])
		require.Equal(t, http.StatusUnprocessableEntity, ann.post(list, "decision", "ban", "rule", "Spam").Code)
		many := url.Values{"decision": {"ban"}, "rule": {"Spam"}}
		for i := range 101 {
			many.Add("member", data.ID(i+1).Text())
		}
		require.Contains(t, ann.postForm(list, many).Body.String(), "at most 100 members")
		require.Equal(t, int64(0), s.one("SELECT count(*) FROM bans"))
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
		res := ann.send(r.WithContext(ctx))
		require.Equal(t, http.StatusSeeOther, res.Code, res.Body.String())
		require.LessOrEqual(t, meter.Requests(), 2+s.oneEach())
		t.Logf("%d requests, %d rows read, %d written", meter.Requests(), meter.RowsRead(), meter.RowsWritten())
		require.Equal(t, int64(40), s.one("SELECT count(DISTINCT target_id) FROM moderation_log WHERE action = 'ban' AND rule = 'Spam' AND actor_name = 'ann'"))
		for range 60 { // one entry a delivery
			s.deliver()
		}
		require.Equal(t, int64(40), s.one("SELECT count(*) FROM posts WHERE status = 'removed'"))
		require.Equal(t, int64(2), s.one("SELECT count(*) FROM queue_items WHERE status = 'open'"), "what they wrote does not wait any more")
		banned = res.Header().Get("Location")
		page := ann.page(banned)
		require.Contains(t, page, "40 decided: these are banned or muted now.")
		s.now = s.now.Add(data.OwnLife + time.Second)
		require.Equal(t, http.StatusForbidden, spammers[17].post("/submit", "community", "gophers", "title", "Again", "text", "x").Code)
		require.Contains(t, ann.page(list), "of 2 authors ticked")
	})
	t.Run("lifts all of it by one form", func(t *testing.T) {
		form := boxesOf(ann.page(banned), "/c/Gophers/mod/bans")
		require.Len(t, form["member"], 40)
		form.Set("decision", "lift")
		require.Equal(t, "/c/Gophers/mod/bans?lifted=40", ann.postForm("/c/Gophers/mod/bans", form).Header().Get("Location"))
		require.Contains(t, ann.page("/c/Gophers/mod/bans?lifted=40"), "40 lifted.")
		require.Equal(t, int64(0), s.one("SELECT count(*) FROM bans"))
		require.Equal(t, int64(40), s.one("SELECT count(*) FROM moderation_log WHERE action = 'ban' AND undone_by IS NOT NULL"))
		require.Equal(t, http.StatusUnprocessableEntity, ann.postForm("/c/Gophers/mod/bans", form).Code, "there is nothing to lift any more")
	})
	t.Run("leaves out who can't be banned", func(t *testing.T) {
		id := func(name string) string {
			return data.ID(s.one("SELECT id FROM users WHERE username = ?1", name).(int64)).Text()
		}
		require.Equal(t, http.StatusUnprocessableEntity, ann.post(list, "member", id("ann"), "decision", "ban", "rule", "Spam").Code)
		res := ann.postForm(list, url.Values{"member": {id("abe"), id("young")}, "decision": {"mute"}, "rule": {"Spam"}})
		require.Equal(t, http.StatusSeeOther, res.Code)
		require.Equal(t, [][]any{{"young", "mute"}}, s.sql.Rows("SELECT username, kind FROM bans"))
		ann.mustPost("/c/Gophers/mod/bans", "one", "lift "+id("young"))
		require.Equal(t, int64(0), s.one("SELECT count(*) FROM bans"))
	})
}
