package worker_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/ops/backup"
	"plaza/ops/bucket"
	"plaza/ops/exchange"
	"plaza/ops/exchange/exporter"
	"plaza/test/buckettest"
	"plaza/test/stacktest"
	"plaza/test/storetest"
	"plaza/test/workertest"
	"plaza/worker"
	"plaza/worker/pictures"
)

// erasing is a site in which words have travelled as far as they can.
type erasing struct {
	*workertest.Site
	url                                string
	admin, ann, ben, cid, dan          *workertest.Browser // ann moderates, ben writes, cid reports and copies, dan follows
	post, comment, crosspost, decision string
	address, conversation              string
	pictures                           map[string][]byte // of the post, by the sum
}

// The words of each text. No place has any of them by chance.
const (
	ofTitle   = "zanzibar quixotic wobbegong palimpsest vermilion"
	ofText    = "kumquat syllabub oblivious narwhal borborygmus"
	ofComment = "triskaidek flummery gobsmack hullabaloo snollygoster"
	ofPage    = "taradiddle lollygag skedaddle"
	ofFormer  = "collywobbles bumfuzzle"
	seldom    = " Ёж" // has the search store words of its own
)

func openErasing(t *testing.T) *erasing {
	url := stacktest.OpenSchemaURL(t)
	s := workertest.OpenSite(t, storetest.DatabasesOf(t, hrana.New(hrana.Options{URL: url})), stacktest.OpenRedis(t), 100)
	s.Mailbox()
	s.Web.Page("elsewhere.net", "<title>kumquat syllabub oblivious narwhal</title>")
	e := &erasing{Site: s, url: url, admin: s.Admin("rita"), ann: s.Member("ann"), ben: s.Member("ben"), cid: s.Member("cid"), dan: s.Member("dan"),
		pictures: map[string][]byte{}}
	e.ann.MustPost("/communities", "name", "gophers")
	e.cid.MustPost("/communities", "name", "cooks")
	e.ben.MustPost("/communities", "name", "writers") // makes ben a moderator, who may upload pictures
	fields := []string{"community", "gophers", "title", ofTitle + seldom, "text", ofText + seldom + " @dan", "link", "https://elsewhere.net/", "tags", "snollygoster go"}
	for n := range 2 {
		picture := buckettest.PNG(n, 400, 300)
		sum := bucket.SumOf(picture)
		e.pictures[sum] = picture
		res := e.ben.PostPictures("/pictures", []pictures.Received{{Field: "picture", Type: "image/png", Width: 400, Height: 300, Frames: 1,
			Bytes: int64(len(picture)), Sum: sum}})
		require.Less(t, res.Code, 400, res.Body.String())
		fields = append(fields, fmt.Sprint("picture-", n+1), sum, fmt.Sprint("alt-", n+1), ofText)
	}
	e.address = e.ben.MustPost("/submit", fields...)
	e.post = workertest.Targets(e.ben.Page(e.address))[0]
	e.dan.MustPost("/watch", "target", e.post, "watch", "follow")
	e.ann.MustPost("/watch", "target", e.post, "watch", "mute")
	e.ben.MustPost("/comment", "post", e.post, "body", ofComment+seldom+" @cid")
	e.comment = workertest.Targets(e.ben.Page(e.address))[1]
	e.cid.MustPost("/comment", "parent", e.comment, "body", "I see.")
	e.crosspost = workertest.Targets(e.cid.Page(e.cid.MustPost("/submit", "community", "cooks", "title", ofTitle, "crosspost", e.post)))[0]
	e.cid.MustPost("/communities", "name", "bakers")
	e.cid.MustPost("/submit", "community", "bakers", "title", "Look at this", "crosspost", e.post)
	e.DeliverAll()
	for _, target := range []string{e.post, e.comment} {
		e.cid.MustPost("/report", "target", target, "reason", "Spam", "text", "It says "+ofTitle+" and "+ofText+" and "+ofComment)
	}
	e.dan.MustPost("/report", "user", "ben", "reason", "Name or profile", "text", "Look: "+ofText)
	e.ann.MustPost("/c/gophers/mod/member", "user", e.userID("ben"), "text", "Wrote “"+ofText+"” again", "do", "add")
	e.cid.MustPost("/messages", "community", "gophers", "target", e.post, "title", "About "+ofTitle, "text", "See "+ofText)
	for _, target := range []string{e.post, e.comment} {
		e.ann.MustPost("/c/gophers/mod/decide", "target", target, "decision", "remove", "rule", "Spam", "text", "You wrote "+ofTitle+" / "+ofComment)
		e.decision = data.ID(e.One("SELECT max(id) FROM moderation_log").(int64)).Text()
		e.DeliverAll()
		e.ben.MustPost("/decisions/"+e.decision, "text", "But "+ofTitle+" and "+ofComment+" are fine.")
		e.ann.MustPost("/c/gophers/mod/decide", "target", target, "decision", "approve", "text", "Well, "+ofTitle)
	}
	e.dan.MustPost("/report", "target", e.post, "reason", "Spam", "text", "Still "+ofTitle) // which waits
	e.ann.MustPost("/c/gophers/mod/bans", "user", "ben", "decision", "mute", "rule", "Spam", "days", "3", "text", "For "+ofComment+" "+ofText)
	e.DeliverAll()
	e.Pass(time.Minute) // digests and mails of threads are left
	return e
}

func (e *erasing) userID(name string) string {
	return data.ID(e.One("SELECT id FROM users WHERE username = ?1", name).(int64)).Text()
}

// found are the places that have one of the words: rows of the databases, keys of Redis, pages, an export and a backup.
func (e *erasing) found(t *testing.T, words ...string) (places []string) {
	t.Helper()
	has := func(place, text string) {
		text = strings.ToLower(text)
		for _, word := range words {
			if at := strings.Index(text, word); at >= 0 {
				places = append(places, fmt.Sprintf("%s: %.120q", place, text[max(at-60, 0):]))
			}
		}
	}
	for line := range strings.Lines(e.Everything()) {
		has("database "+strings.Join(strings.Fields(line)[:min(2, len(strings.Fields(line)))], " "), line)
	}
	for _, table := range []string{"search_posts_data", "search_comments_data"} {
		for _, row := range e.Sql.RowsOfAll("SELECT lower(hex(block)) FROM " + table) {
			block, _ := row[0].(string)
			for _, word := range words {
				if strings.Contains(block, fmt.Sprintf("%x", word[1:])) {
					places = append(places, table+": "+word)
				}
			}
		}
	}
	has("redis", e.redis(t))
	for name, b := range map[string]*workertest.Browser{"visitor": e.Visitor(), "administrator": e.admin, "moderator": e.ann, "author": e.ben,
		"reporter": e.cid, "follower": e.dan} {
		for _, rt := range worker.Routes() {
			if rt.Method != http.MethodGet || strings.HasPrefix(rt.Pattern, "/auth/") {
				continue
			}
			for _, ending := range append([]string{""}, rt.Formats...) {
				path := pathOf(rt.Pattern, map[string]string{"community": "gophers", "tags": "go", "user": "ben", "post": e.post,
					"slug": strings.TrimPrefix(e.address, "/c/gophers/p/"), "comment": e.comment, "conversation": e.conversation, "decision": e.decision,
					"page": "about", "kind": "comments", "part": e.Now.Format("2006-01-02"), "sum": "0", "provider": "x", "token": "x"}) + ending
				has(name+" "+path, b.Get(path).Body.String())
			}
		}
		for _, path := range []string{"/search?q=" + strings.Fields(ofTitle)[0], "/p/" + e.post, "/c/gophers/p/" + e.post, "/c/cooks/new",
			"/c/gophers/mod/member?user=" + e.userID("ben"), "/c/gophers/mod/queue?sort=new", "/discussions?post=" + e.post, "/inbox/moderation?read=1",
			"/messages/" + e.conversation, "/u/cid", "/u/cid/comments"} {
			if !strings.HasPrefix(path, "/search") { // which repeats what is looked for
				has(name+" "+path, b.Get(path).Body.String())
			}
		}
	}
	client := hrana.New(hrana.Options{URL: e.url})
	var out bytes.Buffer
	w, err := exchange.NewWriter(&out, "plaza.example", time.Now())
	require.NoError(t, err)
	r2 := e.bucket(t)
	for sum := range r2.Everything(t) {
		has("bucket", sum)
	}
	beside := filepath.Join(t.TempDir(), "pictures")
	_, err = exporter.Export(t.Context(), data.NewDB(client), w, exporter.Options{
		Pictures: &exporter.Pictures{Bucket: r2.Client, Dir: beside}})
	require.NoError(t, err)
	require.Contains(t, out.String(), "I see.")
	has("export", out.String())
	dir := filepath.Join(t.TempDir(), "backup")
	_, err = backup.Write(t.Context(), dir, backup.Site{Directory: client, Shards: []*hrana.Client{client}, Bucket: r2.Client},
		func(int64, int64, string) {})
	require.NoError(t, err)
	for place, root := range map[string]string{"backup ": dir, "exported ": beside} {
		require.NoError(t, filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			if os.IsNotExist(err) {
				return nil // nothing was exported
			}
			if err == nil && !d.IsDir() {
				has(place+d.Name(), d.Name()+" "+string(unpacked(t, path)))
			}
			return err
		}))
	}
	return places
}

// bucket is what the site's bucket has now, as tools reach it.
func (e *erasing) bucket(t *testing.T) *buckettest.Bucket {
	t.Helper()
	r2 := buckettest.OpenFake(t)
	list, err := e.Bucket.List(t.Context(), "", pictures.MaxList)
	require.NoError(t, err)
	for _, o := range list {
		r2.Fake.Plant(o.Sum, false, "image/png", e.pictures[o.Sum], o.Kept)
	}
	return r2
}

// unpacked is a file of a backup as plain text.
func unpacked(t *testing.T, path string) []byte {
	file, err := os.ReadFile(path)
	require.NoError(t, err)
	zip, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		return file
	}
	text, err := io.ReadAll(zip)
	require.NoError(t, err)
	return text
}

// redis is all that Redis has: its keys, and what they hold.
func (e *erasing) redis(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	if e.Redis == nil {
		return ""
	}
	keys, err := e.Redis.Do(t.Context(), upstash.Cmd{"KEYS", "*"})
	require.NoError(t, err)
	list, err := keys.Strings()
	require.NoError(t, err)
	require.NotEmpty(t, list)
	for _, key := range list {
		fmt.Fprintln(&all, key)
		for _, cmd := range []upstash.Cmd{{"GET", key}, {"ZRANGE", key, "0", "-1"}, {"SMEMBERS", key}, {"HGETALL", key}, {"LRANGE", key, "0", "-1"}} {
			if value, err := e.Redis.Do(t.Context(), cmd); err == nil {
				fmt.Fprintln(&all, value)
			}
		}
	}
	return all.String()
}

// TestErase puts words into every place that a text can travel to, erases them, and looks for them everywhere.
func TestErase(t *testing.T) {
	t.Parallel()
	e := openErasing(t)
	words := func(texts ...string) []string { return strings.Fields(strings.Join(texts, " ")) }
	sums := slices.Sorted(maps.Keys(e.pictures))
	all := append(words(ofTitle, ofText, ofComment, ofPage, ofFormer), sums...)
	page := e.ann.MustPost("/c/gophers/mod/page", "title", "Rules "+ofFormer, "text", ofFormer)
	e.ann.MustPost("/c/gophers/mod/page", "page", strings.TrimPrefix(page, "/c/gophers/pages/"), "revision", "1", "title", "Rules "+ofPage,
		"text", ofPage)
	talk := e.cid.MustPost("/messages", "community", "gophers", "title", "Again: "+ofTitle, "text", "Not begun from it, but it says "+ofText)
	e.ann.MustPost(talk, "text", "We have read “"+strings.ToUpper(ofComment)+"”.")
	e.ann.MustPost(talk, "text", "See https://plaza.example"+e.address, "do", "note")
	e.dan.MustPost("/messages", "title", "A question", "text", "They wrote: "+ofText+"!")
	e.dan.MustPost("/messages", "title", "Another one", "text", "What is a palimpsest cook?")
	e.DeliverAll()
	before := e.found(t, all...)
	for _, place := range []string{"bucket", "exported " + sums[0], "backup " + sums[1], "database 0 pictures", "database 0 picture_uses"} {
		require.Contains(t, strings.Join(before, "\n"), place+":", "the pictures have not travelled there")
	}
	travelled := func(word string, to ...string) {
		t.Helper()
		for _, place := range to {
			require.True(t, slices.ContainsFunc(before, func(found string) bool {
				return strings.HasPrefix(found, place) && strings.Contains(found, word)
			}), "%s has not travelled to %s, so nothing shows that it is erased there", word, place)
		}
	}
	travelled("", "database 0 posts", "database 0 post_texts", "database 0 comments", "database 0 reports", "database 0 moderation_log",
		"database 0 conversation_messages", "database 0 conversations", "database 0 inbox", "database 0 watches", "database 0 member_notes",
		"database 0 tag_keys", "database 0 link_previews", "search_posts_data", "search_comments_data",
		"export", "backup", "visitor /c/gophers.atom", "visitor /c/gophers.json", "visitor /c/gophers", "visitor /new", "follower /inbox",
		"author /inbox/moderation", "moderator /c/gophers/mod/queue")
	travelled(strings.Fields(ofPage)[0], "database 0 wiki_pages", "database 0 wiki_revisions", "visitor /c/gophers/pages:", "visitor /c/gophers:",
		"visitor /c/gophers/log:", "export", "backup")
	travelled(strings.Fields(ofFormer)[0], "database 0 wiki_revisions", "export", "backup")

	t.Run("asks, and says what will happen", func(t *testing.T) {
		e.T = t
		page := e.admin.Page("/admin/erase?target=" + e.post)
		require.Contains(t, page, "Erase this post for good?")
		require.Contains(t, page, strings.Fields(ofText)[0])
		require.Contains(t, page, "six minutes")
		require.Contains(t, e.admin.Page(e.address), `href="/admin/erase?target=`+e.post+`"`)
		require.Contains(t, e.admin.Page(e.address), `href="/admin/erase?target=`+e.comment+`"`)
		require.NotContains(t, e.ann.Page(e.address), "/admin/erase")
		require.Equal(t, http.StatusForbidden, e.ann.Get("/admin/erase?target="+e.post).Code)
	})
	t.Run("needs a ground, and an administrator", func(t *testing.T) {
		e.T = t
		res := e.admin.Post("/admin/erase", "target", e.post, "rule", "Because of "+ofTitle)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "Please choose why it is erased.")
		require.Equal(t, http.StatusForbidden, e.ann.Post("/admin/erase", "target", e.post, "rule", "Illegal content").Code)
		require.Contains(t, e.Visitor().Page(e.address), ofTitle)
	})
	t.Run("erases a revision of a page, and the page", func(t *testing.T) {
		e.T = t
		e.erasePage(t, page)
	})
	t.Run("leaves no word anywhere", func(t *testing.T) {
		e.T = t
		require.Equal(t, "/c/gophers/log", e.admin.MustPost("/admin/erase", "target", e.comment, "rule", "Personal data"))
		require.Equal(t, "/c/gophers/log", e.admin.MustPost("/admin/erase", "target", e.post, "rule", "Illegal content"))
		e.Now = e.Now.Add(data.MemberCacheTTL + 3*time.Second) // what instances remember
		e.DeliverAll()
		e.Pass(3 * time.Minute)
		require.Equal(t, http.StatusNotFound, e.Visitor().Get(e.address).Code)
		e.address = "/c/gophers/p/" + e.post
		require.Contains(t, e.dan.Page("/messages"), "What is a palimpsest cook?", "one word is no quotation")
		require.Contains(t, e.cid.Page(talk), "[erased]")
		e.Exec("DELETE FROM conversations WHERE subject = 'Another one'")
		e.Exec("DELETE FROM conversation_messages WHERE body LIKE 'What is %'")
		e.Exec("DELETE FROM inbox WHERE excerpt LIKE 'What is %'")
		require.Empty(t, e.found(t, all...))
		require.Zero(t, e.One("SELECT count(*) FROM search_purges"))
		require.Zero(t, e.One("SELECT count(*) FROM outbox WHERE job = 'forget'"))
		e.Verified()
	})
	t.Run("keeps the thread, and the log says who, when and why", func(t *testing.T) {
		e.T = t
		require.Contains(t, e.Visitor().Page("/c/gophers/p/"+e.post), "I see.")
		log := e.Visitor().Page("/c/gophers/log")
		require.Contains(t, log, "for good")
		require.Contains(t, log, "Reason: Illegal content")
		require.Contains(t, log, "Reason: Personal data")
		require.Contains(t, e.Visitor().Page("/c/cooks/log"), "for good", "the crosspost with the same title as well")
		require.Contains(t, e.Visitor().Page("/c/bakers/new"), "Look at this", "but not one with a title of its own")
		require.Contains(t, e.ben.Page("/inbox/moderation"), "Your post was erased for good")
	})
	t.Run("again changes nothing but the log", func(t *testing.T) {
		e.T = t
		e.admin.MustPost("/admin/erase", "target", e.post, "rule", "Illegal content")
		require.Equal(t, http.StatusNotFound, e.admin.Post("/admin/erase", "target", data.ID(2).Text(), "rule", "Illegal content").Code)
		e.DeliverAll()
		e.Pass(3 * time.Minute)
		e.Verified()
	})
	t.Run("what its author deleted before takes former titles and what waits, and nothing else", func(t *testing.T) {
		e.T = t
		const title = "mellifluous ragamuffin persnickety bumbershoot"
		address := e.dan.MustPost("/submit", "community", "gophers", "title", title, "text", "A text")
		post := workertest.Targets(e.dan.Page(address))[0]
		e.dan.MustPost("/comment", "post", post, "body", "A comment.")
		comment := workertest.Targets(e.dan.Page(address))[1]
		e.cid.MustPost("/submit", "community", "cooks", "title", "My "+title, "crosspost", post)
		e.cid.MustPost("/submit", "community", "bakers", "title", "My "+title, "crosspost", post, "status", "scheduled",
			"publish_at", e.Now.Add(time.Hour).UTC().Format(time.RFC3339))
		e.cid.MustPost("/submit", "community", "bakers", "title", "Was deleted", "crosspost", post)
		e.cid.MustPost("/messages", "community", "gophers", "target", comment, "title", "About a comment", "text", "Please look.")
		e.ann.MustPost("/c/gophers/mod/member", "user", e.userID("dan"), "text", "Has deleted things", "do", "add")
		e.ann.MustPost("/c/gophers/mod/title", "target", post, "title", "Another title")
		e.dan.MustPost("/delete", "target", post)
		e.admin.MustPost("/admin/erase", "target", post, "rule", "Illegal content")
		// A link loses what it is about when it is deleted, and its crossposts keep that.
		const ofLink = "sesquipedalian ragamuffin of four words"
		link := workertest.Targets(e.dan.Page(e.dan.MustPost("/submit", "community", "gophers", "title", ofLink, "link", "https://news.example/a")))[0]
		e.cid.MustPost("/submit", "community", "cooks", "title", ofLink, "crosspost", link)
		e.dan.MustPost("/delete", "target", link)
		e.DeliverAll()
		require.NotEmpty(t, e.Sql.RowsOfAll("SELECT 1 FROM posts WHERE title = '"+ofLink+"'"), "the crosspost is its author's own")
		e.admin.MustPost("/admin/erase", "target", link, "rule", "Illegal content")
		e.DeliverAll()
		e.Pass(3 * time.Minute)
		require.Empty(t, e.Sql.RowsOfAll("SELECT title, slug FROM posts WHERE title LIKE '%ragamuffin%' OR slug LIKE '%ragamuffin%'"))
		require.EqualValues(t, 1, e.One("SELECT count(*) FROM posts WHERE status = 'draft' AND publish_at IS NULL AND title = '[deleted]'"))
		require.EqualValues(t, 1, e.One("SELECT count(*) FROM posts WHERE status = 'published' AND title = 'Was deleted'"))
		require.EqualValues(t, 1, e.One("SELECT count(*) FROM member_notes WHERE body = 'Has deleted things'"))
		require.EqualValues(t, 1, e.One("SELECT count(*) FROM conversations WHERE subject = 'About a comment' AND status <> 'closed' AND about = ?1",
			"/c/gophers/p/"+post+"/"+comment))
		e.Verified()
	})
}

// erasePage erases a former revision of a community's page, and the page.
func (e *erasing) erasePage(t *testing.T, page string) {
	const form = "/c/gophers/mod/page"
	slug := strings.TrimPrefix(page, "/c/gophers/pages/")
	id := data.ID(e.One("SELECT id FROM wiki_pages").(int64)).Text()
	require.Equal(t, http.StatusForbidden, e.ann.Post("/admin/erase", "page", id, "rule", "Personal data").Code)
	require.Equal(t, http.StatusUnprocessableEntity, e.admin.Post("/admin/erase", "page", id, "revision", "2", "rule", "Personal data").Code)
	require.Contains(t, e.admin.Page(page+"/history/1"), "/admin/erase?page="+id+"&amp;revision=1")
	require.Equal(t, "/c/gophers/log", e.admin.MustPost("/admin/erase", "page", id, "revision", "1", "rule", "Personal data"))
	require.Equal(t, http.StatusNotFound, e.Visitor().Get(page+"/history/1").Code)
	require.NotContains(t, fmt.Sprint(e.Sql.RowsOfAll("SELECT title, text FROM wiki_revisions")), "bumfuzzle")
	for _, revision := range []string{"2x", "-1", "0", "99"} {
		require.Equal(t, http.StatusNotFound, e.admin.Post("/admin/erase", "page", id, "revision", revision, "rule", "Personal data").Code, revision)
		require.Equal(t, http.StatusNotFound, e.admin.Get("/admin/erase?page="+id+"&revision="+revision).Code, revision)
	}
	require.Contains(t, e.Visitor().Page(page), ofPage)
	e.admin.MustPost("/admin/erase", "page", id, "rule", "Illegal content")
	lost := e.ann.Post(form, "page", slug, "revision", "2", "title", "Rules", "text", "What was typed meanwhile")
	require.Equal(t, http.StatusNotFound, lost.Code)
	require.Contains(t, lost.Body.String(), "What was typed meanwhile")
	log := e.Visitor().Page("/c/gophers/log")
	require.Contains(t, log, "erased words of a page for good")
	require.Contains(t, log, "Reason: Illegal content")
	require.Equal(t, http.StatusNotFound, e.admin.Post("/admin/erase", "page", id, "rule", "Illegal content").Code)
}

// TestEraseAMessage: an administrator takes the words of one message away, and of the subject with the first one.
func TestEraseAMessage(t *testing.T) {
	s := workertest.MustOpen(t)
	rita, ann, cid := s.Admin("rita"), s.Member("ann"), s.Member("cid")
	ann.MustPost("/communities", "name", "gophers")
	talk := cid.MustPost("/messages", "community", "gophers", "title", "About zanzibar", "text", "It is quixotic.")
	ann.MustPost(talk, "text", "A wobbegong.")
	cid.MustPost(talk, "text", "Thank you.")
	s.DeliverAll()
	var ids []string
	for _, row := range s.Sql.RowsOfAll("SELECT id FROM conversation_messages ORDER BY id") {
		ids = append(ids, data.ID(row[0].(int64)).Text())
	}
	erase := func(b *workertest.Browser, message, ground string) int {
		return b.Post("/admin/erase", "message", message, "rule", ground).Code
	}
	place := "/admin/erase?message=" + ids[1]
	require.Contains(t, rita.Page(talk), place)
	require.NotContains(t, ann.Page(talk)+cid.Page(talk), "/admin/erase")
	require.Contains(t, rita.Page(place), "A wobbegong.")
	require.NotContains(t, rita.Page(place), "loses its subject")
	require.Equal(t, http.StatusForbidden, ann.Get(place).Code)
	require.Equal(t, http.StatusForbidden, erase(ann, ids[1], "Personal data"))
	require.Equal(t, http.StatusUnprocessableEntity, erase(rita, ids[1], "x"))
	require.Equal(t, http.StatusNotFound, erase(rita, data.ID(3).Text(), "Personal data"))
	require.Contains(t, cid.Page("/inbox/moderation")+cid.Page(talk), "A wobbegong.")

	require.Equal(t, talk, rita.MustPost("/admin/erase", "message", ids[1], "rule", "Personal data"))
	require.Contains(t, cid.Page(talk), "[erased]")
	require.Contains(t, cid.Page(talk), "It is quixotic.")
	require.Contains(t, rita.Page("/admin/erase?message="+ids[0]), "loses its subject")
	require.Equal(t, talk, rita.MustPost("/admin/erase", "message", ids[0], "rule", "Illegal content"))
	require.Equal(t, http.StatusNotFound, erase(rita, ids[0], "Illegal content"), "it is erased")
	s.DeliverAll()
	for _, word := range []string{"zanzibar", "quixotic", "wobbegong"} {
		require.NotContains(t, strings.ToLower(s.Everything()), word)
	}
	require.Contains(t, ann.Page(talk), "Thank you.")
	cid.MustPost(talk, "text", "It goes on.")
	require.Contains(t, ann.Page(talk), "It goes on.")
	log := s.Visitor().Page("/log")
	require.Contains(t, log, "erased a message to moderators for good")
	require.Contains(t, log, "Reason: Personal data")
	s.Verified()
}

// TestAuthorsDeletion: what moderators keep about what its author has deleted goes after thirty days.
func TestAuthorsDeletion(t *testing.T) {
	t.Parallel()
	e := openErasing(t)
	e.ann.MustPost("/c/gophers/mod/bans", "user", "ben", "decision", "lift")
	e.ben.MustPost("/delete", "target", e.comment)
	e.ben.MustPost("/delete", "target", e.post)
	e.DeliverAll()
	e.Pass(time.Minute)
	require.NotEmpty(t, e.Sql.RowsOfAll("SELECT 1 FROM reports WHERE target_id = ?1 AND text <> ''", int64(workertest.MustID(t, e.post))))
	require.Equal(t, http.StatusOK, e.Visitor().Get(e.address).Code)
	remaining := func() string {
		return fmt.Sprint(e.Sql.RowsOfAll("SELECT 'slug', slug FROM posts WHERE slug LIKE 'zanzibar%' AND crosspost_of IS NULL "+
			"UNION ALL SELECT 'report', text FROM reports WHERE community_id <> 0 AND text <> '' UNION ALL SELECT 'note', note FROM moderation_log "+
			"WHERE target_id IN (?1, ?2) AND note <> '' UNION ALL SELECT 'mail', body FROM conversation_messages UNION ALL SELECT 'path', path "+
			"FROM watches WHERE path LIKE '%zanzibar%' UNION ALL SELECT 'inbox', slug FROM inbox WHERE post_id = ?1 AND slug LIKE 'zanzibar%'",
			int64(workertest.MustID(t, e.post)), int64(workertest.MustID(t, e.comment))))
	}
	require.NotEqual(t, "[]", remaining())
	e.Later(29 * 24 * time.Hour)
	e.Pass(time.Minute)
	require.Contains(t, remaining(), "report")
	e.Later(24 * time.Hour)
	e.Pass(3 * time.Minute)
	require.Equal(t, "[]", remaining())
	e.Verified()
}
