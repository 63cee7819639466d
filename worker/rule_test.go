package worker_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/workertest"
)

// newRule saves a rule in a form of a community, or with "" of the site.
func newRule(b *workertest.Browser, form string, fields ...string) {
	b.Helper()
	id := regexp.MustCompile(`name="rule" value="([^"]*)"`).FindStringSubmatch(b.Page(form))[1]
	b.MustPost(form, append([]string{"rule", id, "then", "save"}, fields...)...)
}

func TestRules(t *testing.T) {
	t.Parallel()
	s := workertest.MustOpen(t)
	ann, ben, eve, root := s.Member("ann"), s.Member("ben"), s.Member("eve"), s.Member("rita")
	s.Exec("UPDATE users SET admin = 1 WHERE username = 'rita'")
	ann.MustPost("/communities", "name", "gophers")
	const form = "/c/gophers/mod/rule"
	open := ben.MustPost("/submit", "community", "gophers", "title", "An old casino", "text", "See https://spam.example.com/x")
	post := workertest.Targets(ben.Page(open))[0]
	ben.MustPost("/comment", "post", post, "body", "A *casino* again")

	t.Run("are tried before they are saved", func(t *testing.T) {
		id := regexp.MustCompile(`name="rule" value="([^"]*)"`).FindStringSubmatch(ann.Page(form))[1]
		res := ann.Post(form, "rule", id, "then", "try", "title", "No casinos", "words", "casino*", "do", "hold")
		require.Equal(t, http.StatusOK, res.Code)
		require.Contains(t, res.Body.String(), "Of the last 1 post, <strong>1</strong> would have been hit.")
		require.Contains(t, res.Body.String(), "Of the last 1 comment, <strong>1</strong> would have been hit.")
		require.Contains(t, res.Body.String(), "rule: No casinos")
		require.Contains(t, ann.Page("/c/gophers/mod/rules"), "No rules yet.")
		res = ann.Post(form, "rule", id, "then", "try", "title", "x", "pattern", "(", "links", "many")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		for _, says := range []string{"RE2", "whole number", "what the rule does", `value="many"`} {
			require.Contains(t, res.Body.String(), says)
		}
	})
	t.Run("hold what members write, until a moderator has decided", func(t *testing.T) {
		newRule(ann, form, "title", "No casinos", "words", "casino*", "do", "hold", "answer", "Please wait a little.", "active", "1")
		held := ben.MustPost("/submit", "community", "gophers", "title", "Casinos!", "text", "x")
		require.Contains(t, ben.Page(held), "This waits for a moderator.")
		require.Contains(t, ben.Page(held), "Please wait a little.")
		require.Contains(t, ann.Page(held), "This waits for a moderator.")
		for _, b := range []*workertest.Browser{eve, s.Visitor()} {
			require.Equal(t, http.StatusNotFound, b.Get(held).Code)
			require.NotContains(t, b.Page("/c/gophers/new"), "Casinos!")
			require.NotContains(t, b.Page("/u/ben"), "Casinos!")
		}
		said := ben.MustPost("/comment", "post", post, "body", "Come to my CASINO")
		require.Contains(t, ben.Page(said), "Come to my CASINO")
		require.Contains(t, ben.Page(open), "Come to my CASINO")
		require.Equal(t, http.StatusNotFound, eve.Get(said).Code)
		require.NotContains(t, eve.Page(open), "Come to my CASINO")
		require.Contains(t, eve.Page(open), "1 comment<")

		queue := ann.Page("/c/gophers/mod/queue?show=rules")
		require.Contains(t, queue, "No casinos")
		require.Contains(t, queue, "Casinos!")
		require.Contains(t, ann.Page("/c/gophers/mod/rules"), "2 hits")
		ids := regexp.MustCompile(`id="q-(\w+)"`).FindAllStringSubmatch(queue, -1)
		require.Len(t, ids, 2)
		ann.MustPost("/c/gophers/mod/queue", "shown", ids[0][1]+" "+ids[1][1], "all", "approve")
		require.Contains(t, eve.Page("/c/gophers/new"), "Casinos!")
		s.Now = s.Now.Add(6 * time.Second) // a thread may be cached
		require.Contains(t, eve.Page(open), "Come to my CASINO")
	})
	t.Run("keep edits and drafts to them as well", func(t *testing.T) {
		clean := ben.MustPost("/submit", "community", "gophers", "title", "Clean", "text", "x")
		id := workertest.Targets(ben.Page(clean))[0]
		res := ben.Post("/edit", "target", id, "text", "a casino", "revision", workertest.RevisionIn(t, ben.Page("/edit?target="+id)))
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "No casinos")
		draft := ben.MustPost("/submit", "community", "gophers", "title", "Later a casino", "text", "x", "status", "draft")
		id = workertest.Targets(ben.Page("/drafts") + ben.Page(draft))[0]
		ben.MustPost("/publish", "target", id)
		require.Contains(t, ben.Page(draft), "This waits for a moderator.")
		require.Equal(t, http.StatusNotFound, eve.Get(draft).Code)
	})
	t.Run("are not overwritten by a moderator who has not seen the last change", func(t *testing.T) {
		newRule(ann, form, "title", "Two moderators", "words", "abracadabra", "do", "hold")
		link := regexp.MustCompile(form + `\?rule=(\w+)"[^>]*>Two moderators`).FindStringSubmatch(ann.Page("/c/gophers/mod/rules"))
		page := ann.Page(form + "?rule=" + link[1])
		revision := regexp.MustCompile(`name="revision" value="(\d+)"`).FindStringSubmatch(page)[1]
		entries := func() any { return s.One("SELECT count(*) FROM moderation_log WHERE rule = 'Two moderators'") }
		save := func(b *workertest.Browser, revision, words string) (int, string) {
			res := b.Post(form, "rule", link[1], "revision", revision, "then", "save", "title", "Two moderators", "words", words, "do", "hold")
			return res.Code, res.Body.String()
		}
		code, _ := save(root, revision, "hocus")
		require.Equal(t, http.StatusSeeOther, code)
		before := entries()
		code, body := save(ann, revision, "pocus")
		require.Equal(t, http.StatusUnprocessableEntity, code)
		require.Contains(t, body, "Somebody else changed this rule")
		require.Contains(t, ann.Page("/c/gophers/mod/rules"), "words: hocus")
		require.Equal(t, before, entries(), "what is refused is not in the log")
		code, _ = save(ann, regexp.MustCompile(`name="revision" value="(\d+)"`).FindStringSubmatch(body)[1], "pocus")
		require.Equal(t, http.StatusSeeOther, code)
		require.Contains(t, ann.Page("/c/gophers/mod/rules"), "words: pocus")
		ann.MustPost("/c/gophers/mod/rules", "do", "delete "+link[1])
		code, body = save(root, revision, "hocus")
		require.Equal(t, http.StatusUnprocessableEntity, code)
		require.Contains(t, body, "deleted this rule")
		require.NotContains(t, ann.Page("/c/gophers/mod/rules"), "words: hocus")
	})
	t.Run("have so many words together that they are looked for quickly", func(t *testing.T) {
		var text strings.Builder
		for n := range 12 {
			fmt.Fprintf(&text, "rule: List %d\ndo: hold\nwords: ", n)
			for w := range 200 {
				fmt.Fprintf(&text, "zq%dx%d, ", n, w)
			}
			text.WriteString("\n")
		}
		ann.MustPost("/c/gophers/mod/rules", "do", "add", "text", text.String())
		ids := regexp.MustCompile(`value="on (\w+)"`).FindAllStringSubmatch(ann.Page("/c/gophers/mod/rules"), -1)
		require.Len(t, ids, 12)
		refused := 0
		for _, id := range ids {
			if res := ann.Post("/c/gophers/mod/rules", "do", "on "+id[1]); res.Code != http.StatusSeeOther {
				require.Contains(t, res.Body.String(), "take too long together")
				refused++
			}
		}
		require.GreaterOrEqual(t, refused, 2)
		for _, id := range ids {
			ann.MustPost("/c/gophers/mod/rules", "do", "delete "+id[1])
		}
	})
	t.Run("know of what kind a post is that is changed", func(t *testing.T) {
		newRule(ann, form, "title", "Links say nothing of roulette", "kinds", "link", "words", "roulette", "do", "hold", "active", "1")
		for _, text := range []string{"first", "second"} { // the first has the instance read what it remembers for the second
			link := workertest.Targets(ben.Page(ben.MustPost("/submit", "community", "gophers", "title", "A link "+text, "link",
				"https://"+text+".example.org/")))[0]
			res := ben.Post("/edit", "target", link, "text", "roulette", "revision", "0")
			require.Equal(t, http.StatusUnprocessableEntity, res.Code)
			ben.MustPost("/comment", "post", link, "body", "roulette")
		}
	})
	t.Run("see what a crosspost shows again", func(t *testing.T) {
		newRule(ann, form, "title", "Nothing from there", "domains", "elsewhere.example.net", "do", "hold", "active", "1")
		ben.MustPost("/communities", "name", "gardens")
		shown := workertest.Targets(ben.Page(ben.MustPost("/submit", "community", "gardens", "title", "A find", "link",
			"https://elsewhere.example.net/1")))[0]
		again := ben.MustPost("/submit", "community", "gophers", "title", "See there", "crosspost", shown)
		require.Equal(t, http.StatusNotFound, eve.Get(again).Code)
		draft := ben.MustPost("/submit", "community", "gophers", "title", "See there later", "crosspost", shown, "status", "draft")
		ben.MustPost("/publish", "target", workertest.Targets(ben.Page("/drafts") + ben.Page(draft))[0])
		require.Equal(t, http.StatusNotFound, eve.Get(draft).Code)
	})
	t.Run("remove by a rule, which the log tells", func(t *testing.T) {
		newRule(ann, form, "title", "No spam", "domains", "example.com", "do", "remove", "reason", "Spam", "answer", "No advertising.", "active",
			"1")
		gone := ben.MustPost("/submit", "community", "gophers", "title", "Look", "link", "https://shop.example.com/")
		require.Contains(t, ben.Page(gone), "No advertising.")
		require.Contains(t, ben.Page(gone), "Rule: Spam")
		require.Equal(t, http.StatusNotFound, eve.Get(gone).Code)
		require.Contains(t, eve.Page("/c/gophers/log"), "An automatic rule removed a post")
	})
	t.Run("are not for moderators, and those of the site not for administrators", func(t *testing.T) {
		require.Equal(t, http.StatusOK, eve.Get(ann.MustPost("/submit", "community", "gophers", "title", "Our casino", "text", "x")).Code)
		newRule(root, "/admin/rule", "title", "New accounts", "younger", "3000", "words", "bitcoin", "do", "report", "nsfw", "1", "active", "1")
		seen := ann.MustPost("/submit", "community", "gophers", "title", "Bitcoin", "text", "x")
		require.Equal(t, http.StatusOK, eve.Get(seen).Code)
		require.Contains(t, ann.Page("/c/gophers/mod/queue?show=rules"), "New accounts")
		require.Contains(t, root.Page("/admin/rules"), "1 hit,")
		root.MustPost("/submit", "community", "gophers", "title", "Bitcoin too", "text", "x")
		require.Contains(t, root.Page("/admin/rules"), "1 hit,")
		require.Contains(t, eve.Page("/log"), "changed the settings")
	})
	t.Run("of the site hold for the first post to a profile", func(t *testing.T) {
		newRule(root, "/admin/rule", "title", "No pills", "words", "pills", "do", "hold", "active", "1")
		mia := s.Member("mia")
		first := mia.MustPost("/post", "text", "Cheap pills")
		require.Equal(t, http.StatusNotFound, eve.Get(first).Code)
		require.NotContains(t, eve.Page("/u/mia"), "Cheap pills")
	})
	t.Run("answer below a post or comment, until a moderator takes that away", func(t *testing.T) {
		newRule(ann, form, "title", "Homework", "words", "homework", "do", "answer", "answer", "See [the *thread*](https://example.org/) <b>",
			"active", "1")
		asked := ben.MustPost("/submit", "community", "gophers", "title", "My homework", "text", "x")
		id := workertest.Targets(ben.Page(asked))[0]
		said := ben.MustPost("/comment", "post", id, "body", "More homework")
		require.Contains(t, eve.Page(asked), `From the moderators</strong></p><p>See <a href="https://example.org/"`)
		require.NotContains(t, eve.Page(asked), "<b>")
		require.Equal(t, 2, strings.Count(eve.Page(asked), "From the moderators"))
		require.NotContains(t, eve.Page(asked), "Remove note")
		comment := regexp.MustCompile(`[^/#-]+$`).FindString(said)
		for n, target := range []string{id, comment} {
			require.Equal(t, http.StatusForbidden, eve.Post("/c/gophers/mod/decide", "target", target, "decision", "un-answer").Code)
			ann.MustPost("/c/gophers/mod/decide", "target", target, "decision", "un-answer")
			require.Equal(t, 1-n, strings.Count(eve.Page(asked), "From the moderators"))
		}
		require.Contains(t, eve.Page(asked), "More homework")
		require.Contains(t, eve.Page("/c/gophers/log"), "removed the automatic note below")
		ben.MustPost("/edit", "target", id, "text", "homework once more", "revision", workertest.RevisionIn(t, ben.Page("/edit?target="+id)))
		require.NotContains(t, eve.Page(asked), "From the moderators", "it was answered before")
	})
	t.Run("hide what is reported often, until a moderator has decided", func(t *testing.T) {
		require.Contains(t, ann.Page("/c/gophers/mod/rules"), "/c/gophers/mod/rule?like=reports")
		for ready, field := range map[string]string{"links": "links", "pictures": "accepted", "words": "words", "domains": "domains", "reports": "reports"} {
			shown, _, _ := strings.Cut(ann.Page(form+"?like="+ready), `<details class="later">`)
			require.Contains(t, shown, `name="`+field+`"`, ready)
		}
		begun := ann.Page(form + "?like=reports")
		require.Contains(t, begun, `value="What is reported often is hidden"`)
		id := regexp.MustCompile(`name="rule" value="([^"]*)"`).FindStringSubmatch(begun)[1]
		ann.MustPost(form, "rule", id, "then", "save", "title", "Reported", "reports", "2", "do", "hold", "active", "1")
		loud := ben.MustPost("/submit", "community", "gophers", "title", "A loud post", "text", "x")
		post := workertest.Targets(ben.Page(loud))[0]
		said := ben.MustPost("/comment", "post", post, "body", "A loud comment")
		comment := regexp.MustCompile(`[^/#-]+$`).FindString(said)
		own := workertest.Targets(ann.Page(ann.MustPost("/submit", "community", "gophers", "title", "A moderator's", "text", "x")))[0]
		for _, target := range []string{comment, post, own} {
			for _, b := range []*workertest.Browser{eve, root} {
				b.MustPost("/report", "target", target, "reason", "Spam")
			}
		}
		s.Deliver()
		for _, b := range []*workertest.Browser{eve, s.Visitor()} {
			page := b.Page(loud)
			require.Contains(t, page, "Hidden after reports, until a moderator has decided.")
			require.NotContains(t, page, "A loud post")
			require.NotContains(t, page, "A loud comment")
			require.NotContains(t, b.Page("/c/gophers/new"), "A loud post")
			require.Contains(t, b.Page("/c/gophers/new"), "A moderator&#39;s")
		}
		require.NotContains(t, eve.Page("/report?target="+comment), "A loud")
		require.Contains(t, eve.Page("/c/gophers/log"), "An automatic rule held for the moderators")
		require.Contains(t, ben.Page(loud), "A loud post")
		require.Contains(t, ann.Page("/c/gophers/mod/queue?show=held"), "A loud post")
		ann.MustPost("/c/gophers/mod/queue", "one", "approve "+post)
		ann.MustPost("/c/gophers/mod/queue", "one", "remove "+comment+" Spam")
		s.Deliver()
		s.Now = s.Now.Add(6 * time.Second) // a thread may be cached
		require.Contains(t, eve.Page("/c/gophers/new"), "A loud post")
		require.Contains(t, eve.Page(loud), "[removed by a moderator: Spam]")
	})
	t.Run("go by the reputation of who writes", func(t *testing.T) {
		newRule(ann, form, "title", "New members' pictures", "standing", "new", "links", "1", "accepted", "3", "do", "hold", "active", "1")
		zoe := s.Member("zoe")
		held := zoe.MustPost("/submit", "community", "gophers", "title", "A picture", "image", "https://pics.example.org/1.png")
		require.Equal(t, http.StatusNotFound, eve.Get(held).Code)
		for n := range 3 {
			require.Equal(t, http.StatusOK, eve.Get(zoe.MustPost("/submit", "community", "gophers", "title", fmt.Sprint("Words ", n), "text",
				"x")).Code)
		}
		shown := zoe.MustPost("/submit", "community", "gophers", "title", "A link", "link", "https://pics.example.org/2")
		require.Equal(t, http.StatusOK, eve.Get(shown).Code)
		require.Equal(t, http.StatusUnprocessableEntity, ann.Post(form, "rule", "1", "then", "try", "title", "x", "standing", "old", "do",
			"hold").Code)
	})
	t.Run("are copied as text, switched off and deleted", func(t *testing.T) {
		page := ann.Page("/c/gophers/mod/rules")
		require.Contains(t, page, "words: casino*")
		ann.MustPost("/c/gophers/mod/rules", "do", "add", "text", "rule: A copy\nlinks at least: 2\nkarma below: 5\naccepted below: 1\nin an "+
			"hour more than: 30\ndo: hold, lock\n\nrule: B\nkinds: image\ndo: nsfw")
		require.Contains(t, ann.Page("/c/gophers/mod/rules"), "A copy")
		res := ann.Post("/c/gophers/mod/rules", "do", "add", "text", "rule: C\nwhatever: 2")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "Line 2")
		res = root.Post("/admin/rules", "do", "add", "text", "rule: D\nwords: abc\ndo: flair\nflair: Help")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "each community has its own")
		for _, id := range regexp.MustCompile(`value="(?:on|off) (\w+)"`).FindAllStringSubmatch(ann.Page("/c/gophers/mod/rules"), -1) {
			ann.MustPost("/c/gophers/mod/rules", "do", "off "+id[1])
			ann.MustPost("/c/gophers/mod/rules", "do", "delete "+id[1])
		}
		require.Contains(t, ann.Page("/c/gophers/mod/rules"), "No rules yet.")
		require.Equal(t, http.StatusOK, eve.Get(ben.MustPost("/submit", "community", "gophers", "title", "Casinos are back", "text", "x")).Code)
	})
	t.Run("are for moderators alone", func(t *testing.T) {
		for _, address := range []string{form, "/c/gophers/mod/rules", "/admin/rules", "/admin/rule"} {
			require.Equal(t, http.StatusForbidden, eve.Get(address).Code)
			require.Equal(t, http.StatusForbidden, eve.Post(address, "rule", "1", "do", "add", "title", "x", "words", "abc", "do", "hold", "text",
				"rule: A\nwords: abc\ndo: hold").Code, address)
		}
		require.Equal(t, http.StatusForbidden, ann.Get("/admin/rules").Code)
	})
}

// raidOn has members raider4 and so on do what raider0 has done by forms: their rows are copies of its rows, and triggers do the rest.
func raidOn(s *workertest.Site, post data.ID, from, to int) {
	s.Helper()
	type row struct {
		Post    int64  `json:"post"`
		Comment int64  `json:"comment"`
		Path    string `json:"path"`
		User    int64  `json:"user"`
		Name    string `json:"name"`
	}
	first := [2]int64{s.One("SELECT id FROM posts WHERE author_name = 'raider0'").(int64),
		s.One("SELECT id FROM comments WHERE author_name = 'raider0'").(int64)}
	var rows []row
	for i := from; i < to; i++ {
		later := data.ID(i+1000) << 22 // a second and more
		name := fmt.Sprint("raider", i)
		r := row{Post: first[0] + int64(later), Comment: first[1] + int64(later), Path: (data.ID(first[1]) + later).Text(), Name: name}
		r.User = s.One("SELECT id FROM users WHERE username = ?1", name).(int64)
		rows = append(rows, r)
	}
	text, err := json.Marshal(rows)
	require.NoError(s, err)
	reporter := s.One("SELECT id FROM users WHERE username = 'raider0'")
	// Each column is copied unless it is given.
	for _, c := range []struct {
		table, of string
		key       any
		given     map[string]string
	}{
		{"posts", "id", first[0], map[string]string{"id": "post", "author_id": "user", "author_name": "name", "slug": "name"}},
		{"post_texts", "post_id", first[0], map[string]string{"post_id": "post"}},
		{"comments", "id", first[1], map[string]string{"id": "comment", "path": "path", "author_id": "user", "author_name": "name"}},
		{"reports", "reporter_id", reporter, map[string]string{"reporter_id": "user"}},
	} {
		var columns, values []string
		for _, column := range s.Sql.RowsOfAll("SELECT name FROM pragma_table_info('" + c.table + "')") {
			name := column[0].(string)
			if slices.Contains(columns, name) { // each database has it
				continue
			}
			columns = append(columns, name)
			if given, ok := c.given[name]; ok {
				values = append(values, "j.value ->> '"+given+"'")
			} else {
				values = append(values, "x."+name)
			}
		}
		s.Sql.ExecAt(post, fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM json_each(?1) j CROSS JOIN %s x WHERE x.%s = ?2",
			c.table, strings.Join(columns, ", "), strings.Join(values, ", "), c.table, c.of), string(text), c.key)
	}
}

// TestRaid is 200 new accounts that post, comment, vote and report in one community.
func TestRaid(t *testing.T) {
	t.Parallel()
	s := workertest.MustOpen(t)
	ann, reader := s.Member("ann"), s.Member("reader")
	ann.MustPost("/communities", "name", "gophers")
	newRule(ann, "/c/gophers/mod/rule", "title", "New accounts wait", "younger", "3", "accepted", "1", "do", "hold", "active", "1")
	open := ann.MustPost("/submit", "community", "gophers", "title", "A calm thread", "text", "x")
	post := workertest.Targets(ann.Page(open))[0]
	const raiders, byForm = 200, 4
	raid := newMembers(s, "raider", raiders, 0)
	var votes sync.WaitGroup // at the same moment, so that few transactions take them
	for i, b := range raid {
		b.Header.Set("Cf-Connecting-Ip", fmt.Sprint("203.0.113.", i))
		votes.Go(func() { assert.Equal(t, http.StatusSeeOther, b.Post("/vote", "target", post, "value", "-1").Code) })
	}
	votes.Wait()
	for i, b := range raid[:byForm] {
		b.MustPost("/submit", "community", "gophers", "title", fmt.Sprint("Raid post ", i), "text", "x")
		b.MustPost("/comment", "post", post, "body", fmt.Sprint("Raid comment ", i))
		b.MustPost("/report", "target", post, "reason", "Spam")
	}
	raidOn(s, workertest.MustID(t, post), byForm, raiders)
	require.Equal(t, int64(2*raiders), s.One("SELECT count(*) FROM queue_items WHERE held = 1 AND status = 'open'"))
	require.Equal(t, int64(raiders), s.One("SELECT reports FROM queue_items WHERE held = 0 AND status = 'open'"))
	s.Deliver()
	unseen := func() {
		t.Helper()
		for _, page := range []string{"/c/gophers/new", "/c/gophers", "/new", open, "/u/raider0"} {
			for _, b := range []*workertest.Browser{reader, s.Visitor()} {
				require.NotContains(t, b.Page(page), "Raid post")
				require.NotContains(t, b.Page(page), "Raid comment")
			}
		}
		require.Contains(t, reader.Page(open), "0 comments<")
	}
	unseen()
	clicks := 0
	for {
		page := ann.Page("/c/gophers/mod/queue?show=held")
		if strings.Contains(page, "Nothing waits") {
			break
		}
		shown := regexp.MustCompile(`name="shown" value="([^"]*)"`).FindStringSubmatch(page)[1]
		ann.MustPost("/c/gophers/mod/queue", "decision", "remove all", "rule", "Spam", "shown", shown)
		if clicks++; clicks > 20 {
			t.Fatal("too many clicks")
		}
	}
	ann.MustPost("/c/gophers/mod/queue", "one", "ignore "+post)
	clicks++
	for _, id := range regexp.MustCompile(`name="case" value="(\w+)"`).FindAllStringSubmatch(ann.Page("/c/gophers/mod/quarantine"), -1) {
		ann.MustPost("/c/gophers/mod/quarantine", "case", id[1], "decision", "drop")
		clicks++
	}
	s.Deliver()
	require.Less(t, clicks, 20)
	require.Equal(t, int64(raiders), s.One("SELECT count(*) FROM votes WHERE status <> 0"), "the votes are quarantined and dropped")
	require.Equal(t, int64(1), s.One("SELECT score FROM posts WHERE slug = 'a-calm-thread'"))
	t.Log(clicks, "clicks")
	unseen()
	require.Contains(t, ann.Page("/c/gophers/mod/queue"), "Nothing waits")

	s.Sql.ExecAt(workertest.MustID(t, post), `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
INSERT INTO rule_hits (target_id, rule_id, site, community_id, title, message, queued, created_at) SELECT i * 2, 7, 0, 1, '', '', 0, 1
  FROM n`)
	require.NoError(t, s.App.Scheduled(context.Background(), s.Now.Truncate(time.Hour)))
	require.Equal(t, int64(0), s.One("SELECT count(*) FROM rule_hits WHERE rule_id = 7"), "old hits go faster than new ones come")
}
