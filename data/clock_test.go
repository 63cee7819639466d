package data_test

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/accounts/sessions"
	"plaza/data/content/comments"
	"plaza/data/content/communities"
	"plaza/data/content/posts"
	"plaza/data/content/votes"
	"plaza/data/events/outbox"
	"plaza/data/lists/listings"
	"plaza/data/wire/hrana"
	"plaza/ranking"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// skewed is an instance whose clock is wrong. The database has its own clock.
func skewed(s *storetest.Stores, off time.Duration) *storetest.Stores {
	var sequence atomic.Uint32
	source := data.Source{Now: func() time.Time { return time.Now().Add(off) }, Rand: func() uint32 { return sequence.Add(2) }}
	c := *s
	c.Sessions = &sessions.Store{Base: data.Base{DB: s.DB, Source: source}}
	c.Communities = &communities.Store{Base: data.Base{DB: s.DB, Source: source}}
	c.Posts = &posts.Store{Base: data.Base{DB: s.DB, Source: source}}
	c.Votes = &votes.Store{Base: data.Base{DB: s.DB, Source: source}, Hot: s.Hot}
	return &c
}

// TestClocksThatAreWrong makes permanent decisions on instances whose clocks are wrong by hours and days.
func TestClocksThatAreWrong(t *testing.T) {
	s := storetest.Open(t)
	now := time.Now()
	*s.Clock = now // the comparison below uses the real clock of the database
	s.CommunityOn(0, s.Member("ann"), "one")
	var posts []storetest.Bulk
	in := map[ranking.Window][]data.ID{}
	for i, age := range []time.Duration{time.Second, 30 * time.Minute, 90 * time.Minute, 23 * time.Hour, 25 * time.Hour, 6 * 24 * time.Hour,
		8 * 24 * time.Hour,
		29 * 24 * time.Hour, 31 * 24 * time.Hour, 364 * 24 * time.Hour, 366 * 24 * time.Hour} {
		posts = append(posts, storetest.Bulk{ID: storetest.BulkID(i), Community: s.CommunityID("one"), Name: "one", Created: now.Add(-age).
			UnixMilli(), Ups: 10, Downs: 5, Comment: 1})
		for _, w := range ranking.Windows() {
			if w.Contains(now.Add(-age), now) {
				in[w] = append(in[w], data.ID(storetest.BulkID(i)))
			}
		}
	}
	s.Insert(posts)
	s.Exec("UPDATE posts SET author_id = 7 WHERE id = ?1", storetest.BulkID(0))
	s.Exec("INSERT INTO users (id, username, username_key, password_hash, created_at) VALUES (7, 'due', 'due', '', 0)")
	ms := func(d time.Duration) int64 { return now.Add(d).UnixMilli() }
	s.ExecAt(0, `INSERT INTO posts (id, community_id, community_name, author_id, author_name, slug, kind, title, link, hot, created_at, status,
  publish_at)
SELECT 99 << 22, 1, 'one', 7, 'due', 'due', 'link', 'Due', 'https://go.dev/', 0, 1, 'scheduled', ?1`, ms(30*time.Minute))
	s.ExecAt(0, "INSERT INTO vote_origins (part, target_id, created_at, user_id, value, network, referrer) VALUES (?1 / 43200000, 1, ?1, 1, "+
		"1, '', '')", ms(-20*time.Hour))
	s.ExecAt(0, "INSERT INTO deleted_drafts (post_id, author_id, community_name, deleted_at) VALUES (1, 1, '', ?1)", ms(-20*time.Hour))
	s.Exec("DELETE FROM idempotency_keys")
	s.ExecAt(0, "INSERT INTO idempotency_keys (author_id, key, digest, result_id, created_at) VALUES (1, 'post', '', 1, ?1)", ms(-20*time.Hour))
	s.ExecAt(0, "INSERT INTO revocations (subject, before, expires_at) VALUES (1, 1, ?1)", ms(30*time.Minute))
	s.ExecAt(0, "INSERT INTO outbox (subject_id, job, queued_at, due_at) VALUES (2, 'link', 1, ?1)", ms(30*time.Minute))
	s.Exec("INSERT INTO subscriptions (user_id, community_id, created_at) VALUES (1, ?2, ?1)", ms(-6*24*time.Hour), s.CommunityID("one"))

	clocks := []time.Duration{0, time.Hour, -time.Hour, 3 * 24 * time.Hour, -3 * 24 * time.Hour}
	for _, off := range clocks {
		job := skewed(s, off)
		require.NoError(t, job.Posts.AgePosts(storetest.Ctx))
		published, err := job.Posts.PublishDue(storetest.Ctx)
		require.NoError(t, err)
		require.Empty(t, published, "due in half an hour")
		require.NoError(t, job.Votes.PurgeOrigins(storetest.Ctx))
		require.NoError(t, job.Posts.PurgeDeletedDrafts(storetest.Ctx))
		require.NoError(t, job.Sessions.Purge(storetest.Ctx))
		require.NoError(t, s.DB.PurgeIdempotencyKeys(storetest.Ctx, job.Posts.Source))
		require.NoError(t, job.Communities.AgeWeeks(storetest.Ctx))
		due, _, err := (&outbox.Store{Base: data.Base{DB: s.DB, Source: job.Posts.Source}}).FindDue(storetest.Ctx, 0)
		require.NoError(t, err)
		require.Empty(t, due)
		for _, read := range clocks {
			page := skewed(s, read)
			for _, order := range storetest.WindowOrders {
				for _, w := range ranking.Windows() {
					_, got := page.List(listings.Query{Community: "one", Order: order, Window: w, Limit: 100})
					require.ElementsMatch(t, in[w], got, "%c of %s, after a job %s off, read %s off", order, w, off, read)
				}
			}
		}
	}
	require.Equal(t, int64(4), s.One(`SELECT (SELECT count(*) FROM vote_origins) + (SELECT count(*) FROM deleted_drafts) + (SELECT count(*)
  FROM revocations)
  + (SELECT count(*) FROM idempotency_keys)`))
	require.Equal(t, int64(2), s.One("SELECT growth FROM communities"), "ann and one more this week")
	require.Equal(t, int64(0), s.One("SELECT age FROM posts WHERE id = ?1", storetest.BulkID(1)), "of this hour, whatever a job's clock said")
	require.Equal(t, int64(1), s.One("SELECT age FROM posts WHERE id = ?1", storetest.BulkID(2)))
}

// TestDeltasOfAWrongClock: the retry job finds the changes of an instance whose clock is ahead or behind as soon as all others.
func TestDeltasOfAWrongClock(t *testing.T) {
	s := storetest.Open(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	s.Community(ann, "one")
	p := s.Post(ann, "one", "voted on by a wrong clock")
	s.ApplyAll()
	source := s.Votes.Source
	for _, off := range []time.Duration{time.Hour, -time.Hour} {
		votes := &votes.Store{Base: data.Base{DB: s.DB, Source: source}, Hot: s.Hot}
		votes.Source.Now = func() time.Time { return source.Now().Add(off) }
		_, err := votes.Cast(storetest.Ctx, ben, p.ID, map[bool]int{true: 1, false: -1}[off > 0])
		require.NoError(t, err)
		found, err := s.Votes.FindPending(storetest.Ctx, time.Minute)
		require.NoError(t, err)
		require.Empty(t, found.Targets, "its own message comes first")
		*s.Clock = s.Clock.Add(time.Minute)
		found, err = s.Votes.FindPending(storetest.Ctx, time.Minute)
		require.NoError(t, err)
		require.Equal(t, []data.ID{p.ID}, found.Targets, off)
		s.ApplyAll()
	}
	list := comments.NewStore(data.Base{DB: s.DB, Source: source})
	list.Source.Now = func() time.Time { return source.Now().Add(time.Hour) }
	_, _, err := list.Create(storetest.Ctx, ben, comments.Create{Post: p.ID, Body: "from the future", BodyHTML: "x"})
	require.NoError(t, err)
	*s.Clock = s.Clock.Add(time.Minute)
	found, err := s.Votes.FindPending(storetest.Ctx, time.Minute)
	require.NoError(t, err)
	require.Equal(t, []data.ID{p.ID}, found.Posts)
}

// TestOneTargetFillsNoRetry: a post that can't be applied has more changes than one run of the retry job reads.
func TestOneTargetFillsNoRetry(t *testing.T) {
	s := storetest.Open(t)
	s.ExecAt(0, `INSERT INTO vote_deltas (target_id, user_id, ups, downs, created_at)
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000) SELECT 4, i, 1, 0, 1 FROM n`)
	s.ExecAt(0, `INSERT INTO count_deltas (post_id, parent_id, path, created_at)
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000) SELECT 4, 0, i, 1 FROM n`)
	s.ExecAt(0, `INSERT INTO vote_deltas (target_id, user_id, ups, downs, created_at)
WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 400) SELECT 2 * i, 1, 1, 0, 1 FROM n`)
	s.ExecAt(0, "INSERT INTO count_deltas (post_id, parent_id, path, created_at) VALUES (2, 0, '', 1)")
	metered, meter := s.Metered()
	found, err := s.Votes.FindPending(metered, time.Minute)
	require.NoError(t, err)
	require.Len(t, found.Targets, 399)
	require.Equal(t, []data.ID{4, 2}, found.Posts)
	require.LessOrEqual(t, meter.RowsRead(), int64(4*400))
	t.Logf("%d rows read for %d targets", meter.RowsRead(), len(found.Targets))
}

// holding lets a test hold one request on its way and release it later.
type holding struct {
	http interface {
		Do(*http.Request) (*http.Response, error)
	}
	hold    atomic.Bool
	blocked chan struct{} // receives when a request is held
	free    chan struct{} // releases it
}

func (h *holding) Do(r *http.Request) (*http.Response, error) {
	if h.hold.CompareAndSwap(true, false) {
		h.blocked <- struct{}{}
		<-h.free
	}
	return h.http.Do(r)
}

// TestOvertakenVote: a vote's transaction arrives after the response to a later vote of the same member.
func TestOvertakenVote(t *testing.T) {
	for _, test := range []struct{ before, lost, later int }{{0, 1, -1}, {0, -1, 1}, {1, -1, 1}, {1, 0, 1}, {-1, 1, 0}, {1, -1, 0}} {
		t.Run(fmt.Sprint(test), func(t *testing.T) {
			url, client := stacktest.OpenSchemaDB(t)
			transport := &holding{http: client, blocked: make(chan struct{}), free: make(chan struct{})}
			sql := hrana.New(hrana.Options{URL: url, HTTP: transport})
			s := storetest.New(t, data.NewDB(sql), sql, stacktest.OpenRedis(t))
			direct := hrana.New(hrana.Options{URL: url, HTTP: client})
			elsewhere := storetest.New(t, data.NewDB(direct), direct, s.Redis) // a second instance, with its own transaction under way
			ann, ben := s.Member("ann"), s.Member("ben")
			s.Community(ann, "one")
			p := s.Post(ann, "one", "a post")
			var ms atomic.Int64
			ms.Store(s.Clock.UnixMilli())
			for _, in := range []*storetest.Stores{s, elsewhere} {
				in.Votes.Source.Now = func() time.Time { return time.UnixMilli(ms.Add(1)) }
				in.Votes.Source.Database = nil
			}
			s.Vote(ben, p.ID, test.before)

			transport.hold.Store(true)
			lost := make(chan votes.State)
			go func() {
				state, err := s.Votes.Cast(storetest.Ctx, ben, p.ID, test.lost)
				if err != nil {
					t.Error(err)
				}
				lost <- state
			}()
			<-transport.blocked
			ms.Add(21_000) // no request waits for that one any more
			require.Equal(t, test.later, elsewhere.Vote(ben, p.ID, test.later).Mine)
			transport.free <- struct{}{}
			require.Equal(t, test.later, (<-lost).Mine, "who waits nevertheless is told what stands")
			require.Equal(t, int64(test.later), s.One("SELECT coalesce(sum(value), 0) FROM votes WHERE user_id = ?1", int64(ben.UserID)))
			s.ApplyAll()
			got := s.Find(p.ID, 0)
			require.Equal(t, int64(1+max(test.later, 0)), got.Ups)
			require.Equal(t, int64(max(-test.later, 0)), got.Downs)
		})
	}
}

// TestVotesByWrongClocks has one member vote through instances whose clocks differ: the last vote stays, whichever clock it has.
func TestVotesByWrongClocks(t *testing.T) {
	s := storetest.Open(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	s.Community(ann, "one")
	p := s.Post(ann, "one", "a post")
	value := 0
	for _, off := range []time.Duration{0, time.Hour, 0, -time.Hour, 48 * time.Hour, -time.Hour, -48 * time.Hour, 0} {
		value = map[int]int{0: 1, 1: -1, -1: 0}[value]
		state, err := skewed(s, off).Votes.Cast(storetest.Ctx, ben, p.ID, value)
		require.NoError(t, err)
		require.Equal(t, value, state.Mine, off)
	}
	s.ApplyAll()
	require.Equal(t, int64(1), s.One("SELECT count(*) FROM votes WHERE user_id = ?1 AND value = ?2", int64(ben.UserID), value))
	require.Equal(t, int64(min(value, 0)*-1), s.Find(p.ID, 0).Downs)
}

// TestABrigadeBeforeWrongClocks has votes come through an instance whose clock is ahead, and
// be applied and decided by others whose clocks are behind.
func TestABrigadeBeforeWrongClocks(t *testing.T) {
	s := storetest.Open(t)
	s.Votes.Limits = ranking.DefaultThresholds()
	ann := s.Member("ann")
	s.Community(ann, "gophers")
	p := s.Post(ann, "gophers", "an ordinary post")
	skewed := func(off time.Duration) *votes.Store {
		source := s.Votes.Source
		source.Now = func() time.Time { return s.Votes.Source.Now().Add(off) }
		return &votes.Store{Base: data.Base{DB: s.DB, Source: source}, Hot: s.Hot, Limits: s.Votes.Limits}
	}
	ahead, behind := skewed(time.Hour), skewed(-2*time.Hour)
	for i, a := range s.Actors(60, storetest.Old, storetest.OneNetwork) {
		_, err := []*votes.Store{ahead, behind}[i%2].Cast(storetest.Ctx, a, p.ID, 1)
		require.NoError(t, err)
	}
	_, err := behind.ApplyDeltas(storetest.Ctx, votes.Pending{Targets: []data.ID{p.ID}})
	require.NoError(t, err)
	require.Equal(t, int64(60), s.Quarantined(p.ID))
	cases := s.Cases("gophers", true)
	require.Len(t, cases, 1)
	_, err = behind.Decide(storetest.Ctx, ann, "gophers", cases[0].ID, votes.Release)
	require.NoError(t, err)
	for range 2 {
		_, err := ahead.ApplyDeltas(storetest.Ctx, votes.Pending{Targets: []data.ID{p.ID}})
		require.NoError(t, err)
	}
	require.Equal(t, int64(0), s.Quarantined(p.ID), "what was released is not quarantined again")
}
