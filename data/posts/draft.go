package posts

import (
	"cmp"
	"context"
	"time"

	"plaza/data"
	"plaza/data/hrana"
	"plaza/data/outbox"
	"plaza/ranking"
)

// Status is what becomes of a post that is saved.
type Status int

// A draft is its author's alone; so is a scheduled post, until its time comes.
const (
	Published Status = iota
	Draft
	Scheduled
)

func (s Status) text() string { return [...]string{"published", "draft", "scheduled"}[s] }

// Posts are scheduled up to a year ahead.
const scheduleMax = 365 * 24 * time.Hour

// Check is Validate and, of a scheduled post, when it is to be published.
func (c *Create) Check(now time.Time) error { return data.AllMistakes(c.Validate(), c.inTime(now)) }

// inTime checks when a post is to be published.
func (c *Create) inTime(now time.Time) error {
	switch {
	case c.Status != Scheduled:
		return nil
	case c.PublishAt.IsZero():
		return data.Mistake("publish_at", "When is it to be published? Please choose a day and a time.")
	case c.PublishAt.Before(now):
		return data.Mistake("publish_at", "That time has passed. Please choose a later one.")
	case c.PublishAt.After(now.Add(scheduleMax)):
		return data.Mistake("publish_at", "A post can be scheduled for a year ahead at most.")
	}
	return nil
}

// publishAt is the column of the same name.
func (c *Create) publishAt() any {
	if c.Status != Scheduled {
		return nil
	}
	return c.PublishAt.UnixMilli()
}

// Unpublished tells a draft or a scheduled post, which nobody but its author may see.
func (p *Post) Unpublished() bool { return p.Status == "draft" || p.Status == "scheduled" }

// Unpublished is that of the post.
func (p *Source) Unpublished() bool { return p.Status == "draft" || p.Status == "scheduled" }

// hiddenFrom tells that there is no such post as far as a member may know.
func (p *Source) hiddenFrom(member data.ID) bool {
	return p.ID == 0 || p.Unpublished() && p.AuthorID != member
}

// EditDraft is everything there is of an unpublished post but its community and what
// it shows again. CreatePost's Status says what is to become of it.
type EditDraft struct {
	ID       data.ID
	Revision int64 // that the form was made from
	Create
}

const (
	// Primary keys, and posts_same: of a link, a community has a few posts. The same
	// condition in all that is saved; the row of the post, which it depends on, is written
	// last. ?6: it need not be asked whether ?7, what the draft is now about, was posted
	// there after ?8.
	mayEditDraft = ` FROM posts p WHERE p.id = ?4 AND p.author_id = ?1 AND p.status IN ('draft', 'scheduled')
  AND coalesce(p.edited_at, 0) = ?5 AND (?6 OR NOT EXISTS (SELECT 1 FROM posts o WHERE o.link_key = iif(p.crosspost_of IS NULL, ?7, p.link_key)
    AND o.link_key <> '' AND o.created_at > ?8 AND o.community_id = p.community_id AND o.status = 'published')) AND ` + data.OldLiveSession
	editDraftText = `INSERT INTO post_texts (post_id, text, html) SELECT p.id, ?9, ?10` + mayEditDraft + `
ON CONFLICT (post_id) DO UPDATE SET text = excluded.text, html = excluded.html`
	editDraft = `UPDATE posts SET slug = iif(title = ?9, slug, ?10), title = ?9, kind = ?11, link = ?12, image = ?13, domain = ?14, excerpt = ?15,
  nsfw = ?16, spoiler = ?17, link_key = iif(crosspost_of IS NULL, ?7, link_key), status = ?18, publish_at = ?19, edited_at = ?20
WHERE id = (SELECT p.id` + mayEditDraft + `)`

	// What has nothing to show is not published. ?5 is the revision that was saved just
	// before, 0 for whichever there is; ?8 and ?9 are ?6 and ?8 of mayEditDraft.
	publishDraft = `UPDATE posts SET ` + publishNow + `
WHERE id = ?4 AND author_id = ?1 AND status IN ('draft', 'scheduled') AND (?5 = 0 OR edited_at = ?5) AND ` + showsSomething + `
  AND (?8 OR NOT EXISTS (SELECT 1 FROM posts o WHERE o.link_key = posts.link_key AND o.link_key <> '' AND o.created_at > ?9
    AND o.community_id = posts.community_id AND o.status = 'published')) AND ` + data.OldLiveSession
	publishNow     = `status = 'published', created_at = ?6, hot = ?7, age = 0, edited_at = NULL, publish_at = NULL`
	showsSomething = `(link <> '' OR image <> '' OR crosspost_of IS NOT NULL OR EXISTS (SELECT 1 FROM post_texts t WHERE t.post_id = posts.id AND t.text <> ''))`
	// Of a post that is published now, not before; when its transaction runs again, too.
	voteForPublished = `INSERT INTO votes (target_id, user_id, value, updated_at) SELECT id, author_id, 1, ?2 FROM posts
WHERE id = ?1 AND status = 'published' AND created_at = ?2 ON CONFLICT DO NOTHING`
	// leaveWork for a post that was published now and has a link.
	leaveLinkOfPublished = `INSERT INTO outbox (subject_id, work, queued_at, due_at) SELECT id, 'link', ?2, coalesce(?3, ` + data.OldDatabaseNow + `) + ?4 FROM posts
WHERE id = ?1 AND status = 'published' AND created_at = ?2 AND link <> '' ON CONFLICT DO NOTHING`
	// Primary key, then posts_same. ?2 is what the draft is now about, NULL for what is
	// stored.
	postedBeforeDraft = `SELECT o.id, o.community_name, o.slug, o.title, o.author_name, o.created_at FROM posts p CROSS JOIN posts o
WHERE p.id = ?1 AND o.link_key = coalesce(iif(p.crosspost_of IS NULL, ?2, NULL), p.link_key) AND o.link_key <> '' AND o.created_at > ?3
  AND o.community_id = p.community_id AND o.status = 'published' AND o.id <> p.id ORDER BY o.created_at DESC, o.id DESC LIMIT 3`
)

// EditDraft saves an unpublished post of the actor's, and publishes it if that is its
// Status, in one transaction on its shard; it returns the post as it is now, as
// EditPost does. Publishing makes it as new as if it had been posted just then; its id
// stays. Errors are those of CreatePost and EditPost; Conflict when it is published
// already and says something else. After PostedBefore nothing was saved.
func (s *Store) EditDraft(ctx context.Context, a data.Actor, d EditDraft) (*Source, error) {
	now := s.Source.Now()
	if err := d.Check(now); err != nil {
		return nil, err
	}
	shard, err := s.DB.ShardOfID(d.ID)
	if err != nil {
		return nil, err
	}
	plain := Slug(d.Title)
	slug := plain
	for try := 1; ; try++ {
		p, err := s.editDraft(ctx, shard, a, d, slug, now)
		if !hrana.IsUnique(err) {
			return p, err
		}
		if slug = SlugConflict(plain, s.Source.Rand()); try >= slugTries-1 {
			slug = plain + "-" + d.ID.Text()
		}
		if try == slugTries {
			return nil, data.UnavailableBecause(err)
		}
	}
}

func (s *Store) editDraft(ctx context.Context, shard *hrana.Client, a data.Actor, d EditDraft, slug string, now time.Time) (*Source, error) {
	revision := NextRevision(d.Revision, now)
	link := cmp.Or(d.Link, d.Image)
	about, since, anyway := URLKey(link), now.Add(-recentLink).UnixMilli(), d.Anyway || d.Status != Published
	status := d.Status
	if status == Published { // by the statement after
		status = Draft
	}
	stmts := []hrana.Stmt{
		data.OldStmt(editDraftText, a.OldArgs(d.ID, d.Revision, anyway, about, since, d.Text, d.TextHTML)...),
		data.OldStmt(editDraft, a.OldArgs(d.ID, d.Revision, anyway, about, since, d.Title, slug, d.kind(), d.Link, d.Image, Domain(link), data.Line(d.Excerpt), d.NSFW, d.Spoiler,
			status.text(), d.publishAt(), revision)...),
	}
	if d.Status == Published {
		stmts = append(stmts, s.publishing(a, d.ID, revision, anyway, now)...)
	}
	p, before, err := s.runDraft(ctx, shard, a, d.ID, append(stmts, data.OldStmt(postedBeforeDraft, d.ID, about, since)))
	switch {
	case err != nil:
		return nil, err
	case p.Status == d.Status.text() && d.saidBy(p): // perhaps by an earlier try
		s.changed() // its author looks for it at once
		return p, nil
	case !p.Unpublished():
		return p, errPublished
	case !anyway && before != nil && p.Revision == d.Revision:
		return p, before
	case d.Status == Published && p.Revision == revision:
		return p, errNothingToShow
	}
	return p, ErrEditedSince
}

// saidBy tells that a post says what the form of its draft asks for.
func (d *EditDraft) saidBy(p *Source) bool {
	return p.Title == d.Title && p.Text == d.Text && p.Link == d.Link && p.Image == d.Image && p.NSFW == d.NSFW && p.Spoiler == d.Spoiler &&
		(d.Status != Scheduled || p.PublishAt.UnixMilli() == d.PublishAt.UnixMilli())
}

// PublishDraft publishes an unpublished post of the actor's as it is; anyway is that of
// CreatePost. One that is published already stays as it is. Invalid (nothing to show),
// NotFound, Forbidden, Conflict (removed or deleted, PostedBefore) and Unauthenticated.
func (s *Store) PublishDraft(ctx context.Context, a data.Actor, id data.ID, anyway bool) (*Source, error) {
	shard, err := s.DB.ShardOfID(id)
	if err != nil {
		return nil, err
	}
	now := s.Source.Now()
	since := now.Add(-recentLink).UnixMilli()
	p, before, err := s.runDraft(ctx, shard, a, id, append(s.publishing(a, id, 0, anyway, now), data.OldStmt(postedBeforeDraft, id, nil, since)))
	switch {
	case err != nil:
		return nil, err
	case p.Status == "published": // perhaps by an earlier try
		s.changed() // its author looks for it at once
		return p, nil
	case !p.Unpublished():
		return p, errPublished
	case !anyway && before != nil:
		return p, before
	}
	return p, errNothingToShow
}

var (
	errPublished     = &data.Error{Code: data.Conflict, Message: "This has been published in the meantime. What is published is edited on its own page."}
	errNothingToShow = data.Mistake("text", "A post needs a text, a link or an image.")
)

// publishing are the statements that publish a draft of the given revision.
func (s *Store) publishing(a data.Actor, id data.ID, revision int64, anyway bool, now time.Time) []hrana.Stmt {
	ms := now.UnixMilli()
	return []hrana.Stmt{
		data.OldStmt(publishDraft, a.OldArgs(id, revision, ms, ranking.Hot(0, 0, now), anyway, now.Add(-recentLink).UnixMilli())...),
		data.OldStmt(voteForPublished, id, ms), data.OldStmt(leaveLinkOfPublished, id, ms, s.Source.OldDatabase(), outbox.ResendAfter.Milliseconds()),
	}
}

// runDraft runs statements, of which postedBeforeDraft is the last, and reads the post
// they are about, which is the actor's. before is the error of a link that was posted to
// the community of late, or nil.
func (s *Store) runDraft(ctx context.Context, shard *hrana.Client, a data.Actor, id data.ID, stmts []hrana.Stmt) (p *Source, before, err error) {
	results, err := data.Tx(ctx, shard, append(stmts, data.OldStmt(editedPost, a.OldArgs(id)...))...)
	if err != nil {
		return nil, nil, err
	}
	p = &Source{}
	live := false
	if err := data.Each(results[len(results)-1], func(r *data.Row) {
		scanPostSource(r, p)
		live = r.Bool()
	}); err != nil {
		return nil, nil, err
	}
	switch {
	case p.hiddenFrom(a.UserID):
		return nil, nil, errNoSuchPost
	case !live:
		return nil, nil, data.ErrSessionEnded
	case p.AuthorID != a.UserID:
		return nil, nil, ErrNotAuthor
	}
	return p, errPostedBefore(results[len(results)-2]), nil
}

// SavedAt is when a draft was saved last.
func (p *Post) SavedAt() time.Time {
	if p.EditedAt.IsZero() {
		return p.CreatedAt
	}
	return p.EditedAt
}
