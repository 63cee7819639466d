package worker_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/accounts/suspensions"
	"plaza/protocol/totp"
	"plaza/protocol/webauthn"
	"plaza/test/webauthntest"
	"plaza/test/workertest"
	"plaza/worker"
	"plaza/worker/pictures"
)

// TestSuspendedCookie sends every action of the table with the cookie of a suspended member, a copy of which somebody kept, and those that
// programs may do with the member's token. None writes
// anything, even if the member was a moderator or an administrator.
func TestSuspendedCookie(t *testing.T) {
	t.Parallel()
	s := workertest.MustOpen(t)
	s.LosesMessages = true
	s.Mailbox()
	s.Web.Page("go.dev", "<title>Go</title>")
	ann, sue := s.Member("ann"), s.Member("sue")
	ann.MustPost("/communities", "name", "others")
	ann.MustPost("/communities", "name", "more")
	post := workertest.Targets(ann.Page(ann.MustPost("/submit", "community", "others", "title", "A post", "text", "text")))[0]
	// A new post of sue's own for every action on one.
	n := 0
	own := func(fields ...string) string {
		n++
		fields = append([]string{"community", "gophers", "title", fmt.Sprint("Sue's ", n), "text", "text"}, fields...)
		return workertest.Targets(sue.Page(sue.MustPost("/submit", fields...)))[0]
	}
	sue.MustPost("/communities", "name", "gophers")
	s.Exec("UPDATE users SET admin = 1 WHERE username = 'sue'")
	s.Confirmed("sue")
	s.Exec("INSERT INTO contact_messages (id, name, member, email, body) VALUES (55, 'x', 0, '', 'x')")
	s.Exec(`INSERT INTO site_settings (id, revision, archive, body) VALUES (1, 0, 1 << 50, '{"sign_up":"invitation"}')`)
	s.Exec("UPDATE users SET waiting = '' WHERE username = 'ann'")
	s.Exec("INSERT INTO users (id, username, username_key, password_hash, created_at, origin, unclaimed) VALUES (60, 'imported', " +
		"'imported', '', 1, 'reddit:there', 1)")
	s.Exec("INSERT INTO dead_letters (id, queue, message_id, body, failed_at, last_at) VALUES (99, 'plaza-votes', 'm', 'b', 1, 1)")
	gophers := data.ID(s.One("SELECT id FROM communities WHERE name = 'gophers'").(int64))
	s.Sql.ExecAt(gophers, "INSERT INTO quarantines (id, target_id, community_id, direction, evidence, created_at) VALUES (77, ?1, ?2, "+
		"-1, '{}', 1)",
		int64(workertest.MustID(t, post)), int64(gophers))
	item := func(n int) string { // something that waits in the queue
		id := gophers + data.ID(n)<<22
		s.Sql.ExecAt(gophers, "INSERT INTO queue_items (target_id, community_id, reports, came_at) VALUES (?1, ?2, 1, 1)", int64(id),
			int64(gophers))
		return id.Text()
	}
	flaired := own()
	s.Exec("UPDATE posts SET flair_id = 5 WHERE id = ?1", int64(workertest.MustID(t, flaired)))
	decision := []string{"case", data.ID(77).Text(), "decision", "release"}
	conversation := strings.TrimPrefix(sue.MustPost("/messages", "title", "A question", "text", "text"), "/messages/")
	const logged = "INSERT INTO moderation_log (id, community_id, action, target_id, author_id, actor_id, actor_name) "
	s.Exec(logged+"SELECT ?1, 0, 'mute', u.id, u.id, 1, 'x' FROM users u WHERE u.username = 'sue'", 81<<22)
	s.Exec(logged+"SELECT ?1, 0, 'mute', u.id, u.id, 1, 'x' FROM users u WHERE u.username = 'ann'", 82<<22)
	s.Exec(`INSERT INTO conversations (id, community_id, user_id, subject, about, status, said_at, decision_id)
SELECT ?1, 0, u.id, 'Appeal', '', 'open', 1, ?2 FROM users u WHERE u.username = 'ann'`, 83<<22, 82<<22)
	const blocked = "INSERT INTO picture_blocks (id, community_id, sum, target_id, rule, actor_id) VALUES (?1, ?2, 'x', 0, '', 1)"
	s.Exec(blocked, 84<<22, int64(gophers))
	s.Exec(blocked, 85<<22, 0)
	sue.MustPost("/c/gophers/mod/page", "title", "Deleted", "text", "text")
	sue.MustPost("/c/gophers/mod/page/delete", "page", "deleted")
	sue.MustPost("/c/gophers/mod/page", "title", "Guide", "text", "text")
	actions := map[string][]string{
		"/communities":                  {"name", "sues"},
		"/subscribe":                    {"community", "others", "on", "1"},
		"/tags/follow":                  {"tag", "go", "on", "1"},
		"/follow":                       {"user", "ann", "on", "1"},
		"/c/{community}/settings":       {"title", "Sue's", "colour", "#00695c"},
		"/c/{community}/moderators":     {"do", "invite", "user", "ann", "role", "approver"},
		"/c/{community}/moderators/own": {"do", "resign"},
		"/c/{community}/mod/quarantine": decision,
		"/c/{community}/mod/queue":      {"one", "ignore " + item(1)},
		"/c/{community}/mod/rule":       {"rule", data.ID(79 << 22).Text(), "title", "A rule", "words", "abc", "do", "hold", "then", "save"},
		"/c/{community}/mod/rules":      {"do", "add", "text", "rule: A rule\nwords: abc\ndo: hold"},
		"/admin/rule":                   {"rule", data.ID(80 << 22).Text(), "title", "A rule", "words", "abc", "do", "hold", "then", "save"},
		"/admin/rules":                  {"do", "add", "text", "rule: A rule\nwords: abc\ndo: hold"},
		"/mod/queue":                    {"target", item(2), "decision", "approve"},
		"/c/{community}/mod/bans":       {"user", "ann", "decision", "mute", "rule", "Spam"},
		"/c/{community}/mod/authors": {"member", data.ID(s.One("SELECT id FROM users WHERE username = 'ann'").(int64)).Text(), "decision",
			"ban", "rule", "Spam"},
		"/c/{community}/mod/member": {"user", data.ID(s.One("SELECT id FROM users WHERE username = 'ann'").(int64)).Text(), "text",
			"A note"},
		"/c/{community}/mod/decide":       {"target", own(), "decision", "remove", "rule", "Spam"},
		"/c/{community}/mod/flair":        {"flair-1-text", "Question"},
		"/c/{community}/mod/give-flair":   {"target", flaired, "flair", ""},
		"/c/{community}/mod/user-flair":   {"user", data.ID(60).Text(), "flair", ""},
		"/c/{community}/flair":            {"flair", ""},
		"/c/{community}/mod/pictures":     {"block", data.ID(84 << 22).Text()},
		"/c/{community}/mod/page":         {"title", "About", "text", "text"},
		"/c/{community}/mod/page/delete":  {"page", "guide"},
		"/c/{community}/mod/page/restore": {"page", "deleted", "number", "1", "revision", "1"},
		"/admin/pictures":                 {"picture", strings.Repeat("ab", 32)},
		"/admin/blocked-pictures":         {"block", data.ID(85 << 22).Text()},
		"/c/{community}/mod/title":        {"target", flaired, "title", "Another"},
		"/submit":                         {"community", "others", "title", "Written", "text", "text"},
		"/c/{community}/submit":           {"title", "Written", "text", "text"},
		"/comment":                        {"post", post, "body", "text"},
		"/title":                          {"link", "https://go.dev/"},
		"/preview":                        {"preview", "reply", "post", post, "body", "**text**"},
		"/edit":                           {"target", own(), "text", "changed"},
		"/drafts":                         {"community", "gophers", "title", "Kept", "text", "text"},
		"/draft":                          {"target", own("status", "draft"), "title", "Changed", "text", "text"},
		"/publish":                        {"target", own("status", "draft")},
		"/delete":                         {"target", own()},
		"/save":                           {"target", post, "on", "1"},
		"/hide":                           {"target", post, "on", "1"},
		"/seen":                           {"target", post},
		"/messages":                       {"title", "Sue's", "text", "text"},
		"/messages/{conversation}":        {"text", "another"},
		"/report":                         {"target", post, "reason", "Spam"},
		"/vote":                           {"target", post, "value", "1"},
		"/inbox/unread":                   {"newest", "1000000"},
		"/settings/filters":               {"kind", "words", "value", "spam"},
		"/admin/erase":                    {"target", own(), "rule", "Personal data"},
		"/pictures":                       {},
		"/settings/zone":                  {"zone", "Europe/Berlin"},
		"/agree":                          {"born", "1990", "terms", "1"},
		"/settings/notifications":         {"replies", "none", "mentions", "none", "threads", "none", "days", "1"},
		"/settings/devices":               workertest.DeviceFields,
		"/settings/devices/choices":       {"replies", "1"},
		"/welcome":                        {"community", "more"},
		"/block":                          {"user", "ann", "on", "1"},
		"/settings/account/delete":        {"content", "keep", "alone", "1"},
		"/watch":                          {"target", post, "watch", "mute"},
		"/inbox/read":                     {"newest", "1000"},
		"/prove":                          {"password", "correct horse"},
		"/prove/link":                     {},
		"/settings/account/email":         {"email", "sue@new.example"},
		"/settings/account/name":          {"username", "Sue"},
		"/settings/account/no-password":   {},
		"/settings/account/password":      {"password", "correct horse"},
		"/admin/users":                    {"user", "ann", "decision", "suspend", "rule", "Spam", "days", "1"},
		"/admin/invites":                  {"user", "ann", "decision", "suspend", "rule", "Spam"},
		"/admin/claim":                    {"user", "imported", "proof", "n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg"},
		"/admin/waiting": {"newcomer", data.ID(s.One("SELECT id FROM users WHERE username = 'ann'").(int64)).Text(), "decision",
			"approve"},
		"/settings/invites":                {"uses", "1", "days", "1"},
		"/admin/quarantine":                {"community", "gophers", "case", data.ID(77).Text(), "decision", "undo"},
		"/admin/settings":                  {"revision", "0", "name", "Sue's"},
		"/admin/messages":                  {"id", data.ID(55).Text(), "action", "answered"},
		"/admin/pages/{page}":              {"revision", "0", "body", "Sue's page"},
		"/admin/dead-letters":              {"id", data.ID(99).Text(), "action", "delete"},
		"/post":                            {"text", "text"},
		"/settings":                        {"revision", "0", "bio", "Hello", "colour", "", "letter", ""},
		"/decisions/{decision}":            {"text", "An appeal"},
		"/messages/{conversation}/verdict": {"verdict", "upheld"},
	}
	s.LogIn("sue", "")
	token := sue.NewToken("read", "write", "moderate")
	s.Mailbox()
	// Fields that are only known when the turn of their action comes.
	s.GitHub()
	passkey, provingKey := webauthntest.New(workertest.PasskeySite, webauthn.ES256), webauthntest.New(workertest.PasskeySite, webauthn.ES256)
	sue.Jar = map[string]string{}
	challenge, _ := sue.Challenge("add")
	sue.MustPost("/settings/passkeys", workertest.Created(provingKey, challenge)...)
	id := func(table string) []string {
		return []string{"id", data.ID(s.One("SELECT max(id) FROM " + table).(int64)).Text()}
	}
	appCode := func(*workertest.Browser) []string {
		s.Now = s.Now.Add(2 * time.Minute)
		return []string{"code", totp.Code([]byte("12345678901234567890"), totp.Step(s.Now))}
	}
	late := map[string]func(*workertest.Browser) []string{
		"/settings/passkeys": func(b *workertest.Browser) []string {
			challenge, _ := b.Challenge("add")
			b.Header.Set("Accept", "application/json")
			return workertest.Created(passkey, challenge, "name", "Phone")
		},
		"/prove/passkey": func(b *workertest.Browser) []string {
			s.Exec("DELETE FROM revocations") // of a session that an action before has ended
			challenge, _ := b.Challenge("prove")
			b.Header.Set("Accept", "application/json")
			return workertest.Signed(provingKey, challenge)
		},
		"/prove/code": func(b *workertest.Browser) []string {
			s.Exec("DELETE FROM revocations")
			secret := []byte("12345678901234567890")
			s.Exec("INSERT OR REPLACE INTO totp (user_id, secret, created_at) SELECT id, ?1, 0 FROM users WHERE username = 'sue'", totp.Text(secret))
			require.Equal(t, http.StatusUnprocessableEntity, b.Post("/prove", "password", "correct horse").Code)
			return []string{"code", totp.Code(secret, totp.Step(s.Now)+1)} // the code of now was used
		},
		"/settings/passkeys/name": func(*workertest.Browser) []string {
			return []string{"id", workertest.B64(passkey.ID), "name", "Tablet"}
		},
		"/settings/passkeys/remove": func(*workertest.Browser) []string { return []string{"id", workertest.B64(passkey.ID)} },
		"/settings/providers": func(b *workertest.Browser) []string {
			b.FromGitHub("good")
			return nil
		},
		"/settings/devices/remove":   func(*workertest.Browser) []string { return id("devices") },
		"/settings/providers/remove": func(*workertest.Browser) []string { return id("identities") },
		"/settings/totp": func(*workertest.Browser) []string {
			s.Now = s.Now.Add(2 * time.Minute) // a code is taken once
			secret := []byte("12345678901234567890")
			return []string{"secret", totp.Text(secret), "code", totp.Code(secret, totp.Step(s.Now))}
		},
		"/settings/totp/codes": appCode,
		"/settings/totp/off":   appCode,
		"/settings/tokens":     func(*workertest.Browser) []string { return []string{"name", "Another", "read", "1"} },
		"/settings/tokens/renew": func(*workertest.Browser) []string {
			s.Exec("UPDATE tokens SET scopes = 'feed' WHERE id = (SELECT max(id) FROM tokens)")
			return id("tokens")
		},
		"/settings/tokens/end":          func(*workertest.Browser) []string { return id("tokens") },
		"/settings/sessions/end":        func(*workertest.Browser) []string { return id("sessions") },
		"/settings/sessions/end-others": func(*workertest.Browser) []string { return nil },
	}
	users := &suspensions.Store{Base: data.Base{DB: s.Config.DB, Source: s.Config.Source}}
	for _, rt := range worker.Routes() {
		if rt.Method == http.MethodGet || !rt.Member {
			continue
		}
		t.Run(rt.Pattern, func(t *testing.T) {
			path := pathOf(rt.Pattern, map[string]string{"community": "gophers", "page": "about", "conversation": conversation,
				"decision": data.ID(81 << 22).Text()})
			if rt.Pattern == "/messages/{conversation}/verdict" {
				path = "/messages/" + data.ID(83<<22).Text() + "/verdict"
			}
			thief := &workertest.Browser{Site: s, Cookie: sue.Cookie, Header: http.Header{"Accept": {"application/json"}}, Jar: map[string]string{}}
			post := func(b *workertest.Browser, fields ...string) *httptest.ResponseRecorder {
				if rt.Pattern != "/pictures" {
					return b.Post(path, fields...)
				}
				return b.PostPictures(path, []pictures.Received{{Field: "picture", Name: "a.png", Type: "image/png", Width: 8, Height: 6, Frames: 1,
					Bytes: 99, Sum: workertest.Sum(1)}}, fields...)
			}
			s.T = t
			fields, known := actions[rt.Pattern]
			if find := late[rt.Pattern]; find != nil {
				fields, known = find(thief), true
			}
			require.True(t, known, "an action needs its line here")
			again := *thief

			require.NoError(t, users.Suspend(context.Background(), "sue"))
			before := s.Everything()
			res := post(thief, fields...)
			require.Equal(t, http.StatusUnauthorized, res.Code, res.Body.String())
			require.Equal(t, before, s.Everything())
			if rt.Scope != 0 {
				res = post(workertest.Program(s, token), fields...)
				require.Equal(t, http.StatusUnauthorized, res.Code, res.Body.String())
				require.Equal(t, before, s.Everything())
			}

			// The same is carried out for a session that stands, so it was the suspension.
			s.Exec("UPDATE users SET status = 'active'")
			s.Exec("DELETE FROM revocations")
			if find := late[rt.Pattern]; find != nil {
				fields = find(&again)
			}
			res = post(&again, fields...)
			require.Equal(t, http.StatusOK, res.Code, res.Body.String())
			if !slices.Contains([]string{"/preview", "/prove", "/title"}, rt.Pattern) {
				require.NotEqual(t, before, s.Everything())
			}
			delete(actions, rt.Pattern)
			delete(late, rt.Pattern)
		})
	}
	s.T = t
	require.Empty(t, slices.Collect(maps.Keys(actions)), "actions that the table does not have")
	require.Empty(t, slices.Collect(maps.Keys(late)), "actions that the table does not have")

	t.Run("the member reads on as a visitor, and can't log in", func(t *testing.T) {
		s.Exec("DELETE FROM totp")
		require.NoError(t, users.Suspend(context.Background(), "sue"))
		s.Now = s.Now.Add(data.MemberCacheTTL)
		require.Equal(t, http.StatusSeeOther, (&workertest.Browser{Site: s, Cookie: sue.Cookie}).Get("/").Code)
		res := s.Visitor().Post("/login", "login", "sue", "password", "correct horse")
		require.Equal(t, http.StatusForbidden, res.Code)
		require.Contains(t, res.Body.String(), "Your account is suspended")
	})
}
