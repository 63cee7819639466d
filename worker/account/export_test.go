package account_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/accounts/exports"
	"plaza/test/workertest"
)

// lines are the things of one file, and the address of the next.
func lines(b *workertest.Browser, path string) (list []map[string]any, next string) {
	b.Helper()
	res := b.Get(path)
	require.Equal(b, http.StatusOK, res.Code, res.Body.String())
	require.Equal(b, "application/x-ndjson", res.Header().Get("Content-Type"))
	for scan := bufio.NewScanner(res.Body); scan.Scan(); {
		var thing map[string]any
		require.NoError(b, json.Unmarshal(scan.Bytes(), &thing), scan.Text())
		if thing["kind"] == "next" {
			next = strings.TrimPrefix(thing["url"].(string), "https://plaza.example")
			require.Equal(b, "<https://plaza.example"+next+`>; rel="next"`, res.Header().Get("Link"))
			continue
		}
		list = append(list, thing)
	}
	return list, next
}

// TestExport is about a member who has more of everything than a part holds.
func TestExport(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, bob := s.Member("ann"), s.Member("bob")
	for _, name := range []string{"gophers", "gardens", "games"} {
		bob.MustPost("/communities", "name", name)
	}
	for _, who := range []*workertest.Browser{ann, bob} {
		for i, name := range []string{"gophers", "gardens", "games"} {
			who.MustPost("/submit", "community", name, "title", fmt.Sprint("Post ", i), "text", "a text")
			who.MustPost("/submit", "community", name, "title", "A draft", "text", "x", "status", "draft")
		}
	}
	post := workertest.Targets(bob.Page("/c/gophers/p/post-0"))[0]
	ann.MustPost("/comment", "post", post, "body", "from ann")
	bob.MustPost("/comment", "post", post, "body", "from bob @ann")
	for _, path := range []string{"/save", "/hide"} {
		ann.MustPost(path, "target", post, "on", "1")
	}
	ann.MustPost("/subscribe", "community", "games", "on", "1")
	ann.MustPost("/follow", "user", "bob", "on", "1")
	bob.MustPost("/follow", "user", "ann", "on", "1")
	ann.MustPost("/watch", "target", post, "watch", "follow")
	ann.MustPost("/vote", "target", post, "value", "-1")
	own := data.ID(s.One("SELECT id FROM posts WHERE title = 'Post 0' AND author_name = 'ann'").(int64))
	bob.MustPost("/c/gophers/mod/decide", "target", own.Text(), "decision", "remove", "rule", "Spam", "text", "Please stop.")
	talk := ann.MustPost("/messages", "community", "gophers", "title", "Why", "text", "Because?")
	bob.MustPost(talk, "text", "That is why.")
	bob.MustPost(talk, "text", "from bob to the team", "do", "note")
	ann.MustPost("/contact", "body", "from ann")
	bob.MustPost("/contact", "body", "from bob")
	ann.Page("/c/gophers/p/post-0")
	token := ann.NewToken("read")
	s.Deliver()
	id, other, postID := s.One("SELECT id FROM users WHERE username = 'ann'").(int64),
		s.One("SELECT id FROM users WHERE username = 'bob'").(int64), int64(workertest.MustID(t, post))
	s.Sql.ExecAt(data.ID(postID), `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
INSERT INTO votes (target_id, user_id, value, updated_at) SELECT i * 2, iif(i % 100, ?1, ?2), 0, 1790000000000 FROM n`, id, other)
	s.Sql.ExecAt(data.ID(postID), `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
INSERT INTO comments (id, post_id, path, depth, author_id, author_name, body, body_html, created_at)
SELECT i * 2 + 1, ?3, printf('%013d', i), 0, iif(i % 100, ?1, ?2), iif(i % 100, 'ann', 'bob'), printf('%.900c', 'x'), '', 1790000000000
  FROM n`, id, other, postID)

	t.Run("by the links of files", func(t *testing.T) {
		all := map[string]int{}
		seen, said := map[string]bool{}, map[string]map[string]any{}
		for _, k := range exports.Kinds() {
			for path, parts := "/settings/export/"+k.Name, 0; path != ""; parts++ {
				require.Less(t, parts, 20)
				list, next := lines(ann, path)
				for _, thing := range list {
					said[k.Name] = thing
					require.Equal(t, k.Name, thing["kind"])
					text, _ := json.Marshal(thing)
					require.False(t, seen[string(text)], "twice: %s", text)
					seen[string(text)] = true
					require.NotContains(t, string(text), "from bob")
					all[k.Name]++
				}
				path = next
			}
		}
		require.Equal(t, map[string]int{"posts": 2, "drafts": 4, "comments": 2475 + 1, "votes": 59400 + 1, "saved": 1, "hidden": 1,
			"follows": 1, "subscriptions": 1, "watches": 1, "visits": 1, "contact": 1, "decisions": 1, "messages": 1, "conversations": 1}, all)
		require.Equal(t, "Please stop.", said["decisions"]["note"])
		require.Equal(t, "gophers", said["decisions"]["community"])
		require.Len(t, said["conversations"]["replies"], 1)
		require.Equal(t, "That is why.", said["conversations"]["replies"].([]any)[0].(map[string]any)["text"])
		require.NotEmpty(t, said["votes"]["network"], "the last vote has the highest id of those in this test")
	})

	t.Run("by the links of the page", func(t *testing.T) {
		count := map[string]int{}
		for pages := []string{"/settings/export"}; len(pages) > 0; pages = pages[1:] {
			for _, m := range regexp.MustCompile(`href="(/settings/export[^"]+)"`).FindAllStringSubmatch(ann.Page(pages[0]), -1) {
				address := html.UnescapeString(m[1])
				if strings.HasPrefix(address, "/settings/export?") {
					pages = append(pages, address)
					continue
				}
				list, next := lines(ann, address)
				require.Empty(t, next, address)
				for _, thing := range list {
					count[thing["kind"].(string)]++
				}
			}
		}
		require.Equal(t, 2476, count["comments"])
		page := ann.Page("/settings/export")
		require.Contains(t, page, ">1 entry<")
		require.Equal(t, 59401, count["votes"], "what was made with its author's vote is in the list itself")
		require.Equal(t, 1, count["profile"])
		require.Equal(t, 1, count["token"])
		require.Equal(t, 3, count["inbox"], "a mention, a decision and an answer")
	})

	t.Run("no secrets, and nobody else", func(t *testing.T) {
		s.Exec("UPDATE users SET seen_at = 0 WHERE username = 'ann'")
		text := ann.Get("/settings/export/account").Body.String()
		require.Contains(t, text, `"seen_at":null`, "who has not been seen yet was not seen in 1970")
		require.NotContains(t, text, `"1970-`)
		require.Contains(t, text, `"followers":1`)
		for _, secret := range []string{token, "argon2", s.One("SELECT hash FROM tokens").(string), "from bob"} {
			require.NotContains(t, text, secret)
		}
		for _, path := range []string{"/settings/export/nothing", "/settings/export/votes?after=9.0.0", "/settings/export/votes?after=x"} {
			require.Equal(t, http.StatusNotFound, ann.Get(path).Code, path)
		}
		s.Now = s.Now.Add(20 * time.Minute)
		require.True(t, strings.HasPrefix(ann.Get("/settings/export/votes").Header().Get("Location"), "/prove?next="))
	})
}
