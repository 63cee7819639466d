package worker_test

import (
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
	"plaza/data/wire/upstash"
	"plaza/test/fixture"
	"plaza/test/stacktest"
	"plaza/test/workertest"
	"plaza/worker"
)

// TestHandlersFillEveryField finds fields of view models that pages of fixtures show and no handler ever fills. The real handlers serve
// a site that has something of everything. That fixtures fill every field, and pages show it, is tested in package render.
func TestHandlersFillEveryField(t *testing.T) {
	stacktest.NeedRedis(t)
	all, filled := fixture.Fields{}, fixture.Fields{}
	for _, page := range fixture.Pages() {
		all.All(page.Model())
	}
	defer worker.Watch(func(view any) {
		all.All(view)
		filled.Filled(view)
	})()
	s := workertest.MustOpen(t)
	s.FirstShard = true // for the communities "gophers" and "gardens": cases of comments of the one are put into the other
	created := s.Thread(2000, 1)
	e := &everything{Site: s, founder: s.Member("founder"), reader: s.Member("reader"), root: s.Member("rita")}
	s.Exec("UPDATE users SET admin = 1 WHERE username = 'rita'")
	e.communities()
	e.posts()
	e.drafts()
	e.thread(created.URL())
	e.ownComment()
	e.gone()
	e.people()
	e.ways()
	e.forms()
	e.mails()
	e.pictures()
	e.blockedPictures()
	e.erased()
	e.legalNotices()
	e.moderation()
	e.inbox() // after the others, because days pass in it
	e.agrees()
	e.health()
	lacking(t)
	for _, field := range slices.Sorted(maps.Keys(all)) {
		assert.True(t, filled[field], "no handler fills %s: let a page of field_*_test.go show it", field)
	}
}

// everything is a site with something of everything, and who looks at it.
type everything struct {
	*workertest.Site
	founder *workertest.Browser // moderates the community "gardens"
	reader  *workertest.Browser
	root    *workertest.Browser // administrator
}

const aboutGardens = "https://example.com/gardens"

// next opens the next page of a list, which has one.
func (e *everything) next(b *workertest.Browser, address string) string {
	e.Helper()
	m := regexp.MustCompile(`rel="next" href="([^"]*)"`).FindStringSubmatch(b.Page(address))
	require.NotNil(e, m, address)
	return b.Page(strings.ReplaceAll(m[1], "&amp;", "&"))
}

// inPlace does something that answers the page's script.
func (e *everything) inPlace(b *workertest.Browser, path string, fields ...string) {
	e.Helper()
	b.Header.Set("HX-Request", "true")
	defer b.Header.Del("HX-Request")
	require.Equal(e, http.StatusOK, b.Post(path, fields...).Code)
}

func (e *everything) communities() {
	e.founder.MustPost("/communities", "name", "gardens", "title", "Gardens", "description", "What grows.")
	e.founder.Page("/c/gardens/settings")
	revision := workertest.RevisionIn(e.T, e.founder.Page("/c/gardens/settings"))
	e.founder.MustPost("/c/gardens/settings", "revision", revision, "title", "Gardens", "description", "What grows.", "sidebar", "Be *kind*.",
		"colour", data.Palette[0].Hex, "rule-1-title", "Be kind", "rule-1-text", "To plants, too.")
	e.FirstShard = false
	for i := range 31 { // more than a page, and more than a sidebar names
		e.founder.MustPost("/communities", "name", fmt.Sprint("garden_", i))
	}
	e.reader.MustPost("/subscribe", "community", "gardens", "on", "1")
	e.reader.Page("/communities?sort=new")
	e.founder.Page("/c/garden_1")
	e.founder.Page("/communities/yours")
	e.root.Page("/welcome")
	e.Exec("UPDATE users SET waiting = '' WHERE username = 'rita'")
	e.LogIn("rita", "").Page("/welcome")
	e.Exec("UPDATE users SET waiting = NULL WHERE username = 'rita'")
	e.root.Page("/")
	e.next(e.reader, "/communities")
}

func (e *everything) posts() {
	e.Web.Page("example.com", `<title>Gardens</title><meta name="description" content="All about them"><meta property="og:site_name" `+
		`content="Plants">`)
	e.Web.File("pics.org", "image/gif", workertest.TinyGIF)
	first := e.founder.MustPost("/submit", "community", "gardens", "title", "Everything", "link", aboutGardens, "image",
		"https://pics.org/a.gif",
		"text", "Some *words*", "nsfw", "1", "spoiler", "1")
	e.Deliver()
	id := workertest.Targets(e.founder.Page(first))[0]
	require.Equal(e, http.StatusOK, e.Visitor().Get("/img/"+id).Code) // after which its size is known
	e.reader.Page("/submit?crosspost=" + id)
	again := e.reader.MustPost("/submit", "community", "gardens", "title", "Crosspost", "crosspost", id, "anyway", "1")
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.Post("/submit", "community", "gardens", "title", "Twice", "link",
		aboutGardens).Code)
	for i := range 30 {
		e.founder.MustPost("/submit", "community", "gardens", "title", fmt.Sprintf("Post %02d", i), "link", aboutGardens, "anyway", "1")
	}
	e.reader.MustPost("/comment", "post", id, "body", "Lovely")
	e.reader.MustPost("/vote", "target", id, "value", "1")
	e.founder.MustPost("/edit", "target", id, "text", "Other *words*", "revision",
		workertest.RevisionIn(e.T, e.founder.Page("/edit?target="+id)))
	e.Deliver()
	const n = "CAST(substr(slug, 6) AS INTEGER)" // of the post
	e.Exec("UPDATE posts SET base_ups = 4700 - " + n + ", base_downs = 500, ups = 4701 - " + n + ", downs = 500, score = 4201 - " + n +
		" WHERE community_name = 'gardens'")
	e.Exec("UPDATE posts SET views = 1300 - " + n + " WHERE community_name = 'gardens'")
	e.Exec("UPDATE users SET views = 7")
	for _, address := range []string{first, again, "/", "/new", "/views?t=all", "/u/founder?sort=views", "/top?t=all", "/c/gardens", "/discussions?post=" + id, "/u/founder"} {
		e.Visitor().Page(address)
		e.reader.Page(address)
		e.founder.Page(address)
	}
	for _, list := range []string{"/c/gardens/new", "/discussions?url=" + aboutGardens, "/u/founder?sort=new"} {
		e.next(e.reader, list)
	}
	for _, post := range workertest.Targets(e.founder.Page("/c/gardens/new") + e.founder.Page("/c/gardens/top?t=all")) {
		e.reader.MustPost("/save", "target", post, "on", "1")
	}
	e.next(e.reader, "/saved")
	e.searches()
	e.reader.Jar = map[string]string{}
	e.reader.MustPost("/seen", "hide", "1")
	e.reader.Page("/new")
	e.reader.MustPost("/seen", "hide", "0")
	e.reader.Jar = nil
	e.inPlace(e.reader, "/hide", "target", id, "on", "1")
	e.inPlace(e.reader, "/save", "target", id, "on", "1")
	e.inPlace(e.reader, "/vote", "target", id, "value", "-1")
	e.reader.Page("/hidden")
	e.founder.Page("/hidden") // which is empty
}

func (e *everything) drafts() {
	draft := e.founder.MustPost("/submit", "community", "gardens", "title", "A draft", "status", "draft", "text", "Perhaps")
	e.founder.MustPost("/submit", "community", "gardens", "title", "Soon", "text", "x", "status", "scheduled", "publish_at",
		e.Now.Add(time.Hour).UTC().Format("2006-01-02T15:04"))
	for i := range 26 {
		e.founder.MustPost("/submit", "community", "gardens", "title", fmt.Sprint("Draft ", i), "status", "draft")
	}
	id := workertest.Targets(e.founder.Page(draft))[0]
	e.founder.Page("/c/gardens/p/soon")
	e.next(e.founder, "/drafts")
	e.founder.Page("/drafts/scheduled")
	e.founder.Page("/drafts/published")
	e.founder.Page("/draft?target=" + id)
	e.founder.MustPost("/draft", "target", id, "title", "A draft", "text", "Perhaps not", "revision", "0")
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.Post("/draft", "target", id, "title", "A draft", "text", "Mine", "revision",
		"0").Code)
}

// thread opens stubs of a thread: where a level goes on, and what is too deep for a page.
func (e *everything) thread(address string) {
	e.reader.Page(address + "?sort=top")
	page := e.Visitor().Page(address)
	opened := map[bool]bool{}
	for _, m := range workertest.ShownStub.FindAllStringSubmatch(page, -1) {
		elsewhere := m[1] != ""
		if !opened[elsewhere] {
			e.Visitor().Page(strings.ReplaceAll(m[2], "&amp;", "&"))
		}
		opened[elsewhere] = true
	}
	require.Len(e, opened, 2)
	deepest := e.One("SELECT id FROM comments ORDER BY depth DESC, id LIMIT 1").(int64)
	e.Visitor().Page(address + "/" + data.ID(deepest).Text())
	post, err := data.ParseID(workertest.Targets(page)[0])
	require.NoError(e, err)
	newest := e.One("SELECT max(id) FROM comments WHERE depth = 0 AND post_id = ?1", int64(post)).(int64)
	e.Now = e.Now.Add(time.Hour)
	e.founder.MustPost("/comment", "post", post.Text(), "parent", data.ID(newest).Text(), "body", "News")
	e.Deliver()
	e.Now = e.Now.Add(time.Minute)
	e.reader.Page(address + "?sort=new")
}

func (e *everything) ownComment() {
	const address = "/c/gardens/p/post-00"
	e.founder.MustPost("/comment", "post", workertest.Targets(e.founder.Page(address))[0], "body", "Mine")
	e.Deliver()
	id := workertest.Targets(e.founder.Page(address))[1]
	e.reader.MustPost("/vote", "target", id, "value", "1")
	e.Deliver()
	e.inPlace(e.founder, "/comment", "parent", id, "body", "And an answer")
	e.founder.MustPost("/save", "target", id, "on", "1")
	e.inPlace(e.founder, "/save", "target", id, "on", "1")
	e.founder.Page("/saved/comments")
	e.founder.Page("/edit?target=" + id)
	e.founder.Page("/delete?target=" + id)
	e.founder.MustPost("/edit", "target", id, "body", "Mine, still", "revision", "0")
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.Post("/edit", "target", id, "body", "Something else", "revision", "0").Code)
	e.founder.Page(address)
	e.founder.Page("/reply?to=" + id)
	e.founder.Page("/u/founder/comments")
}

// gone shows what was removed, deleted or locked.
func (e *everything) gone() {
	const address = "/c/gardens/p/post-01"
	id := workertest.Targets(e.founder.Page(address))[0]
	for _, body := range []string{"One", "Two"} {
		e.reader.MustPost("/comment", "post", id, "body", body)
	}
	e.Deliver()
	one := data.ID(e.One("SELECT id FROM comments WHERE body = 'One'").(int64)).Text()
	const decide = "/c/gardens/mod/decide"
	e.founder.Page(decide + "?target=" + one)
	e.inPlace(e.founder, decide, "target", one, "decision", "remove", "rule", "Be kind", "text", "Please.")
	e.Deliver()
	e.reader.Page(address)
	decisionLink := regexp.MustCompile(`/decisions/[0-9a-z]{13}`)
	e.reader.Page(decisionLink.FindString(e.reader.Page("/inbox/moderation")))
	suspension := data.NewID(e.Now, 0, data.KindOther, 1)
	e.Exec(`INSERT INTO moderation_log (id, community_id, action, target_id, author_id, until, actor_id, actor_name, undone_by)
SELECT ?1, 0, 'suspend', u.id, u.id, ?2, 1, 'rita', 2 FROM users u WHERE u.username = 'reader'`, int64(suspension), e.Now.UnixMilli())
	require.NoError(e, e.Queue.Send(e.Context(), data.QueueEvents, "decided "+suspension.Text()))
	e.Deliver()
	e.reader.Page(decisionLink.FindString(e.reader.Page("/inbox/moderation")))
	e.Exec("UPDATE comments SET downs = 50, score = -49 WHERE body = 'Two'")
	e.founder.Page(address)
	e.Exec("UPDATE comments SET status = 'deleted' WHERE body = 'Two'")
	e.founder.MustPost(decide, "target", id, "decision", "lock")
	e.founder.MustPost(decide, "target", id, "decision", "pin")
	e.founder.Page("/c/gardens")
	e.founder.Page(address)
	e.reader.Page(address)
	e.founder.MustPost("/delete", "target", id)
	e.reader.Page(address)
	e.Exec("UPDATE posts SET created_at = 1 WHERE slug = 'post-03'")
	e.reader.Page("/c/gardens/p/post-03")
	e.root.Page("/admin")
	e.Visitor().Page("/api")
	e.Visitor().Page("/rules")
	e.root.Page("/rules")
	e.root.Page("/admin/pages/rules")
	require.Equal(e, http.StatusUnprocessableEntity, e.root.Post("/admin/pages/rules", "body", "").Code)
	e.root.MustPost("/admin/pages/rules", "body", "Be *kind*.")
	require.Equal(e, http.StatusUnprocessableEntity, e.Visitor().Post("/contact", "name", "Eve").Code)
	e.Exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
INSERT INTO contact_messages (id, name, member, email, body) SELECT i, 'Eve', 0, 'eve@example.org', 'Hello' FROM n`)
	e.founder.MustPost("/contact", "body", "Hello")
	e.founder.Page("/contact?sent")
	e.root.Page("/contact")
	e.next(e.root, "/admin/messages")
	e.root.MustPost("/admin/messages", "action", "answered", "id", data.ID(e.One("SELECT max(id) FROM contact_messages").(int64)).Text())
	e.root.Page("/admin/messages?answered")
	e.root.MustPost(workertest.SiteSettings, "name", "Garden", "tagline", "What grows", "letter", "g", "logo", "https://pics.org/a.gif",
		"accent", "blue", "rule-1-title", "Be kind")
	e.root.Page(workertest.SiteSettings + "?saved")
	e.root.Page("/rules")
	require.Equal(e, http.StatusUnprocessableEntity, e.root.Post(workertest.SiteSettings, "accent", "pink").Code)
	const removed = "/c/gardens/p/post-02"
	second := workertest.Targets(e.founder.Page(removed))[0]
	e.reader.MustPost("/submit", "community", "gardens", "title", "Crosspost of what goes", "crosspost", second, "anyway", "1")
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.Post(decide, "target", second, "decision", "remove", "text", "Not here.").Code)
	e.founder.MustPost(decide, "target", second, "decision", "remove", "rule", "Be kind", "text", "Not here.")
	e.Deliver()
	e.reader.Page(removed)
	e.founder.Page(removed)
	e.founder.Page("/drafts/removed")
	e.reader.Page("/c/gardens/p/crosspost-of-what-goes")
	for range 26 {
		e.founder.MustPost(decide, "target", second, "decision", "nsfw")
		e.founder.MustPost(decide, "target", second, "decision", "un-nsfw")
	}
	e.next(e.Visitor(), "/c/gardens/log")
	e.Visitor().Page("/log")
}

// outside has a member be suspended, appeal and be heard, and a newcomer be refused.
func (e *everything) outside() {
	e.Member("sue")
	e.root.MustPost("/admin/users", "user", "sue", "decision", "suspend", "rule", "Spam", "days", "7", "text", "Enough.")
	_, link := e.Site.Outside("sue")
	require.Equal(e, http.StatusUnprocessableEntity, e.Visitor().Post(link, "text", "").Code)
	require.Equal(e, http.StatusForbidden, e.Visitor().Get(link+"0").Code)
	e.Visitor().MustPost(link, "text", "It was my cat.")
	e.Exec("UPDATE conversations SET verdict = 'upheld', status = 'closed' WHERE decision_id <> 0")
	e.Visitor().Page(link)
	e.Exec("DELETE FROM conversations")
	e.Member("vic")
	e.Exec("UPDATE users SET waiting = '', status = 'banned' WHERE username = 'vic'")
	require.Equal(e, http.StatusForbidden, e.Visitor().Post("/login", "login", "vic", "password", "correct horse").Code)
}

// forms shows what is wrong with forms, what they carry through logging in and what they made before.
func (e *everything) forms() {
	refused := func(b *workertest.Browser, path string, fields ...string) {
		e.Helper()
		require.GreaterOrEqual(e, b.Post(path, fields...).Code, 400)
	}
	refused(e.Visitor(), "/signup", "username", "x", "password", "x")
	refused(e.Visitor(), "/login", "login", "nobody", "password", "x")
	refused(e.founder, "/communities", "name", "x")
	for _, path := range []string{"/signup", "/login", "/nothing"} {
		e.Visitor().Get(path)
	}
	e.founder.Page("/communities/new")
	e.founder.Page("/submit")
	e.founder.Page("/c/gardens/submit")
	about := workertest.Targets(e.founder.Page("/c/gardens/p/everything"))[0]
	e.reader.Page("/report?user=founder")
	refused(e.reader, "/report", "target", about)
	e.reader.MustPost("/report", "target", about, "reason", "Spam", "text", "Look!")
	e.reader.Page("/report?target=" + about)
	e.reader.Page("/report?target=" + data.ID(e.One("SELECT max(id) FROM comments WHERE status = 'published' AND body <> '' AND author_name "+
		"= 'founder'").(int64)).Text())
	e.founder.Page("/delete?target=" + workertest.Targets(e.founder.Page("/c/gardens/p/everything"))[0])

	preview := []string{"title", "Everything", "link", aboutGardens, "image", "https://pics.org/a.gif", "text", "Some *words*", "kind", "link"}
	require.Equal(e, http.StatusOK, e.founder.Post("/preview", append(preview, "preview", "post")...).Code)

	const token = "a-token-of-a-form-that-is-sent-twice"
	e.founder.MustPost("/submit", "community", "gardens", "title", "Once", "text", "x", "token", token)
	refused(e.founder, "/submit", "community", "gardens", "title", "Twice", "text", "x", "token", token)

	someone := e.Visitor()
	require.Equal(e, http.StatusUnauthorized, someone.Post("/submit", "community", "gardens", "title", "Carried", "text", "x").Code)
	res := someone.Post("/login", "login", "reader", "password", "correct horse", "again", "post", "title", "Carried", "text", "x",
		"community", "gardens")
	require.Contains(e, res.Body.String(), `class="notice"`)
}

// searches finds posts, comments, communities and members, and nothing, and asks for what can't be answered. What the reader is warned of
// was written by somebody whom the reader blocks.
func (e *everything) searches() {
	e.Helper()
	quokkas := e.founder.MustPost("/submit", "community", "gardens", "title", "Quokkas", "text", "A quokka at night", "nsfw", "on")
	eve := e.Member("sam")
	eve.MustPost("/comment", "post", workertest.Targets(e.founder.Page(quokkas))[0], "body", "That quokka smiles")
	e.Exec("UPDATE comments SET edited_at = created_at + 1 WHERE body LIKE '%quokka%'")
	e.Exec("UPDATE users SET avatar = '#00695cS' WHERE username = 'sam'")
	e.Exec("UPDATE comments SET author_avatar = '#00695cS' WHERE body LIKE '%quokka%'")
	e.reader.MustPost("/block", "user", "sam", "on", "1")
	for _, q := range []string{"", "?q=quokka", "?q=zzzz", "?q=quokka&type=comments", "?q=gard&type=communities", "?q=re&type=people",
		"?q=kind:link&sort=top",
		"?q=qoukka&author=founder"} {
		e.reader.Page("/search" + q)
	}
	// Its thread is written before its post.
	e.Exec("INSERT INTO search_comments (rowid, body, facets) SELECT w.id, w.body, w.facets FROM comment_words w WHERE w.body = 'x'")
	e.next(e.reader, "/search?q=x&type=comments")
	e.Exec("INSERT INTO search_common (about, word, found) VALUES ('search_posts', 'the', 200000), ('search_posts', 'of', 160000)")
	e.reader.Page("/search?q=the+of")
	e.reader.Page("/search?q=postt&community=gardens") // by one letter another word
	e.reader.Get("/search?q=ab*")
	e.reader.Page("/search/suggest?q=gar")
	e.reader.Page("/search/suggest?q=sa")
	e.reader.MustPost("/block", "user", "sam", "on", "0")
}

// lacking opens a page that lacks a shard with many communities.
func lacking(t *testing.T) {
	a := openOutage(t)
	ann := a.Member("ann")
	for i := range 6 {
		ann.MustPost("/communities", "name", fmt.Sprint("far", i))
	}
	a.shard.failsAtCall(1, refused)
	require.Contains(t, a.Visitor().Page("/new"), lacks)
	root := a.Member("rita")
	a.Exec("UPDATE users SET admin = 1 WHERE username = 'rita'")
	require.Contains(t, root.Page("/admin/health"), "it does not answer")
}

// health has something of everything wait, and Redis unavailable or missing.
func (e *everything) health() {
	e.Helper()
	e.Exec(`INSERT INTO vote_deltas (target_id, user_id, ups, downs, created_at) VALUES (1, 1, 1, 0, 0)`)
	e.Exec(`INSERT INTO count_deltas (post_id, parent_id, path, created_at) VALUES (2, 0, '', 0)`)
	e.Exec(`INSERT INTO outbox (subject_id, job, queued_at, due_at) VALUES (2, 'link', 0, 0)`)
	e.Exec(`INSERT INTO mails (id, key, kind, user_id, address, about, queued_at, due_at) VALUES (1, 'a', 'reset', 1, '', '', 0, 0)`)
	e.Exec(`INSERT INTO dead_letters (id, queue, body, message_id, failed_at, last_at) VALUES (1, '', 'a', '', 0, 0)`)
	e.Exec(`INSERT INTO metrics (span, at, instance, body) VALUES ('instance', ?1, 1, '{"classes":{"cron":{"made":5}}}')`,
		e.Config.MetricsNow().Add(-time.Minute).UnixMilli())
	e.Exec(`INSERT INTO slot_moves (slot, source, target, community_name, run, begun_at) VALUES (70, 0, 1, 'gophers', 1, 0)`)
	require.Contains(e, e.root.Page("/admin/health"), "plaza shards move gophers 1")
	e.Exec("DELETE FROM slot_moves")
	config := e.Config
	config.Redis = upstash.New(upstash.Options{URL: "http://127.0.0.1:1"})
	e.Restart(config)
	require.Contains(e, e.root.Page("/admin/health"), "connection refused")
	config.Redis = nil
	e.Restart(config)
	require.Contains(e, e.root.Page("/admin/health"), "The site has none.")
	e.LosesMessages = true
}
