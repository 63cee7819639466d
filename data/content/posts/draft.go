package posts

import (
	"context"
	"time"

	"plaza/data"
	"plaza/data/content/pictures"
	"plaza/data/rights/rules"
	"plaza/data/searchwords"
	"plaza/protocol/weburl"
)

// EditDraft is the form of an unpublished post. It replaces everything except the community and the original of a crosspost. Status is
// the status to give it.
type EditDraft struct {
	ID       data.ID
	Revision int64 // the form's revision
	Create
}

var (
	// The condition of both statements. editDraft must run last, because it writes a new revision, after which the condition is false.
	// With :anyway, it does not matter whether :about, the draft's new link_key, was posted there after :since. Primary keys, and
	// posts_same: a community has only a few posts with one link.
	mayEditDraft = ` FROM posts p WHERE p.id = :id AND p.author_id = :actor AND p.status IN ('draft', 'scheduled')
  AND coalesce(p.edited_at, 0) = :revision AND ` + inTime + ` AND NOT ` + flairRefused + `
  AND (:anyway OR NOT EXISTS (
    SELECT 1 FROM posts other
    WHERE other.link_key = iif(p.crosspost_of IS NULL, :about, p.link_key) AND other.link_key <> ''
      AND other.created_at > :since AND other.community_id = p.community_id AND other.status = 'published'))
  AND ` + data.LiveSession
	editDraftText = `INSERT INTO post_texts (post_id, text, html, words) SELECT p.id, :text, :html, :words` + mayEditDraft + `
ON CONFLICT (post_id) DO UPDATE SET text = excluded.text, html = excluded.html, words = excluded.words`
	editDraft = `UPDATE posts SET slug = iif(title = :title, slug, :slug), title = :title, words = :words, kind = :kind,
  link = :link, image = :image, domain = :domain, excerpt = :excerpt, nsfw = :nsfw, spoiler = :spoiler, locked = :locked,
  link_key = iif(crosspost_of IS NULL, :about, link_key), status = :status, publish_at = :publish_at, held = :held, flair_id = ` +
		newFlair + `, tags = :tags, pictures = :pictures, auto_reply = '', edited_at = :next
WHERE id = (SELECT p.id` + mayEditDraft + `)`
)

// EditDraft saves an unpublished post of the actor's, and publishes it if that is its Status, in one transaction on its shard. It returns
// the post as it is now, as Edit does. A post that is published gets the current time as its time of posting, and keeps its id. Errors
// are as in Create and Edit, and Conflict when the post is published already and differs. After PostedBefore nothing was saved.
func (s *Store) EditDraft(ctx context.Context, a data.Actor, d EditDraft) (*Source, error) {
	now := s.Source.Now()
	if err := d.Check(); err != nil {
		return nil, err
	}
	if d.Status == Draft { // it is judged when it is published
		d.Judged = rules.Verdict{}
	}
	d.NSFW, d.Spoiler = d.NSFW || d.Judged.NSFW, d.Spoiler || d.Judged.Spoiler
	plain := Slug(d.Title)
	slug := plain
	for try := 1; ; try++ {
		p, err := s.editDraft(ctx, a, d, slug, now)
		if !data.IsTaken(err) {
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

// editDraft is one attempt of EditDraft. data.IsTaken reports that another post has the slug.
func (s *Store) editDraft(ctx context.Context, a data.Actor, d EditDraft, slug string, now time.Time) (*Source, error) {
	next, about := NextRevision(d.Revision, now), weburl.Key(d.address())
	since, anyway := now.Add(-recentLink), d.AllowRepost || d.Status != Published
	stored := d.Status
	if stored == Published { // the statements that follow publish it
		stored = Draft
	}
	held := d.held()
	if d.Status == Published {
		held = 0 // until it is published
	}
	w := s.DB.WriteAt(d.ID)
	w.Do(editDraftText, a.Args(d.chosen().args(data.Args{"id": d.ID, "revision": d.Revision, "anyway": anyway, "about": about, "since": since,
		"text": d.Text, "html": d.TextHTML, "words": searchwords.Words(d.Text),
		"publish_at": d.publishAt(), "now": s.Source.DatabaseNow()})))
	w.Do(editDraft, a.Args(d.chosen().args(data.Args{"id": d.ID, "revision": d.Revision, "anyway": anyway, "about": about, "since": since,
		"title": d.Title, "words": searchwords.Words(d.Title), "slug": slug,
		"kind": d.kind(), "link": d.Link, "image": d.Image, "domain": weburl.Domain(d.address()), "excerpt": data.Line(d.Excerpt), "nsfw": d.NSFW,
		"spoiler": d.Spoiler, "locked": d.Judged.Locked,
		"status": stored.text(), "publish_at": d.publishAt(), "held": held, "tags": d.Tags,
		"pictures": pictures.Encode(d.Pictures), "next": next, "now": s.Source.DatabaseNow()})))
	if d.Status != Published {
		d.Judged.RecordDraft(w, s.Source, d.ID, next)
	} else {
		s.publishing(w, a, d.ID, next, anyway, d.Judged, now)
	}
	var schedule scheduleCheck
	schedule.find(w, s.Source, &d.Create)
	p, before, err := s.runDraft(ctx, w, a, d.ID, d.chosen(), data.Args{"id": d.ID, "about": about, "since": since})
	switch {
	case err != nil:
		return nil, err
	case p.Status == d.status() && d.equals(p): // perhaps by an earlier attempt
		return p, nil
	case !p.Unpublished():
		return p, errPublished
	case p.flair != nil && p.Revision == d.Revision:
		return p, p.flair
	case schedule.Err() != nil && p.Revision == d.Revision:
		return p, schedule.Err()
	case !anyway && len(before.Posts) > 0 && p.Revision == d.Revision:
		return p, before.conflict()
	case d.Status == Published && p.ban.Err() != nil:
		return nil, p.ban.Err()
	case d.Status == Published && p.Revision == next:
		return p, errNothingToShow
	}
	return p, ErrEditedSince
}

// equals reports whether a post equals the form.
func (d *EditDraft) equals(p *Source) bool {
	return p.Title == d.Title && p.Text == d.Text && p.Link == d.Link && p.Image == d.Image && p.NSFW == d.NSFW && p.Spoiler == d.Spoiler &&
		p.Tags == d.Tags && pictures.Encode(p.Pictures) == pictures.Encode(d.Pictures) && d.chosen().matches(p) &&
		(d.Status != Scheduled || p.PublishAt.UnixMilli() == d.PublishAt.UnixMilli())
}

// The recent posts in the draft's community with the same link_key as the draft, in the columns of PostedBefore. :about is the draft's
// new link_key, NULL for the stored one. Primary key, then posts_same.
const postedBeforeDraft = `SELECT ` + postedBeforeColumns + ` FROM posts p CROSS JOIN posts o
WHERE p.id = :id AND o.link_key = coalesce(iif(p.crosspost_of IS NULL, :about, NULL), p.link_key) AND o.link_key <> ''
  AND o.created_at > :since AND o.community_id = p.community_id AND o.status = 'published' AND o.id <> p.id` + postedBeforeOrder

// runDraft runs a transaction about a draft of the actor's and reads the post afterwards. flair is the choice of its flair. lookup are the
// arguments of postedBeforeDraft, and before its result. NotFound, Forbidden and Unauthenticated.
func (s *Store) runDraft(ctx context.Context, w *data.Write, a data.Actor, id data.ID, flair flairChoice, lookup data.Args) (p *Source,
	before *PostedBefore, err error) {
	before = &PostedBefore{}
	w.ChangeListings()
	w.Find(postedBeforeDraft, lookup, before.scan)
	p, live := s.findNow(w, a, id, flair)
	err = w.Run(ctx)
	switch {
	case err != nil:
		return nil, nil, err
	case p.invisibleTo(a.UserID):
		return nil, nil, errNoSuchPost
	case !*live:
		return nil, nil, data.ErrSessionEnded
	case p.AuthorID != a.UserID:
		return nil, nil, ErrNotAuthor
	}
	return p, before, nil
}
