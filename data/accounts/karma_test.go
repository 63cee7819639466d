package accounts_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// TestCopyKarma copies karma from two shards. One is another database, which changes meanwhile.
func TestCopyKarma(t *testing.T) {
	url, client := stacktest.OpenSchemaDB(t)
	between := &storetest.Transport{Http: client}
	directory, shard := stacktest.OpenSchema(t), hrana.New(hrana.Options{URL: url, HTTP: client})
	s := storetest.On(t, data.NewDB(directory, directory, shard), storetest.DatabasesOf(t, directory, directory, shard),
		stacktest.OpenRedis(t))
	ann, ben := s.Member("ann"), s.Member("ben")
	slow := *s.Accounts
	slow.DB = data.NewDB(directory, directory, hrana.New(hrana.Options{URL: url, HTTP: between}))
	earn := func(shard int, a data.Actor, posts, comments int) {
		s.ExecAt(data.NewID(*s.Clock, shard, data.KindPost, 0), `INSERT INTO author_karma (author_id, name_key, posts, comments)
  VALUES (?1, ?2, ?3, ?4)
ON CONFLICT (author_id) DO UPDATE SET posts = posts + excluded.posts, comments = comments + excluded.comments`, int64(a.UserID), a.Name,
			posts, comments)
		s.ExecAt(data.NewID(*s.Clock, shard, data.KindPost, 0), `INSERT INTO karma_changed (author_id) VALUES (?1) ON CONFLICT DO NOTHING`,
			int64(a.UserID))
	}
	karma := func(a data.Actor) any { return s.One("SELECT karma FROM users WHERE id = ?1", int64(a.UserID)) }
	waiting := func() int { return len(s.Rows("SELECT 1 FROM karma_changed")) }

	earn(0, ann, 3, 4)
	earn(1, ann, 5, -1)
	earn(1, ben, -2, 0)
	earn(1, data.Actor{UserID: 77, Name: "nobody"}, 1, 0)
	require.NoError(t, s.Accounts.CopyKarma(storetest.Ctx))
	require.Equal(t, []any{int64(11), int64(-2), int64(0)}, []any{karma(ann), karma(ben), int64(waiting())})
	require.NoError(t, s.Accounts.CopyKarma(storetest.Ctx), "with nothing to do")

	// Another copy runs after this one has read the marks. It has newer sums, which this one does not overwrite.
	earn(1, ann, 100, 0)
	between.Before = func() { // before it reads marks
		between.Before = func() { // before it reads sums
			earn(0, ann, 1000, 0)
			require.NoError(t, s.Accounts.CopyKarma(storetest.Ctx))
			earn(0, ann, -500, 0)
		}
	}
	require.NoError(t, slow.CopyKarma(storetest.Ctx))
	require.Equal(t, int64(1111), karma(ann))
	require.Equal(t, 1, waiting(), "what it has not copied is copied later")
	require.NoError(t, s.Accounts.CopyKarma(storetest.Ctx))
	require.Equal(t, []any{int64(611), int64(0)}, []any{karma(ann), int64(waiting())})

	// The mark stays if a shard is down.
	earn(0, ann, 1, 0)
	down := *s.Accounts
	down.DB = data.NewDB(directory, directory, hrana.New(hrana.Options{URL: "http://127.0.0.1:1", Attempts: 1}))
	require.Equal(t, data.Unavailable, data.ErrorCode(down.CopyKarma(storetest.Ctx)))
	require.Equal(t, 1, waiting())
	require.NoError(t, s.Accounts.CopyKarma(storetest.Ctx))
	require.Equal(t, int64(612), karma(ann))
}

// TestMemberList pages through 30,000 members by karma. Many have the same karma.
func TestMemberList(t *testing.T) {
	s := storetest.Open(t)
	s.Exec(`INSERT INTO users (id, username, username_key, password_hash, status, karma, created_at)
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
SELECT i, iif(i % 100 = 7, '', 'm' || i), 'm' || i, '', iif(i % 60 = 1, 'banned', 'active'), i % 7 - 2, 0 FROM n`)
	page := func(status string, order data.Order, after data.Cursor) []accounts.ListedMember {
		ctx, meter := s.Metered()
		r := s.DB.Read()
		list := s.Accounts.FindOfStatus(r, status, order, after, 51)
		require.NoError(t, r.Run(ctx))
		require.LessOrEqual(t, meter.RowsRead(), int64(2*51+2), "rows for a page")
		return *list
	}
	seen, last := map[data.ID]bool{}, int64(1000)
	for after := (data.Cursor{}); ; {
		list := page("banned", accounts.MostKarma, after)
		for _, m := range list[:min(len(list), 50)] {
			require.False(t, seen[m.ID])
			require.LessOrEqual(t, m.Karma, last)
			require.NotEmpty(t, m.Name)
			seen[m.ID], last = true, m.Karma
		}
		if len(list) <= 50 {
			break
		}
		after = list[49].Cursor(accounts.MostKarma)
	}
	require.Equal(t, s.One("SELECT count(*) FROM users WHERE status = 'banned' AND username <> ''"), int64(len(seen)))
	require.Equal(t, int64(4), page("active", accounts.MostKarma, data.Cursor{})[0].Karma)
	middle := page("active", accounts.MostKarma, data.Cursor{Order: byte(accounts.MostKarma), Value: 0, ID: 15000})
	require.Less(t, middle[0].ID, data.ID(15000))
	require.Equal(t, data.ID(30000), page("active", accounts.Newest, data.Cursor{})[0].ID)
}
