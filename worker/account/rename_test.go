package account_test

import (
	"context"
	"net/http"
	"regexp"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/workertest"
)

func TestRename(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	address := ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "x")
	post := workertest.Targets(ann.Page(address))[0]
	ann.MustPost("/comment", "post", post, "body", "A comment of hers")
	short := ann.MustPost("/post", "text", "On her profile")
	ben.MustPost("/vote", "target", post, "value", "1")
	ben.MustPost("/comment", "post", post, "body", "Thanks @ann")
	s.Deliver()
	phone, stale := &workertest.Browser{Site: s, Cookie: ann.Cookie, Header: http.Header{}}, ann.Cookie

	res := ann.Post("/settings/account/name", "username", "x")
	require.Equal(t, http.StatusUnprocessableEntity, res.Code)
	require.Contains(t, res.Body.String(), `value="x"`)
	require.Equal(t, http.StatusUnprocessableEntity, ann.Post("/settings/account/name", "username", "BEN").Code)
	require.Equal(t, "/settings/account?renamed", ann.MustPost("/settings/account/name", "username", "Anna"))

	right := func() {
		t.Helper()
		for _, who := range []*workertest.Browser{s.Visitor(), ben, ann} {
			page := who.Page("/u/anna")
			require.Contains(t, page, "<h1>Anna</h1>")
			require.Contains(t, page, "A post")
			require.Contains(t, page, "On her profile")
			require.Contains(t, page, "<dt>Post karma</dt><dd>1</dd>")
			require.Contains(t, who.Page("/u/Anna/comments"), "A comment of hers")
			for _, path := range []string{"", "/comments", "/followers", "/following"} {
				res := who.Get("/u/ann" + path)
				require.Equal(t, http.StatusFound, res.Code)
				require.Equal(t, "/u/Anna"+path, res.Header().Get("Location"))
			}
		}
		require.Contains(t, ann.Page("/"), `<a href="/u/Anna">Your profile</a>`)
		s.Visitor().Page(short)
	}
	right() // before any copy has the new name
	require.Contains(t, phone.Page("/"), `<a href="/u/Anna">Your profile</a>`, "another device learns of it")

	// The old name still works: to log in, for mentions, and on pages from before.
	require.True(t, signedIn(s.LogIn("ann", "x")))
	ben.MustPost("/comment", "post", post, "body", "And again, @ann")
	ben.MustPost("/follow", "user", "ann", "on", "1")
	require.Equal(t, int64(1), s.One("SELECT followers FROM users WHERE username = 'Anna'"))

	// A device that has not heard of it, and a consumer that ends in the middle and loses the messages.
	old := &workertest.Browser{Site: s, Cookie: stale, Header: http.Header{}}
	old.MustPost("/comment", "post", post, "body", "Meanwhile")
	id, err := data.ParseID(post)
	require.NoError(t, err)
	s.Sql.ExecAt(id, `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
INSERT INTO comments (id, post_id, path, depth, author_id, author_name, body, body_html, created_at)
SELECT 2 * i + 1, ?1, printf('%013d', i), 0, c.author_id, 'ann', 'x', 'x', i FROM n, comments c WHERE c.body = 'A comment of hers'`,
		int64(id))
	copied := func() int64 {
		return s.One("SELECT count(*) FROM comments WHERE author_name = 'Anna' AND body = 'x'").(int64)
	}
	dying, die := context.WithCancel(t.Context())
	_, _ = s.App.Consume(newMortal(dying, 12, die), data.QueueEvents, s.Queue.Take(data.QueueEvents))
	require.Less(t, copied(), int64(1200))
	s.Queue.Take(data.QueueEvents)
	s.Now = s.Now.Add(time.Minute)
	require.NoError(t, s.App.Scheduled(t.Context(), s.Now))
	s.Deliver()
	s.Deliver()
	require.Equal(t, int64(1200), copied())
	s.Now = s.Now.Add(data.MemberCacheTTL + time.Second)
	right()
	page := s.Visitor().Page(address)
	require.Contains(t, page, `<a href="/u/Anna">Anna</a>`)
	require.Contains(t, page, `<a href="/u/ann"`, "a mention stays as it was typed")
	require.NotContains(t, page, `<a href="/u/ann">ann</a>`)
	require.Equal(t, int64(0), s.One("SELECT count(*) FROM comments WHERE author_name = 'ann'"))
	require.Equal(t, http.StatusForbidden, ann.WithHeader("Accept", "application/json").Post("/settings/account/name", "username",
		"again").Code)
	require.Equal(t, http.StatusUnprocessableEntity, s.Visitor().Post("/signup", "username", "ann", "password", "correct horse").Code)
}

// TestAvatars changes an avatar that was chosen before somebody wrote.
func TestAvatars(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	tile := func(colour, letter string) string {
		return `<a href="/u/ann"><svg class="ci" aria-hidden="true"><rect fill="` + colour + `"></rect><text>` + letter + `</text></svg>ann</a>`
	}
	first, second := tile(data.Palette[7].Hex, "K"), tile(data.Palette[1].Hex, "Z")
	require.Equal(t, "/settings?saved", ann.MustPost("/settings", "colour", data.Palette[7].Hex, "letter", "K"))
	s.Deliver()
	ann.MustPost("/communities", "name", "gophers")
	address := ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "x")
	post := workertest.Targets(ann.Page(address))[0]
	ann.MustPost("/comment", "post", post, "body", "A comment of hers")
	ann.MustPost("/comment", "post", post, "body", "For @ben")
	short := ann.MustPost("/post", "text", "On her profile")
	ben.MustPost("/comment", "post", post, "body", "A comment of his")
	ben.MustPost("/follow", "user", "ann", "on", "1")
	s.Deliver()
	colourOf := func(response string) string {
		of := regexp.MustCompile(`"author_avatar":\{"colour":"(#[0-9a-f]{6})"`).FindStringSubmatch(response)
		require.NotNil(t, of, response)
		return of[1]
	}
	shown := func(tile string) {
		t.Helper()
		for _, who := range []*workertest.Browser{s.Visitor(), ben} {
			for _, path := range []string{"/u/ann/comments", short} {
				require.Contains(t, who.Page(path), tile, path)
			}
		}
		require.Contains(t, tile, colourOf(ben.Page("/inbox.json")), "the inbox tells programs")
		require.NotContains(t, ben.Page(address), `<a href="/u/ben"><svg class="ci" aria-hidden="true"><rect fill="`+data.Palette[7].Hex)
	}
	shown(first)

	// A consumer ends in the middle and loses the messages.
	id, err := data.ParseID(workertest.Targets(ann.Page(short))[0])
	require.NoError(t, err)
	s.Sql.ExecAt(id, `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
INSERT INTO comments (id, post_id, path, depth, author_id, author_name, body, body_html, created_at, status)
SELECT 2 * i + 1, ?1, printf('%013d', i), 0, p.author_id, 'ann', 'x', 'x', i, 'removed' FROM n, posts p WHERE p.id = ?1`, int64(id))
	ann.MustPost("/settings", "colour", data.Palette[1].Hex, "letter", "Z")
	later := func() int64 {
		return s.One("SELECT count(*) FROM comments WHERE body = 'x' AND author_avatar LIKE '%Z'").(int64)
	}
	dying, die := context.WithCancel(t.Context())
	_, _ = s.App.Consume(newMortal(dying, 5, die), data.QueueEvents, s.Queue.Take(data.QueueEvents))
	require.Less(t, later(), int64(1200))
	s.Queue.Take(data.QueueEvents)
	ann.MustPost("/comment", "post", post, "body", "Meanwhile")
	s.Now = s.Now.Add(time.Minute)
	require.NoError(t, s.App.Scheduled(t.Context(), s.Now))
	s.Deliver()
	s.Deliver()
	require.Equal(t, int64(1200), later())
	s.Now = s.Now.Add(data.MemberCacheTTL + time.Second)
	shown(second)
	require.Equal(t, int64(0), s.One("SELECT count(*) FROM outbox WHERE job = 'rename'"))
	for _, table := range []string{"posts", "comments"} {
		require.Equal(t, int64(0), s.One("SELECT count(*) FROM "+table+" WHERE author_name = 'ann' AND author_avatar NOT LIKE '%Z'"), table)
	}

	// What is deleted has none.
	ann.MustPost("/delete", "target", post)
	require.Equal(t, "", s.One("SELECT author_avatar FROM posts WHERE title = '[deleted]'"))
}

// mortal is a context that ends after it was looked at some times, which each request does.
type mortal struct {
	context.Context
	checks atomic.Int64
	die    func()
}

func newMortal(ctx context.Context, checks int64, die func()) *mortal {
	m := &mortal{Context: ctx, die: die}
	m.checks.Store(checks)
	return m
}

func (m *mortal) Err() error {
	if m.checks.Add(-1) <= 0 {
		m.die()
	}
	return m.Context.Err()
}
