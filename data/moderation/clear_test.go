package moderation_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/posts"
	"plaza/data/events/modlog"
	"plaza/data/rights/bans"
	"plaza/test/storetest"
)

// TestClear bans ben and removes his posts and comments in the community of the days before.
func TestClear(t *testing.T) {
	k := open(t)
	store := &bans.Store{Base: k.Posts.Base}
	ban := func(action modlog.Action, days int) data.ID {
		t.Helper()
		done, err := store.Decide(storetest.Ctx, k.ann, bans.Decision{Community: "gophers", Name: "ben",
			Act: modlog.Act{Action: action, Rule: "Be kind"}, Clear: days})
		require.NoError(t, err)
		if len(done.Entries) == 0 { // it was decided before
			return 0
		}
		return done.Entries[0]
	}
	clear := func(entry data.ID) (removed int, rest []data.ID) {
		t.Helper()
		before := k.One("SELECT count(*) FROM moderation_log WHERE action = 'remove'").(int64)
		rest, err := k.store.Clear(storetest.Ctx, []data.ID{entry})
		require.NoError(t, err)
		return int(k.One("SELECT count(*) FROM moderation_log WHERE action = 'remove'").(int64) - before), rest
	}
	removed := func(table string) any {
		return k.One("SELECT count(*) FROM " + table + " WHERE status = 'removed'")
	}
	enqueued := func() any { return k.One("SELECT count(*) FROM outbox WHERE job = 'clear'") }
	k.Community(k.ann, "Gardens")
	*k.Clock = k.Clock.Add(9 * 24 * time.Hour)
	elsewhere := k.Post(k.ben, "gardens", "Elsewhere")
	k.Comment(k.ben, elsewhere.ID, 0, "elsewhere")
	hers := k.Post(k.cid, "gophers", "Cid's")
	k.Comment(k.cid, hers.ID, 0, "Cid's")
	post := k.Post(k.ben, "gophers", "Ben's")
	held := k.Post(k.ben, "gophers", "Held")
	k.Exec("UPDATE posts SET status = 'removed', held = 1 WHERE id = ?1", int64(held.ID))
	_, err := k.Posts.Create(storetest.Ctx, k.ben, posts.Create{Community: "gophers", Title: "Draft", Text: "text", Status: posts.Draft})
	require.NoError(t, err)
	for n := range 3 {
		k.Comment(k.ben, hers.ID, 0, fmt.Sprint("Ben's ", n))
	}

	t.Run("nothing, unless it is asked for", func(t *testing.T) {
		entry := ban(modlog.Ban, 0)
		require.Zero(t, enqueued())
		n, _ := clear(entry)
		require.Zero(t, n)
		_, err := store.Decide(storetest.Ctx, k.ann, bans.Decision{Community: "gophers", Name: "ben",
			Act: modlog.Act{Action: modlog.Ban, Rule: "Be kind"}, Clear: 5})
		require.ErrorContains(t, err, "1, 7 or 30 days")
	})
	t.Run("that of the time, of the community, of the member", func(t *testing.T) {
		entry := ban(modlog.Ban, 7)
		ban(modlog.Ban, 7)
		require.Equal(t, int64(1), enqueued(), "the same again is nothing new")
		n, rest := clear(entry)
		require.Equal(t, 5, n)
		require.Empty(t, rest)
		require.Zero(t, enqueued())
		require.Equal(t, int64(2), removed("posts"))
		require.Equal(t, int64(3), removed("comments"))
		require.Equal(t, "removed", k.One("SELECT status FROM posts WHERE id = ?1", int64(post.ID)))
		require.Equal(t, [][]any{{"Be kind", "ann", "", int64(5)}}, k.Rows("SELECT rule, actor_name, note, count(*) FROM moderation_log "+
			"WHERE action = 'remove' GROUP BY 1, 2, 3"))
		entries := k.entries()
		n, _ = clear(entry)
		require.Zero(t, n, "a message that comes twice")
		require.Equal(t, entries, k.entries())
	})
	t.Run("longer ago, with comments of a name that is not copied yet", func(t *testing.T) {
		require.NoError(t, k.Accounts.Rename(storetest.Ctx, k.ben, "benny"))
		done, err := store.Decide(storetest.Ctx, k.ann, bans.Decision{Community: "gophers", Name: "benny",
			Act: modlog.Act{Action: modlog.Ban, Rule: "Be kind"}, Clear: 30})
		require.NoError(t, err)
		n, _ := clear(done.Entries[0])
		require.Equal(t, 2, n, "the post and the comment of nine days ago")
		_, err = k.Accounts.CopyNames(storetest.Ctx, []data.ID{k.ben.UserID})
		require.NoError(t, err)
	})
	t.Run("in pieces", func(t *testing.T) {
		const many = 450
		k.Exec(`UPDATE comments SET status = 'published', author_name = 'benny' WHERE author_id = ?1`, int64(k.ben.UserID))
		k.Exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
INSERT INTO posts (id, community_id, community_name, slug, title, author_id, author_name, created_at, status, kind, hot)
  SELECT p.id + (i << 22), p.community_id, p.community_name, 's' || i, 't', p.author_id, p.author_name, p.created_at, 'published', p.kind,
  p.hot
FROM posts p CROSS JOIN n WHERE p.id = ?1`, int64(post.ID), int64(many))
		done, err := store.Decide(storetest.Ctx, k.ann, bans.Decision{Community: "gophers", Name: "benny",
			Act: modlog.Act{Action: modlog.Mute, Rule: "Be kind"}, Clear: 1})
		require.NoError(t, err)
		entry := done.Entries[0]
		n, rest := clear(entry)
		require.Equal(t, 400, n)
		require.Equal(t, []data.ID{entry}, rest)
		n, rest = clear(entry)
		require.Empty(t, rest)
		require.Equal(t, many+3-400, n)
		require.Zero(t, enqueued())
	})
	t.Run("not when the ban is lifted first, or who decided is suspended", func(t *testing.T) {
		k.Exec(`UPDATE comments SET status = 'published' WHERE author_id = ?1`, int64(k.ben.UserID))
		decide := func(action modlog.Action, clear int) data.ID {
			done, err := store.Decide(storetest.Ctx, k.ann, bans.Decision{Community: "gophers", Name: "benny",
				Act: modlog.Act{Action: action, Rule: "Be kind"}, Clear: clear})
			require.NoError(t, err)
			return done.Entries[0]
		}
		entry := decide(modlog.Ban, 1)
		decide(bans.Lift, 0)
		n, _ := clear(entry)
		require.Zero(t, n)
		entry = decide(modlog.Ban, 1)
		err := k.Suspensions.Suspend(storetest.Ctx, "ann")
		require.NoError(t, err)
		n, rest := clear(entry)
		require.Zero(t, n)
		require.Empty(t, rest)
		require.Zero(t, enqueued())
	})
}
