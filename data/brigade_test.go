package data_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/ranking"
	"plaza/stack/stacktest"
)

func TestBrigade(t *testing.T) {
	s := mustOpen(t)
	s.votes.Limits = ranking.DefaultThresholds()
	ann := s.member("ann")
	s.community(ann, "gophers")
	s.settle(ann, "gophers")
	suspicious := func(q data.Quarantine) (signals []ranking.Signal) {
		for _, e := range q.Evidence.Signals {
			if e.Suspicious {
				signals = append(signals, e.Signal)
			}
		}
		return signals
	}

	for name, test := range map[string]struct {
		age    time.Duration
		origin func(int) data.Origin
		signal ranking.Signal
	}{
		"young accounts": {time.Hour, anywhere, ranking.SignalYoung},
		"one network":    {old, oneNetwork, ranking.SignalNetwork},
		"one referrer":   {old, oneReferrer, ranking.SignalReferrer},
	} {
		t.Run(name+" are kept out of the score, and their voters don't notice", func(t *testing.T) {
			p := s.post(ann, "gophers", name)
			honest, mob := s.crowd(30, old, anywhere), s.crowd(25, test.age, test.origin)
			s.voteAll(honest, p.ID, 1)
			s.fold(p.ID)
			s.voteAll(mob, p.ID, -1)
			s.fold(p.ID)
			got := s.find(p.ID, 0)
			require.Equal(t, [2]int64{31, 0}, [2]int64{got.Ups, got.Downs})
			require.Equal(t, ranking.Hot(31, 0, got.CreatedAt), got.Hot)
			mine := s.find(p.ID, mob[3].UserID)
			require.Equal(t, [3]int64{31, 1, -1}, [3]int64{mine.Ups, mine.Downs, int64(mine.MyVote)})

			open := s.cases("gophers", true)
			require.Equal(t, p.ID, open[0].Target)
			require.Equal(t, -1, open[0].Direction)
			require.Equal(t, int64(25), open[0].Votes)
			require.Equal(t, 25, open[0].Evidence.Votes)
			require.Equal(t, []ranking.Signal{test.signal}, suspicious(open[0]))
			require.Equal(t, name, open[0].Post.Title)
			require.Equal(t, int64(31), open[0].Score)
			s.counted()
		})
	}

	t.Run("an honest burst is not", func(t *testing.T) {
		p := s.post(ann, "gophers", "popular")
		s.voteAll(s.crowd(60, old, anywhere), p.ID, 1)
		s.voteAll(s.crowd(10, time.Hour, anywhere), p.ID, 1)
		s.voteAll(s.crowd(25, old, anywhere), p.ID, -1)
		s.fold(p.ID)
		got := s.find(p.ID, 0)
		require.Equal(t, [2]int64{71, 25}, [2]int64{got.Ups, got.Downs})
		require.Equal(t, int64(0), s.one("SELECT count(*) FROM quarantines WHERE target_id = ?1", int64(p.ID)))
	})

	t.Run("nor is a post that always lived from one link", func(t *testing.T) {
		p := s.post(ann, "gophers", "linked")
		for range 6 {
			s.voteAll(s.crowd(19, old, oneReferrer), p.ID, 1)
			*s.clock = s.clock.Add(11 * time.Minute)
			s.fold(p.ID)
		}
		s.voteAll(s.crowd(60, old, oneReferrer), p.ID, 1)
		s.fold(p.ID)
		require.Equal(t, int64(1+6*19+60), s.find(p.ID, 0).Ups)
	})

	t.Run("deliveries that repeat change nothing, and later votes of the burst join the case", func(t *testing.T) {
		p := s.post(ann, "gophers", "repeated")
		s.voteAll(s.crowd(25, time.Hour, oneNetwork), p.ID, 1)
		for range 3 {
			s.fold(p.ID, p.ID)
		}
		require.Equal(t, int64(1), s.find(p.ID, 0).Ups)
		s.voteAll(s.crowd(7, time.Hour, oneNetwork), p.ID, 1)
		s.fold(p.ID)
		s.fold(p.ID)
		require.Equal(t, int64(1), s.find(p.ID, 0).Ups)
		require.Equal(t, int64(1), s.one("SELECT count(*) FROM quarantines WHERE target_id = ?1", int64(p.ID)))
		require.Equal(t, int64(32), s.one("SELECT votes FROM quarantines WHERE target_id = ?1", int64(p.ID)))
		s.counted()
	})

	t.Run("an attack that goes on does not become its own baseline", func(t *testing.T) {
		p := s.post(ann, "gophers", "long attack")
		for range 5 {
			s.voteAll(s.crowd(25, time.Hour, oneNetwork), p.ID, 1)
			s.fold(p.ID)
			*s.clock = s.clock.Add(11 * time.Minute)
		}
		require.Equal(t, int64(1), s.find(p.ID, 0).Ups)
		s.counted()
	})

	t.Run("released votes count again, exactly, and are not taken again", func(t *testing.T) {
		p := s.post(ann, "gophers", "released")
		mob := s.crowd(25, time.Hour, oneNetwork)
		s.voteAll(mob, p.ID, 1)
		s.fold(p.ID)
		// One changed their mind and one took the vote back while they were in quarantine.
		require.Equal(t, data.VoteState{Ups: 1, Downs: 1, Mine: -1, AuthorID: ann.UserID, URL: p.URL()}, s.vote(mob[0], p.ID, -1))
		require.Equal(t, data.VoteState{Ups: 1, Mine: 0, AuthorID: ann.UserID, URL: p.URL()}, s.vote(mob[1], p.ID, 0))
		s.fold(p.ID)
		require.Equal(t, int64(1), s.find(p.ID, 0).Ups)
		c := s.cases("gophers", true)[0]
		before := s.find(p.ID, mob[2].UserID)
		for range 2 {
			target, err := s.votes.DecideQuarantine(ctx, ann, "GOPHERS", c.ID, data.Release)
			require.NoError(t, err)
			require.Equal(t, p.ID, target)
			s.fold(target)
		}
		got := s.find(p.ID, 0)
		require.Equal(t, [2]int64{24, 1}, [2]int64{got.Ups, got.Downs})
		require.Equal(t, before.MyVote, s.find(p.ID, mob[2].UserID).MyVote)
		s.voteAll(s.crowd(5, time.Hour, oneNetwork), p.ID, 1)
		s.fold(p.ID)
		require.Equal(t, int64(29), s.find(p.ID, 0).Ups, "what was released is ordinary here from now on")
		require.Empty(t, caseOf(s.cases("gophers", true), p.ID))
		decided := s.cases("gophers", false)[0]
		require.Equal(t, [2]string{"released", "ann"}, [2]string{decided.Status, decided.DecidedBy})
		s.counted()
	})

	t.Run("dropped votes stay out, whatever their voters do, and those that follow are caught", func(t *testing.T) {
		p := s.post(ann, "gophers", "dropped")
		mob := s.crowd(25, time.Hour, oneNetwork)
		s.voteAll(mob, p.ID, 1)
		s.fold(p.ID)
		c := s.cases("gophers", true)[0]
		_, err := s.votes.DecideQuarantine(ctx, ann, "gophers", c.ID, data.Drop)
		require.NoError(t, err)
		s.fold(p.ID)
		s.fold(p.ID)
		require.Equal(t, int64(1), s.find(p.ID, 0).Ups)
		require.Empty(t, caseOf(s.cases("gophers", true), p.ID), "no case without votes")
		require.Equal(t, data.VoteState{Ups: 1, Downs: 1, Mine: -1, AuthorID: ann.UserID, URL: p.URL()}, s.vote(mob[0], p.ID, -1))
		s.vote(mob[1], p.ID, 0)
		require.Equal(t, data.VoteState{Ups: 2, Mine: 1, AuthorID: ann.UserID, URL: p.URL()}, s.vote(mob[1], p.ID, 1))
		s.voteAll(s.crowd(6, time.Hour, oneNetwork), p.ID, 1)
		s.fold(p.ID)
		require.Equal(t, int64(1), s.find(p.ID, 0).Ups)
		next := caseOf(s.cases("gophers", true), p.ID)
		require.Len(t, next, 1)
		require.Equal(t, int64(6), next[0].Votes)
		_, err = s.votes.DecideQuarantine(ctx, ann, "gophers", c.ID, data.Release)
		require.Equal(t, data.Conflict, data.ErrorCode(err))
		s.counted()
	})

	t.Run("who decides the same again is told nothing new, and who decides otherwise, who was first", func(t *testing.T) {
		p := s.post(ann, "gophers", "twice")
		s.voteAll(s.crowd(25, time.Hour, oneNetwork), p.ID, 1)
		s.fold(p.ID)
		c := caseOf(s.cases("gophers", true), p.ID)[0]
		rita := s.member("rita2")
		s.exec("UPDATE users SET admin = 1 WHERE id = ?1", int64(rita.UserID))
		decide := func(a data.Actor, d data.Decision) error {
			_, err := s.votes.DecideQuarantine(ctx, a, "gophers", c.ID, d)
			return err
		}
		require.NoError(t, decide(ann, data.Drop))
		require.NoError(t, decide(ann, data.Drop))
		require.NoError(t, decide(rita, data.Drop))
		require.EqualError(t, decide(ann, data.Release), "conflict: You have decided this already: these votes were dropped. To decide otherwise, undo that first.")
		require.EqualError(t, decide(rita, data.Release), "conflict: ann was faster: these votes were dropped already.")
	})

	t.Run("a decision can be undone: the votes wait again, and can be decided about otherwise", func(t *testing.T) {
		p := s.post(ann, "gophers", "undone")
		mob := s.crowd(25, time.Hour, oneNetwork)
		s.voteAll(mob, p.ID, 1)
		s.fold(p.ID)
		c := caseOf(s.cases("gophers", true), p.ID)[0]
		decide := func(d data.Decision) {
			t.Helper()
			target, err := s.votes.DecideQuarantine(ctx, ann, "gophers", c.ID, d)
			require.NoError(t, err)
			s.fold(target)
		}
		ups := func() int64 { return s.find(p.ID, 0).Ups }
		decide(data.Undo)
		require.Equal(t, int64(25), s.held(p.ID), "of an open case there is nothing to undo")
		decide(data.Release)
		require.Equal(t, int64(26), ups())
		s.vote(mob[0], p.ID, -1)
		s.fold(p.ID)
		*s.clock = s.clock.Add(11 * time.Minute)
		for range 2 {
			decide(data.Undo)
			require.Equal(t, [3]int64{1, 1, 24}, [3]int64{ups(), s.find(p.ID, 0).Downs, s.held(p.ID).(int64)}, "who changed the vote since is left alone")
		}
		open := caseOf(s.cases("gophers", true), p.ID)
		require.Equal(t, [2]string{"open", ""}, [2]string{open[0].Status, open[0].DecidedBy})
		s.counted()
		decide(data.Drop)
		require.Equal(t, int64(1), ups())
		decide(data.Undo)
		require.Equal(t, int64(24), s.held(p.ID))
		decide(data.Release)
		require.Equal(t, int64(25), ups())
		s.counted()
	})

	t.Run("who changed the vote since is not held by what joins the case later", func(t *testing.T) {
		p := s.post(ann, "gophers", "undone and found again")
		mob := s.crowd(25, time.Hour, oneNetwork)
		s.voteAll(mob, p.ID, -1)
		s.fold(p.ID)
		c := caseOf(s.cases("gophers", true), p.ID)[0]
		for i, d := range []data.Decision{data.Release, data.Undo} {
			_, err := s.votes.DecideQuarantine(ctx, ann, "gophers", c.ID, d)
			require.NoError(t, err)
			if i == 0 {
				s.vote(mob[0], p.ID, 1)
			}
			s.fold(p.ID)
		}
		require.Equal(t, int64(2), s.find(p.ID, 0).Ups)
		s.voteAll(s.crowd(25, time.Hour, oneNetwork), p.ID, -1)
		s.fold(p.ID)
		require.Equal(t, int64(49), s.held(p.ID))
		require.Equal(t, int64(2), s.find(p.ID, 0).Ups)
		s.counted()
	})

	t.Run("while a newer case of the same votes is open, the older stays decided", func(t *testing.T) {
		p := s.post(ann, "gophers", "found again")
		s.voteAll(s.crowd(25, time.Hour, oneNetwork), p.ID, 1)
		s.fold(p.ID)
		c := caseOf(s.cases("gophers", true), p.ID)[0]
		_, err := s.votes.DecideQuarantine(ctx, ann, "gophers", c.ID, data.Drop)
		require.NoError(t, err)
		s.voteAll(s.crowd(5, time.Hour, oneNetwork), p.ID, 1)
		s.fold(p.ID)
		_, err = s.votes.DecideQuarantine(ctx, ann, "gophers", c.ID, data.Undo)
		require.EqualError(t, err, "conflict: There is a newer open case about these votes. Decide that case first.")
		require.Equal(t, int64(5), s.held(p.ID))
	})

	t.Run("comments too", func(t *testing.T) {
		p := s.post(ann, "gophers", "discussed")
		c := s.comment(ann, p.ID, 0, "a comment")
		s.voteAll(s.crowd(25, time.Hour, oneNetwork), c.ID, -1)
		s.fold(c.ID)
		require.Equal(t, int64(1), s.one("SELECT score FROM comments WHERE id = ?1", int64(c.ID)))
		open := s.cases("gophers", true)[0]
		require.Equal(t, [2]any{c.ID, "ann"}, [2]any{open.Target, open.Author})
		require.Equal(t, "discussed", open.Post.Title)
	})

	t.Run("karma follows the counters", func(t *testing.T) {
		ben := s.member("ben")
		p := s.post(ben, "gophers", "karma")
		s.voteAll(s.crowd(25, time.Hour, oneNetwork), p.ID, 1)
		s.fold(p.ID)
		require.Equal(t, int64(0), s.one("SELECT coalesce(sum(posts), 0) FROM author_karma WHERE name_key = 'ben'"))
		_, err := s.votes.DecideQuarantine(ctx, ann, "gophers", s.cases("gophers", true)[0].ID, data.Release)
		require.NoError(t, err)
		s.fold(p.ID)
		require.Equal(t, int64(25), s.one("SELECT posts FROM author_karma WHERE name_key = 'ben'"))
	})

	t.Run("only moderators of the community and administrators decide", func(t *testing.T) {
		p := s.post(ann, "gophers", "decided")
		s.voteAll(s.crowd(25, time.Hour, oneNetwork), p.ID, 1)
		s.fold(p.ID)
		c := s.cases("gophers", true)[0]
		eve, root := s.member("eve"), s.member("rita")
		s.community(eve, "others")
		decide := func(a data.Actor, community string, d data.Decision) data.Code {
			_, err := s.votes.DecideQuarantine(ctx, a, community, c.ID, d)
			return data.ErrorCode(err)
		}
		require.Equal(t, data.Forbidden, decide(eve, "gophers", data.Release))
		require.Equal(t, data.NotFound, decide(eve, "others", data.Release), "a case of another community")
		require.Equal(t, data.Invalid, decide(ann, "gophers", "both"))
		require.Equal(t, int64(25), s.one("SELECT count(*) FROM votes WHERE target_id = ?1 AND status = 1", int64(p.ID)))
		s.exec("UPDATE users SET admin = 1 WHERE id = ?1", int64(root.UserID))
		require.Equal(t, data.Code(""), decide(root, "gophers", data.Drop))
		require.NoError(t, s.sessions.End(ctx, ann))
		require.Equal(t, data.Unauthenticated, decide(ann, "gophers", data.Drop))
	})

	t.Run("where votes came from is forgotten within 48 hours", func(t *testing.T) {
		p := s.post(s.member("cid"), "gophers", "forgotten")
		s.voteAll(s.crowd(3, old, anywhere), p.ID, 1)
		ballots := func() any { return s.one("SELECT count(*) FROM ballots WHERE target_id = ?1", int64(p.ID)) }
		require.NoError(t, s.votes.PurgeBallots(ctx))
		require.Equal(t, int64(3), ballots())
		*s.clock = s.clock.Add(48 * time.Hour)
		require.NoError(t, s.votes.PurgeBallots(ctx))
		require.Equal(t, int64(0), ballots())
	})
}

func caseOf(list []data.Quarantine, target data.ID) (of []data.Quarantine) {
	for _, q := range list {
		if q.Target == target {
			of = append(of, q)
		}
	}
	return of
}

// TestBrigadeOnShards decides where moderators live in one database and votes in another.
func TestBrigadeOnShards(t *testing.T) {
	directory, shard := stacktest.OpenSchema(t), stacktest.OpenSchema(t)
	s := newStores(t, data.NewDB(directory, shard), shard, stacktest.OpenRedis(t))
	s.votes.Limits = ranking.DefaultThresholds()
	ann := s.member("ann")
	s.community(ann, "gophers")
	p := s.post(ann, "gophers", "elsewhere")
	s.voteAll(s.crowd(25, time.Hour, oneNetwork), p.ID, 1)
	s.fold(p.ID)
	c := s.cases("gophers", true)[0]
	_, err := s.votes.DecideQuarantine(ctx, s.member("eve"), "gophers", c.ID, data.Release)
	require.Equal(t, data.Forbidden, data.ErrorCode(err))
	_, err = s.votes.DecideQuarantine(ctx, ann, "gophers", c.ID, data.Release)
	require.NoError(t, err)
	s.fold(p.ID)
	require.Equal(t, int64(26), s.find(p.ID, 0).Ups)
}

// look reads a target as a viewer sees it: ups, downs and their vote.
func (s *stores) look(r *data.Read, id, viewer data.ID) func() [3]int64 {
	s.Helper()
	shard, err := s.db.ShardOfID(id)
	require.NoError(s, err)
	if id.IsComment() {
		c := s.comments.FindByID(r, shard, id, viewer)
		return func() [3]int64 { return [3]int64{c.Ups, c.Downs, int64(c.MyVote)} }
	}
	p := s.posts.FindByID(r, shard, id, viewer)
	return func() [3]int64 { return [3]int64{p.Ups, p.Downs, int64(p.MyVote)} }
}
