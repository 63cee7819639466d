package votes_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/votes"
	"plaza/ranking"
	"plaza/test/storetest"
)

func TestVote(t *testing.T) {
	s := storetest.Open(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	s.Community(ann, "gophers")

	t.Run("the voter sees the vote before it is applied, others after", func(t *testing.T) {
		p := s.Post(ann, "gophers", "seen at once")
		s.ApplyAll()
		state := s.Vote(ben, p.ID, 1)
		require.Equal(t, votes.State{Ups: 2, Mine: 1, URL: p.URL()}, state)
		require.Equal(t, int64(2), s.Find(p.ID, ben.UserID).Ups)
		require.Equal(t, 1, s.Find(p.ID, ben.UserID).MyVote)
		require.Equal(t, int64(1), s.Find(p.ID, 0).Ups)
		s.ApplyAll()
		require.Equal(t, int64(2), s.Find(p.ID, 0).Ups)
		require.Equal(t, int64(2), s.Find(p.ID, ben.UserID).Ups)
	})

	t.Run("a vote can be switched, taken back and sent twice", func(t *testing.T) {
		p := s.Post(ann, "gophers", "switched")
		for _, step := range []struct {
			value      int
			ups, downs int64
		}{{1, 2, 0}, {1, 2, 0}, {-1, 1, 1}, {-1, 1, 1}, {0, 1, 0}, {0, 1, 0}, {-1, 1, 1}} {
			state := s.Vote(ben, p.ID, step.value)
			require.Equal(t, step.value, state.Mine)
			require.Equal(t, step.ups, state.Ups, "the author's and the own one")
			require.Equal(t, step.downs, state.Downs)
		}
		s.ApplyAll()
		got := s.Find(p.ID, 0)
		require.Equal(t, [2]int64{1, 1}, [2]int64{got.Ups, got.Downs})
		require.Equal(t, int64(2), s.One("SELECT count(*) FROM votes WHERE target_id = ?1", int64(p.ID)))
	})

	t.Run("the vote that a post or comment is made with is in the list of its author's votes once it is changed", func(t *testing.T) {
		p := s.Post(ann, "gophers", "made with a vote")
		for _, id := range []data.ID{p.ID, s.Comment(ann, p.ID, 0, "this too").ID} {
			listed := func() any {
				return s.One("SELECT count(*) FROM votes INDEXED BY votes_user WHERE user_id = ?1 AND target_id = ?2 AND automatic = 0", int64(ann.UserID),
					int64(id))
			}
			require.Zero(t, listed())
			s.Vote(ann, id, 1)
			require.Zero(t, listed())
			s.Vote(ann, id, -1)
			require.Equal(t, int64(1), listed())
		}
	})

	t.Run("what lists sort by moves only when a vote matters", func(t *testing.T) {
		p := s.Post(ann, "gophers", "popular")
		s.ApplyAll()
		s.ExecAt(p.ID, "UPDATE posts SET base_ups = 320, ups = 321, score = 321, hot = 9 WHERE id = ?1", int64(p.ID))
		stored := func() [3]any {
			return [3]any{s.One("SELECT ups - downs FROM posts WHERE id = ?1", int64(p.ID)), s.One("SELECT score FROM posts WHERE id = ?1",
				int64(p.ID)), s.One("SELECT hot = 9 FROM posts WHERE id = ?1", int64(p.ID))}
		}
		for i := range 11 {
			s.Vote(s.Member(fmt.Sprint("voter", i)), p.ID, 1)
			ctx, meter := s.Metered()
			_, err := s.Votes.ApplyDeltas(ctx, votes.Pending{Targets: []data.ID{p.ID}})
			require.NoError(t, err)
			if i < 10 {
				require.Equal(t, [3]any{int64(322 + i), int64(321), int64(1)}, stored())
				require.LessOrEqual(t, meter.RowsWritten(), int64(5), "no index of posts is written")
			}
		}
		require.Equal(t, [3]any{int64(332), int64(332), int64(0)}, stored(), "a 32nd more")
	})

	t.Run("what siblings sort by moves only when a vote matters", func(t *testing.T) {
		p := s.Post(ann, "gophers", "with a popular comment")
		c := s.Comment(ann, p.ID, 0, "popular")
		best := ranking.Wilson(300, 10)
		s.ApplyAll()
		s.ExecAt(c.ID, `UPDATE comments SET base_ups = 299, ups = 300, base_downs = 10, downs = 10, score = 290, best = ?2, qa = ?2,
  controversy = ?3 WHERE id = ?1`, int64(c.ID), best, ranking.Controversy(300, 10))
		stored := func() []any {
			return s.Rows("SELECT ups - downs, score, best = ?2, qa = best FROM comments WHERE id = ?1", int64(c.ID), best)[0]
		}
		for i := range 9 {
			s.Vote(s.Member(fmt.Sprint("reader", i)), c.ID, 1)
			ctx, meter := s.Metered()
			_, err := s.Votes.ApplyDeltas(ctx, votes.Pending{Targets: []data.ID{c.ID}})
			require.NoError(t, err)
			require.Equal(t, []any{int64(291 + i), int64(290), int64(1), int64(1)}, stored())
			require.LessOrEqual(t, meter.RowsWritten(), int64(5), "no index of comments is written")
		}
		s.Vote(ben, c.ID, -1)
		s.ApplyAll()
		require.Equal(t, []any{int64(298), int64(298), int64(0), int64(1)}, stored(), "one vote against it, where nearly all are for it")
	})

	t.Run("applying twice counts once, and hot is ranking's", func(t *testing.T) {
		p := s.Post(ann, "gophers", "twice")
		s.Vote(ben, p.ID, 1)
		for range 3 {
			s.ApplyOnly(votes.Pending{Targets: []data.ID{p.ID, p.ID}})
		}
		got := s.Find(p.ID, 0)
		require.Equal(t, int64(2), got.Ups)
		require.Equal(t, ranking.Hot(2, 0, got.CreatedAt), got.Hot)
		require.Equal(t, int64(0), s.One("SELECT count(*) FROM vote_deltas WHERE target_id = ?1", int64(p.ID)))
	})

	t.Run("deltas of comments are applied, too, with Wilson's bound, karma and counts along their path", func(t *testing.T) {
		p := s.Post(ann, "gophers", "talked about")
		root := s.Comment(ben, p.ID, 0, "root")
		reply := s.Comment(ann, 0, root.ID, "reply")
		leaf := s.Comment(ben, 0, reply.ID, "leaf")
		s.Vote(ann, root.ID, 1)
		s.Vote(ann, leaf.ID, -1)
		s.ApplyAll()
		s.ApplyAll()
		require.Equal(t, int64(3), s.Find(p.ID, 0).Comments)
		row := func(id data.ID) []any {
			return s.Rows("SELECT ups, downs, score, replies, descendants, depth, best FROM comments WHERE id = ?1", int64(id))[0]
		}
		require.Equal(t, []any{int64(2), int64(0), int64(2), int64(1), int64(2), int64(0), ranking.Wilson(2, 0)}, row(root.ID))
		require.Equal(t, []any{int64(1), int64(0), int64(1), int64(1), int64(1), int64(1), ranking.Wilson(1, 0)}, row(reply.ID))
		require.Equal(t, []any{int64(1), int64(1), int64(0), int64(0), int64(0), int64(2), ranking.Wilson(1, 1)}, row(leaf.ID))
		require.Equal(t, int64(0), s.One("SELECT comments FROM author_karma WHERE author_id = ?1", int64(ben.UserID)),
			"one up, one down, own votes not counted")
		require.Equal(t, int64(0), s.One("SELECT count(*) FROM count_deltas"))
	})

	t.Run("what lists sort by moves only when a comment matters", func(t *testing.T) {
		p := s.Post(ann, "gophers", "large thread")
		s.ApplyAll()
		s.ExecAt(p.ID, "UPDATE posts SET comments = 64, comments_step = 64 WHERE id = ?1", int64(p.ID))
		for _, want := range [][]any{{int64(65), int64(64)}, {int64(66), int64(64)}, {int64(67), int64(67)}, {int64(68), int64(67)}} {
			s.Comment(ben, p.ID, 0, fmt.Sprint("comment ", want[0]))
			s.ApplyAll()
			require.Equal(t, want, s.Rows("SELECT comments, comments_step FROM posts WHERE id = ?1", int64(p.ID))[0])
		}
	})

	t.Run("comments are voted on where the thread is locked, not where the post is gone", func(t *testing.T) {
		p := s.Post(ann, "gophers", "locked")
		c := s.Comment(ann, p.ID, 0, "still voted on")
		s.Exec("UPDATE posts SET locked = 1 WHERE id = ?1", int64(p.ID))
		s.Vote(ben, c.ID, 1)
		for _, status := range []string{"removed", "deleted"} {
			s.Exec("UPDATE posts SET status = ?2 WHERE id = ?1", int64(p.ID), status)
			_, err := s.Votes.Cast(storetest.Ctx, ben, c.ID, -1)
			require.Equal(t, data.Forbidden, data.ErrorCode(err), status)
		}
		require.Equal(t, int64(1), s.One("SELECT value FROM votes WHERE target_id = ?1 AND user_id = ?2", int64(c.ID), int64(ben.UserID)))
	})

	t.Run("refuses what is no vote, no target, closed or from an ended session", func(t *testing.T) {
		p := s.Post(ann, "gophers", "refused")
		_, err := s.Votes.Cast(storetest.Ctx, ben, p.ID, 2)
		require.Equal(t, data.Invalid, data.ErrorCode(err))
		_, err = s.Votes.Cast(storetest.Ctx, ben, p.ID+2, 1)
		require.Equal(t, data.NotFound, data.ErrorCode(err))
		_, err = s.Votes.Cast(storetest.Ctx, ben, data.NewID(*s.Clock, 7, data.KindPost, 1), 1)
		require.Equal(t, data.NotFound, data.ErrorCode(err), "a shard that is not there")
		s.Exec("UPDATE posts SET status = 'removed' WHERE id = ?1", int64(p.ID))
		_, err = s.Votes.Cast(storetest.Ctx, ben, p.ID, 1)
		require.Equal(t, data.Forbidden, data.ErrorCode(err))
		cid := s.Member("cid")
		other := s.Post(ann, "gophers", "other")
		require.NoError(t, s.Sessions.End(storetest.Ctx, cid))
		_, err = s.Votes.Cast(storetest.Ctx, cid, other.ID, 1)
		require.Equal(t, data.Unauthenticated, data.ErrorCode(err))
		require.Equal(t, int64(0), s.One("SELECT count(*) FROM votes WHERE user_id IN (?1, ?2) AND target_id IN (?3, ?4)",
			int64(ben.UserID), int64(cid.UserID), int64(p.ID), int64(other.ID)))
	})
}
