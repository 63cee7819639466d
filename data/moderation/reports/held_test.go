package reports_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/content/posts"
	"plaza/data/events/modlog"
	"plaza/data/moderation/reports"
	"plaza/data/rights/rules"
	"plaza/test/storetest"
)

// sum adds up a number of all databases.
func (s *site) sum(sql string) (sum int64) {
	for _, row := range s.Rows(sql) {
		sum += row[0].(int64)
	}
	return sum
}

// TestHeld holds posts and comments, and decides about them.
func TestHeld(t *testing.T) {
	s := open(t)
	held := rules.Verdict{Held: data.Held, Hits: []rules.Hit{{Rule: 7, Title: "A rule", Message: "Please wait.", Queued: true}}}
	hold := func(title string) *posts.Post {
		p, err := s.Posts.Create(storetest.Ctx, s.ben, posts.Create{Community: "gophers", Title: title, Text: "Text", TextHTML: "<p>Text</p>",
			Judged: held})
		require.NoError(t, err)
		return p
	}
	comment := func(parent data.ID) data.ID {
		c, _, err := s.Comments.Create(storetest.Ctx, s.ben, comments.Create{Post: s.post, Parent: parent, Body: "held", BodyHTML: "<p>held</p>",
			Judged: held})
		require.NoError(t, err)
		require.Equal(t, data.Held, c.Held)
		require.Equal(t, parent, c.ParentID, "what it answers is known")
		return c.ID
	}
	p, q := hold("One"), hold("Two")
	root, reply := comment(0), comment(s.comment)
	thread := func(viewer data.ID) (shown int, waiting int) {
		r := s.DB.Read()
		page := s.Comments.FindPage(r, comments.Query{Community: "gophers", Slug: "a-post", Order: data.OrderBest, Viewer: viewer})
		require.NoError(t, r.Run(storetest.Ctx))
		return page.Len(), len(page.Waiting)
	}
	counted := func() int64 {
		return s.One("SELECT count(*) FROM count_deltas WHERE post_id = ?1", int64(s.post)).(int64)
	}
	posted := func() any {
		return s.One("SELECT posts FROM community_stats WHERE community_id = ?1", s.CommunityID("gophers"))
	}
	before := counted()

	t.Run("shows them to nobody and counts them nowhere", func(t *testing.T) {
		for _, viewer := range []data.ID{0, s.eve.UserID} {
			shown, waiting := thread(viewer)
			require.Equal(t, []int{1, 0}, []int{shown, waiting})
		}
		shown, waiting := thread(s.ben.UserID)
		require.Equal(t, []int{1, 2}, []int{shown, waiting}, "their author sees them wait")
		require.Equal(t, int64(1), posted())
		_, _, err := s.Comments.Create(storetest.Ctx, s.eve, comments.Create{Parent: root, Body: "x", BodyHTML: "x"})
		storetest.CodeOf(t, err, data.NotFound, "is gone")
		_, _, err = s.Comments.Create(storetest.Ctx, s.eve, comments.Create{Post: p.ID, Body: "x", BodyHTML: "x"})
		storetest.CodeOf(t, err, data.NotFound, "is gone")
		require.Equal(t, data.NotFound, data.ErrorCode(s.report(s.eve, p.ID, "Spam", "")))
		require.Equal(t, data.NotFound, data.ErrorCode(s.report(s.eve, root, "Spam", "")))
		_, err = s.Posts.Edit(storetest.Ctx, s.ben, posts.Edit{ID: p.ID, Text: "other"})
		storetest.CodeOf(t, err, data.Forbidden, "waits for a moderator")
	})
	t.Run("has them wait in the queue", func(t *testing.T) {
		require.NoError(t, s.report(s.eve, s.post, "Spam", ""))
		require.Equal(t, []data.ID{s.post, reply, root, q.ID, p.ID}, s.queue("gophers", reports.Newest))
		filtered := func(f reports.Filter) (targets []data.ID) {
			for _, i := range s.walk(reports.Newest, func(r *data.Read, after data.Cursor) *data.Page[*reports.Item] {
				return s.reports.FindQueue(r, "gophers", f, reports.Newest, after, 2)
			}) {
				require.Equal(t, f != reports.Reported, i.Held)
				require.Equal(t, i.Held, len(i.Rules) == 1)
				targets = append(targets, i.Target)
			}
			return targets
		}
		require.Equal(t, []data.ID{reply, root, q.ID, p.ID}, filtered(reports.Held))
		require.Equal(t, []data.ID{reply, root, q.ID, p.ID}, filtered(reports.Hit))
		require.Equal(t, []data.ID{s.post}, filtered(reports.Reported))
		require.Equal(t, int64(4), s.sum("SELECT coalesce(sum(hits), 0) FROM rule_counts WHERE rule_id = 7"))
		require.Equal(t, "Please wait.", s.Find(p.ID, 0).Removal.Note)
	})
	t.Run("approves them, which posts them", func(t *testing.T) {
		ruled, err := s.reports.Decide(storetest.Ctx, s.ann, "gophers", reports.Decision{Act: modlog.Act{Action: reports.Approve},
			Targets: []data.ID{p.ID, root, reply, s.post}})
		require.NoError(t, err)
		require.NoError(t, ruled.Err())
		require.ElementsMatch(t, []data.ID{p.ID, root, reply, s.post}, ruled.Done)
		require.Equal(t, int64(2), posted())
		require.Equal(t, before+2, counted())
		shown, waiting := thread(s.ben.UserID)
		require.Equal(t, []int{3, 0}, []int{shown, waiting})
		require.Equal(t, int64(1), s.One("SELECT count(*) FROM votes WHERE target_id = ?1", int64(p.ID)), "its author votes for it")
		require.Equal(t, int64(1), s.One("SELECT count(*) FROM outbox WHERE subject_id = ?1 AND job = 'timeline'", int64(p.ID)))
		require.Equal(t, [][]any{{int64(0), int64(s.comment)}}, s.Rows("SELECT held, parent_id FROM comments WHERE id = ?1", int64(reply)))
	})
	t.Run("removes them, and they stay unseen", func(t *testing.T) {
		other := comment(0)
		ruled, err := s.reports.Decide(storetest.Ctx, s.ann, "gophers", reports.Decision{Act: modlog.Act{Action: reports.Remove, Rule: "Spam"},
			Targets: []data.ID{q.ID, other}})
		require.NoError(t, err)
		require.NoError(t, ruled.Err())
		require.Len(t, ruled.Done, 2)
		require.Equal(t, data.Rejected, s.Find(q.ID, 0).Held)
		require.Equal(t, "Spam", s.Find(q.ID, 0).Removal.Rule)
		shown, waiting := thread(s.ben.UserID)
		require.Equal(t, []int{3, 0}, []int{shown, waiting})
		require.Equal(t, before+2, counted())
		require.Empty(t, s.queue("gophers", reports.Newest))
	})
	t.Run("holds a draft when it is published, and a post when it is due", func(t *testing.T) {
		draft := func() *posts.Post {
			d, err := s.Posts.Create(storetest.Ctx, s.ben, posts.Create{Community: "gophers", Title: "Later", Text: "Text", TextHTML: "<p>Text</p>",
				Status: posts.Draft, Judged: held})
			require.NoError(t, err)
			return d
		}
		d := draft()
		require.Equal(t, data.NotHeld, s.Find(d.ID, s.ben.UserID).Held)
		for range 2 {
			created, err := s.Posts.PublishDraft(storetest.Ctx, s.ben, d.ID, 0, false, held)
			require.NoError(t, err)
			require.Equal(t, data.Held, created.Held)
		}
		require.Equal(t, []data.ID{d.ID}, s.queue("gophers", reports.Newest))
		_, err := s.Posts.Delete(storetest.Ctx, s.ben, d.ID)
		require.NoError(t, err)
		require.Empty(t, s.queue("gophers", reports.Newest))
		late := draft()
		s.Exec("UPDATE posts SET status = 'scheduled', publish_at = 1, held = 1 WHERE id = ?1", int64(late.ID))
		due, err := s.Posts.PublishDue(storetest.Ctx)
		require.NoError(t, err)
		require.Empty(t, due)
		require.Equal(t, []data.ID{late.ID}, s.queue("gophers", reports.Newest))
	})
	t.Run("does not say that a scheduled post that would be held is published while it is not", func(t *testing.T) {
		d, err := s.Posts.Create(storetest.Ctx, s.ben, posts.Create{Community: "gophers", Title: "Empty by then", Text: "Text",
			TextHTML: "<p>Text</p>", Status: posts.Scheduled,
			PublishAt: s.Clock.Add(time.Hour), Judged: held})
		require.NoError(t, err)
		s.Exec("DELETE FROM post_texts WHERE post_id = ?1", int64(d.ID))
		_, err = s.Posts.PublishDraft(storetest.Ctx, s.ben, d.ID, 0, false, held)
		storetest.CodeOf(t, err, data.Invalid, "needs a text")
		s.Exec("UPDATE posts SET publish_at = 1 WHERE id = ?1", int64(d.ID))
		_, err = s.Posts.PublishDue(storetest.Ctx)
		require.NoError(t, err)
		require.Equal(t, [][]any{{"draft", int64(0)}}, s.Rows("SELECT status, held FROM posts WHERE id = ?1", int64(d.ID)))
	})
}
