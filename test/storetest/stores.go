package storetest

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/accounts/credentials"
	"plaza/data/accounts/invitations"
	"plaza/data/accounts/sessions"
	"plaza/data/accounts/signup"
	"plaza/data/accounts/suspensions"
	"plaza/data/content/comments"
	"plaza/data/content/communities"
	"plaza/data/content/hot"
	"plaza/data/content/posts"
	"plaza/data/content/votes"
	"plaza/data/lists/listings"
	"plaza/data/lists/saves"
	"plaza/data/lists/timelines"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/test/stacktest"
)

// Stores are all stores over one fresh database and one fresh Redis.
type Stores struct {
	*testing.T
	*Databases
	DB          *data.DB
	SQL         *hrana.Client // the directory
	Redis       *upstash.Client
	Hot         *hot.Sets
	Accounts    *accounts.Store
	Credentials *credentials.Store
	Signup      *signup.Store
	Suspensions *suspensions.Store
	Invitations *invitations.Store
	Sessions    *sessions.Store
	Communities *communities.Store
	Posts       *posts.Store
	Comments    *comments.Store
	Listings    *listings.Store
	Saves       *saves.Store
	Votes       *votes.Store
	Timelines   *timelines.Store
	Clock       *time.Time

	asked *asked
}

// Open are the stores over fresh databases (OpenDatabases).
func Open(t *testing.T) *Stores {
	t.Helper()
	d := OpenDatabases(t)
	return On(t, d.Open(), d, stacktest.OpenRedisIfAny(t))
}

// New are the stores over databases of the test's own, whatever PLAZA_SHARDS says. sql is the one that One and Exec ask.
func New(t *testing.T, db *data.DB, sql *hrana.Client, redis *upstash.Client) *Stores {
	return On(t, db, DatabasesOf(t, sql), redis)
}

// On are the stores over databases, with a clock of the test's own. db is the way to them that the stores use.
func On(t *testing.T, db *data.DB, d *Databases, redis *upstash.Client) *Stores {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	random := uint32(0)
	var mu sync.Mutex // of now and random, while the stores are at work
	source := data.Source{
		// A millisecond a call: no two ids of a test are of the same moment.
		Now: func() time.Time {
			mu.Lock()
			defer mu.Unlock()
			now = now.Add(time.Millisecond)
			return now
		},
		Rand: func() uint32 {
			mu.Lock()
			defer mu.Unlock()
			random = random*1664525 + 1013904223
			return random >> 8
		},
	}
	source.Database = source.Now
	all := OnClock(t, db, d, redis, source)
	all.Clock = &now
	return all
}

// OnClock are the stores over databases, with a given clock and chance.
func OnClock(t *testing.T, db *data.DB, d *Databases, redis *upstash.Client, source data.Source) *Stores {
	base := data.Base{DB: db, Source: source}
	hot := &hot.Sets{Redis: redis, DB: db, Cap: 100}
	all := &Stores{
		T: t, asked: &asked{}, Databases: d, DB: db, SQL: d.Directory, Redis: redis, Hot: hot,
		Accounts: &accounts.Store{Base: base},
		Credentials: &credentials.Store{Base: base, HashCost: credentials.HashCost{Memory: 64, Passes: 1},
			Salt: func(b []byte) { copy(b, "0123456789abcdef") }},
		Suspensions: &suspensions.Store{Base: base},
		Invitations: &invitations.Store{Base: base},
		Sessions:    &sessions.Store{Base: base},
		Communities: &communities.Store{Base: base},
		Posts:       &posts.Store{Base: base},
		Comments:    comments.NewStore(base),
		Listings:    listings.NewStore(base, hot),
		Saves:       &saves.Store{Base: base},
		Votes:       &votes.Store{Base: base, Hot: hot},
		Timelines:   &timelines.Store{Base: base},
	}
	all.Credentials.Sessions = all.Sessions
	all.Signup = &signup.Store{Base: base, Credentials: all.Credentials, Sessions: all.Sessions}
	db.ListingsChanged = all.Listings.Forget
	db.Send = func(_ context.Context, _ string, bodies ...string) {
		all.asked.mu.Lock()
		defer all.asked.mu.Unlock()
		all.asked.bodies = append(all.asked.bodies, bodies...)
	}
	return all
}

// Asked returns the ids of the messages of a kind that transactions have sent since the last call for that kind.
func (s *Stores) Asked(word string) (ids []data.ID) {
	s.asked.mu.Lock()
	defer s.asked.mu.Unlock()
	s.asked.bodies = slices.DeleteFunc(s.asked.bodies, func(body string) bool {
		text, mine := strings.CutPrefix(body, word+" ")
		if mine {
			id, err := data.ParseID(text)
			require.NoError(s, err)
			ids = append(ids, id)
		}
		return mine
	})
	return ids
}

// asked is what transactions have asked of the queues.
type asked struct {
	mu     sync.Mutex
	bodies []string
}

var Ctx = context.Background()

// Member signs a user up.
func (s *Stores) Member(name string) data.Actor {
	s.Helper()
	a, err := s.Signup.SignUp(Ctx, signup.Form{Username: name, Password: "correct horse"})
	require.NoError(s, err)
	return a
}

func (s *Stores) Community(a data.Actor, name string) {
	s.Helper()
	_, err := s.Communities.Create(Ctx, a, communities.Create{Name: name})
	require.NoError(s, err)
}

// CommunityOn makes a community on a shard, where chance chooses one otherwise.
func (s *Stores) CommunityOn(shard int, a data.Actor, name string) {
	s.Helper()
	chance := s.Communities.Source.Rand
	s.Communities.Source.Rand = func() uint32 { return uint32(shard) }
	defer func() { s.Communities.Source.Rand = chance }()
	s.Community(a, name)
}

func (s *Stores) Post(a data.Actor, community, title string) *posts.Post {
	s.Helper()
	p, err := s.Posts.Create(Ctx, a, posts.Create{Community: community, Title: title, Text: "text", TextHTML: "<p>text</p>"})
	require.NoError(s, err)
	return p
}

func (s *Stores) Comment(a data.Actor, post, parent data.ID, body string) *comments.Comment {
	s.Helper()
	c, _, err := s.Comments.Create(Ctx, a, comments.Create{Post: post, Parent: parent, Body: body, BodyHTML: "<p>" + body + "</p>"})
	require.NoError(s, err)
	return c
}

func (s *Stores) Vote(a data.Actor, target data.ID, value int) votes.State {
	s.Helper()
	state, err := s.Votes.Cast(Ctx, a, target, value)
	require.NoError(s, err)
	return state
}

// ApplyAll applies whatever is pending.
func (s *Stores) ApplyAll() {
	s.Helper()
	p, err := s.Votes.FindPending(Ctx, 0)
	require.NoError(s, err)
	s.ApplyOnly(p)
}

// ApplyOnly applies these votes and nothing else.
func (s *Stores) ApplyOnly(p votes.Pending) {
	s.Helper()
	unapplied, err := s.Votes.ApplyDeltas(Ctx, p)
	require.NoError(s, err)
	require.Empty(s, unapplied)
}

// Find reads a post as a viewer sees it.
func (s *Stores) Find(id, viewer data.ID) *posts.Post {
	s.Helper()
	r := s.DB.Read()
	p := s.Posts.FindByID(r, id, viewer)
	require.NoError(s, r.Run(Ctx))
	return p
}

func StmtOf(sql string, args ...any) hrana.Stmt { return hrana.Stmt{SQL: sql, Args: args} }

func Cmd(words ...any) upstash.Cmd { return upstash.Cmd(words) }
