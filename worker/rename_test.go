package worker_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/worker/request"
)

func TestRename(t *testing.T) {
	s := mustOpen(t)
	ann, ben := s.member("ann"), s.member("ben")
	ann.mustPost("/communities", "name", "gophers")
	address := ann.mustPost("/submit", "community", "gophers", "title", "A post", "text", "x")
	post := targets(ann.page(address))[0]
	ann.mustPost("/comment", "post", post, "body", "A comment of hers")
	short := ann.mustPost("/post", "text", "On her profile")
	ben.mustPost("/vote", "target", post, "value", "1")
	ben.mustPost("/comment", "post", post, "body", "Thanks @ann")
	s.deliver()
	phone, stale := &browser{site: s, cookie: ann.cookie, header: http.Header{}}, ann.cookie

	res := ann.post("/settings/account/name", "username", "x")
	require.Equal(t, http.StatusUnprocessableEntity, res.Code)
	require.Contains(t, res.Body.String(), `value="x"`)
	require.Equal(t, http.StatusUnprocessableEntity, ann.post("/settings/account/name", "username", "BEN").Code)
	require.Equal(t, "/settings/account?renamed", ann.mustPost("/settings/account/name", "username", "Anna"))

	right := func() {
		t.Helper()
		for _, who := range []*browser{s.visitor(), ben, ann} {
			page := who.page("/u/anna")
			require.Contains(t, page, "<h1>Anna</h1>")
			require.Contains(t, page, "A post")
			require.Contains(t, page, "On her profile")
			require.Contains(t, page, "<dt>Post karma</dt><dd>1</dd>")
			require.Contains(t, who.page("/u/Anna/comments"), "A comment of hers")
			for _, path := range []string{"", "/comments", "/followers", "/following"} {
				res := who.get("/u/ann" + path)
				require.Equal(t, http.StatusFound, res.Code)
				require.Equal(t, "/u/Anna"+path, res.Header().Get("Location"))
			}
		}
		require.Contains(t, ann.page("/"), `<a href="/u/Anna">Your profile</a>`)
		s.visitor().page(short)
	}
	right() // before any copy has the new name
	require.Contains(t, phone.page("/"), `<a href="/u/Anna">Your profile</a>`, "another device learns of it")

	// The old name still works: to log in, for mentions, and on pages from before.
	require.True(t, s.logIn("ann", "x").signedIn())
	ben.mustPost("/comment", "post", post, "body", "And again, @ann")
	ben.mustPost("/follow", "user", "ann", "on", "1")
	require.Equal(t, int64(1), s.one("SELECT followers FROM users WHERE username = 'Anna'"))

	// A device that has not heard of it, and a consumer that ends in the middle and loses the messages.
	old := &browser{site: s, cookie: stale, header: http.Header{}}
	old.mustPost("/comment", "post", post, "body", "Meanwhile")
	id, err := data.ParseID(post)
	require.NoError(t, err)
	s.sql.ExecAt(id, `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
INSERT INTO comments (id, post_id, path, depth, author_id, author_name, body, body_html, created_at)
SELECT 2 * i + 1, ?1, printf('%013d', i), 0, c.author_id, 'ann', 'x', 'x', i FROM n, comments c WHERE c.body = 'A comment of hers'`, int64(id))
	copied := func() int64 {
		return s.one("SELECT count(*) FROM comments WHERE author_name = 'Anna' AND body = 'x'").(int64)
	}
	dying, die := context.WithCancel(t.Context())
	_, _ = s.app.Consume(&mortal{dying, 12, die}, request.QueueEvents, s.queue.take(request.QueueEvents))
	require.Less(t, copied(), int64(1200))
	s.queue.take(request.QueueEvents)
	s.now = s.now.Add(time.Minute)
	require.NoError(t, s.app.Scheduled(t.Context(), s.now))
	s.deliver()
	s.deliver()
	require.Equal(t, int64(1200), copied())
	s.now = s.now.Add(data.OwnLife + time.Second)
	right()
	page := s.visitor().page(address)
	require.Contains(t, page, `<a href="/u/Anna">Anna</a>`)
	require.Contains(t, page, `<a href="/u/ann"`, "a mention stays as it was typed")
	require.NotContains(t, page, `<a href="/u/ann">ann</a>`)
	require.Equal(t, int64(0), s.one("SELECT count(*) FROM comments WHERE author_name = 'ann'"))
	require.Equal(t, http.StatusForbidden, ann.withHeader("Accept", "application/json").post("/settings/account/name", "username", "again").Code)
	require.Equal(t, http.StatusUnprocessableEntity, s.visitor().post("/signup", "username", "ann", "password", "correct horse").Code)
}

// TestAvatars changes an avatar that was chosen before somebody wrote.
func TestAvatars(t *testing.T) {
	s := mustOpen(t)
	ann, ben := s.member("ann"), s.member("ben")
	tile := func(colour, letter string) string {
		return `<a href="/u/ann"><svg class="ci" aria-hidden="true"><rect fill="` + colour + `"></rect><text>` + letter + `</text></svg>ann</a>`
	}
	first, second := tile(data.Palette[7].Hex, "K"), tile(data.Palette[1].Hex, "Z")
	require.Equal(t, "/settings?saved", ann.mustPost("/settings", "colour", data.Palette[7].Hex, "letter", "K"))
	s.deliver()
	ann.mustPost("/communities", "name", "gophers")
	address := ann.mustPost("/submit", "community", "gophers", "title", "A post", "text", "x")
	post := targets(ann.page(address))[0]
	ann.mustPost("/comment", "post", post, "body", "A comment of hers")
	ann.mustPost("/comment", "post", post, "body", "For @ben")
	short := ann.mustPost("/post", "text", "On her profile")
	ben.mustPost("/comment", "post", post, "body", "A comment of his")
	ben.mustPost("/follow", "user", "ann", "on", "1")
	s.deliver()
	shown := func(times int, tile string) {
		t.Helper()
		for _, who := range []*browser{s.visitor(), ben} {
			for _, path := range []string{"/", "/c/gophers/new", "/u/ann", "/u/ann/comments", short} {
				require.Contains(t, who.page(path), tile, path)
			}
			require.Equal(t, times, strings.Count(who.page(address), tile))
		}
		require.Contains(t, ben.page("/home"), tile)
		require.Contains(t, ben.page("/inbox"), tile)
		require.NotContains(t, ben.page(address), `<a href="/u/ben"><svg class="ci" aria-hidden="true"><rect fill="`+data.Palette[7].Hex)
	}
	shown(3, first)

	// A consumer ends in the middle and loses the messages.
	id, err := data.ParseID(targets(ann.page(short))[0])
	require.NoError(t, err)
	s.sql.ExecAt(id, `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
INSERT INTO comments (id, post_id, path, depth, author_id, author_name, body, body_html, created_at, status)
SELECT 2 * i + 1, ?1, printf('%013d', i), 0, p.author_id, 'ann', 'x', 'x', i, 'removed' FROM n, posts p WHERE p.id = ?1`, int64(id))
	ann.mustPost("/settings", "colour", data.Palette[1].Hex, "letter", "Z")
	later := func() int64 {
		return s.one("SELECT count(*) FROM comments WHERE body = 'x' AND author_avatar LIKE '%Z'").(int64)
	}
	dying, die := context.WithCancel(t.Context())
	_, _ = s.app.Consume(&mortal{dying, 5, die}, request.QueueEvents, s.queue.take(request.QueueEvents))
	require.Less(t, later(), int64(1200))
	s.queue.take(request.QueueEvents)
	ann.mustPost("/comment", "post", post, "body", "Meanwhile")
	s.now = s.now.Add(time.Minute)
	require.NoError(t, s.app.Scheduled(t.Context(), s.now))
	s.deliver()
	s.deliver()
	require.Equal(t, int64(1200), later())
	s.now = s.now.Add(data.OwnLife + time.Second)
	shown(4, second)
	require.Equal(t, int64(0), s.one("SELECT count(*) FROM outbox WHERE work = 'rename'"))
	for _, table := range []string{"posts", "comments"} {
		require.Equal(t, int64(0), s.one("SELECT count(*) FROM "+table+" WHERE author_name = 'ann' AND author_avatar NOT LIKE '%Z'"), table)
	}

	// What is deleted has none.
	ann.mustPost("/delete", "target", post)
	require.Equal(t, "", s.one("SELECT author_avatar FROM posts WHERE title = '[deleted]'"))
}

// mortal is a context that ends after it was looked at some times, which each request does.
type mortal struct {
	context.Context
	looks int
	die   func()
}

func (m *mortal) Err() error {
	if m.looks--; m.looks <= 0 {
		m.die()
	}
	return m.Context.Err()
}
