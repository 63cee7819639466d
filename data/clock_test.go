package data_test

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/hrana"
	"plaza/ranking"
	"plaza/stack/stacktest"
)

// askew has the stores be an instance whose clock is off, while the database has its own.
func (s *stores) askew(off time.Duration) *stores {
	var sequence atomic.Uint32
	source := data.Source{Now: func() time.Time { return time.Now().Add(off) }, Rand: func() uint32 { return sequence.Add(2) }}
	c := *s
	c.sessions = &data.SessionStore{DB: s.db, Source: source}
	c.communities = &data.CommunityStore{DB: s.db, Source: source}
	c.posts = &data.PostStore{DB: s.db, Source: source}
	c.votes = &data.VoteStore{DB: s.db, Hot: s.hot, Source: source}
	return &c
}

// TestClocksThatAreWrong has instances whose clocks are hours and days off do what decides
// for good.
func TestClocksThatAreWrong(t *testing.T) {
	s := mustOpen(t)
	s.community(s.member("ann"), "one")
	now := time.Now()
	var posts []bulk
	in := map[ranking.Window][]data.ID{}
	for i, age := range []time.Duration{time.Second, 30 * time.Minute, 90 * time.Minute, 23 * time.Hour, 25 * time.Hour, 6 * 24 * time.Hour, 8 * 24 * time.Hour,
		29 * 24 * time.Hour, 31 * 24 * time.Hour, 364 * 24 * time.Hour, 366 * 24 * time.Hour} {
		posts = append(posts, bulk{bulkID(i), s.communityID("one"), "one", now.Add(-age).UnixMilli(), 10, 5, 1})
		for _, w := range ranking.Windows() {
			if w.Contains(now.Add(-age), now) {
				in[w] = append(in[w], data.ID(bulkID(i)))
			}
		}
	}
	s.insert(posts)
	s.exec("UPDATE posts SET author_id = 7 WHERE id = ?1", bulkID(0))
	s.exec("INSERT INTO users (id, username, username_key, password_hash, created_at) VALUES (7, 'due', 'due', '', 0)")
	ms := func(d time.Duration) int64 { return now.Add(d).UnixMilli() }
	s.exec(`INSERT INTO posts (id, community_id, community_name, author_id, author_name, slug, kind, title, link, hot, created_at, status, publish_at)
SELECT 99 << 22, 1, 'one', 7, 'due', 'due', 'link', 'Due', 'https://go.dev/', 0, 1, 'scheduled', ?1`, ms(30*time.Minute))
	s.exec("INSERT INTO ballots (part, target_id, created_at, user_id, value, network, referrer) VALUES (?1 / 43200000, 1, ?1, 1, 1, '', '')", ms(-20*time.Hour))
	s.exec("INSERT INTO deleted_drafts (post_id, author_id, community_name, deleted_at) VALUES (1, 1, '', ?1)", ms(-20*time.Hour))
	s.exec("DELETE FROM made")
	s.exec("INSERT INTO made (author_id, key, digest, made_id, created_at) VALUES (1, 'post', '', 1, ?1)", ms(-20*time.Hour))
	s.exec("INSERT INTO revocations (subject, before, expires_at) VALUES (1, 1, ?1)", ms(30*time.Minute))
	s.exec("INSERT INTO outbox (subject_id, work, queued_at, due_at) VALUES (2, 'link', 1, ?1)", ms(30*time.Minute))
	s.exec("INSERT INTO subscriptions (user_id, community_id, created_at) VALUES (1, ?2, ?1)", ms(-6*24*time.Hour), s.communityID("one"))

	clocks := []time.Duration{0, time.Hour, -time.Hour, 3 * 24 * time.Hour, -3 * 24 * time.Hour}
	for _, off := range clocks {
		job := s.askew(off)
		require.NoError(t, job.posts.AgePosts(ctx))
		published, err := job.posts.PublishDue(ctx)
		require.NoError(t, err)
		require.Empty(t, published.All, "due in half an hour")
		require.NoError(t, job.votes.PurgeBallots(ctx))
		require.NoError(t, job.posts.PurgeDeletedDrafts(ctx))
		require.NoError(t, job.sessions.Purge(ctx))
		require.NoError(t, s.db.PurgeMade(ctx, job.posts.Source))
		require.NoError(t, job.communities.AgeWeeks(ctx))
		due, err := (&data.Outbox{DB: s.db, Source: job.posts.Source}).FindDue(ctx)
		require.NoError(t, err)
		require.Empty(t, due)
		for _, read := range clocks {
			page := s.askew(read)
			for _, order := range windowOrders {
				for _, w := range ranking.Windows() {
					_, got := page.list(data.ListingQuery{Community: "one", Order: order, Window: w, Limit: 100})
					require.ElementsMatch(t, in[w], got, "%c of %s, after a job %s off, read %s off", order, w, off, read)
				}
			}
		}
	}
	require.Equal(t, int64(4), s.one(`SELECT (SELECT count(*) FROM ballots) + (SELECT count(*) FROM deleted_drafts) + (SELECT count(*) FROM revocations)
  + (SELECT count(*) FROM made)`))
	require.Equal(t, int64(2), s.one("SELECT growth FROM communities"), "ann and one more this week")
	require.Equal(t, int64(0), s.one("SELECT age FROM posts WHERE id = ?1", bulkID(1)), "of this hour, whatever a job's clock said")
	require.Equal(t, int64(1), s.one("SELECT age FROM posts WHERE id = ?1", bulkID(2)))
}

// TestDeltasOfAWrongClock: what an instance whose clock is ahead or behind has written is
// found by the sweep as soon as everything else.
func TestDeltasOfAWrongClock(t *testing.T) {
	s := mustOpen(t)
	ann, ben := s.member("ann"), s.member("ben")
	s.community(ann, "one")
	p := s.post(ann, "one", "voted on by a wrong clock")
	s.foldAll()
	source := s.votes.Source
	for _, off := range []time.Duration{time.Hour, -time.Hour} {
		votes := &data.VoteStore{DB: s.db, Hot: s.hot, Source: source}
		votes.Source.Now = func() time.Time { return source.Now().Add(off) }
		_, err := votes.Cast(ctx, ben, p.ID, map[bool]int{true: 1, false: -1}[off > 0])
		require.NoError(t, err)
		found, err := s.votes.FindPending(ctx, time.Minute)
		require.NoError(t, err)
		require.Empty(t, found.Targets, "its own message comes first")
		*s.clock = s.clock.Add(time.Minute)
		found, err = s.votes.FindPending(ctx, time.Minute)
		require.NoError(t, err)
		require.Equal(t, []data.ID{p.ID}, found.Targets, off)
		s.foldAll()
	}
	comments := *s.comments
	comments.Source.Now = func() time.Time { return source.Now().Add(time.Hour) }
	_, _, err := comments.CreateComment(ctx, ben, data.CreateComment{Post: p.ID, Body: "from the future", BodyHTML: "x"})
	require.NoError(t, err)
	*s.clock = s.clock.Add(time.Minute)
	found, err := s.votes.FindPending(ctx, time.Minute)
	require.NoError(t, err)
	require.Equal(t, []data.ID{p.ID}, found.Posts)
}

// TestOneTargetFillsNoSweep has one post that can't be folded gather more than a sweep looks at.
func TestOneTargetFillsNoSweep(t *testing.T) {
	s := mustOpen(t)
	s.exec(`INSERT INTO vote_deltas (target_id, user_id, ups, downs, created_at)
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000) SELECT 4, i, 1, 0, 1 FROM n`)
	s.exec(`INSERT INTO count_deltas (post_id, parent_id, path, created_at)
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000) SELECT 4, 0, '', 1 FROM n`)
	s.exec(`INSERT INTO vote_deltas (target_id, user_id, ups, downs, created_at)
WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 400) SELECT 2 * i, 1, 1, 0, 1 FROM n`)
	s.exec("INSERT INTO count_deltas (post_id, parent_id, path, created_at) VALUES (2, 0, '', 1)")
	metered, meter := hrana.WithMeter(ctx)
	found, err := s.votes.FindPending(metered, time.Minute)
	require.NoError(t, err)
	require.Len(t, found.Targets, 399)
	require.Equal(t, []data.ID{4, 2}, found.Posts)
	require.LessOrEqual(t, meter.RowsRead(), int64(4*400))
	t.Logf("%d rows read for %d targets", meter.RowsRead(), len(found.Targets))
}

// holding lets a test hold one request on its way and let it go later.
type holding struct {
	http interface {
		Do(*http.Request) (*http.Response, error)
	}
	hold atomic.Bool
	held chan struct{} // a request is held
	free chan struct{} // it goes on
}

func (h *holding) Do(r *http.Request) (*http.Response, error) {
	if h.hold.CompareAndSwap(true, false) {
		h.held <- struct{}{}
		<-h.free
	}
	return h.http.Do(r)
}

// TestOvertakenVote has a vote's transaction arrive after its voter was answered about a
// later one.
func TestOvertakenVote(t *testing.T) {
	for _, test := range []struct{ before, lost, later int }{{0, 1, -1}, {0, -1, 1}, {1, -1, 1}, {1, 0, 1}, {-1, 1, 0}, {1, -1, 0}} {
		t.Run(fmt.Sprint(test), func(t *testing.T) {
			url, client := stacktest.OpenDB(t)
			road := &holding{http: client, held: make(chan struct{}), free: make(chan struct{})}
			sql := hrana.New(hrana.Options{URL: url, HTTP: road})
			stacktest.ApplySchema(t, sql)
			s := newStores(t, data.NewDB(sql), sql, stacktest.OpenRedis(t))
			direct := hrana.New(hrana.Options{URL: url, HTTP: client})
			elsewhere := newStores(t, data.NewDB(direct), direct, s.redis) // another instance: one transaction of each is under way
			ann, ben := s.member("ann"), s.member("ben")
			s.community(ann, "one")
			p := s.post(ann, "one", "a post")
			var ms atomic.Int64
			ms.Store(s.clock.UnixMilli())
			for _, in := range []*stores{s, elsewhere} {
				in.votes.Source.Now = func() time.Time { return time.UnixMilli(ms.Add(1)) }
				in.votes.Source.Database = nil
			}
			s.vote(ben, p.ID, test.before)

			road.hold.Store(true)
			lost := make(chan data.VoteState)
			go func() {
				state, err := s.votes.Cast(ctx, ben, p.ID, test.lost)
				if err != nil {
					t.Error(err)
				}
				lost <- state
			}()
			<-road.held
			ms.Add(21_000) // nobody waits for that one any more
			require.Equal(t, test.later, elsewhere.vote(ben, p.ID, test.later).Mine)
			road.free <- struct{}{}
			require.Equal(t, test.later, (<-lost).Mine, "who waits nevertheless is told what stands")
			require.Equal(t, int64(test.later), s.one("SELECT coalesce(sum(value), 0) FROM votes WHERE user_id = ?1", int64(ben.UserID)))
			s.foldAll()
			got := s.find(p.ID, 0)
			require.Equal(t, int64(1+max(test.later, 0)), got.Ups)
			require.Equal(t, int64(max(-test.later, 0)), got.Downs)
		})
	}
}

// TestVotesByWrongClocks has one member vote through instances whose clocks differ: the
// vote that is given last stays, whichever clock it has.
func TestVotesByWrongClocks(t *testing.T) {
	s := mustOpen(t)
	ann, ben := s.member("ann"), s.member("ben")
	s.community(ann, "one")
	p := s.post(ann, "one", "a post")
	value := 0
	for _, off := range []time.Duration{0, time.Hour, 0, -time.Hour, 48 * time.Hour, -time.Hour, -48 * time.Hour, 0} {
		value = map[int]int{0: 1, 1: -1, -1: 0}[value]
		state, err := s.askew(off).votes.Cast(ctx, ben, p.ID, value)
		require.NoError(t, err)
		require.Equal(t, value, state.Mine, off)
	}
	s.foldAll()
	require.Equal(t, int64(1), s.one("SELECT count(*) FROM votes WHERE user_id = ?1 AND value = ?2", int64(ben.UserID), value))
	require.Equal(t, int64(min(value, 0)*-1), s.find(p.ID, 0).Downs)
}

// TestABrigadeBeforeWrongClocks has votes come through an instance whose clock is ahead, and
// be folded and decided by others whose clocks are behind.
func TestABrigadeBeforeWrongClocks(t *testing.T) {
	s := mustOpen(t)
	s.votes.Limits = ranking.DefaultThresholds()
	ann := s.member("ann")
	s.community(ann, "gophers")
	p := s.post(ann, "gophers", "an ordinary post")
	askew := func(off time.Duration) *data.VoteStore {
		source := s.votes.Source
		source.Now = func() time.Time { return s.votes.Source.Now().Add(off) }
		return &data.VoteStore{DB: s.db, Hot: s.hot, Source: source, Limits: s.votes.Limits}
	}
	ahead, behind := askew(time.Hour), askew(-2*time.Hour)
	for i, a := range s.crowd(60, old, oneNetwork) {
		_, err := []*data.VoteStore{ahead, behind}[i%2].Cast(ctx, a, p.ID, 1)
		require.NoError(t, err)
	}
	_, err := behind.Fold(ctx, data.Pending{Targets: []data.ID{p.ID}})
	require.NoError(t, err)
	require.Equal(t, int64(60), s.held(p.ID))
	cases := s.cases("gophers", true)
	require.Len(t, cases, 1)
	_, err = behind.DecideQuarantine(ctx, ann, "gophers", cases[0].ID, data.Release)
	require.NoError(t, err)
	for range 2 {
		_, err := ahead.Fold(ctx, data.Pending{Targets: []data.ID{p.ID}})
		require.NoError(t, err)
	}
	require.Equal(t, int64(0), s.held(p.ID), "what was released is not held again")
}
