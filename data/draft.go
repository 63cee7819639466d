package data

import (
	"cmp"
	"context"
	"time"

	"plaza/data/hrana"
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

// inTime checks when a post is to be published.
func (c *CreatePost) inTime(now time.Time) error {
	switch {
	case c.Status != Scheduled:
		return nil
	case c.PublishAt.IsZero():
		return invalid("publish_at", "When is it to be published? Please choose a day and a time.")
	case c.PublishAt.Before(now):
		return invalid("publish_at", "That time has passed. Please choose a later one.")
	case c.PublishAt.After(now.Add(scheduleMax)):
		return invalid("publish_at", "A post can be scheduled for a year ahead at most.")
	}
	return nil
}

// publishAt is the column of the same name.
func (c *CreatePost) publishAt() any {
	if c.Status != Scheduled {
		return nil
	}
	return c.PublishAt.UnixMilli()
}

// Unpublished tells a draft or a scheduled post, which nobody but its author may see.
func (p *Post) Unpublished() bool { return p.Status == "draft" || p.Status == "scheduled" }

// Unpublished is that of the post.
func (p *PostSource) Unpublished() bool { return p.Status == "draft" || p.Status == "scheduled" }

// EditDraft is everything there is of an unpublished post but its community and what
// it shows again. CreatePost's Status says what is to become of it.
type EditDraft struct {
	ID       ID
	Revision int64 // that the form was made from
	CreatePost
}

const (
	// Primary keys. The same condition in all that is saved; the row of the post, which it
	// depends on, is written last.
	mayEditDraft = ` FROM posts p WHERE p.id = ?4 AND p.author_id = ?1 AND p.status IN ('draft', 'scheduled')
  AND coalesce(p.edited_at, 0) = ?5 AND ` + liveSession
	editDraftText = `INSERT INTO post_texts (post_id, text, html) SELECT p.id, ?6, ?7` + mayEditDraft + `
ON CONFLICT (post_id) DO UPDATE SET text = excluded.text, html = excluded.html`
	editDraft = `UPDATE posts SET slug = iif(title = ?6, slug, ?7), title = ?6, kind = ?8, link = ?9, image = ?10, domain = ?11, excerpt = ?12,
  nsfw = ?13, spoiler = ?14, link_key = iif(crosspost_of IS NULL, ?15, link_key), status = ?16, publish_at = ?17, edited_at = ?18
WHERE id = (SELECT p.id` + mayEditDraft + `)`

	// What has nothing to show is not published. ?5 is the revision that was saved just
	// before, 0 for whichever there is.
	publishDraft = `UPDATE posts SET ` + publishNow + `
WHERE id = ?4 AND author_id = ?1 AND status IN ('draft', 'scheduled') AND (?5 = 0 OR edited_at = ?5) AND ` + showsSomething + ` AND ` + liveSession
	publishNow     = `status = 'published', created_at = ?6, hot = ?7, age = 0, edited_at = NULL, publish_at = NULL`
	showsSomething = `(link <> '' OR image <> '' OR crosspost_of IS NOT NULL OR EXISTS (SELECT 1 FROM post_texts t WHERE t.post_id = posts.id AND t.text <> ''))`
	// Of a post that is published now, not before; when its transaction runs again, too.
	voteForPublished = `INSERT INTO votes (target_id, user_id, value, updated_at) SELECT id, author_id, 1, ?2 FROM posts
WHERE id = ?1 AND status = 'published' AND created_at = ?2 ON CONFLICT DO NOTHING`
	// leaveWork for a post that was published now and has a link.
	leaveLinkOfPublished = `INSERT INTO outbox (subject_id, work, queued_at, due_at) SELECT id, 'link', ?2, ?3 FROM posts
WHERE id = ?1 AND status = 'published' AND created_at = ?2 AND link <> '' ON CONFLICT DO NOTHING`
)

// EditDraft saves an unpublished post of the actor's, and publishes it if that is its
// Status, in one transaction on its shard; it returns the post as it is now, as
// EditPost does. Publishing makes it as new as if it had been posted just then; its id
// stays. Errors are those of CreatePost and EditPost; Conflict when it is published
// already.
func (s *PostStore) EditDraft(ctx context.Context, a Actor, d EditDraft) (*PostSource, error) {
	now := s.Source.Now()
	if err := cmp.Or(d.Validate(), d.inTime(now)); err != nil {
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
			return nil, unavailable(err)
		}
	}
}

func (s *PostStore) editDraft(ctx context.Context, shard *hrana.Client, a Actor, d EditDraft, slug string, now time.Time) (*PostSource, error) {
	revision := nextRevision(d.Revision, now)
	link := cmp.Or(d.Link, d.Image)
	status := d.Status
	if status == Published { // by the statement after
		status = Draft
	}
	stmts := []hrana.Stmt{
		stmt(editDraftText, a.args(d.ID, d.Revision, d.Text, d.TextHTML)...),
		stmt(editDraft, a.args(d.ID, d.Revision, d.Title, slug, d.kind(), d.Link, d.Image, Domain(link), d.Excerpt, d.NSFW, d.Spoiler, URLKey(link),
			status.text(), d.publishAt(), revision)...),
	}
	if d.Status == Published {
		stmts = append(stmts, publishing(a, d.ID, revision, now)...)
	}
	p, err := s.runDraft(ctx, shard, a, d.ID, stmts)
	switch {
	case err != nil:
		return nil, err
	case d.Status == Published && p.publishedAt(now):
		s.warm.clear() // its author looks for it at once
		return p, nil
	case !p.Unpublished():
		return p, errPublished
	case p.Revision != revision || p.Title != d.Title || p.Text != d.Text:
		return p, errEditedSince
	case d.Status == Published:
		return p, errNothingToShow
	}
	return p, nil
}

// PublishDraft publishes an unpublished post of the actor's as it is. Invalid (nothing
// to show), NotFound, Forbidden, Conflict (published already) and Unauthenticated.
func (s *PostStore) PublishDraft(ctx context.Context, a Actor, id ID) (*PostSource, error) {
	shard, err := s.DB.ShardOfID(id)
	if err != nil {
		return nil, err
	}
	now := s.Source.Now()
	p, err := s.runDraft(ctx, shard, a, id, publishing(a, id, 0, now))
	switch {
	case err != nil:
		return nil, err
	case p.publishedAt(now):
		s.warm.clear() // its author looks for it at once
		return p, nil
	case p.Unpublished():
		return p, errNothingToShow
	}
	return p, errPublished
}

var (
	errPublished     = &Error{Code: Conflict, Message: "This has been published in the meantime. What is published is edited on its own page."}
	errNothingToShow = invalid("text", "A post needs a text, a link or an image.")
)

// publishing are the statements that publish a draft of the given revision.
func publishing(a Actor, id ID, revision int64, now time.Time) []hrana.Stmt {
	ms := now.UnixMilli()
	return []hrana.Stmt{
		stmt(publishDraft, a.args(id, revision, ms, ranking.Hot(0, 0, now))...),
		stmt(voteForPublished, id, ms), stmt(leaveLinkOfPublished, id, ms, now.Add(resendAfter).UnixMilli()),
	}
}

func (p *PostSource) publishedAt(now time.Time) bool {
	return p.Status == "published" && p.CreatedAt.UnixMilli() == now.UnixMilli()
}

// runDraft runs statements and reads the post they are about, which is the actor's.
func (s *PostStore) runDraft(ctx context.Context, shard *hrana.Client, a Actor, id ID, stmts []hrana.Stmt) (*PostSource, error) {
	results, err := tx(ctx, shard, append(stmts, stmt(editedPost, a.args(id)...))...)
	if err != nil {
		return nil, err
	}
	p, live := &PostSource{}, false
	if err := each(results[len(results)-1], func(r *row) {
		scanPostSource(r, p)
		live = r.bool()
	}); err != nil {
		return nil, err
	}
	switch {
	case p.ID == 0:
		return nil, errNoSuchPost
	case !live:
		return nil, errSessionEnded
	case p.AuthorID != a.UserID:
		return nil, errNotAuthor
	}
	return p, nil
}

const (
	// publishStep is how many posts one transaction publishes.
	publishStep = 50
	// publishSteps bounds the transactions of one run a shard; the next run goes on.
	publishSteps = 10
)

const (
	// Index posts_scheduled in its order, from its front.
	duePosts = `SELECT p.id FROM posts p WHERE p.status = 'scheduled' AND p.publish_at <= ?1 ORDER BY p.publish_at, p.id LIMIT ?2`
	// Primary keys. ?1 is a JSON array of ids, ?6 now; what was withdrawn since stays.
	publishDue = `UPDATE posts SET ` + publishNow + `
WHERE id IN (SELECT value FROM json_each(?1)) AND status = 'scheduled' AND publish_at <= ?6 AND ` + showsSomething
	voteForDue = `INSERT INTO votes (target_id, user_id, value, updated_at) SELECT p.id, p.author_id, 1, ?2 FROM json_each(?1) j CROSS JOIN posts p ON p.id = j.value
WHERE p.status = 'published' AND p.created_at = ?2 ON CONFLICT DO NOTHING`
	leaveLinksOfDue = `INSERT INTO outbox (subject_id, work, queued_at, due_at) SELECT p.id, 'link', ?2, ?3 FROM json_each(?1) j CROSS JOIN posts p ON p.id = j.value
WHERE p.status = 'published' AND p.created_at = ?2 AND p.link <> '' ON CONFLICT DO NOTHING`
	// What can't be published has become empty; it stays its author's draft.
	withdrawDue  = `UPDATE posts SET status = 'draft', publish_at = NULL WHERE id IN (SELECT value FROM json_each(?1)) AND status = 'scheduled' AND publish_at <= ?2`
	publishedDue = `SELECT p.id, p.link <> '' FROM json_each(?1) j CROSS JOIN posts p ON p.id = j.value WHERE p.status = 'published' AND p.created_at = ?2`
)

// Due posts were published just now: all of them, and those that have a link.
type DuePosts struct{ All, Links []ID }

// PublishDue publishes what is scheduled for now or before, in small transactions on
// every shard. It may run any number of times, at once too.
func (s *PostStore) PublishDue(ctx context.Context) (DuePosts, error) {
	var done DuePosts
	for _, shard := range s.DB.shards {
		for range publishSteps {
			n, err := s.publishStep(ctx, shard, &done)
			if err != nil {
				return done, err
			}
			if n < publishStep {
				break
			}
		}
	}
	if len(done.All) > 0 {
		s.warm.clear()
	}
	return done, nil
}

func (s *PostStore) publishStep(ctx context.Context, shard *hrana.Client, done *DuePosts) (found int, err error) {
	now := s.Source.Now()
	ms := now.UnixMilli()
	var due []ID
	r := s.DB.Read()
	r.add(shard, stmt(duePosts, ms, publishStep), scanIDs(&due))
	if err := r.Run(ctx); err != nil || len(due) == 0 {
		return 0, err
	}
	ids := jsonIDs(due)
	results, err := tx(ctx, shard,
		stmt(publishDue, ids, nil, nil, nil, nil, ms, ranking.Hot(0, 0, now)), stmt(withdrawDue, ids, ms),
		stmt(voteForDue, ids, ms), stmt(leaveLinksOfDue, ids, ms, now.Add(resendAfter).UnixMilli()), stmt(publishedDue, ids, ms))
	if err != nil {
		return 0, err
	}
	return len(due), each(results[4], func(row *row) {
		id := row.id()
		done.All = append(done.All, id)
		if row.bool() {
			done.Links = append(done.Links, id)
		}
	})
}
