package worker_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/modlog"
	"plaza/data/votes"
	"plaza/ranking"
	"plaza/render/fixture"
	"plaza/totp"
	"plaza/webauthn"
	"plaza/worker"
	"plaza/worker/oidc"
)

// TestHandlersFillEveryField finds fields of view models that pages of fixtures show and no handler ever fills. The real handlers serve
// a site that has something of everything. That fixtures fill every field, and pages show it, is tested in package render.
func TestHandlersFillEveryField(t *testing.T) {
	all, filled := fixture.Fields{}, fixture.Fields{}
	for _, page := range fixture.Pages() {
		all.All(page.Model())
	}
	defer worker.Watch(func(view any) {
		all.All(view)
		filled.Filled(view)
	})()
	s := mustOpen(t)
	s.firstShard = true // for the communities "gophers" and "gardens": cases of comments of the one are put into the other
	made := s.thread(2000, 1)
	e := &everything{site: s, founder: s.member("founder"), reader: s.member("reader"), root: s.member("rita")}
	s.exec("UPDATE users SET admin = 1 WHERE username = 'rita'")
	e.communities()
	e.posts()
	e.drafts()
	e.thread(made.URL())
	e.ownComment()
	e.gone()
	e.people()
	e.ways()
	e.forms()
	e.mails()
	e.moderation()
	e.inbox()      // last, because days pass in it
	for range 40 { // until there is a window in which neighbouring scores have to be moved apart
		if filled["Votes.Lift"] {
			break
		}
		s.now = s.now.Add(5 * time.Minute)
		e.reader.page("/c/gardens/top?t=all")
	}
	for _, field := range slices.Sorted(maps.Keys(all)) {
		assert.True(t, filled[field], "no handler fills %s", field)
	}
}

// everything is a site with something of everything, and who looks at it.
type everything struct {
	*site
	founder *browser // moderates the community "gardens"
	reader  *browser
	root    *browser // administrator
}

const aboutGardens = "https://example.com/gardens"

// next opens the next page of a list, which has one.
func (e *everything) next(b *browser, address string) string {
	e.Helper()
	m := regexp.MustCompile(`rel="next" href="([^"]*)"`).FindStringSubmatch(b.page(address))
	require.NotNil(e, m, address)
	return b.page(strings.ReplaceAll(m[1], "&amp;", "&"))
}

// inPlace does something that answers the page's script.
func (e *everything) inPlace(b *browser, path string, fields ...string) {
	e.Helper()
	b.header.Set("HX-Request", "true")
	defer b.header.Del("HX-Request")
	require.Equal(e, http.StatusOK, b.post(path, fields...).Code)
}

func (e *everything) communities() {
	e.founder.mustPost("/communities", "name", "gardens", "title", "Gardens", "description", "What grows.")
	e.founder.page("/c/gardens/settings")
	revision := revisionIn(e.T, e.founder.page("/c/gardens/settings"))
	e.founder.mustPost("/c/gardens/settings", "revision", revision, "title", "Gardens", "description", "What grows.", "sidebar", "Be *kind*.",
		"colour", data.Palette[0].Hex, "rule-1-title", "Be kind", "rule-1-text", "To plants, too.")
	e.firstShard = false
	for i := range 31 { // more than a page, and more than a sidebar names
		e.founder.mustPost("/communities", "name", fmt.Sprint("garden_", i))
	}
	e.reader.mustPost("/subscribe", "community", "gardens", "on", "1")
	e.reader.page("/communities?sort=new")
	e.founder.page("/communities/yours")
	e.root.page("/welcome")
	e.exec("UPDATE users SET waiting = '' WHERE username = 'rita'")
	e.logIn("rita", "").page("/welcome")
	e.exec("UPDATE users SET waiting = NULL WHERE username = 'rita'")
	e.root.page("/")
	e.next(e.reader, "/communities")
}

func (e *everything) posts() {
	e.web.page("example.com", `<title>Gardens</title><meta name="description" content="All about them"><meta property="og:site_name" content="Plants">`)
	e.web.file("pics.org", "image/gif", tinyGIF)
	first := e.founder.mustPost("/submit", "community", "gardens", "title", "Everything", "link", aboutGardens, "image", "https://pics.org/a.gif",
		"text", "Some *words*", "nsfw", "1", "spoiler", "1")
	e.deliver()
	id := targets(e.founder.page(first))[0]
	require.Equal(e, http.StatusOK, e.visitor().get("/img/"+id).Code) // after which its size is known
	e.reader.page("/submit?crosspost=" + id)
	again := e.reader.mustPost("/submit", "community", "gardens", "title", "Crosspost", "crosspost", id, "anyway", "1")
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.post("/submit", "community", "gardens", "title", "Twice", "link", aboutGardens).Code)
	for i := range 30 {
		e.founder.mustPost("/submit", "community", "gardens", "title", fmt.Sprintf("Post %02d", i), "link", aboutGardens, "anyway", "1")
	}
	e.reader.mustPost("/comment", "post", id, "body", "Lovely")
	e.reader.mustPost("/vote", "target", id, "value", "1")
	e.founder.mustPost("/edit", "target", id, "text", "Other *words*", "revision", revisionIn(e.T, e.founder.page("/edit?target="+id)))
	e.deliver()
	const n = "CAST(substr(slug, 6) AS INTEGER)" // of the post
	e.exec("UPDATE posts SET base_ups = 4700 - " + n + ", base_downs = 500, ups = 4701 - " + n + ", downs = 500, score = 4201 - " + n + " WHERE community_name = 'gardens'")
	for _, address := range []string{first, again, "/", "/new", "/top?t=all", "/c/gardens", "/discussions?post=" + id} {
		e.visitor().page(address)
		e.reader.page(address)
		e.founder.page(address)
	}
	for _, list := range []string{"/c/gardens/new", "/discussions?url=" + aboutGardens, "/u/founder"} {
		e.next(e.reader, list)
	}
	for _, post := range targets(e.founder.page("/c/gardens/new") + e.founder.page("/c/gardens/top?t=all")) {
		e.reader.mustPost("/save", "target", post, "on", "1")
	}
	e.next(e.reader, "/saved")
	e.inPlace(e.reader, "/hide", "target", id, "on", "1")
	e.inPlace(e.reader, "/save", "target", id, "on", "1")
	e.inPlace(e.reader, "/vote", "target", id, "value", "-1")
	e.reader.page("/hidden")
	e.founder.page("/hidden") // which is empty
}

func (e *everything) drafts() {
	draft := e.founder.mustPost("/submit", "community", "gardens", "title", "A draft", "status", "draft", "text", "Perhaps")
	e.founder.mustPost("/submit", "community", "gardens", "title", "Soon", "text", "x", "status", "scheduled", "publish_at", e.now.Add(time.Hour).UTC().Format("2006-01-02T15:04"))
	for i := range 26 {
		e.founder.mustPost("/submit", "community", "gardens", "title", fmt.Sprint("Draft ", i), "status", "draft")
	}
	id := targets(e.founder.page(draft))[0]
	e.founder.page("/c/gardens/p/soon")
	e.next(e.founder, "/drafts")
	e.founder.page("/draft?target=" + id)
	e.founder.mustPost("/draft", "target", id, "title", "A draft", "text", "Perhaps not", "revision", "0")
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.post("/draft", "target", id, "title", "A draft", "text", "Mine", "revision", "0").Code)
}

// thread opens stubs of a thread: where a level goes on, and what is too deep for a page.
func (e *everything) thread(address string) {
	e.reader.page(address + "?sort=top")
	page := e.visitor().page(address)
	opened := map[bool]bool{}
	for _, m := range shownStub.FindAllStringSubmatch(page, -1) {
		away := m[1] != ""
		if !opened[away] {
			e.visitor().page(strings.ReplaceAll(m[2], "&amp;", "&"))
		}
		opened[away] = true
	}
	require.Len(e, opened, 2)
	deepest := e.one("SELECT id FROM comments ORDER BY depth DESC, id LIMIT 1").(int64)
	e.visitor().page(address + "/" + data.ID(deepest).Text())
}

// inbox has more than a page, in a thread that the founder follows.
func (e *everything) inbox() {
	const thread = "/c/gardens/p/post-00"
	post := targets(e.founder.page(thread))[0]
	e.founder.page("/inbox/mentions") // which is empty
	for range 40 {
		e.reader.mustPost("/comment", "post", post, "body", "@founder")
	}
	e.founder.mustPost("/watch", "target", post, "watch", "follow")
	e.queue.take(worker.QueueVotes) // with what replayed dead letters have sent, which nothing understands
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

func (e *everything) ownComment() {
	const address = "/c/gardens/p/post-00"
	e.founder.mustPost("/comment", "post", targets(e.founder.page(address))[0], "body", "Mine")
	e.deliver()
	id := targets(e.founder.page(address))[1]
	e.reader.mustPost("/vote", "target", id, "value", "1")
	e.deliver()
	e.inPlace(e.founder, "/comment", "parent", id, "body", "And an answer")
	e.founder.mustPost("/save", "target", id, "on", "1")
	e.inPlace(e.founder, "/save", "target", id, "on", "1")
	e.founder.page("/saved/comments")
	e.founder.page("/edit?target=" + id)
	e.founder.page("/delete?target=" + id)
	e.founder.mustPost("/edit", "target", id, "body", "Mine, still", "revision", "0")
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.post("/edit", "target", id, "body", "Something else", "revision", "0").Code)
	e.founder.page(address)
	e.founder.page("/reply?to=" + id)
	e.founder.page("/u/founder/comments")
}

// gone shows what was removed, deleted or locked.
func (e *everything) gone() {
	const address = "/c/gardens/p/post-01"
	id := targets(e.founder.page(address))[0]
	for _, body := range []string{"One", "Two"} {
		e.reader.mustPost("/comment", "post", id, "body", body)
	}
	e.deliver()
	one := data.ID(e.one("SELECT id FROM comments WHERE body = 'One'").(int64)).Text()
	const decide = "/c/gardens/mod/decide"
	e.founder.page(decide + "?target=" + one)
	e.inPlace(e.founder, decide, "target", one, "decision", "remove", "rule", "Be kind", "text", "Please.")
	e.deliver()
	told := regexp.MustCompile(`/decisions/[0-9a-z]{13}`)
	e.reader.page(told.FindString(e.reader.page("/inbox/moderation")))
	suspension := data.NewID(e.now, 0, data.KindOther, 1)
	e.exec(`INSERT INTO moderation_log (id, community_id, action, target_id, author_id, until, actor_id, actor_name, undone_by)
SELECT ?1, 0, 'suspend', u.id, u.id, ?2, 1, 'rita', 2 FROM users u WHERE u.username = 'reader'`, int64(suspension), e.now.UnixMilli())
	require.NoError(e, e.queue.Send(e.Context(), worker.QueueEvents, "decided "+suspension.Text()))
	e.deliver()
	e.reader.page(told.FindString(e.reader.page("/inbox/moderation")))
	e.exec("UPDATE comments SET status = 'deleted' WHERE body = 'Two'")
	e.founder.mustPost(decide, "target", id, "decision", "lock")
	e.founder.mustPost(decide, "target", id, "decision", "pin")
	e.founder.page("/c/gardens")
	e.founder.page(address)
	e.reader.page(address)
	e.founder.mustPost("/delete", "target", id)
	e.reader.page(address)
	e.exec("UPDATE posts SET created_at = 1 WHERE slug = 'post-03'")
	e.reader.page("/c/gardens/p/post-03")
	e.root.page("/admin")
	e.visitor().page("/rules")
	e.root.page("/rules")
	e.root.page("/admin/pages/rules")
	require.Equal(e, http.StatusUnprocessableEntity, e.root.post("/admin/pages/rules", "body", "").Code)
	e.root.mustPost("/admin/pages/rules", "body", "Be *kind*.")
	require.Equal(e, http.StatusUnprocessableEntity, e.visitor().post("/contact", "name", "Eve").Code)
	e.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
INSERT INTO contact_messages (id, name, member, email, body) SELECT i, 'Eve', 0, 'eve@example.org', 'Hello' FROM n`)
	e.founder.mustPost("/contact", "body", "Hello")
	e.founder.page("/contact?sent")
	e.root.page("/contact")
	e.next(e.root, "/admin/messages")
	e.root.mustPost("/admin/messages", "action", "answered", "id", data.ID(e.one("SELECT max(id) FROM contact_messages").(int64)).Text())
	e.root.page("/admin/messages?answered")
	e.root.mustPost(siteSettings, "name", "Garden", "tagline", "What grows", "letter", "g", "logo", "https://pics.org/a.gif", "accent", "blue", "rule-1-title", "Be kind")
	e.root.page(siteSettings + "?saved")
	e.root.page("/rules")
	require.Equal(e, http.StatusUnprocessableEntity, e.root.post(siteSettings, "accent", "pink").Code)
	const removed = "/c/gardens/p/post-02"
	second := targets(e.founder.page(removed))[0]
	e.reader.mustPost("/submit", "community", "gardens", "title", "Crosspost of what goes", "crosspost", second, "anyway", "1")
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.post(decide, "target", second, "decision", "remove", "text", "Not here.").Code)
	e.founder.mustPost(decide, "target", second, "decision", "remove", "rule", "Be kind", "text", "Not here.")
	e.deliver()
	e.reader.page(removed)
	e.founder.page(removed)
	e.reader.page("/c/gardens/p/crosspost-of-what-goes")
	for range 26 {
		e.founder.mustPost(decide, "target", second, "decision", "nsfw")
		e.founder.mustPost(decide, "target", second, "decision", "un-nsfw")
	}
	e.next(e.visitor(), "/c/gardens/log")
	e.visitor().page("/log")
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

// bans shows who is banned, more than a page of them, and what they see.
func (e *everything) bans() {
	const address = "/c/gardens/mod/bans"
	e.exec(`INSERT INTO bans (id, community_id, user_id, kind, username, until)
SELECT DISTINCT c.id, p.community_id, c.id, 'mute', 'x' || c.id, 1 << 52 FROM posts p, comments c WHERE p.slug = 'everything' LIMIT 51`)
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.post(address, "user", "reader", "decision", "ban", "text", "Enough.").Code)
	draft := e.reader.mustPost("/submit", "community", "gardens", "title", "A reader's draft", "status", "draft")
	e.founder.mustPost(address, "user", "reader", "decision", "ban", "rule", "Be kind", "days", "3000", "text", "Enough.")
	e.reader.page("/draft?target=" + targets(e.reader.page(draft))[0])
	e.next(e.founder, address)
	e.founder.page(address + "?user=reader")
	e.now = e.now.Add(data.OwnLife + time.Second)
	e.reader.page("/c/gardens/p/everything")
	e.founder.page("/u/reader")
	e.numbers()
	e.visitor().page("/c/gardens/log")
	e.founder.mustPost(address, "user", "reader", "decision", "lift")
	e.invitations()
	e.root.page("/admin/users")
	require.Equal(e, http.StatusUnprocessableEntity, e.root.post("/admin/users", "user", "reader", "decision", "suspend", "text", "Enough.").Code)
	e.exec(`INSERT INTO users (id, username, username_key, password_hash, created_at) 
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 51) SELECT i + 4000, 'y' || i, 'y' || i, '', 1 FROM n`)
	e.next(e.root, "/admin/users")
	e.exec("UPDATE users SET avatar = '#00695cK', karma = 7 WHERE username = (SELECT max(username) FROM users WHERE username LIKE 'y%')")
	e.root.page("/admin/users")
	e.root.mustPost("/admin/users", "user", e.one("SELECT max(username) FROM users WHERE username LIKE 'y%'").(string), "decision", "suspend", "rule", "Spam", "days", "7", "text", "Enough.")
	e.root.page("/admin/users?status=suspended")
	e.outside()
}

// outside has a member be suspended, appeal and be heard, and a newcomer be refused.
func (e *everything) outside() {
	e.member("sue")
	e.root.mustPost("/admin/users", "user", "sue", "decision", "suspend", "rule", "Spam", "days", "7", "text", "Enough.")
	_, link := e.site.outside("sue")
	require.Equal(e, http.StatusUnprocessableEntity, e.visitor().post(link, "text", "").Code)
	require.Equal(e, http.StatusForbidden, e.visitor().get(link+"0").Code)
	e.visitor().mustPost(link, "text", "It was my cat.")
	e.exec("UPDATE conversations SET verdict = 'upheld', status = 'closed' WHERE decision_id <> 0")
	e.visitor().page(link)
	e.exec("DELETE FROM conversations")
	e.member("vic")
	e.exec("UPDATE users SET waiting = '', status = 'banned' WHERE username = 'vic'")
	require.Equal(e, http.StatusForbidden, e.visitor().post("/login", "login", "vic", "password", "correct horse").Code)
}

// numbers shows how much was decided in the months before and after.
func (e *everything) numbers() {
	for month, id := range map[string]data.ID{"earlier": data.NewID(e.now.AddDate(0, -2, 0), 0, data.KindOther, 0), "later": data.NewID(e.now.AddDate(0, 2, 0), 0, data.KindOther, 0)} {
		e.exec("INSERT INTO moderation_log (id, community_id, action, target_id, actor_id, actor_name, rule) SELECT ?1, k.id, 'remove', 1, iif(?2 = 'later', 0, 7), '', '' FROM communities k WHERE k.name_key = 'gardens'", int64(id), month)
	}
	e.exec("UPDATE moderation_log SET undone_by = 1 WHERE id = (SELECT max(id) FROM moderation_log WHERE actor_name <> '' AND community_id = (SELECT id FROM communities WHERE name_key = 'gardens'))")
	e.visitor().page("/c/gardens/log/numbers")
	e.visitor().page("/c/gardens/log/numbers?month=" + modlog.MonthOf(e.now.AddDate(0, 2, 0)).String())
	e.visitor().page("/log/numbers")
	e.exec("UPDATE moderation_log SET undone_by = NULL WHERE undone_by = 1")
	e.exec("DELETE FROM moderation_log WHERE target_id = 1")
}

// invitations shows who may sign up, and by whom they were invited.
func (e *everything) invitations() {
	e.root.mustPost("/admin/settings", "sign_up", "invitation")
	e.root.mustPost("/settings/invites", "uses", "2", "days", "7")
	require.Equal(e, http.StatusUnprocessableEntity, e.root.post("/settings/invites", "uses", "0", "days", "7").Code)
	e.root.page("/settings/invites")
	e.visitor().page("/signup?invite=" + e.one("SELECT code FROM invites").(string))
	e.exec(`INSERT INTO users (id, username, username_key, password_hash, created_at, status, invite_id) SELECT 70 + i.value, 'i' || i.value, 'i' || i.value, '', 1, 'suspended', (SELECT id FROM invites) FROM json_each('[1,2]') i`)
	e.exec("INSERT INTO invites (id, code, user_id, uses, expires_at) VALUES (5, 'x', 71, 1, 1)")
	e.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
INSERT INTO users (id, username, username_key, password_hash, created_at, invite_id) SELECT 100 + i, 'j' || i, 'j' || i, '', 1, 5 FROM n`)
	e.next(e.root, "/admin/invites")
	e.root.page("/settings/invites")
	e.exec("UPDATE users SET admin = 1, status = 'banned' WHERE username = 'j5'")
	e.exec("UPDATE users SET status = 'suspended' WHERE username = 'j6'")
	require.Equal(e, http.StatusUnprocessableEntity, e.root.post("/admin/invites", "user", "i1", "decision", "suspend", "text", "Enough.").Code)
	e.root.mustPost("/admin/invites", "user", "i1", "decision", "restore")
	e.root.page("/admin/invites")
	e.exec("DELETE FROM branch_decisions")
	e.exec("DELETE FROM branch_members")
	e.root.page("/admin/invites?user=j7")
	e.root.page("/admin/invites?user=rita")
	e.root.mustPost("/admin/settings", "sign_up", "approval", "question", "Why?")
	e.visitor().page("/signup")
	e.exec("UPDATE users SET waiting = 'Because.', status = 'active' WHERE invite_id IS NOT NULL")
	e.next(e.root, "/admin/waiting")
	e.root.mustPost("/admin/settings", "sign_up", "open")
	e.exec("DELETE FROM users WHERE invite_id IS NOT NULL")
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
	require.Equal(e, http.StatusOK, b.post("/settings/tokens", "name", "Another", "write", "1").Code)
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
	e.authenticator(reader)
	reader.cookie = ""
	require.Equal(e, http.StatusOK, reader.post("/login", "login", "reader", "password", "correct horse", "next", "/communities", "again", "post", "title", "Carried").Code)
	require.Equal(e, http.StatusUnauthorized, reader.post("/login/code", "code", "x", "next", "/communities", "again", "post", "title", "Carried").Code)
	require.Equal(e, "/settings/security?done=app-off", e.reader.mustPost("/settings/totp/off"))

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

// forms shows what is wrong with forms, what they carry through logging in and what they made before.
func (e *everything) forms() {
	refused := func(b *browser, path string, fields ...string) {
		e.Helper()
		require.GreaterOrEqual(e, b.post(path, fields...).Code, 400)
	}
	refused(e.visitor(), "/signup", "username", "x", "password", "x")
	refused(e.visitor(), "/login", "login", "nobody", "password", "x")
	refused(e.founder, "/communities", "name", "x")
	for _, path := range []string{"/signup", "/login", "/nothing"} {
		e.visitor().get(path)
	}
	e.founder.page("/communities/new")
	e.founder.page("/submit")
	e.founder.page("/c/gardens/submit")
	about := targets(e.founder.page("/c/gardens/p/everything"))[0]
	e.reader.page("/report?user=founder")
	refused(e.reader, "/report", "target", about)
	e.reader.mustPost("/report", "target", about, "reason", "Spam", "text", "Look!")
	e.reader.page("/report?target=" + about)
	e.reader.page("/report?target=" + data.ID(e.one("SELECT max(id) FROM comments WHERE status = 'published' AND body <> '' AND author_name = 'founder'").(int64)).Text())
	e.founder.page("/delete?target=" + targets(e.founder.page("/c/gardens/p/everything"))[0])

	preview := []string{"title", "Everything", "link", aboutGardens, "image", "https://pics.org/a.gif", "text", "Some *words*", "kind", "link"}
	require.Equal(e, http.StatusOK, e.founder.post("/preview", append(preview, "preview", "post")...).Code)

	const token = "a-token-of-a-form-that-is-sent-twice"
	e.founder.mustPost("/submit", "community", "gardens", "title", "Once", "text", "x", "token", token)
	refused(e.founder, "/submit", "community", "gardens", "title", "Twice", "text", "x", "token", token)

	someone := e.visitor()
	require.Equal(e, http.StatusUnauthorized, someone.post("/submit", "community", "gardens", "title", "Carried", "text", "x").Code)
	res := someone.post("/login", "login", "reader", "password", "correct horse", "again", "post", "title", "Carried", "text", "x", "community", "gardens")
	require.Contains(e, res.Body.String(), `class="notice"`)
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

func (e *everything) moderation() {
	evidence, err := json.Marshal(votes.Evidence{Votes: 22, Seconds: 60, Before: 3, BeforeSeconds: 3600, Signals: []ranking.Evidence{
		{Signal: ranking.SignalNetwork, Value: "192.0.2.0/24", Votes: 20, Of: 22, Share: .9, Baseline: .05, Suspicious: true}}})
	require.NoError(e, err)
	insert := func(n int, status, from string) {
		e.exec(`INSERT INTO quarantines (id, target_id, community_id, direction, evidence, votes, status, created_at, decided_at, decided_by, decided_name)
SELECT ?1, x.id, x.community_id, 1, ?2, 22, ?3, 1, 2, 3, 'founder' FROM `+from+` x LIMIT 1`, int64(n)<<22, string(evidence), status)
	}
	for i := range 51 { // of comments of one thread, more than a page
		insert(100+i, "open", fmt.Sprintf("(SELECT c.id, p.community_id FROM comments c, posts p WHERE p.slug = 'everything' LIMIT 1 OFFSET %d)", i))
	}
	for i := range 21 {
		insert(200+i, "released", "(SELECT id, community_id FROM posts WHERE slug = 'everything')")
	}
	for i := range 22 { // of more communities than are listed
		garden := fmt.Sprint("garden_", i)
		e.founder.mustPost("/submit", "community", garden, "title", "A post", "text", "x")
		insert(300+i, "open", "(SELECT id, community_id FROM posts WHERE community_name = '"+garden+"')")
	}
	e.exec(`INSERT INTO queue_items (target_id, community_id, reports, came_at) SELECT p.id, p.community_id, 1, 1 FROM posts p WHERE p.community_name = 'gardens' AND p.title LIKE 'Post %'`)
	e.exec(`INSERT INTO queue_items (target_id, community_id, reports, came_at) SELECT c.id, p.community_id, 1, 2 FROM posts p, comments c WHERE c.post_id = p.id AND p.slug = 'everything' LIMIT 1`)
	newRule(e.founder, "/c/gardens/mod/rule", "title", "Held", "words", "held*", "pattern", "(?i)held", "kinds", "text", "do", "hold", "answer", "Please wait.", "active", "1")
	newRule(e.founder, "/c/gardens/mod/rule", "title", "Held comments", "words", "held*", "kinds", "comment", "do", "hold", "answer", "Please wait.", "active", "1")
	newRule(e.founder, "/c/gardens/mod/rule", "title", "Removed", "words", "removed", "do", "remove", "reason", "Be kind", "active", "1")
	newRule(e.founder, "/c/gardens/mod/rule", "title", "Answered", "words", "answered", "do", "answer", "answer", "Please *wait*.", "active", "1")
	newRule(e.founder, "/c/gardens/mod/rule", "title", "Reported", "reports", "1", "do", "hold", "active", "1")
	answered := targets(e.reader.page(e.reader.mustPost("/submit", "community", "gardens", "title", "Answered", "text", "x")))[0]
	said := e.reader.mustPost("/comment", "post", answered, "body", "Answered")
	e.founder.page("/c/gardens/p/answered")
	for _, target := range []string{regexp.MustCompile(`[^/#-]+$`).FindString(said), answered} {
		e.root.mustPost("/report", "target", target, "reason", "Spam")
	}
	e.founder.page("/c/gardens/p/answered")
	e.reader.mustPost("/submit", "community", "gardens", "title", "Removed", "text", "x")
	e.founder.mustPost("/c/gardens/mod/flair", "flair-1-text", "Flowers", "flair-1-colour", "blue", "required", "1")
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.post("/c/gardens/mod/flair", "flair-1-text", "Weeds", "flair-1-colour", "red").Code)
	flair := data.ID(e.one("SELECT id FROM flairs").(int64)).Text()
	flaired := targets(e.founder.page(e.founder.mustPost("/c/gardens/submit", "title", "With flair", "text", "x", "flair", flair)))[0]
	for _, address := range []string{"/c/gardens/mod/flair", "/c/gardens/mod/give-flair?target=" + flaired, "/c/gardens?flair=" + flair, "/c/gardens/submit", "/edit?target=" + flaired} {
		e.founder.page(address)
	}
	e.exec("UPDATE flair_sets SET required = 0")
	e.founder.page("/c/gardens/log")
	e.founder.page("/c/gardens/mod/rules")
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.post("/c/gardens/mod/rules", "do", "add", "text", "x").Code)
	id := regexp.MustCompile(`/c/gardens/mod/rule\?rule=(\w+)`).FindStringSubmatch(e.founder.page("/c/gardens/mod/rules"))[1]
	e.founder.page("/c/gardens/mod/rule?rule=" + id)
	e.founder.post("/c/gardens/mod/rule", "rule", id, "title", "Posts", "pattern", "Post", "kinds", "link", "do", "hold", "then", "try")
	e.exec("UPDATE comments SET body = replace(hex(zeroblob(1000)), '00', 'ab')")
	e.root.post("/admin/rule", "rule", id, "title", "Costly", "pattern", "[a-c]{150}x", "do", "hold", "then", "try")
	held := targets(e.reader.page(e.reader.mustPost("/submit", "community", "gardens", "title", "Held", "text", "x")))[0]
	e.reader.mustPost("/comment", "post", targets(e.founder.page("/c/gardens/p/everything"))[0], "body", "Held as well")
	e.reader.page("/c/gardens/p/held")
	e.reader.page("/c/gardens/p/everything")
	require.Equal(e, http.StatusNotFound, e.visitor().get("/c/gardens/p/held").Code)
	e.reader.mustPost("/submit", "community", "gardens", "title", "Removable", "text", "x")
	removable := e.founder.page("/c/gardens/p/removable")
	e.founder.mustPost("/c/gardens/mod/decide", "target", targets(removable)[0], "decision", "remove", "rule", "Spam", "text", "Please don't.")
	gone, err := data.ParseID(targets(removable)[0])
	require.NoError(e, err)
	e.sql.ExecAt(gone, `INSERT INTO moderation_log (id, community_id, action, target_id, author_id, actor_id, actor_name) SELECT id + 1, community_id, 'ban', author_id, author_id, 1, '' FROM moderation_log
WHERE note = 'Please don''t.' AND action = 'remove'`)
	e.exec("UPDATE standings SET comments = 3 WHERE user_id = (SELECT author_id FROM posts WHERE slug = 'removable')")
	e.sql.ExecAt(gone, `INSERT INTO moderation_log (id, community_id, action, target_id, author_id, actor_id, actor_name) SELECT id + 2, community_id, 'mute', author_id, author_id, 1, '' FROM moderation_log
WHERE note = 'Please don''t.' AND action = 'remove'`)
	card, about, _ := strings.Cut(regexp.MustCompile(`/c/gardens/mod/member\?user=[0-9a-z]{13}`).FindString(removable), "?user=")
	e.founder.mustPost(card, "user", about, "text", "A note")
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.post(card, "user", about, "name", "reader", "text", "").Code)
	e.founder.mustPost("/c/gardens/moderators", "do", "invite", "user", "reader", "role", "approver")
	e.reader.page("/inbox")
	e.reader.page("/c/gardens/moderators")
	e.founder.page("/c/gardens/moderators")
	e.reader.mustPost("/c/gardens/moderators/own", "do", "accept", "role", "approver")
	e.reader.page("/c/gardens/p/everything")
	require.Equal(e, http.StatusUnprocessableEntity, e.root.post("/c/gardens/moderators", "user", "nobody", "role", "owner").Code)
	e.reader.page("/c/gardens/log")
	e.reader.mustPost("/c/gardens/moderators/own", "do", "resign")
	e.founder.page("/c/gardens/mod/queue")
	e.founder.mustPost("/c/gardens/mod/queue", "one", "approve "+held)
	e.next(e.founder, "/mod/queue")
	post := targets(e.founder.page("/c/gardens/p/everything"))[0]
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.post("/c/gardens/mod/queue", "target", post, "decision", "remove", "rule", "No such rule", "text", "A word").Code)
	e.founder.mustPost("/c/gardens/mod/queue", "one", "approve "+post)
	e.reader.page("/report?target=" + post)
	e.bans()
	for range 3 { // more than a page
		e.exec(`INSERT INTO conversations (id, community_id, user_id, subject, about, status, said_at)
SELECT (SELECT coalesce(max(o.id), 0) FROM conversations o) + row_number() OVER (), k.id, u.id, 'Hello', '', 'open', 1 FROM users u, communities k WHERE u.username = 'reader' AND k.name LIKE 'garden_%'`)
	}
	e.exec("UPDATE conversations SET community_id = (SELECT id FROM communities WHERE name = 'gardens')")
	e.next(e.founder, "/c/gardens/mod/mail")
	e.next(e.reader, "/messages")
	e.reader.page("/messages/new?community=gardens&target=" + post)
	e.founder.page("/messages/new?community=gardens&user=reader")
	require.Equal(e, http.StatusUnprocessableEntity, e.reader.post("/messages", "community", "gardens", "target", post, "title", "Why?", "text", "").Code)
	e.exec("UPDATE conversations SET status = 'closed'")
	e.exec("INSERT INTO moderators (community_id, user_id, username, created_at) SELECT k.id, u.id, u.username, 1 FROM communities k, users u WHERE k.name = 'gardens' AND u.username = 'root'")
	own := targets(e.reader.page(e.reader.mustPost("/submit", "community", "gardens", "title", "Taken down", "text", "text")))[0]
	e.founder.mustPost("/c/gardens/mod/decide", "target", own, "decision", "remove", "rule", "Be kind")
	appealed := e.lastDecision("remove")
	e.reader.page(appealed)
	require.Equal(e, http.StatusUnprocessableEntity, e.reader.post(appealed, "text", "").Code)
	appeal := e.reader.mustPost(appealed, "text", "It is kind.")
	e.root.page(appeal)
	e.root.page(appealed)
	e.root.mustPost(appeal+"/verdict", "verdict", "overturned")
	e.reader.page(appeal)
	e.reader.page(appealed)
	e.reader.page("/messages")
	e.deliver()
	e.reader.page(e.lastDecision("approve"))
	e.exec("DELETE FROM moderators WHERE username = 'root'")
	left := e.reader.mustPost("/messages", "title", "A remark", "text", "That is all.")
	e.reader.mustPost(left, "do", "close")
	e.reader.page(left)
	e.reader.page("/messages")
	talk := e.reader.mustPost("/messages", "community", "gardens", "target", post, "title", "Why?", "text", "Why?")
	e.founder.mustPost(talk, "text", "Because.")
	e.founder.page(talk)
	e.reader.page(talk)
	e.reader.page("/messages")
	e.founder.page("/c/gardens/mod/mail?show=mine")
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.post(talk, "text", strings.Repeat("x", 3000)).Code)
	e.founder.page("/c/gardens/mod/quarantine")
	e.next(e.founder, "/c/gardens/mod/quarantine")
	e.next(e.root, "/admin/quarantine")

	var batch []worker.Message
	for i := range 51 {
		batch = append(batch, worker.Message{ID: fmt.Sprint("m", i), Body: fmt.Sprint("letter ", i)})
	}
	_, err = e.app.Consume(e.Context(), worker.QueueVotes+"-dead", batch)
	require.NoError(e, err)
	m := regexp.MustCompile(`name="id" value="([0-9a-z]{13})"`).FindStringSubmatch(e.root.page("/admin/dead-letters"))
	e.queue.fail = http.ErrHandlerTimeout
	require.Equal(e, http.StatusServiceUnavailable, e.root.post("/admin/dead-letters", "id", m[1], "action", "replay").Code)
	e.queue.fail = nil
	e.root.mustPost("/admin/dead-letters", "id", m[1], "action", "replay")
	e.next(e.root, "/admin/dead-letters")
}
