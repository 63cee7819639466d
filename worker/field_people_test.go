package worker_test

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/protocol/totp"
	"plaza/protocol/webauthn"
	"plaza/test/workertest"
	"plaza/worker/oidc"
)

// inbox has more than a page, in a thread that the founder follows.
func (e *everything) inbox() {
	const thread = "/c/gardens/p/post-00"
	post := workertest.Targets(e.founder.Page(thread))[0]
	e.founder.Page("/inbox/mentions") // which is empty
	for range 40 {
		e.reader.MustPost("/comment", "post", post, "body", "@founder")
	}
	e.founder.MustPost("/watch", "target", post, "watch", "follow")
	e.Queue.Take(data.QueueVotes) // with what replayed dead letters have sent, which nothing understands
	e.Deliver()
	e.founder.Page(thread)
	e.next(e.founder, "/inbox")
	e.founder.Page(e.founder.MustPost("/inbox/read", "newest", "1000000")) // which offers to undo it
	e.founder.MustPost("/settings/devices", workertest.DeviceFields...)
	e.Exec("UPDATE devices SET last_push_at = 1")
	e.founder.Page("/settings/notifications")
	e.root.Page("/settings/notifications")
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.Post("/settings/notifications", "replies", "x").Code)
	e.Visitor().Page("/unsubscribe")
	e.Now = e.Now.Add(time.Hour)
	e.reader.MustPost("/comment", "post", post, "body", "Something new")
	e.reader.MustPost("/comment", "post", post, "body", "And again")
	e.founder.Page(thread)
	box := e.Mailbox()
	address := e.Confirmed("founder")
	e.founder.MustPost("/settings/notifications", "replies", "digest", "mentions", "now", "threads", "now", "days", "1")
	e.reader.MustPost("/comment", "post", post, "body", "@founder, by mail")
	e.Deliver()
	e.Now = e.Now.Add(25 * time.Hour)
	require.NoError(e, e.App.Scheduled(context.Background(), e.Now))
	for range 3 {
		e.Deliver()
	}
	for _, m := range box.Mails(address) {
		link := strings.TrimPrefix(strings.Trim(m.Headers["List-Unsubscribe"], "<>"), "https://plaza.example")
		e.Visitor().Page(link)
		require.Equal(e, http.StatusOK, e.Visitor().Post(link).Code)
	}
}

// editions shows an edition between two others, an empty one, and the front page of a site that begins with it.
func (e *everything) editions() {
	posts := workertest.Targets(e.Visitor().Page("/new"))
	to := e.reader.MustPost("/comment", "post", posts[0], "body", "Worth quoting")
	quote := to[strings.LastIndexAny(to, "/-")+1:]
	today := e.Now
	for n := range 3 {
		e.Now = today.AddDate(0, 0, n)
		e.Edition(quote, posts[0])
	}
	e.Now = today
	e.root.Page("/edition")
	e.reader.Page(today.AddDate(0, 0, 1).UTC().Format("/edition/2006-01-02/") + "morning")
	e.root.MustPost("/admin/settings", "front", "edition")
	e.Now = e.Now.Add(data.MemberCacheTTL + time.Second)
	e.Visitor().Page("/")
	e.Visitor().Page("/hot")
	e.root.MustPost("/admin/settings", "front", "list")
	e.Exec("UPDATE editions SET posts = '[]'")
	e.reader.Page("/edition")
}

func (e *everything) people() {
	e.reader.MustPost("/follow", "user", "founder", "on", "1")
	e.founder.MustPost("/follow", "user", "reader", "on", "1")
	e.Deliver()
	e.founder.MustPost("/settings", "bio", "Hello", "colour", data.Palette[0].Hex, "letter", "é", "link-1-label", "Home", "link-1-url",
		"https://example.org/", "density", "compact", "theme", "dark", "language", "en", "zone", "Europe/Berlin")
	e.reader.MustPost("/settings", "letter", "R")
	e.Deliver()
	e.founder.Page("/settings?saved")
	e.founder.Page("/settings/profile?saved")
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.Post("/settings", "group", "profile", "letter", "two").Code)
	e.founder.Page(e.founder.MustPost("/post", "text", "A *short* post"))
	e.founder.Page("/post")
	e.next(e.founder, "/home")
	e.editions()
	e.Exec("UPDATE users SET seen_at = 1 WHERE username = 'reader'")
	e.Now = e.Now.Add(data.MemberCacheTTL + time.Second)
	e.reader.Page("/home")
	e.reader.Page("/u/founder")
	e.blocks()
	e.founder.Page("/u/founder")
	e.reader.Page("/u/founder/followers")
	e.reader.Page("/u/reader/following")
}

// ways shows the ways in which somebody logs in.
func (e *everything) ways() {
	b, p := newDevice(e.Site, webauthn.ES256)
	require.Equal(e, http.StatusSeeOther, b.SignUpWith(p, "keeper").Code)
	for _, count := range []uint32{5, 4} { // which is what a copy does
		p.Count = count
		challenge, _ := b.Challenge("login")
		b.Post("/login/passkey", workertest.Signed(p, challenge)...)
	}
	program := e.Visitor()
	program.Header.Set("User-Agent", "curl/8.14.1")
	program.MustPost("/signup", "username", "keeper2", "password", "correct horse")
	b.Page("/settings/security")
	program.Page("/settings/security")
	program.MustPost("/communities", "name", "keepers")
	program.Page("/settings/account/delete?kept")
	require.Equal(e, http.StatusUnprocessableEntity, program.Post("/settings/account/delete", "alone", "1").Code)
	require.Equal(e, http.StatusUnprocessableEntity, program.Post("/settings/account/delete", "content", "keep").Code)
	require.Equal(e, http.StatusUnprocessableEntity, b.Post("/settings/passkeys", "name", "typed").Code)

	token := b.NewToken("read")
	require.Equal(e, http.StatusOK, (&workertest.Browser{Site: e.Site, Header: http.Header{"Authorization": {"Bearer " + token}}}).
		Get("/inbox").Code)
	b.Page("/settings/tokens?ended")
	require.Equal(e, http.StatusOK, b.Post("/settings/tokens", "name", "Another", "feed", "1").Code)
	require.Equal(e, http.StatusUnprocessableEntity, b.Post("/settings/tokens").Code)

	e.Exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
INSERT INTO votes (target_id, user_id, value, updated_at) SELECT i * 2, ?1, 0, 1 FROM n`,
		e.One("SELECT id FROM users WHERE username = 'keeper'"))
	b.Page("/settings/export")
	e.Exec("DELETE FROM votes WHERE value = 0 AND updated_at = 1")

	_, codes := e.Authenticator(b)
	b.Page("/settings/security")
	require.Len(e, codes, 10)
	require.Equal(e, http.StatusUnprocessableEntity, b.Post("/settings/totp", "secret", totp.Text(make([]byte, 20)), "code", "1").Code)
	e.reader.MustPost("/prove", "password", "correct horse")
	reader := &workertest.Browser{Site: e.Site, Cookie: e.reader.Cookie, Header: http.Header{}, Jar: map[string]string{}}
	_, kept := e.Authenticator(reader)
	require.Equal(e, http.StatusOK, reader.Post("/prove", "password", "correct horse", "next", "/communities").Code)
	reader.Cookie = ""
	require.Equal(e, http.StatusOK, reader.Post("/login", "login", "reader", "password", "correct horse", "next", "/communities", "again",
		"post", "title", "Carried").Code)
	require.Equal(e, http.StatusUnauthorized, reader.Post("/login/code", "code", "x", "next", "/communities", "again", "post", "title",
		"Carried").Code)
	require.Equal(e, "/settings/security?done=app-off", e.reader.MustPost("/settings/totp/off", "code", kept[0]))

	google, err := oidc.Configure(func(name string) string {
		return map[string]string{"AUTH_PROVIDERS": "google", "AUTH_GOOGLE_ID": "x"}[name]
	})
	require.NoError(e, err)
	e.Config.Providers = google
	e.Restart(e.Config)
	e.Exec("INSERT INTO identities (id, issuer, subject, user_id, name, created_at) SELECT 1, 'https://accounts.google.com', 'x', id, 'x', " +
		"1 FROM users WHERE username = 'keeper'")
	b.Page("/prove")

	e.Mailbox()
	e.GitHub()
	octocat := e.Jarred()
	octocat.FromGitHub("good")
	e.root.MustPost("/admin/settings", "sign_up", "approval", "question", "Why?")
	octocat.Page("/auth/new")
	e.root.MustPost("/admin/settings", "sign_up", "invitation")
	octocat.Page("/auth/new")
	e.root.MustPost("/admin/settings", "sign_up", "open")
	octocat.MustPost("/auth/new", "username", "octocat")
	other := e.Jarred()
	other.FromGitHub("good") // now it was used
	other.Page("/settings/security")
	for _, only := range []bool{false, true} {
		e.Config.SSOOnly = only
		e.Restart(e.Config)
		for _, path := range []string{"/login", "/signup"} {
			e.Visitor().Page(path)
		}
		octocat.Page("/settings/security")
		octocat.Page("/settings/account")
		e.Exec("DELETE FROM identities")
		b.Cookie = ""
		b.FromGitHub("good")
		b.Page("/auth/new")
	}
	e.Config.SSOOnly = false
	e.Restart(e.Config)
}

// blocks has the reader block eve and others, and look at what eve writes.
func (e *everything) blocks() {
	eve := e.Member("eve")
	address := eve.MustPost("/submit", "community", "garden_1", "title", "Of eve", "text", "x")
	eve.MustPost("/comment", "post", workertest.Targets(eve.Page(address))[0], "body", "Of eve")
	e.reader.Page(address)
	e.reader.MustPost("/block", "user", "eve", "on", "1")
	e.reader.Page(address)
	e.reader.Page("/u/eve")
	e.reader.Page("/block?user=founder")
	e.Exec(`INSERT INTO users (id, username, username_key, password_hash, avatar, created_at)
WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 51) SELECT i, 'n' || i, 'n' || i, 'x', '#b3261eN', 1 FROM n`)
	e.Exec(`INSERT INTO blocks (blocker_id, blocked_id, created_at) SELECT r.id, u.id, 1 FROM users r, users u WHERE r.username = 'reader'
  AND u.id < 52`)
	e.next(e.reader, "/settings/blocked")
	for _, filter := range [][2]string{{"community", "gardens"}, {"words", "the"}, {"tag", "tulips"}} {
		e.reader.MustPost("/settings/filters", "kind", filter[0], "value", filter[1], "days", "1")
	}
	e.reader.Page("/new")
	e.reader.Page("/settings/filters")
	e.reader.Page("/active")
	require.Equal(e, http.StatusUnprocessableEntity, e.reader.Post("/settings/filters", "kind", "words", "value", "").Code)
	e.reader.Page("/c/gardens")
	e.reader.MustPost("/settings/filters", "kind", "tag", "value", "tulips", "return", "/tag/tulips")
	e.reader.Page("/tag/tulips")
	e.reader.MustPost("/settings/filters", "kind", "tag", "value", "tulips", "on", "0")
	e.reader.MustPost("/settings/filters", "kind", "community", "value", "gardens", "on", "0")
	e.Exec("UPDATE users SET filters = ''")
}

func (e *everything) mails() {
	m := &workertest.Mailed{Site: e.Site, Box: e.Mailbox()}
	address := e.Confirmed("reader")
	e.Visitor().Page("/login?next=%2Fsubmit")
	e.Visitor().Page("/signup?next=%2Fsubmit")
	e.Exec("UPDATE users SET email = 'founder@example.org', email_key = email WHERE username = 'founder'")
	e.founder.Page("/settings/notifications")
	e.root.Page("/settings/notifications")
	b := e.Visitor()
	b.Post("/reset", "login", "")
	b.Post("/reset", "login", "reader")
	link := m.Link(address, "A new password")
	require.Equal(e, http.StatusUnprocessableEntity, m.Press(b, link, "password", "x").Code)
	e.reader.Page("/prove")
	e.reader.Page("/settings/account")
}

// agrees has members and newcomers asked for their age, and to accept the terms.
func (e *everything) agrees() {
	root := e.LogIn("rita", "")
	root.MustPost(workertest.SiteSettings, "sign_up", "open", "terms", "0", "min_age", "0")
	e.Now = e.Now.Add(time.Minute)
	old, young := e.Member("older"), e.Member("younger")
	root.MustPost(workertest.SiteSettings, "terms", "1", "min_age", "16", "changed", "Pictures are new.")
	e.Now = e.Now.Add(time.Minute)
	old.Page("/")
	old.Page("/agree")
	require.Equal(e, http.StatusUnprocessableEntity, old.Post("/agree", "born", "1800").Code)
	old.MustPost("/agree", "born", "1990", "terms", "1")
	young.MustPost("/agree", "born", strconv.Itoa(e.Now.Year()-10), "terms", "1")
	young.Page("/agree")
	root.MustPost(workertest.SiteSettings, "terms", "2")
	e.Now = e.Now.Add(time.Minute)
	old.Page("/agree")
	visitor := e.Visitor()
	visitor.Page("/signup")
	require.Equal(e, http.StatusUnprocessableEntity, visitor.Post("/signup", "username", "youngest", "password", "correct horse", "terms", "1",
		"born", strconv.Itoa(e.Now.Year()-10)).Code)
}
