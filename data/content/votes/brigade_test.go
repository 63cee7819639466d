package votes_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/votes"
	"plaza/ranking"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

func TestBrigade(t *testing.T) {
	s := storetest.Open(t)
	s.Votes.Limits = ranking.DefaultThresholds()
	ann := s.Member("ann")
	s.Community(ann, "gophers")
	giveHistory(s, ann, "gophers")
	suspicious := func(q votes.Case) (signals []ranking.Signal) {
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
		"young accounts": {time.Hour, storetest.Anywhere, ranking.SignalYoung},
		"one network":    {storetest.Old, storetest.OneNetwork, ranking.SignalNetwork},
		"one referrer":   {storetest.Old, storetest.OneReferrer, ranking.SignalReferrer},
	} {
		t.Run(name+" are quarantined, and pages show each voter their own vote as counted", func(t *testing.T) {
			p := s.Post(ann, "gophers", name)
			honest, mob := s.Actors(30, storetest.Old, storetest.Anywhere), s.Actors(25, test.age, test.origin)
			voteAll(s, honest, p.ID, 1)
			s.ApplyDeltas(p.ID)
			voteAll(s, mob, p.ID, -1)
			s.ApplyDeltas(p.ID)
			got := s.Find(p.ID, 0)
			require.Equal(t, [2]int64{31, 0}, [2]int64{got.Ups, got.Downs})
			require.Equal(t, ranking.Hot(31, 0, got.CreatedAt), got.Hot)
			mine := s.Find(p.ID, mob[3].UserID)
			require.Equal(t, [3]int64{31, 1, -1}, [3]int64{mine.Ups, mine.Downs, int64(mine.MyVote)})

			open := s.Cases("gophers", true)
			require.Equal(t, p.ID, open[0].Target)
			require.Equal(t, -1, open[0].Direction)
			require.Equal(t, int64(25), open[0].Votes)
			require.Equal(t, 25, open[0].Evidence.Votes)
			require.Equal(t, []ranking.Signal{test.signal}, suspicious(open[0]))
			require.Equal(t, name, open[0].Post.Title)
			require.Equal(t, int64(31), open[0].Score)
			counted(s)
		})
	}

	t.Run("an honest burst is not", func(t *testing.T) {
		p := s.Post(ann, "gophers", "popular")
		voteAll(s, s.Actors(60, storetest.Old, storetest.Anywhere), p.ID, 1)
		voteAll(s, s.Actors(10, time.Hour, storetest.Anywhere), p.ID, 1)
		voteAll(s, s.Actors(25, storetest.Old, storetest.Anywhere), p.ID, -1)
		s.ApplyDeltas(p.ID)
		got := s.Find(p.ID, 0)
		require.Equal(t, [2]int64{71, 25}, [2]int64{got.Ups, got.Downs})
		require.Equal(t, int64(0), s.One("SELECT count(*) FROM quarantines WHERE target_id = ?1", int64(p.ID)))
	})

	t.Run("nor is a post that always lived from one link", func(t *testing.T) {
		p := s.Post(ann, "gophers", "linked")
		for range 6 {
			voteAll(s, s.Actors(19, storetest.Old, storetest.OneReferrer), p.ID, 1)
			*s.Clock = s.Clock.Add(11 * time.Minute)
			s.ApplyDeltas(p.ID)
		}
		voteAll(s, s.Actors(60, storetest.Old, storetest.OneReferrer), p.ID, 1)
		s.ApplyDeltas(p.ID)
		require.Equal(t, int64(1+6*19+60), s.Find(p.ID, 0).Ups)
	})

	t.Run("deliveries that repeat change nothing, and later votes of the burst join the case", func(t *testing.T) {
		p := s.Post(ann, "gophers", "repeated")
		voteAll(s, s.Actors(25, time.Hour, storetest.OneNetwork), p.ID, 1)
		for range 3 {
			s.ApplyDeltas(p.ID, p.ID)
		}
		require.Equal(t, int64(1), s.Find(p.ID, 0).Ups)
		voteAll(s, s.Actors(7, time.Hour, storetest.OneNetwork), p.ID, 1)
		s.ApplyDeltas(p.ID)
		s.ApplyDeltas(p.ID)
		require.Equal(t, int64(1), s.Find(p.ID, 0).Ups)
		require.Equal(t, int64(1), s.One("SELECT count(*) FROM quarantines WHERE target_id = ?1", int64(p.ID)))
		require.Equal(t, int64(32), s.One("SELECT votes FROM quarantines WHERE target_id = ?1", int64(p.ID)))
		counted(s)
	})

	t.Run("an attack that goes on does not become its own baseline", func(t *testing.T) {
		p := s.Post(ann, "gophers", "long attack")
		for range 5 {
			voteAll(s, s.Actors(25, time.Hour, storetest.OneNetwork), p.ID, 1)
			s.ApplyDeltas(p.ID)
			*s.Clock = s.Clock.Add(11 * time.Minute)
		}
		require.Equal(t, int64(1), s.Find(p.ID, 0).Ups)
		counted(s)
	})

	t.Run("released votes count again, exactly, and are not taken again", func(t *testing.T) {
		p := s.Post(ann, "gophers", "released")
		mob := s.Actors(25, time.Hour, storetest.OneNetwork)
		voteAll(s, mob, p.ID, 1)
		s.ApplyDeltas(p.ID)
		// While they were in quarantine, one voter changed the vote and one withdrew it.
		require.Equal(t, votes.State{Ups: 1, Downs: 1, Mine: -1, URL: p.URL()}, s.Vote(mob[0], p.ID, -1))
		require.Equal(t, votes.State{Ups: 1, Mine: 0, URL: p.URL()}, s.Vote(mob[1], p.ID, 0))
		s.ApplyDeltas(p.ID)
		require.Equal(t, int64(1), s.Find(p.ID, 0).Ups)
		c := s.Cases("gophers", true)[0]
		before := s.Find(p.ID, mob[2].UserID)
		for range 2 {
			target, err := s.Votes.Decide(storetest.Ctx, ann, "GOPHERS", c.ID, votes.Release)
			require.NoError(t, err)
			require.Equal(t, p.ID, target)
			s.ApplyDeltas(target)
		}
		got := s.Find(p.ID, 0)
		require.Equal(t, [2]int64{24, 1}, [2]int64{got.Ups, got.Downs})
		require.Equal(t, before.MyVote, s.Find(p.ID, mob[2].UserID).MyVote)
		voteAll(s, s.Actors(5, time.Hour, storetest.OneNetwork), p.ID, 1)
		s.ApplyDeltas(p.ID)
		require.Equal(t, int64(29), s.Find(p.ID, 0).Ups, "what was released is ordinary here from now on")
		require.Empty(t, caseOf(s.Cases("gophers", true), p.ID))
		decided := s.Cases("gophers", false)[0]
		require.Equal(t, [2]string{"released", "ann"}, [2]string{decided.Status, decided.DecidedBy})
		counted(s)
	})

	t.Run("dropped votes stay out, whatever their voters do, and those that follow are caught", func(t *testing.T) {
		p := s.Post(ann, "gophers", "dropped")
		mob := s.Actors(25, time.Hour, storetest.OneNetwork)
		voteAll(s, mob, p.ID, 1)
		s.ApplyDeltas(p.ID)
		c := s.Cases("gophers", true)[0]
		_, err := s.Votes.Decide(storetest.Ctx, ann, "gophers", c.ID, votes.Drop)
		require.NoError(t, err)
		s.ApplyDeltas(p.ID)
		s.ApplyDeltas(p.ID)
		require.Equal(t, int64(1), s.Find(p.ID, 0).Ups)
		require.Empty(t, caseOf(s.Cases("gophers", true), p.ID), "no case without votes")
		require.Equal(t, votes.State{Ups: 1, Downs: 1, Mine: -1, URL: p.URL()}, s.Vote(mob[0], p.ID, -1))
		s.Vote(mob[1], p.ID, 0)
		require.Equal(t, votes.State{Ups: 2, Mine: 1, URL: p.URL()}, s.Vote(mob[1], p.ID, 1))
		voteAll(s, s.Actors(6, time.Hour, storetest.OneNetwork), p.ID, 1)
		s.ApplyDeltas(p.ID)
		require.Equal(t, int64(1), s.Find(p.ID, 0).Ups)
		next := caseOf(s.Cases("gophers", true), p.ID)
		require.Len(t, next, 1)
		require.Equal(t, int64(6), next[0].Votes)
		_, err = s.Votes.Decide(storetest.Ctx, ann, "gophers", c.ID, votes.Release)
		require.Equal(t, data.Conflict, data.ErrorCode(err))
		counted(s)
	})

	t.Run("who decides the same again is told nothing new, and who decides otherwise, who was first", func(t *testing.T) {
		p := s.Post(ann, "gophers", "twice")
		voteAll(s, s.Actors(25, time.Hour, storetest.OneNetwork), p.ID, 1)
		s.ApplyDeltas(p.ID)
		c := caseOf(s.Cases("gophers", true), p.ID)[0]
		rita := s.Member("rita2")
		s.Exec("UPDATE users SET admin = 1 WHERE id = ?1", int64(rita.UserID))
		decide := func(a data.Actor, d votes.Decision) error {
			_, err := s.Votes.Decide(storetest.Ctx, a, "gophers", c.ID, d)
			return err
		}
		require.NoError(t, decide(ann, votes.Drop))
		require.NoError(t, decide(ann, votes.Drop))
		require.NoError(t, decide(rita, votes.Drop))
		require.EqualError(t, decide(ann, votes.Release), "conflict: You have decided this already: these votes were dropped. To decide "+
			"otherwise, undo that first.")
		require.EqualError(t, decide(rita, votes.Release), "conflict: ann was faster: these votes were dropped already.")
	})

	t.Run("a decision can be undone: the votes wait again, and can be decided about otherwise", func(t *testing.T) {
		p := s.Post(ann, "gophers", "undone")
		mob := s.Actors(25, time.Hour, storetest.OneNetwork)
		voteAll(s, mob, p.ID, 1)
		s.ApplyDeltas(p.ID)
		c := caseOf(s.Cases("gophers", true), p.ID)[0]
		decide := func(d votes.Decision) {
			t.Helper()
			target, err := s.Votes.Decide(storetest.Ctx, ann, "gophers", c.ID, d)
			require.NoError(t, err)
			s.ApplyDeltas(target)
		}
		ups := func() int64 { return s.Find(p.ID, 0).Ups }
		decide(votes.Undo)
		require.Equal(t, int64(25), s.Quarantined(p.ID), "of an open case there is nothing to undo")
		decide(votes.Release)
		require.Equal(t, int64(26), ups())
		s.Vote(mob[0], p.ID, -1)
		s.ApplyDeltas(p.ID)
		*s.Clock = s.Clock.Add(11 * time.Minute)
		for range 2 {
			decide(votes.Undo)
			require.Equal(t, [3]int64{1, 1, 24}, [3]int64{ups(), s.Find(p.ID, 0).Downs, s.Quarantined(p.ID).(int64)},
				"who changed the vote since is left alone")
		}
		open := caseOf(s.Cases("gophers", true), p.ID)
		require.Equal(t, [2]string{"open", ""}, [2]string{open[0].Status, open[0].DecidedBy})
		counted(s)
		decide(votes.Drop)
		require.Equal(t, int64(1), ups())
		decide(votes.Undo)
		require.Equal(t, int64(24), s.Quarantined(p.ID))
		decide(votes.Release)
		require.Equal(t, int64(25), ups())
		counted(s)
	})

	t.Run("who changed the vote since is not quarantined when others join the case later", func(t *testing.T) {
		p := s.Post(ann, "gophers", "undone and found again")
		mob := s.Actors(25, time.Hour, storetest.OneNetwork)
		voteAll(s, mob, p.ID, -1)
		s.ApplyDeltas(p.ID)
		c := caseOf(s.Cases("gophers", true), p.ID)[0]
		for i, d := range []votes.Decision{votes.Release, votes.Undo} {
			_, err := s.Votes.Decide(storetest.Ctx, ann, "gophers", c.ID, d)
			require.NoError(t, err)
			if i == 0 {
				s.Vote(mob[0], p.ID, 1)
			}
			s.ApplyDeltas(p.ID)
		}
		require.Equal(t, int64(2), s.Find(p.ID, 0).Ups)
		voteAll(s, s.Actors(25, time.Hour, storetest.OneNetwork), p.ID, -1)
		s.ApplyDeltas(p.ID)
		require.Equal(t, int64(49), s.Quarantined(p.ID))
		require.Equal(t, int64(2), s.Find(p.ID, 0).Ups)
		counted(s)
	})

	t.Run("while a newer case of the same votes is open, the older stays decided", func(t *testing.T) {
		p := s.Post(ann, "gophers", "found again")
		voteAll(s, s.Actors(25, time.Hour, storetest.OneNetwork), p.ID, 1)
		s.ApplyDeltas(p.ID)
		c := caseOf(s.Cases("gophers", true), p.ID)[0]
		_, err := s.Votes.Decide(storetest.Ctx, ann, "gophers", c.ID, votes.Drop)
		require.NoError(t, err)
		voteAll(s, s.Actors(5, time.Hour, storetest.OneNetwork), p.ID, 1)
		s.ApplyDeltas(p.ID)
		_, err = s.Votes.Decide(storetest.Ctx, ann, "gophers", c.ID, votes.Undo)
		require.EqualError(t, err, "conflict: There is a newer open case about these votes. Decide that case first.")
		require.Equal(t, int64(5), s.Quarantined(p.ID))
	})

	t.Run("comments too", func(t *testing.T) {
		p := s.Post(ann, "gophers", "discussed")
		c := s.Comment(ann, p.ID, 0, "a comment")
		voteAll(s, s.Actors(25, time.Hour, storetest.OneNetwork), c.ID, -1)
		s.ApplyDeltas(c.ID)
		require.Equal(t, int64(1), s.One("SELECT score FROM comments WHERE id = ?1", int64(c.ID)))
		open := s.Cases("gophers", true)[0]
		require.Equal(t, [2]any{c.ID, "ann"}, [2]any{open.Target, open.Author})
		require.Equal(t, "discussed", open.Post.Title)
	})

	t.Run("karma follows the counters", func(t *testing.T) {
		ben := s.Member("ben")
		p := s.Post(ben, "gophers", "karma")
		voteAll(s, s.Actors(25, time.Hour, storetest.OneNetwork), p.ID, 1)
		s.ApplyDeltas(p.ID)
		require.Equal(t, int64(0), s.One("SELECT coalesce(sum(posts), 0) FROM author_karma WHERE name_key = 'ben'"))
		_, err := s.Votes.Decide(storetest.Ctx, ann, "gophers", s.Cases("gophers", true)[0].ID, votes.Release)
		require.NoError(t, err)
		s.ApplyDeltas(p.ID)
		require.Equal(t, int64(25), s.One("SELECT posts FROM author_karma WHERE name_key = 'ben'"))
	})

	t.Run("only moderators of the community and administrators decide", func(t *testing.T) {
		p := s.Post(ann, "gophers", "decided")
		voteAll(s, s.Actors(25, time.Hour, storetest.OneNetwork), p.ID, 1)
		s.ApplyDeltas(p.ID)
		c := s.Cases("gophers", true)[0]
		eve, root := s.Member("eve"), s.Member("rita")
		s.Community(eve, "others")
		decide := func(a data.Actor, community string, d votes.Decision) data.Code {
			_, err := s.Votes.Decide(storetest.Ctx, a, community, c.ID, d)
			return data.ErrorCode(err)
		}
		require.Equal(t, data.Forbidden, decide(eve, "gophers", votes.Release))
		require.Equal(t, data.NotFound, decide(eve, "others", votes.Release), "a case of another community")
		require.Equal(t, data.Invalid, decide(ann, "gophers", "both"))
		require.Equal(t, int64(25), s.One("SELECT count(*) FROM votes WHERE target_id = ?1 AND status = 1", int64(p.ID)))
		s.Exec("UPDATE users SET admin = 1 WHERE id = ?1", int64(root.UserID))
		require.Equal(t, data.Code(""), decide(root, "gophers", votes.Drop))
		require.NoError(t, s.Sessions.End(storetest.Ctx, ann))
		require.Equal(t, data.Unauthenticated, decide(ann, "gophers", votes.Drop))
	})

	t.Run("where votes came from is forgotten within 48 hours", func(t *testing.T) {
		p := s.Post(s.Member("cid"), "gophers", "forgotten")
		voteAll(s, s.Actors(3, storetest.Old, storetest.Anywhere), p.ID, 1)
		origins := func() any { return s.One("SELECT count(*) FROM vote_origins WHERE target_id = ?1", int64(p.ID)) }
		require.NoError(t, s.Votes.PurgeOrigins(storetest.Ctx))
		require.Equal(t, int64(3), origins())
		*s.Clock = s.Clock.Add(48 * time.Hour)
		require.NoError(t, s.Votes.PurgeOrigins(storetest.Ctx))
		require.Equal(t, int64(0), origins())
	})
}

func caseOf(list []votes.Case, target data.ID) (of []votes.Case) {
	for _, q := range list {
		if q.Target == target {
			of = append(of, q)
		}
	}
	return of
}

// TestBrigadeOnShards decides a case when moderators are in one database and votes in another.
func TestBrigadeOnShards(t *testing.T) {
	directory, shard := stacktest.OpenSchema(t), stacktest.OpenSchema(t)
	s := storetest.New(t, data.NewDB(directory, shard), shard, stacktest.OpenRedis(t))
	s.Votes.Limits = ranking.DefaultThresholds()
	ann := s.Member("ann")
	s.Community(ann, "gophers")
	p := s.Post(ann, "gophers", "elsewhere")
	voteAll(s, s.Actors(25, time.Hour, storetest.OneNetwork), p.ID, 1)
	s.ApplyDeltas(p.ID)
	c := s.Cases("gophers", true)[0]
	_, err := s.Votes.Decide(storetest.Ctx, s.Member("eve"), "gophers", c.ID, votes.Release)
	require.Equal(t, data.Forbidden, data.ErrorCode(err))
	_, err = s.Votes.Decide(storetest.Ctx, ann, "gophers", c.ID, votes.Release)
	require.NoError(t, err)
	s.ApplyDeltas(p.ID)
	require.Equal(t, int64(26), s.Find(p.ID, 0).Ups)
}
