package worker_test

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/totp"
	"plaza/webauthn"
	"plaza/worker/oidc"
	"plaza/worker/request"
)

// inbox has more than a page, in a thread that the founder follows.
func (e *everything) inbox() {
	const thread = "/c/gardens/p/post-00"
	post := targets(e.founder.page(thread))[0]
	e.founder.page("/inbox/mentions") // which is empty
	for range 40 {
		e.reader.mustPost("/comment", "post", post, "body", "@founder")
	}
	e.founder.mustPost("/watch", "target", post, "watch", "follow")
	e.queue.take(request.QueueVotes) // with what replayed dead letters have sent, which nothing understands
	e.deliver()
	e.founder.page(thread)
	e.next(e.founder, "/inbox")
	e.founder.mustPost("/settings/devices", deviceFields...)
	e.exec("UPDATE devices SET told_at = 1")
	e.founder.page("/settings/notifications")
	e.root.page("/settings/notifications")
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.post("/settings/notifications", "answers", "x").Code)
	e.visitor().page("/unsubscribe")
	e.now = e.now.Add(time.Hour)
	e.reader.mustPost("/comment", "post", post, "body", "Something new")
	e.reader.mustPost("/comment", "post", post, "body", "And again")
	e.founder.page(thread)
	box := e.mailbox()
	address := e.confirmed("founder")
	e.founder.mustPost("/settings/notifications", "answers", "digest", "mentions", "now", "threads", "now", "days", "1")
	e.reader.mustPost("/comment", "post", post, "body", "@founder, by mail")
	e.deliver()
	e.now = e.now.Add(25 * time.Hour)
	require.NoError(e, e.app.Scheduled(context.Background(), e.now))
	for range 3 {
		e.deliver()
	}
	for _, m := range box.Mails(address) {
		link := strings.TrimPrefix(strings.Trim(m.Headers["List-Unsubscribe"], "<>"), "https://plaza.example")
		e.visitor().page(link)
		require.Equal(e, http.StatusOK, e.visitor().post(link).Code)
	}
}

func (e *everything) people() {
	e.reader.mustPost("/follow", "user", "founder", "on", "1")
	e.founder.mustPost("/follow", "user", "reader", "on", "1")
	e.deliver()
	e.founder.mustPost("/settings", "bio", "Hello", "colour", data.Palette[0].Hex, "letter", "é", "link-1-label", "Home", "link-1-url", "https://example.org/", "theme", "dark")
	e.reader.mustPost("/settings", "letter", "R")
	e.deliver()
	e.founder.page("/settings?saved")
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.post("/settings", "letter", "two").Code)
	e.founder.page(e.founder.mustPost("/post", "text", "A *short* post"))
	e.founder.page("/post")
	e.next(e.founder, "/home")
	e.exec("UPDATE users SET seen_at = 1 WHERE username = 'reader'")
	e.now = e.now.Add(data.OwnLife + time.Second)
	e.reader.page("/home")
	e.reader.page("/u/founder")
	e.blocks()
	e.founder.page("/u/founder")
	e.reader.page("/u/founder/followers")
	e.reader.page("/u/reader/following")
}

// ways shows the ways in which somebody logs in.
func (e *everything) ways() {
	b, p := e.device(webauthn.ES256)
	require.Equal(e, http.StatusSeeOther, b.signUpWith(p, "keeper").Code)
	for _, count := range []uint32{5, 4} { // which is what a copy does
		p.Count = count
		challenge, _ := b.challenge("login")
		b.post("/login/passkey", signed(p, challenge)...)
	}
	program := e.visitor()
	program.header.Set("User-Agent", "curl/8.14.1")
	program.mustPost("/signup", "username", "keeper2", "password", "correct horse")
	b.page("/settings/security")
	program.page("/settings/security")
	program.mustPost("/communities", "name", "keepers")
	program.page("/settings/account/delete?kept")
	require.Equal(e, http.StatusUnprocessableEntity, program.post("/settings/account/delete", "alone", "1").Code)
	require.Equal(e, http.StatusUnprocessableEntity, program.post("/settings/account/delete", "content", "keep").Code)
	require.Equal(e, http.StatusUnprocessableEntity, b.post("/settings/passkeys", "name", "typed").Code)

	token := b.newToken("read")
	require.Equal(e, http.StatusOK, (&browser{site: e.site, header: http.Header{"Authorization": {"Bearer " + token}}}).get("/inbox").Code)
	b.page("/settings/tokens?ended")
	require.Equal(e, http.StatusOK, b.post("/settings/tokens", "name", "Another", "feed", "1").Code)
	require.Equal(e, http.StatusUnprocessableEntity, b.post("/settings/tokens").Code)

	e.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
INSERT INTO votes (target_id, user_id, value, updated_at) SELECT i * 2, ?1, 0, 1 FROM n`, e.one("SELECT id FROM users WHERE username = 'keeper'"))
	b.page("/settings/export")
	e.exec("DELETE FROM votes WHERE value = 0 AND updated_at = 1")

	_, codes := e.authenticator(b)
	b.page("/settings/security")
	require.Len(e, codes, 10)
	require.Equal(e, http.StatusUnprocessableEntity, b.post("/settings/totp", "secret", totp.Text(make([]byte, 20)), "code", "1").Code)
	e.reader.mustPost("/prove", "password", "correct horse")
	reader := &browser{site: e.site, cookie: e.reader.cookie, header: http.Header{}, jar: map[string]string{}}
	_, kept := e.authenticator(reader)
	require.Equal(e, http.StatusOK, reader.post("/prove", "password", "correct horse", "next", "/communities").Code)
	reader.cookie = ""
	require.Equal(e, http.StatusOK, reader.post("/login", "login", "reader", "password", "correct horse", "next", "/communities", "again", "post", "title", "Carried").Code)
	require.Equal(e, http.StatusUnauthorized, reader.post("/login/code", "code", "x", "next", "/communities", "again", "post", "title", "Carried").Code)
	require.Equal(e, "/settings/security?done=app-off", e.reader.mustPost("/settings/totp/off", "code", kept[0]))

	google, err := oidc.Configure(func(name string) string {
		return map[string]string{"AUTH_PROVIDERS": "google", "AUTH_GOOGLE_ID": "x"}[name]
	})
	require.NoError(e, err)
	e.config.Providers = google
	e.restart(e.config)
	e.exec("INSERT INTO identities (id, issuer, subject, user_id, name, created_at) SELECT 1, 'https://accounts.google.com', 'x', id, 'x', 1 FROM users WHERE username = 'keeper'")
	b.page("/prove")

	e.mailbox()
	e.gitHub()
	octocat := e.jarred()
	octocat.fromGitHub("good")
	e.root.mustPost("/admin/settings", "sign_up", "approval", "question", "Why?")
	octocat.page("/auth/new")
	e.root.mustPost("/admin/settings", "sign_up", "invitation")
	octocat.page("/auth/new")
	e.root.mustPost("/admin/settings", "sign_up", "open")
	octocat.mustPost("/auth/new", "username", "octocat")
	other := e.jarred()
	other.fromGitHub("good") // now it was used
	other.page("/settings/security")
	for _, only := range []bool{false, true} {
		e.config.SSOOnly = only
		e.restart(e.config)
		for _, path := range []string{"/login", "/signup"} {
			e.visitor().page(path)
		}
		octocat.page("/settings/security")
		octocat.page("/settings/account")
		e.exec("DELETE FROM identities")
		b.cookie = ""
		b.fromGitHub("good")
		b.page("/auth/new")
	}
	e.config.SSOOnly = false
	e.restart(e.config)
}

// blocks has the reader block eve and others, and look at what eve writes.
func (e *everything) blocks() {
	eve := e.member("eve")
	address := eve.mustPost("/submit", "community", "garden_1", "title", "Of eve", "text", "x")
	eve.mustPost("/comment", "post", targets(eve.page(address))[0], "body", "Of eve")
	e.reader.page(address)
	e.reader.mustPost("/block", "user", "eve", "on", "1")
	e.reader.page(address)
	e.reader.page("/u/eve")
	e.reader.page("/block?user=founder")
	e.exec(`INSERT INTO users (id, username, username_key, password_hash, avatar, created_at)
WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 51) SELECT i, 'n' || i, 'n' || i, 'x', '#b3261eN', 1 FROM n`)
	e.exec(`INSERT INTO blocks (blocker_id, blocked_id, created_at) SELECT r.id, u.id, 1 FROM users r, users u WHERE r.username = 'reader' AND u.id < 52`)
	e.next(e.reader, "/settings/blocked")
}

func (e *everything) mails() {
	m := &mailed{e.site, e.mailbox()}
	address := e.confirmed("reader")
	e.visitor().page("/login")
	e.visitor().page("/signup")
	e.exec("UPDATE users SET email = 'founder@example.org', email_key = email WHERE username = 'founder'")
	e.founder.page("/settings/notifications")
	e.root.page("/settings/notifications")
	b := e.visitor()
	b.post("/reset", "login", "")
	b.post("/reset", "login", "reader")
	link := m.link(address, "A new password")
	require.Equal(e, http.StatusUnprocessableEntity, m.press(b, link, "password", "x").Code)
	e.reader.page("/prove")
	e.reader.page("/settings/account")
}
