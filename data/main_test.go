package data_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/hrana"
	"plaza/data/upstash"
	"plaza/stack/stacktest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

// stores are all stores over one fresh database and one fresh Redis.
type stores struct {
	*testing.T
	db          *data.DB
	sql         *hrana.Client
	redis       *upstash.Client
	hot         *data.HotSets
	users       *data.UserStore
	sessions    *data.SessionStore
	communities *data.CommunityStore
	posts       *data.PostStore
	comments    *data.CommentStore
	listings    *data.ListingStore
	saves       *data.SaveStore
	votes       *data.VoteStore
	clock       *time.Time
}

func mustOpen(t *testing.T) *stores {
	t.Helper()
	sql := stacktest.OpenHrana(t)
	stacktest.ApplySchema(t, sql)
	db := data.NewDB(sql)
	redis := stacktest.OpenRedis(t)
	return newStores(t, db, sql, redis)
}

func newStores(t *testing.T, db *data.DB, sql *hrana.Client, redis *upstash.Client) *stores {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	random := uint32(0)
	source := data.Source{
		// A millisecond a call: no two ids of a test are of the same moment.
		Now:  func() time.Time { now = now.Add(time.Millisecond); return now },
		Rand: func() uint32 { random = random*1664525 + 1013904223; return random >> 8 },
	}
	source.Database = source.Now
	hot := &data.HotSets{Redis: redis, DB: db, Cap: 100}
	all := &stores{
		T: t, db: db, sql: sql, redis: redis, hot: hot, clock: &now,
		users:       &data.UserStore{DB: db, Source: source, Salt: func(b []byte) { copy(b, "0123456789abcdef") }},
		sessions:    &data.SessionStore{DB: db, Source: source},
		communities: &data.CommunityStore{DB: db, Source: source},
		posts:       &data.PostStore{DB: db, Source: source},
		comments:    &data.CommentStore{DB: db, Source: source},
		listings:    &data.ListingStore{DB: db, Hot: hot, Source: source},
		saves:       &data.SaveStore{DB: db, Source: source},
		votes:       &data.VoteStore{DB: db, Hot: hot, Source: source},
	}
	all.posts.Changed = all.listings.Forget
	return all
}

var ctx = context.Background()

// member signs somebody up.
func (s *stores) member(name string) data.Actor {
	s.Helper()
	a, err := s.users.CreateUser(ctx, data.CreateUser{Username: name, Password: "correct horse"})
	require.NoError(s, err)
	return a
}

func (s *stores) community(a data.Actor, name string) {
	s.Helper()
	_, err := s.communities.CreateCommunity(ctx, a, data.CreateCommunity{Name: name})
	require.NoError(s, err)
}

func (s *stores) post(a data.Actor, community, title string) *data.Post {
	s.Helper()
	p, err := s.posts.CreatePost(ctx, a, data.CreatePost{Community: community, Title: title, Text: "text", TextHTML: "<p>text</p>"})
	require.NoError(s, err)
	return p
}

func (s *stores) comment(a data.Actor, post, parent data.ID, body string) *data.Comment {
	s.Helper()
	c, _, err := s.comments.CreateComment(ctx, a, data.CreateComment{Post: post, Parent: parent, Body: body, BodyHTML: "<p>" + body + "</p>"})
	require.NoError(s, err)
	return c
}

func (s *stores) vote(a data.Actor, target data.ID, value int) data.VoteState {
	s.Helper()
	state, err := s.votes.Cast(ctx, a, target, value)
	require.NoError(s, err)
	return state
}

// foldAll folds whatever is pending.
func (s *stores) foldAll() {
	s.Helper()
	p, err := s.votes.FindPending(ctx, 0)
	require.NoError(s, err)
	s.foldOnly(p)
}

// foldOnly folds these and nothing else.
func (s *stores) foldOnly(p data.Pending) {
	s.Helper()
	left, err := s.votes.Fold(ctx, p)
	require.NoError(s, err)
	require.Empty(s, left)
}

// find reads a post as somebody sees it.
func (s *stores) find(id, viewer data.ID) *data.Post {
	s.Helper()
	shard, err := s.db.ShardOfID(id)
	require.NoError(s, err)
	r := s.db.Read()
	p := s.posts.FindByID(r, shard, id, viewer)
	require.NoError(s, r.Run(ctx))
	return p
}

// one is the single value of a query.
func (s *stores) one(sql string, args ...any) any {
	s.Helper()
	results, err := s.sql.Query(ctx, hrana.Stmt{SQL: sql, Args: args})
	require.NoError(s, err)
	require.Len(s, results[0].Rows, 1)
	return results[0].Rows[0][0]
}

func stmtOf(sql string, args ...any) hrana.Stmt { return hrana.Stmt{SQL: sql, Args: args} }

func (s *stores) exec(sql string, args ...any) {
	s.Helper()
	_, err := s.sql.Tx(ctx, stmtOf(sql, args...))
	require.NoError(s, err)
}

func cmd(words ...any) upstash.Cmd { return upstash.Cmd(words) }
