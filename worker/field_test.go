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
	"plaza/render/fixture"
	"plaza/worker"
	"plaza/worker/request"
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
	e.exec("UPDATE posts SET views = 1300 - " + n + " WHERE community_name = 'gardens'")
	e.exec("UPDATE users SET views = 7")
	for _, address := range []string{first, again, "/", "/new", "/top?t=all", "/c/gardens", "/discussions?post=" + id, "/u/founder"} {
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
	e.searches()
	e.reader.jar = map[string]string{}
	e.reader.mustPost("/seen", "hide", "1")
	e.reader.page("/new")
	e.reader.mustPost("/seen", "hide", "0")
	e.reader.jar = nil
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
	e.founder.page("/drafts/scheduled")
	e.founder.page("/drafts/published")
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
	require.NoError(e, e.queue.Send(e.Context(), request.QueueEvents, "decided "+suspension.Text()))
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
	e.visitor().page("/api")
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
	e.founder.page("/drafts/removed")
	e.reader.page("/c/gardens/p/crosspost-of-what-goes")
	for range 26 {
		e.founder.mustPost(decide, "target", second, "decision", "nsfw")
		e.founder.mustPost(decide, "target", second, "decision", "un-nsfw")
	}
	e.next(e.visitor(), "/c/gardens/log")
	e.visitor().page("/log")
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

// searches finds posts, comments, communities and members, and nothing, and asks for what can't be answered. What the reader is warned of
// was written by somebody whom the reader blocks.
func (e *everything) searches() {
	e.Helper()
	quokkas := e.founder.mustPost("/submit", "community", "gardens", "title", "Quokkas", "text", "A quokka at night", "nsfw", "on")
	eve := e.member("sam")
	eve.mustPost("/comment", "post", targets(e.founder.page(quokkas))[0], "body", "That quokka smiles")
	e.exec("UPDATE comments SET edited_at = created_at + 1 WHERE body LIKE '%quokka%'")
	e.exec("UPDATE users SET avatar = '#00695cS' WHERE username = 'sam'")
	e.exec("UPDATE comments SET author_avatar = '#00695cS' WHERE body LIKE '%quokka%'")
	e.reader.mustPost("/block", "user", "sam", "on", "1")
	for _, q := range []string{"", "?q=quokka", "?q=zzzz", "?q=quokka&type=comments", "?q=gard&type=communities", "?q=re&type=people", "?q=kind:link&sort=top"} {
		e.reader.page("/search" + q)
	}
	e.exec("INSERT INTO search_comments (rowid, body, facets) SELECT w.id, w.body, w.facets FROM comment_words w WHERE w.body = 'x'") // of the thread, which is written before its post
	e.next(e.reader, "/search?q=x&type=comments")
	e.exec("INSERT INTO search_common (about, word, found) VALUES ('search_posts', 'the', 200000), ('search_posts', 'of', 160000)")
	e.reader.page("/search?q=the+of")
	e.reader.get("/search?q=ab*")
	e.reader.page("/search/suggest?q=gar")
	e.reader.page("/search/suggest?q=sa")
	e.reader.mustPost("/block", "user", "sam", "on", "0")
}
