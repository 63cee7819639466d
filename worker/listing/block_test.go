package listing_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/workertest"
)

func TestBlocking(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben, eve := s.Member("ann"), s.Member("ben"), s.Member("Eve")
	for _, name := range []string{"gophers", "gardens", "guitars"} { // by chance on several shards
		ann.MustPost("/communities", "name", name)
	}
	address := ann.MustPost("/submit", "community", "gardens", "title", "Of ann", "text", "x")
	post := workertest.Targets(ann.Page(address))[0]
	reply := func(b *workertest.Browser, field, id, body string) int {
		return b.Post("/comment", field, id, "body", body).Code
	}
	require.Equal(t, http.StatusSeeOther, reply(ann, "post", post, "ann says"))
	require.Equal(t, http.StatusSeeOther, reply(eve, "post", post, "eve says"))
	require.Equal(t, http.StatusSeeOther, reply(ben, "post", post, "ben says"))
	idOf := func(says string) string {
		return data.ID(s.One("SELECT id FROM comments WHERE body = ?1", says).(int64)).Text()
	}
	ofAnn, ofEve, ofBen := idOf("ann says"), idOf("eve says"), idOf("ben says")
	eve.MustPost("/submit", "community", "guitars", "title", "Of eve", "text", "x")
	const folded = "From somebody you block"

	t.Run("is offered below comments and on profiles of others", func(t *testing.T) {
		require.Contains(t, ann.Page(address), `<a href="/block?user=Eve">Block</a>`)
		require.NotContains(t, ann.Page(address), `/block?user=ann"`)
		require.NotContains(t, s.Visitor().Page(address), "/block")
		require.Contains(t, ann.Page("/u/eve"), `action="/block"`)
		require.NotContains(t, ann.Page("/u/ann"), `action="/block"`)
		require.NotContains(t, s.Visitor().Page("/u/eve"), `action="/block"`)
		require.Contains(t, ann.Page("/block?user=eve"), "Block Eve?")
		require.Contains(t, ann.Page("/settings/blocked"), "You have not blocked anybody.")
	})
	t.Run("folds away what the blocked write, for the blocker alone", func(t *testing.T) {
		require.Equal(t, "/u/eve", ann.MustPost("/block", "user", "eve", "on", "1", "return", "/u/eve"))
		ann.MustPost("/block", "user", "EVE", "on", "1") // again
		for _, path := range []string{address, "/new", "/hot", "/c/guitars", "/c/guitars/p/of-eve", address + "/" + ofEve} {
			require.Contains(t, ann.Page(path), folded, path)
			require.NotContains(t, ben.Page(path), folded, path)
			require.NotContains(t, eve.Page(path), folded, path)
		}
		require.Equal(t, 1, strings.Count(ann.Page(address), folded))
		require.NotContains(t, ann.Page("/u/eve"), folded, "who asks for all that somebody writes wants to see it")
		require.Contains(t, ann.Page("/u/eve"), "Unblock")
		require.Contains(t, ann.Page("/settings/blocked"), `href="/u/Eve"`)
	})
	t.Run("leaves out of the inbox, its count and the timeline what the blocked wrote", func(t *testing.T) {
		ann.MustPost("/block", "user", "eve", "on", "0")
		ann.MustPost("/follow", "user", "eve", "on", "1")
		s.Deliver()
		now := func() { s.Now = s.Now.Add(data.MemberCacheTTL + time.Second) }
		now()
		require.Equal(t, "2", workertest.Unread(ann.Page("/")))
		require.Contains(t, ann.Page("/inbox"), "eve says")
		require.Contains(t, ann.Page("/home"), "Of eve")
		ann.MustPost("/block", "user", "eve", "on", "1")
		now()
		require.Equal(t, "1", workertest.Unread(ann.Page("/")))
		require.NotContains(t, ann.Page("/inbox"), "eve says")
		require.Contains(t, ann.Page("/inbox"), "ben says")
		require.NotContains(t, ann.Page("/home"), "Of eve")
	})
	t.Run("keeps the blocked from answering the blocker, on every shard, and tells no more than that", func(t *testing.T) {
		before := s.One("SELECT count(*) FROM comments")
		for field, id := range map[string]string{"post": post, "parent": ofAnn} {
			res := eve.Post("/comment", field, id, "body", "typed answer")
			require.Equal(t, http.StatusForbidden, res.Code)
			require.Contains(t, res.Body.String(), "You can&#39;t reply here.")
			require.Contains(t, res.Body.String(), "typed answer")
			require.NotContains(t, strings.ToLower(res.Body.String()), "blocked")
		}
		require.Equal(t, before, s.One("SELECT count(*) FROM comments"))
		for _, name := range []string{"gophers", "gardens", "guitars"} {
			of := workertest.Targets(ann.Page(ann.MustPost("/submit", "community", name, "title", "Another", "text", "x")))[0]
			require.Equal(t, http.StatusForbidden, reply(eve, "post", of, "x"), name)
		}
		require.Equal(t, http.StatusForbidden, reply(eve, "parent", ofBen, "eve answers ben"),
			"not below the blocker's post, whoever is answered")
		require.Equal(t, http.StatusSeeOther, reply(ann, "parent", ofEve, "ann answers eve"), "the blocker may answer")
	})
	t.Run("ends", func(t *testing.T) {
		ann.MustPost("/block", "user", "eve", "on", "0")
		require.NotContains(t, ann.Page(address), folded)
		require.Equal(t, http.StatusSeeOther, reply(eve, "parent", ofAnn, "eve again"))
		require.Contains(t, ann.Page("/settings/blocked"), "You have not blocked anybody.")
		for _, row := range s.Sql.RowsOfAll("SELECT count(*) FROM blocks") {
			require.Equal(t, int64(0), row[0])
		}
	})
	t.Run("refuses what makes no sense", func(t *testing.T) {
		require.Equal(t, http.StatusNotFound, ann.Post("/block", "user", "nobody", "on", "1").Code)
		require.Equal(t, http.StatusUnprocessableEntity, ann.Post("/block", "user", "ann", "on", "1").Code)
		require.Equal(t, http.StatusUnprocessableEntity, ann.Post("/block", "user", "eve", "on", "2").Code)
	})
	t.Run("stops at 1,000 members, and reads one row for them on a page", func(t *testing.T) {
		s.Exec(`INSERT INTO blocks (blocker_id, blocked_id, created_at)
WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT u.id, n.i, 1 FROM users u, n
  WHERE u.username = 'ann'`)
		res := ann.Post("/block", "user", "eve", "on", "1")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "1,000 members")
		require.Equal(t, int64(1000), s.One("SELECT 1 + length(blocked) - length(replace(blocked, ',', '')) FROM users WHERE username = 'ann'"))
	})
	t.Run("is refused to an ended session", func(t *testing.T) {
		old := ben.Cookie
		ben.MustPost("/logout")
		ben.Cookie = old
		require.Equal(t, http.StatusUnauthorized, ben.Post("/block", "user", "eve", "on", "1").Code)
		for _, row := range s.Sql.RowsOfAll("SELECT count(*) FROM blocks WHERE blocked_id > 1000") {
			require.Equal(t, int64(0), row[0])
		}
	})
}

// TestBlockedFollowers blocks who follows, and whom one follows.
func TestBlockedFollowers(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, eve := s.Member("ann"), s.Member("Eve")
	for name, b := range map[string]*workertest.Browser{"ann": ann, "eve": eve} {
		b.MustPost("/communities", "name", "of"+name)
		b.MustPost("/submit", "community", "of"+name, "title", "Of "+name, "text", "x")
	}
	state := func() []any {
		return []any{s.One("SELECT group_concat(username || followers || following) FROM (SELECT * FROM users ORDER BY id)"),
			s.One("SELECT count(*) FROM follows"), s.One("SELECT count(*) FROM timeline")}
	}
	ann.MustPost("/follow", "user", "eve", "on", "1")
	eve.MustPost("/follow", "user", "ann", "on", "1")
	s.Deliver()
	require.Equal(t, []any{"ann11,Eve11", int64(2), int64(2)}, state())

	ann.MustPost("/block", "user", "eve", "on", "1")
	require.Equal(t, []any{"ann00,Eve00", int64(0), int64(0)}, state(), "both follows end, with their timelines")
	require.NotContains(t, eve.Page("/home"), "Of ann")

	res := eve.Post("/follow", "user", "ann", "on", "1")
	require.Equal(t, http.StatusForbidden, res.Code)
	require.Contains(t, res.Body.String(), "You can&#39;t follow this member.")
	require.NotContains(t, strings.ToLower(res.Body.String()), "blocked")
	res = ann.Post("/follow", "user", "eve", "on", "1")
	require.Equal(t, http.StatusForbidden, res.Code)
	require.Contains(t, res.Body.String(), "You block this member. Please unblock them first.")
	ann.MustPost("/submit", "community", "ofann", "title", "Another", "text", "x")
	s.Deliver()
	require.Equal(t, []any{"ann00,Eve00", int64(0), int64(0)}, state())

	ann.MustPost("/block", "user", "eve", "on", "0")
	require.Equal(t, []any{"ann00,Eve00", int64(0), int64(0)}, state(), "no follow comes back by itself")
	eve.MustPost("/follow", "user", "ann", "on", "1")
	s.Deliver()
	require.Equal(t, []any{"ann10,Eve01", int64(1), int64(2)}, state())
}

// TestBlockedBelow has the blocked answer others below a post and below a comment of the blocker.
func TestBlockedBelow(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben, eve := s.Member("ann"), s.Member("ben"), s.Member("eve")
	ann.MustPost("/communities", "name", "gardens")
	ofAnn := workertest.Targets(ann.Page(ann.MustPost("/submit", "community", "gardens", "title", "Of ann", "text", "x")))[0]
	ofBen := workertest.Targets(ben.Page(ben.MustPost("/submit", "community", "gardens", "title", "Of ben", "text", "x")))[0]
	says := func(b *workertest.Browser, field, id, body string) string {
		b.MustPost("/comment", field, id, "body", body)
		return data.ID(s.One("SELECT id FROM comments WHERE body = ?1", body).(int64)).Text()
	}
	refuses := func(id, why string) {
		t.Helper()
		before := s.One("SELECT count(*) FROM comments")
		res := eve.Post("/comment", "parent", id, "body", "typed answer")
		require.Equal(t, http.StatusForbidden, res.Code, why)
		require.Contains(t, res.Body.String(), "typed answer")
		require.NotContains(t, strings.ToLower(res.Body.String()), "blocked")
		require.Equal(t, before, s.One("SELECT count(*) FROM comments"))
	}
	third := says(ben, "post", ofAnn, "ben below ann's post")
	annBelow := says(ann, "post", ofBen, "ann below ben's post")
	deep := annBelow
	for n := range 4 {
		deep = says(ben, "parent", deep, "ben below ann's comment "+strings.Repeat("i", n))
	}
	beside := says(ben, "post", ofBen, "ben beside ann")
	ann.MustPost("/block", "user", "eve", "on", "1")

	refuses(third, "the post is the blocker's")
	refuses(annBelow, "it is the blocker's")
	refuses(deep, "the blocker's is further up")
	s.Exec("UPDATE comments SET status = 'removed' WHERE id = ?1", s.One("SELECT id FROM comments WHERE body = 'ann below ben''s post'"))
	refuses(deep, "although that was removed")
	says(eve, "parent", beside, "eve answers ben")
	says(eve, "post", ofBen, "eve answers ben's post")
	ann.MustPost("/block", "user", "eve", "on", "0")
	says(eve, "parent", third, "eve may again")
	says(eve, "parent", deep, "eve may again, deep down")
}
