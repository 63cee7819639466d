package data_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/ranking"
)

func TestVote(t *testing.T) {
	s := mustOpen(t)
	ann, ben := s.member("ann"), s.member("ben")
	s.community(ann, "gophers")

	t.Run("the voter sees the vote before it is folded, others after", func(t *testing.T) {
		p := s.post(ann, "gophers", "seen at once")
		s.foldAll()
		state := s.vote(ben, p.ID, 1)
		require.Equal(t, data.VoteState{Ups: 2, Mine: 1, AuthorID: ann.UserID, URL: p.URL()}, state)
		require.Equal(t, int64(2), s.find(p.ID, ben.UserID).Ups)
		require.Equal(t, 1, s.find(p.ID, ben.UserID).MyVote)
		require.Equal(t, int64(1), s.find(p.ID, 0).Ups)
		s.foldAll()
		require.Equal(t, int64(2), s.find(p.ID, 0).Ups)
		require.Equal(t, int64(2), s.find(p.ID, ben.UserID).Ups)
	})

	t.Run("a vote can be switched, taken back and sent twice", func(t *testing.T) {
		p := s.post(ann, "gophers", "switched")
		for _, step := range []struct {
			value      int
			ups, downs int64
		}{{1, 2, 0}, {1, 2, 0}, {-1, 1, 1}, {-1, 1, 1}, {0, 1, 0}, {0, 1, 0}, {-1, 1, 1}} {
			state := s.vote(ben, p.ID, step.value)
			require.Equal(t, step.value, state.Mine)
			require.Equal(t, step.ups, 1+state.Ups, "own vote alone: the author's is not folded yet")
			require.Equal(t, step.downs, state.Downs)
		}
		s.foldAll()
		got := s.find(p.ID, 0)
		require.Equal(t, [2]int64{1, 1}, [2]int64{got.Ups, got.Downs})
		require.Equal(t, int64(2), s.one("SELECT count(*) FROM votes WHERE target_id = ?1", int64(p.ID)))
	})

	t.Run("folding twice counts once, and hot is ranking's", func(t *testing.T) {
		p := s.post(ann, "gophers", "twice")
		s.vote(ben, p.ID, 1)
		for range 3 {
			s.foldOnly(data.Pending{Targets: []data.ID{p.ID, p.ID}})
		}
		got := s.find(p.ID, 0)
		require.Equal(t, int64(2), got.Ups)
		require.Equal(t, ranking.Hot(2, 0, got.CreatedAt), got.Hot)
		require.Equal(t, int64(0), s.one("SELECT count(*) FROM vote_deltas WHERE target_id = ?1", int64(p.ID)))
	})

	t.Run("comments fold too, with Wilson's bound, karma and counts along their path", func(t *testing.T) {
		p := s.post(ann, "gophers", "talked about")
		root := s.comment(ben, p.ID, 0, "root")
		reply := s.comment(ann, 0, root.ID, "reply")
		leaf := s.comment(ben, 0, reply.ID, "leaf")
		s.vote(ann, root.ID, 1)
		s.vote(ann, leaf.ID, -1)
		s.foldAll()
		s.foldAll()
		require.Equal(t, int64(3), s.find(p.ID, 0).Comments)
		row := func(id data.ID) []any {
			res, err := s.sql.Query(ctx, stmtOf("SELECT ups, downs, score, replies, descendants, depth, best FROM comments WHERE id = ?1", int64(id)))
			require.NoError(t, err)
			return res[0].Rows[0]
		}
		require.Equal(t, []any{int64(2), int64(0), int64(2), int64(1), int64(2), int64(0), ranking.Wilson(2, 0)}, row(root.ID))
		require.Equal(t, []any{int64(1), int64(0), int64(1), int64(1), int64(1), int64(1), ranking.Wilson(1, 0)}, row(reply.ID))
		require.Equal(t, []any{int64(1), int64(1), int64(0), int64(0), int64(0), int64(2), ranking.Wilson(1, 1)}, row(leaf.ID))
		require.Equal(t, int64(0), s.one("SELECT comments FROM author_karma WHERE author_id = ?1", int64(ben.UserID)), "one up, one down, own votes not counted")
		require.Equal(t, int64(0), s.one("SELECT count(*) FROM count_deltas"))
	})

	t.Run("comments are voted on where the thread is locked, not where the post is gone", func(t *testing.T) {
		p := s.post(ann, "gophers", "locked")
		c := s.comment(ann, p.ID, 0, "still voted on")
		s.exec("UPDATE posts SET locked = 1 WHERE id = ?1", int64(p.ID))
		s.vote(ben, c.ID, 1)
		for _, status := range []string{"removed", "deleted"} {
			s.exec("UPDATE posts SET status = ?2 WHERE id = ?1", int64(p.ID), status)
			_, err := s.votes.Cast(ctx, ben, c.ID, -1)
			require.Equal(t, data.Forbidden, data.ErrorCode(err), status)
		}
		require.Equal(t, int64(1), s.one("SELECT value FROM votes WHERE target_id = ?1 AND user_id = ?2", int64(c.ID), int64(ben.UserID)))
	})

	t.Run("refuses what is no vote, no target, closed or from an ended session", func(t *testing.T) {
		p := s.post(ann, "gophers", "refused")
		_, err := s.votes.Cast(ctx, ben, p.ID, 2)
		require.Equal(t, data.Invalid, data.ErrorCode(err))
		_, err = s.votes.Cast(ctx, ben, p.ID+2, 1)
		require.Equal(t, data.NotFound, data.ErrorCode(err))
		_, err = s.votes.Cast(ctx, ben, data.NewID(*s.clock, 7, data.KindPost, 1), 1)
		require.Equal(t, data.NotFound, data.ErrorCode(err), "a shard that is not there")
		s.exec("UPDATE posts SET status = 'removed' WHERE id = ?1", int64(p.ID))
		_, err = s.votes.Cast(ctx, ben, p.ID, 1)
		require.Equal(t, data.Forbidden, data.ErrorCode(err))
		cid := s.member("cid")
		other := s.post(ann, "gophers", "other")
		require.NoError(t, s.sessions.End(ctx, cid))
		_, err = s.votes.Cast(ctx, cid, other.ID, 1)
		require.Equal(t, data.Unauthenticated, data.ErrorCode(err))
		require.Equal(t, int64(0), s.one("SELECT count(*) FROM votes WHERE user_id IN (?1, ?2) AND target_id IN (?3, ?4)",
			int64(ben.UserID), int64(cid.UserID), int64(p.ID), int64(other.ID)))
	})
}
