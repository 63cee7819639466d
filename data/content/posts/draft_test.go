package posts_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/content/posts"
	"plaza/data/lists/listings"
	"plaza/data/rights/rules"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

func TestDraft(t *testing.T) {
	s := storetest.Open(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	s.Community(ann, "gophers")
	other := s.Post(ann, "gophers", "Other")
	draft := func(c posts.Create) *posts.Post {
		t.Helper()
		c.Community, c.Status = "gophers", posts.Draft
		p, err := s.Posts.Create(storetest.Ctx, ann, c)
		require.NoError(t, err)
		return p
	}
	count := func() any { return s.One("SELECT posts || ' ' || week_posts FROM community_stats") }
	created := draft(posts.Create{Title: "An idea"})
	edit := func(a data.Actor, status posts.Status, revision int64, title, text string) (*posts.Source, error) {
		return s.Posts.EditDraft(storetest.Ctx, a, posts.EditDraft{ID: created.ID, Revision: revision,
			Create: posts.Create{Community: "gophers", Title: title, Text: text, TextHTML: "<p>" + text + "</p>", Excerpt: text, Status: status}})
	}

	t.Run("is in no listing, has no vote and is not counted", func(t *testing.T) {
		require.Equal(t, "1 1", count())
		require.Equal(t, int64(0), s.One("SELECT count(*) FROM votes WHERE target_id = ?1", int64(created.ID)))
		for _, q := range []listings.Query{{Community: "gophers", Order: data.OrderNew}, {Community: "gophers", Order: data.OrderHot},
			{Author: "ann", Order: data.OrderNew}, {Order: data.OrderTop}} {
			q.Limit, q.Viewer = 25, ann.UserID
			require.Equal(t, []data.ID{other.ID}, storetest.IdsOf(s.Listing(q).Items()))
		}
		_, err := s.Votes.Cast(storetest.Ctx, ben, created.ID, 1)
		storetest.CodeOf(t, err, data.NotFound, "is gone") // the error must not reveal that there is a draft
		_, _, err = s.Comments.Create(storetest.Ctx, ben, comments.Create{Post: created.ID, Body: "x"})
		require.Equal(t, data.NotFound, data.ErrorCode(err))
		_, err = s.Saves.Save(storetest.Ctx, ben, created.ID, true)
		require.Equal(t, data.NotFound, data.ErrorCode(err))
	})
	t.Run("is changed as a whole, with the slug of its title", func(t *testing.T) {
		p, err := edit(ann, posts.Draft, 0, "Other", "words")
		require.NoError(t, err)
		require.Regexp(t, `^other-\d{3}$`, p.Slug, "the plain one is taken")
		slug := p.Slug
		p, err = edit(ann, posts.Draft, p.Revision, "Other", "more words")
		require.NoError(t, err)
		require.Equal(t, slug, p.Slug, "the title is the same")
		p, err = edit(ann, posts.Draft, p.Revision, "A better title", "")
		require.NoError(t, err)
		require.Equal(t, []any{"a-better-title", "draft", ""}, []any{p.Slug, p.Status, p.Text})
	})
	t.Run("is its author's, and no edit of it is lost", func(t *testing.T) {
		_, err := edit(ben, posts.Draft, 0, "ben's", "x")
		storetest.CodeOf(t, err, data.NotFound, "no such post") // the error must not reveal that there is a draft
		_, err = s.Posts.PublishDraft(storetest.Ctx, ben, created.ID, 0, false, rules.Verdict{})
		storetest.CodeOf(t, err, data.NotFound, "no such post")
		_, err = s.Posts.Edit(storetest.Ctx, ben, posts.Edit{ID: created.ID, Text: "x"})
		storetest.CodeOf(t, err, data.NotFound, "no such post")
		_, err = s.Posts.Delete(storetest.Ctx, ben, created.ID)
		storetest.CodeOf(t, err, data.NotFound, "no such post")
		out := s.Member("out")
		require.NoError(t, s.Sessions.End(storetest.Ctx, out))
		_, err = s.Posts.PublishDraft(storetest.Ctx, out, created.ID, 0, false, rules.Verdict{})
		storetest.CodeOf(t, err, data.NotFound, "no such post")
		p, err := edit(ann, posts.Draft, 0, "Old form", "x")
		storetest.CodeOf(t, err, data.Conflict, "elsewhere")
		require.Equal(t, "A better title", p.Title)
		_, err = s.Posts.Edit(storetest.Ctx, ann, posts.Edit{ID: created.ID, Text: "x"})
		storetest.CodeOf(t, err, data.Conflict, "draft")
	})
	t.Run("is not published with nothing to show", func(t *testing.T) {
		_, err := s.Posts.PublishDraft(storetest.Ctx, ann, created.ID, sourceOf(s, created.ID).Revision, false, rules.Verdict{})
		storetest.CodeOf(t, err, data.Invalid, "needs a text")
		_, err = s.Posts.PublishDraft(storetest.Ctx, ann, created.ID, 0, false, rules.Verdict{})
		storetest.CodeOf(t, err, data.Conflict, "elsewhere")
		_, err = edit(ann, posts.Published, sourceOf(s, created.ID).Revision, "A better title", "")
		storetest.CodeOf(t, err, data.Invalid, "needs a text")
		require.Equal(t, "draft", sourceOf(s, created.ID).Status)
	})
	t.Run("published, is as new as if it were posted now", func(t *testing.T) {
		*s.Clock = s.Clock.Add(48 * time.Hour)
		newer := s.Post(ann, "gophers", "Posted while it was a draft")
		s.Listing(listings.Query{Community: "gophers", Order: data.OrderNew, Limit: 25, Viewer: ann.UserID}) // is cached now
		*s.Clock = s.Clock.Add(time.Minute)
		before := s.Clock.UnixMilli()
		p, err := edit(ann, posts.Published, sourceOf(s, created.ID).Revision, "A better title", "words")
		require.NoError(t, err)
		require.Equal(t, "published", p.Status)
		got := s.Find(created.ID, ann.UserID)
		require.GreaterOrEqual(t, got.CreatedAt.UnixMilli(), before)
		require.True(t, got.EditedAt.IsZero(), "what nobody saw is no edit")
		require.Equal(t, []any{1, int64(1)}, []any{got.MyVote, got.Ups})
		require.Equal(t, []data.ID{created.ID, newer.ID, other.ID},
			storetest.IdsOf(s.Listing(listings.Query{Community: "gophers", Order: data.OrderNew, Limit: 25, Viewer: ann.UserID}).Items()))
		require.Equal(t, "3 3", count())
		s.ApplyAll()
		require.NoError(t, s.Hot.Rebuild(storetest.Ctx, "gophers"))
		require.Equal(t, created.ID, s.Listing(listings.Query{Community: "gophers", Order: data.OrderHot, Limit: 25}).Items()[0].ID)
		again, err := s.Posts.PublishDraft(storetest.Ctx, ann, created.ID, 0, false, rules.Verdict{})
		require.NoError(t, err, "its author may have missed the answer")
		require.Equal(t, got.CreatedAt, again.CreatedAt)
		_, err = edit(ann, posts.Draft, 0, "Back again", "x")
		storetest.CodeOf(t, err, data.Conflict, "posted in the meantime")
	})
	t.Run("with a link, leaves the link to be looked at only when it is published", func(t *testing.T) {
		link := draft(posts.Create{Title: "A link", Link: "https://example.org/a"})
		require.Equal(t, int64(0), s.One("SELECT count(*) FROM outbox WHERE subject_id = ?1 AND job = 'link'", int64(link.ID)))
		_, err := s.Posts.PublishDraft(storetest.Ctx, ann, link.ID, 0, false, rules.Verdict{})
		require.NoError(t, err)
		require.Equal(t, int64(1), s.One("SELECT count(*) FROM outbox WHERE subject_id = ?1 AND job = 'link'", int64(link.ID)))
	})
	t.Run("deleted, leaves nothing", func(t *testing.T) {
		gone := draft(posts.Create{Title: "Never mind", Text: "x", TextHTML: "x"})
		p, err := s.Posts.Delete(storetest.Ctx, ann, gone.ID)
		require.NoError(t, err)
		require.Equal(t, []any{"draft", "gophers"}, []any{p.Status, p.Community})
		require.Equal(t, int64(0), s.One("SELECT (SELECT count(*) FROM posts WHERE id = ?1) + (SELECT count(*) FROM post_texts "+
			"WHERE post_id = ?1)", int64(gone.ID)))
		require.Equal(t, "4 4", count())
		p, err = s.Posts.Delete(storetest.Ctx, ann, gone.ID)
		require.NoError(t, err, "its author may have missed the answer")
		require.Equal(t, []any{"draft", "gophers"}, []any{p.Status, p.Community})
		_, err = s.Posts.Delete(storetest.Ctx, ben, gone.ID)
		storetest.CodeOf(t, err, data.NotFound, "no such post")
		*s.Clock = s.Clock.Add(25 * time.Hour)
		require.NoError(t, s.Posts.PurgeDeletedDrafts(storetest.Ctx))
		_, err = s.Posts.Delete(storetest.Ctx, ann, gone.ID)
		storetest.CodeOf(t, err, data.NotFound, "no such post")
	})
	t.Run("asks about a link that was posted here of late when it is published, and saves nothing before", func(t *testing.T) {
		var same *posts.PostedBefore
		link := posts.Create{Community: "gophers", Title: "A link", Link: "https://www.example.org/a/"}
		again := draft(link)
		_, err := s.Posts.PublishDraft(storetest.Ctx, ann, again.ID, 0, false, rules.Verdict{})
		require.ErrorAs(t, err, &same)
		require.Len(t, same.Posts, 1)
		link.Title, link.Status = "A better title", posts.Published
		p, err := s.Posts.EditDraft(storetest.Ctx, ann, posts.EditDraft{ID: again.ID, Create: link})
		require.ErrorAs(t, err, &same)
		require.Equal(t, []any{"A link", "draft", int64(0)}, []any{p.Title, p.Status, p.Revision})
		link.Status = posts.Draft
		p, err = s.Posts.EditDraft(storetest.Ctx, ann, posts.EditDraft{ID: again.ID, Create: link})
		require.NoError(t, err, "a draft is not asked about")
		link.Status = posts.Published
		_, err = s.Posts.EditDraft(storetest.Ctx, ann, posts.EditDraft{ID: again.ID, Create: link})
		storetest.CodeOf(t, err, data.Conflict, "elsewhere") // the newer text takes precedence
		link.AllowRepost = true
		p, err = s.Posts.EditDraft(storetest.Ctx, ann, posts.EditDraft{ID: again.ID, Revision: p.Revision, Create: link})
		require.NoError(t, err)
		require.Equal(t, "published", p.Status)
		_, err = s.Posts.PublishDraft(storetest.Ctx, ann, draft(link).ID, 0, true, rules.Verdict{})
		require.NoError(t, err)
		*s.Clock = s.Clock.Add(31 * 24 * time.Hour)
		_, err = s.Posts.PublishDraft(storetest.Ctx, ann, draft(link).ID, 0, false, rules.Verdict{})
		require.NoError(t, err, "that was long ago")
	})
	t.Run("is marked and locked as rules want it", func(t *testing.T) {
		marked := rules.Verdict{NSFW: true, Spoiler: true, Locked: true}
		for status, stored := range map[posts.Status]string{posts.Published: "published", posts.Scheduled: "scheduled"} {
			d := draft(posts.Create{Title: "To be marked"})
			p, err := s.Posts.EditDraft(storetest.Ctx, ann,
				posts.EditDraft{ID: d.ID, Create: posts.Create{Community: "gophers", Title: "To be marked", Text: "x", TextHTML: "x",
					Status: status, PublishAt: s.Clock.Add(time.Hour), Judged: marked}})
			require.NoError(t, err)
			require.Equal(t, []any{stored, true, true, true}, []any{p.Status, p.NSFW, p.Spoiler, p.Locked})
		}
	})
}

func TestScheduled(t *testing.T) {
	s := storetest.Open(t)
	ann := s.Member("ann")
	s.Community(ann, "gophers")
	schedule := func(title, link string, at time.Time) (*posts.Post, error) {
		return s.Posts.Create(storetest.Ctx, ann, posts.Create{Community: "gophers", Title: title, Text: "words", TextHTML: "<p>words</p>",
			Link: link, Status: posts.Scheduled, PublishAt: at})
	}
	for name, test := range map[string]struct {
		at   time.Time
		says string
	}{
		"no time": {time.Time{}, "choose a day"}, "a time that has passed": {s.Clock.Add(-time.Minute), "passed"},
		"a time far ahead": {s.Clock.AddDate(2, 0, 0), "a year ahead"},
	} {
		t.Run("refuses "+name, func(t *testing.T) {
			_, err := schedule("x", "", test.at)
			storetest.CodeOf(t, err, data.Invalid, test.says)
		})
	}
	due := s.Clock.Add(time.Hour)
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
	s.Exec("UPDATE post_texts SET text = '' WHERE post_id = ?1", int64(emptied.ID))
	cid := s.Member("cid")
	banned, err := s.Posts.Create(storetest.Ctx, cid, posts.Create{Community: "gophers", Title: "Of somebody banned since", Text: "words",
		Status: posts.Scheduled, PublishAt: due})
	require.NoError(t, err)
	s.Exec("UPDATE users SET status = 'banned' WHERE id = ?1", int64(cid.UserID))

	t.Run("waits for its time", func(t *testing.T) {
		published, err := s.Posts.PublishDue(storetest.Ctx)
		require.NoError(t, err)
		require.Empty(t, published)
		require.Equal(t, "scheduled", sourceOf(s, ids[0]).Status)
		require.Equal(t, due, sourceOf(s, ids[0]).PublishAt.UTC())
	})
	t.Run("is published when it has come, once, in steps", func(t *testing.T) {
		*s.Clock = due.Add(time.Hour)
		published, err := s.Posts.PublishDue(storetest.Ctx)
		require.NoError(t, err)
		require.ElementsMatch(t, ids, published)
		require.ElementsMatch(t, []data.ID{ids[0], ids[40], ids[80]}, s.Asked("link"))
		again, err := s.Posts.PublishDue(storetest.Ctx)
		require.NoError(t, err)
		require.Empty(t, again)
		require.Equal(t, int64(120), s.One("SELECT count(*) FROM votes"))
		require.Equal(t, int64(120), s.One("SELECT posts FROM community_stats"))
		require.Equal(t, int64(3), s.One("SELECT count(*) FROM outbox WHERE job = 'link'"))
		got := s.Find(ids[0], 0)
		require.WithinDuration(t, *s.Clock, got.CreatedAt, time.Minute)
		require.Equal(t, int64(0), s.One("SELECT age FROM posts WHERE id = ?1", int64(ids[0])))
		require.Equal(t, "scheduled", sourceOf(s, later.ID).Status)
	})
	t.Run("goes back to its author when there is nothing to show", func(t *testing.T) {
		require.Equal(t, "draft", sourceOf(s, emptied.ID).Status)
		require.True(t, sourceOf(s, emptied.ID).PublishAt.IsZero())
	})
	t.Run("stays a draft when its author may not post any more", func(t *testing.T) {
		require.Equal(t, "draft", sourceOf(s, banned.ID).Status)
	})
	t.Run("can be put off, and published before its time", func(t *testing.T) {
		p := sourceOf(s, later.ID)
		d := posts.EditDraft{ID: later.ID, Revision: p.Revision, Create: posts.Create{Community: "gophers", Title: p.Title, Text: p.Text,
			TextHTML: "x", Status: posts.Draft}}
		p, err := s.Posts.EditDraft(storetest.Ctx, ann, d)
		require.NoError(t, err)
		require.Equal(t, "draft", p.Status)
		d.Revision, d.Status, d.PublishAt = p.Revision, posts.Scheduled, s.Clock.Add(time.Hour)
		p, err = s.Posts.EditDraft(storetest.Ctx, ann, d)
		require.NoError(t, err)
		require.Equal(t, "scheduled", p.Status)
		p, err = s.Posts.PublishDraft(storetest.Ctx, ann, later.ID, sourceOf(s, later.ID).Revision, false, rules.Verdict{})
		require.NoError(t, err)
		require.Equal(t, "published", p.Status)
	})
}

func TestScheduledBesideTheDirectory(t *testing.T) {
	directory, shard := stacktest.OpenSchema(t), stacktest.OpenSchema(t)
	s := storetest.New(t, data.NewDB(directory, shard), shard, stacktest.OpenRedis(t))
	ann, ben := s.Member("ann"), s.Member("ben")
	s.Community(ann, "gophers")
	due := s.Clock.Add(time.Hour)
	var ids []data.ID
	for _, a := range []data.Actor{ann, ben} {
		p, err := s.Posts.Create(storetest.Ctx, a, posts.Create{Community: "gophers", Title: a.Name, Text: "x", Status: posts.Scheduled,
			PublishAt: due})
		require.NoError(t, err)
		ids = append(ids, p.ID)
	}
	_, err := directory.Tx(storetest.Ctx, storetest.StmtOf("UPDATE users SET status = 'suspended' WHERE id = ?1", int64(ben.UserID)))
	require.NoError(t, err)
	*s.Clock = due.Add(time.Minute)
	published, err := s.Posts.PublishDue(storetest.Ctx)
	require.NoError(t, err)
	require.Equal(t, ids[:1], published)
	require.Equal(t, []string{"published", "draft"}, []string{sourceOf(s, ids[0]).Status, sourceOf(s, ids[1]).Status})
}

// TestOneScheduledPostIsRefused has the database refuse one of many due posts: the others are published at once, and it stays scheduled.
func TestOneScheduledPostIsRefused(t *testing.T) {
	s := storetest.Open(t)
	ann := s.Member("ann")
	s.Community(ann, "gophers")
	due := s.Clock.Add(time.Hour)
	var ids []data.ID
	for i := range 30 {
		p, err := s.Posts.Create(storetest.Ctx, ann, posts.Create{Community: "gophers", Title: fmt.Sprint("Post ", i), Text: "x",
			Status: posts.Scheduled, PublishAt: due})
		require.NoError(t, err)
		ids = append(ids, p.ID)
	}
	s.Exec(fmt.Sprintf("CREATE TRIGGER refuses BEFORE UPDATE ON posts WHEN new.id = %d BEGIN SELECT RAISE(ABORT, 'refused'); END",
		int64(ids[7])))
	*s.Clock = due.Add(time.Minute)
	published, err := s.Posts.PublishDue(storetest.Ctx)
	require.ErrorContains(t, err, "refused")
	require.ElementsMatch(t, append(slices.Clone(ids[:7]), ids[8:]...), published)
	require.Equal(t, "scheduled", sourceOf(s, ids[7]).Status)

	s.Exec("DROP TRIGGER refuses")
	published, err = s.Posts.PublishDue(storetest.Ctx)
	require.NoError(t, err)
	require.Equal(t, []data.ID{ids[7]}, published)
}
