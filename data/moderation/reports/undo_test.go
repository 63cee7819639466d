package reports_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/posts"
	"plaza/data/events/modlog"
	"plaza/data/moderation"
	"plaza/data/moderation/reports"
	"plaza/data/rights/rules"
	"plaza/test/storetest"
)

// TestUndo decides about waiting items, and undoes that.
func TestUndo(t *testing.T) {
	s := open(t)
	held, err := s.Posts.Create(storetest.Ctx, s.ben, posts.Create{Community: "gophers", Title: "Held", Text: "Text", TextHTML: "<p>Text</p>",
		Judged: rules.Verdict{Held: data.Held, Hits: []rules.Hit{{Rule: 7, Title: "A rule", Queued: true}}}})
	require.NoError(t, err)
	require.NoError(t, s.report(s.eve, s.post, "Spam", "look"))
	require.NoError(t, s.report(s.eve, s.comment, "Spam", ""))
	all := []data.ID{s.post, s.comment, held.ID}
	decide := func(a data.Actor, action modlog.Action, targets ...data.ID) {
		t.Helper()
		ruled, err := s.reports.Decide(storetest.Ctx, a, "gophers", reports.Decision{Act: modlog.Act{Action: action, Rule: "Spam"},
			Targets: targets})
		require.NoError(t, err)
		require.NoError(t, ruled.Err())
	}
	undo := func(a data.Actor, targets ...data.ID) ([]data.ID, error) {
		t.Helper()
		result, err := s.reports.Undo(storetest.Ctx, a, "gophers", reports.Decision{Targets: targets})
		if err != nil {
			return nil, err
		}
		return result.Done, nil
	}
	state := func() [][]any {
		return s.Rows(`SELECT target_id, reports, weight, came_at, status, decision, decided_by, held, (SELECT group_concat(reason || reports)
			FROM report_reasons r WHERE r.target_id = q.target_id) FROM queue_items q ORDER BY target_id`)
	}
	shown := func() []any {
		return []any{s.One("SELECT status FROM posts WHERE id = ?1", int64(s.post)), s.One("SELECT status FROM comments WHERE id = ?1",
			int64(s.comment)), s.One("SELECT status FROM posts WHERE id = ?1", int64(held.ID))}
	}
	before := state()

	for _, action := range []modlog.Action{reports.Remove, reports.Approve, reports.Ignore} {
		t.Run("has what was decided wait as before: "+string(action), func(t *testing.T) {
			decide(s.ann, action, all...)
			require.Empty(t, s.queue("gophers", reports.Newest))
			done, err := undo(s.ann, all...)
			require.NoError(t, err)
			require.ElementsMatch(t, all, done)
			require.Equal(t, before, state())
			require.Equal(t, []any{"published", "published", "removed"}, shown())
			require.Zero(t, s.sum("SELECT count(*) FROM report_outcomes"), "reporters are told of the next decision")
			require.Zero(t, s.sum("SELECT count(*) FROM moderation_log WHERE action = 'remove' AND undone_by IS NULL"))
			done, err = undo(s.ann, all...)
			require.Equal(t, data.Conflict, data.ErrorCode(err), "%v", done)
		})
	}
	t.Run("holds again what was held, for everybody", func(t *testing.T) {
		require.Equal(t, "hold", s.One("SELECT action FROM moderation_log WHERE target_id = ?1 ORDER BY id DESC LIMIT 1", int64(held.ID)))
		require.NotNil(t, s.Find(held.ID, 0).Removal)
		decide(s.ann, reports.Approve, held.ID)
		require.Equal(t, "published", s.One("SELECT status FROM posts WHERE id = ?1", int64(held.ID)))
		_, err := undo(s.ann, held.ID)
		require.NoError(t, err)
	})
	t.Run("takes back nothing of somebody else's", func(t *testing.T) {
		decide(s.ann, reports.Remove, s.post)
		_, err := undo(s.eve, s.post)
		require.Equal(t, data.Forbidden, data.ErrorCode(err))
		s.Exec("UPDATE users SET admin = 1 WHERE username = 'eve'")
		_, err = undo(s.eve, s.post)
		require.Equal(t, data.Conflict, data.ErrorCode(err))
		decisions := &moderation.Store{Base: s.Posts.Base}
		for _, action := range []modlog.Action{modlog.Approve, modlog.Remove} {
			_, err := decisions.Decide(storetest.Ctx, s.eve, moderation.Decision{Community: "gophers", Act: modlog.Act{Action: action, Rule: "Spam"}},
				s.post)
			require.NoError(t, err)
		}
		_, err = undo(s.ann, s.post)
		require.Equal(t, data.Conflict, data.ErrorCode(err), "eve has removed it again")
		require.Equal(t, "removed", s.One("SELECT status FROM posts WHERE id = ?1", int64(s.post)))
	})
	t.Run("leaves what was told of an earlier decision", func(t *testing.T) {
		const earlier, later = "SELECT count(*) FROM report_outcomes WHERE decided_at = 1", "SELECT count(*) FROM report_outcomes WHERE decided_at > 1"
		s.ExecAt(s.comment, "INSERT INTO report_outcomes (target_id, decided_at, decision, came_at) VALUES (?1, 1, 'approve', 0)", int64(s.comment))
		before := s.sum(later)
		decide(s.ann, reports.Approve, s.comment)
		require.Equal(t, before+1, s.sum(later))
		_, err := undo(s.ann, s.comment)
		require.NoError(t, err)
		require.Equal(t, before, s.sum(later))
		require.EqualValues(t, 1, s.sum(earlier))
	})
	t.Run("has nothing wait that was deleted since", func(t *testing.T) {
		decide(s.ann, reports.Approve, s.comment)
		s.Exec("UPDATE comments SET status = 'deleted' WHERE id = ?1", int64(s.comment))
		_, err := undo(s.ann, s.comment)
		require.Equal(t, data.Conflict, data.ErrorCode(err))
		s.Exec("UPDATE comments SET status = 'published' WHERE id = ?1", int64(s.comment))
		_, err = undo(s.ann, s.comment)
		require.NoError(t, err)
	})
	t.Run("is for those who may decide", func(t *testing.T) {
		decide(s.ann, reports.Approve, s.comment)
		s.Exec("DELETE FROM moderators WHERE user_id = ?1", int64(s.ann.UserID))
		_, err := undo(s.ann, s.comment)
		require.Equal(t, data.Forbidden, data.ErrorCode(err))
	})
}
