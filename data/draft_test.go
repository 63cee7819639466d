package data_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/stack/stacktest"
)

func TestDraft(t *testing.T) {
	s := mustOpen(t)
	ann, ben := s.member("ann"), s.member("ben")
	s.community(ann, "gophers")
	other := s.post(ann, "gophers", "Other")
	draft := func(c data.CreatePost) *data.Post {
		t.Helper()
		c.Community, c.Status = "gophers", data.Draft
		p, err := s.posts.CreatePost(ctx, ann, c)
		require.NoError(t, err)
		return p
	}
	count := func() any { return s.one("SELECT posts || ' ' || week_posts FROM community_stats") }
	made := draft(data.CreatePost{Title: "An idea"})
	edit := func(a data.Actor, status data.Status, revision int64, title, text string) (*data.PostSource, error) {
		return s.posts.EditDraft(ctx, a, data.EditDraft{ID: made.ID, Revision: revision,
			CreatePost: data.CreatePost{Community: "gophers", Title: title, Text: text, TextHTML: "<p>" + text + "</p>", Excerpt: text, Status: status}})
	}

	t.Run("is in no listing, has no vote and is not counted", func(t *testing.T) {
		require.Equal(t, "1 1", count())
		require.Equal(t, int64(0), s.one("SELECT count(*) FROM votes WHERE target_id = ?1", int64(made.ID)))
		for _, q := range []data.ListingQuery{{Community: "gophers", Order: data.OrderNew}, {Community: "gophers", Order: data.OrderHot}, {Author: "ann", Order: data.OrderNew}, {Order: data.OrderTop}} {
			q.Limit, q.Viewer = 25, ann.UserID
			require.Equal(t, []data.ID{other.ID}, idsOf(s.listing(q).Items()))
		}
		_, err := s.votes.Cast(ctx, ben, made.ID, 1)
		codeOf(t, err, data.NotFound, "not there") // nobody is told that there is a draft
		_, _, err = s.comments.CreateComment(ctx, ben, data.CreateComment{Post: made.ID, Body: "x"})
		require.Equal(t, data.NotFound, data.ErrorCode(err))
		_, err = s.saves.SavePost(ctx, ben, made.ID, true)
		require.Equal(t, data.NotFound, data.ErrorCode(err))
	})
	t.Run("is changed as a whole, with the slug of its title", func(t *testing.T) {
		p, err := edit(ann, data.Draft, 0, "Other", "words")
		require.NoError(t, err)
		require.Regexp(t, `^other-\d{3}$`, p.Slug, "the plain one is taken")
		slug := p.Slug
		p, err = edit(ann, data.Draft, p.Revision, "Other", "more words")
		require.NoError(t, err)
		require.Equal(t, slug, p.Slug, "the title is the same")
		p, err = edit(ann, data.Draft, p.Revision, "A better title", "")
		require.NoError(t, err)
		require.Equal(t, []any{"a-better-title", "draft", ""}, []any{p.Slug, p.Status, p.Text})
	})
	t.Run("is its author's, and no edit of it is lost", func(t *testing.T) {
		_, err := edit(ben, data.Draft, 0, "ben's", "x")
		codeOf(t, err, data.NotFound, "no such post") // nobody is told that there is a draft
		_, err = s.posts.PublishDraft(ctx, ben, made.ID, false)
		codeOf(t, err, data.NotFound, "no such post")
		_, err = s.posts.EditPost(ctx, ben, data.EditPost{ID: made.ID, Text: "x"})
		codeOf(t, err, data.NotFound, "no such post")
		_, err = s.posts.DeletePost(ctx, ben, made.ID)
		codeOf(t, err, data.NotFound, "no such post")
		out := s.member("out")
		require.NoError(t, s.sessions.End(ctx, out))
		_, err = s.posts.PublishDraft(ctx, out, made.ID, false)
		codeOf(t, err, data.NotFound, "no such post")
		p, err := edit(ann, data.Draft, 0, "Old form", "x")
		codeOf(t, err, data.Conflict, "elsewhere")
		require.Equal(t, "A better title", p.Title)
		_, err = s.posts.EditPost(ctx, ann, data.EditPost{ID: made.ID, Text: "x"})
		codeOf(t, err, data.Conflict, "draft")
	})
	t.Run("is not published with nothing to show", func(t *testing.T) {
		_, err := s.posts.PublishDraft(ctx, ann, made.ID, false)
		codeOf(t, err, data.Invalid, "needs a text")
		_, err = edit(ann, data.Published, s.source(made.ID).Revision, "A better title", "")
		codeOf(t, err, data.Invalid, "needs a text")
		require.Equal(t, "draft", s.source(made.ID).Status)
	})
	t.Run("published, is as new as if it were posted now", func(t *testing.T) {
		*s.clock = s.clock.Add(48 * time.Hour)
		newer := s.post(ann, "gophers", "Posted while it was a draft")
		s.listing(data.ListingQuery{Community: "gophers", Order: data.OrderNew, Limit: 25, Viewer: ann.UserID}) // is warm now
		*s.clock = s.clock.Add(time.Minute)
		before := s.clock.UnixMilli()
		p, err := edit(ann, data.Published, s.source(made.ID).Revision, "A better title", "words")
		require.NoError(t, err)
		require.Equal(t, "published", p.Status)
		got := s.find(made.ID, ann.UserID)
		require.GreaterOrEqual(t, got.CreatedAt.UnixMilli(), before)
		require.True(t, got.EditedAt.IsZero(), "what nobody saw is no edit")
		require.Equal(t, []any{1, int64(1)}, []any{got.MyVote, got.Ups})
		require.Equal(t, []data.ID{made.ID, newer.ID, other.ID}, idsOf(s.listing(data.ListingQuery{Community: "gophers", Order: data.OrderNew, Limit: 25, Viewer: ann.UserID}).Items()))
		require.Equal(t, "3 3", count())
		s.foldAll()
		require.NoError(t, s.hot.Rebuild(ctx, "gophers"))
		require.Equal(t, made.ID, s.listing(data.ListingQuery{Community: "gophers", Order: data.OrderHot, Limit: 25}).Items()[0].ID)
		again, err := s.posts.PublishDraft(ctx, ann, made.ID, false)
		require.NoError(t, err, "its author may have missed the answer")
		require.Equal(t, got.CreatedAt, again.CreatedAt)
		_, err = edit(ann, data.Draft, 0, "Back again", "x")
		codeOf(t, err, data.Conflict, "published in the meantime")
	})
	t.Run("with a link, leaves the link to be looked at only when it is published", func(t *testing.T) {
		link := draft(data.CreatePost{Title: "A link", Link: "https://example.org/a"})
		require.Equal(t, int64(0), s.one("SELECT count(*) FROM outbox WHERE subject_id = ?1", int64(link.ID)))
		_, err := s.posts.PublishDraft(ctx, ann, link.ID, false)
		require.NoError(t, err)
		require.Equal(t, int64(1), s.one("SELECT count(*) FROM outbox WHERE subject_id = ?1", int64(link.ID)))
	})
	t.Run("deleted, leaves nothing", func(t *testing.T) {
		gone := draft(data.CreatePost{Title: "Never mind", Text: "x", TextHTML: "x"})
		p, err := s.posts.DeletePost(ctx, ann, gone.ID)
		require.NoError(t, err)
		require.Equal(t, []any{"draft", "gophers"}, []any{p.Status, p.Community})
		require.Equal(t, int64(0), s.one("SELECT (SELECT count(*) FROM posts WHERE id = ?1) + (SELECT count(*) FROM post_texts WHERE post_id = ?1)", int64(gone.ID)))
		require.Equal(t, "4 4", count())
		p, err = s.posts.DeletePost(ctx, ann, gone.ID)
		require.NoError(t, err, "its author may have missed the answer")
		require.Equal(t, []any{"draft", "gophers"}, []any{p.Status, p.Community})
		_, err = s.posts.DeletePost(ctx, ben, gone.ID)
		codeOf(t, err, data.NotFound, "no such post")
		*s.clock = s.clock.Add(25 * time.Hour)
		require.NoError(t, s.posts.PurgeDeletedDrafts(ctx))
		_, err = s.posts.DeletePost(ctx, ann, gone.ID)
		codeOf(t, err, data.NotFound, "no such post")
	})
	t.Run("asks about a link that was posted here of late when it is published, and saves nothing before", func(t *testing.T) {
		var same *data.PostedBefore
		link := data.CreatePost{Community: "gophers", Title: "A link", Link: "https://www.example.org/a/"}
		again := draft(link)
		_, err := s.posts.PublishDraft(ctx, ann, again.ID, false)
		require.ErrorAs(t, err, &same)
		require.Len(t, same.Posts, 1)
		link.Title, link.Status = "A better title", data.Published
		p, err := s.posts.EditDraft(ctx, ann, data.EditDraft{ID: again.ID, CreatePost: link})
		require.ErrorAs(t, err, &same)
		require.Equal(t, []any{"A link", "draft", int64(0)}, []any{p.Title, p.Status, p.Revision})
		link.Status = data.Draft
		p, err = s.posts.EditDraft(ctx, ann, data.EditDraft{ID: again.ID, CreatePost: link})
		require.NoError(t, err, "a draft is not asked about")
		link.Status = data.Published
		_, err = s.posts.EditDraft(ctx, ann, data.EditDraft{ID: again.ID, CreatePost: link})
		codeOf(t, err, data.Conflict, "elsewhere") // the newer text is what matters first
		link.Anyway = true
		p, err = s.posts.EditDraft(ctx, ann, data.EditDraft{ID: again.ID, Revision: p.Revision, CreatePost: link})
		require.NoError(t, err)
		require.Equal(t, "published", p.Status)
		_, err = s.posts.PublishDraft(ctx, ann, draft(link).ID, true)
		require.NoError(t, err)
		*s.clock = s.clock.Add(31 * 24 * time.Hour)
		_, err = s.posts.PublishDraft(ctx, ann, draft(link).ID, false)
		require.NoError(t, err, "that was long ago")
	})
}

func TestScheduled(t *testing.T) {
	s := mustOpen(t)
	ann := s.member("ann")
	s.community(ann, "gophers")
	schedule := func(title, link string, at time.Time) (*data.Post, error) {
		return s.posts.CreatePost(ctx, ann, data.CreatePost{Community: "gophers", Title: title, Text: "words", TextHTML: "<p>words</p>", Link: link, Status: data.Scheduled, PublishAt: at})
	}
	for name, test := range map[string]struct {
		at   time.Time
		says string
	}{
		"no time": {time.Time{}, "When"}, "a time that has passed": {s.clock.Add(-time.Minute), "passed"}, "a time far ahead": {s.clock.AddDate(2, 0, 0), "a year ahead"},
	} {
		t.Run("refuses "+name, func(t *testing.T) {
			_, err := schedule("x", "", test.at)
			codeOf(t, err, data.Invalid, test.says)
		})
	}
	due := s.clock.Add(time.Hour)
	var ids []data.ID
	for i := range 120 {
		link := ""
		if i%40 == 0 {
			link = fmt.Sprintf("https://example.org/%d", i)
		}
		p, err := schedule(fmt.Sprintf("Scheduled %d", i), link, due.Add(time.Duration(i)*time.Second))
		require.NoError(t, err)
		ids = append(ids, p.ID)
	}
	later, err := schedule("Much later", "", due.Add(24*time.Hour))
	require.NoError(t, err)
	emptied, err := schedule("Emptied", "", due)
	require.NoError(t, err)
	s.exec("UPDATE post_texts SET text = '' WHERE post_id = ?1", int64(emptied.ID))
	cid := s.member("cid")
	banned, err := s.posts.CreatePost(ctx, cid, data.CreatePost{Community: "gophers", Title: "Of somebody banned since", Text: "words", Status: data.Scheduled, PublishAt: due})
	require.NoError(t, err)
	s.exec("UPDATE users SET status = 'banned' WHERE id = ?1", int64(cid.UserID))

	t.Run("waits for its time", func(t *testing.T) {
		published, err := s.posts.PublishDue(ctx)
		require.NoError(t, err)
		require.Empty(t, published.All)
		require.Equal(t, "scheduled", s.source(ids[0]).Status)
		require.Equal(t, due, s.source(ids[0]).PublishAt.UTC())
	})
	t.Run("is published when it has come, once, in steps", func(t *testing.T) {
		*s.clock = due.Add(time.Hour)
		published, err := s.posts.PublishDue(ctx)
		require.NoError(t, err)
		require.ElementsMatch(t, ids, published.All)
		require.ElementsMatch(t, []data.ID{ids[0], ids[40], ids[80]}, published.Links)
		again, err := s.posts.PublishDue(ctx)
		require.NoError(t, err)
		require.Empty(t, again.All)
		require.Equal(t, int64(120), s.one("SELECT count(*) FROM votes"))
		require.Equal(t, int64(120), s.one("SELECT posts FROM community_stats"))
		require.Equal(t, int64(3), s.one("SELECT count(*) FROM outbox"))
		got := s.find(ids[0], 0)
		require.WithinDuration(t, *s.clock, got.CreatedAt, time.Minute)
		require.Equal(t, int64(0), s.one("SELECT age FROM posts WHERE id = ?1", int64(ids[0])))
		require.Equal(t, "scheduled", s.source(later.ID).Status)
	})
	t.Run("goes back to its author when there is nothing to show", func(t *testing.T) {
		require.Equal(t, "draft", s.source(emptied.ID).Status)
		require.True(t, s.source(emptied.ID).PublishAt.IsZero())
	})
	t.Run("stays a draft when its author may not post any more", func(t *testing.T) {
		require.Equal(t, "draft", s.source(banned.ID).Status)
	})
	t.Run("can be put off, and published before its time", func(t *testing.T) {
		p := s.source(later.ID)
		d := data.EditDraft{ID: later.ID, Revision: p.Revision, CreatePost: data.CreatePost{Community: "gophers", Title: p.Title, Text: p.Text, TextHTML: "x", Status: data.Draft}}
		p, err := s.posts.EditDraft(ctx, ann, d)
		require.NoError(t, err)
		require.Equal(t, "draft", p.Status)
		d.Revision, d.Status, d.PublishAt = p.Revision, data.Scheduled, s.clock.Add(time.Hour)
		p, err = s.posts.EditDraft(ctx, ann, d)
		require.NoError(t, err)
		require.Equal(t, "scheduled", p.Status)
		p, err = s.posts.PublishDraft(ctx, ann, later.ID, false)
		require.NoError(t, err)
		require.Equal(t, "published", p.Status)
	})
}

func TestScheduledBesideTheDirectory(t *testing.T) {
	directory, shard := stacktest.OpenSchema(t), stacktest.OpenSchema(t)
	s := newStores(t, data.NewDB(directory, shard), shard, stacktest.OpenRedis(t))
	ann, ben := s.member("ann"), s.member("ben")
	s.community(ann, "gophers")
	due := s.clock.Add(time.Hour)
	var ids []data.ID
	for _, a := range []data.Actor{ann, ben} {
		p, err := s.posts.CreatePost(ctx, a, data.CreatePost{Community: "gophers", Title: a.Name, Text: "x", Status: data.Scheduled, PublishAt: due})
		require.NoError(t, err)
		ids = append(ids, p.ID)
	}
	_, err := directory.Tx(ctx, stmtOf("UPDATE users SET status = 'suspended' WHERE id = ?1", int64(ben.UserID)))
	require.NoError(t, err)
	*s.clock = due.Add(time.Minute)
	published, err := s.posts.PublishDue(ctx)
	require.NoError(t, err)
	require.Equal(t, ids[:1], published.All)
	require.Equal(t, []string{"published", "draft"}, []string{s.source(ids[0]).Status, s.source(ids[1]).Status})
}

// TestOneScheduledPostIsRefused has the database refuse one of many that are due: the others
// are published at once, and it stays scheduled.
func TestOneScheduledPostIsRefused(t *testing.T) {
	s := mustOpen(t)
	ann := s.member("ann")
	s.community(ann, "gophers")
	due := s.clock.Add(time.Hour)
	var ids []data.ID
	for i := range 30 {
		p, err := s.posts.CreatePost(ctx, ann, data.CreatePost{Community: "gophers", Title: fmt.Sprint("Post ", i), Text: "x", Status: data.Scheduled, PublishAt: due})
		require.NoError(t, err)
		ids = append(ids, p.ID)
	}
	s.exec(fmt.Sprintf("CREATE TRIGGER refuses BEFORE UPDATE ON posts WHEN new.id = %d BEGIN SELECT RAISE(ABORT, 'refused'); END", int64(ids[7])))
	*s.clock = due.Add(time.Minute)
	published, err := s.posts.PublishDue(ctx)
	require.ErrorContains(t, err, "refused")
	require.ElementsMatch(t, append(slices.Clone(ids[:7]), ids[8:]...), published.All)
	require.Equal(t, "scheduled", s.source(ids[7]).Status)

	s.exec("DROP TRIGGER refuses")
	published, err = s.posts.PublishDue(ctx)
	require.NoError(t, err)
	require.Equal(t, []data.ID{ids[7]}, published.All)
}
