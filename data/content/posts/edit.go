package posts

import (
	"context"
	"time"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/content/pictures"
	"plaza/data/content/tags"
	"plaza/data/events/outbox"
	"plaza/data/rights/bans"
	"plaza/data/rights/rules"
	"plaza/data/searchwords"
)

var (
	errNoSuchPost  = &data.Error{Code: data.NotFound, Message: "There is no such post here. It may have been moved or deleted."}
	ErrNotAuthor   = &data.Error{Code: data.Forbidden, Message: "Only its author can do that."}
	ErrEditedSince = &data.Error{Code: data.Conflict, Message: "You have changed this elsewhere in the meantime. Below is what you wrote " +
		"just now; saving it once more replaces the newer text."}
	errEditLocked   = &data.Error{Code: data.Forbidden, Message: "This thread is locked: nothing in it can be changed."}
	errEditArchived = &data.Error{Code: data.Forbidden, Message: "This thread is archived: nothing in it can be changed."}
	ErrEditRemoved  = &data.Error{Code: data.Forbidden, Message: "A moderator has removed this. It can be deleted, but not changed."}
	ErrEditHeld     = &data.Error{Code: data.Forbidden, Message: "This waits for a moderator. Until then it can be deleted, but not changed."}
	ErrEditGone     = &data.Error{Code: data.Forbidden, Message: "This is deleted. It can't be changed any more."}
)

// ErrDraft is returned for an unpublished post. EditDraft changes such posts.
var ErrDraft = &data.Error{Code: data.Conflict, Message: "This is not posted yet: change it as a draft."}

// Editable returns why a member may not change the post; nil if they may.
func (p *Source) Editable(member data.ID) error {
	switch {
	case p.invisibleTo(member):
		return errNoSuchPost
	case p.AuthorID == 0 || p.AuthorID != member:
		return ErrNotAuthor
	case p.Status == "deleted":
		return ErrEditGone
	case p.Unpublished():
		return ErrDraft
	case p.Held == data.Held:
		return ErrEditHeld
	}
	return OpenForEdits(p.Status, p.Locked)
}

// OpenForEdits returns why nothing in the thread of a post may be edited; nil if its parts may.
func OpenForEdits(status string, locked bool) error {
	switch {
	case status == "removed":
		return ErrEditRemoved
	case status == "archived":
		return errEditArchived
	case locked:
		return errEditLocked
	}
	return nil
}

// TitleTime is how long after posting an author can change the title of a post. Votes and replies refer to the title, so later only
// moderators can (package moderation). The address of the post stays.
const TitleTime = 10 * time.Minute

// errTitle is returned when an author can't change the title any more.
var errTitle = data.Mistake("title", "The title can be changed for ten minutes after posting. Later a moderator can change it.")

// Edit is an author's change: the text, and the marks NSFW and Spoiler, unless a moderator has set them. Link and image can't be changed,
// because address, votes and replies refer to them. The title can be changed for TitleTime, unless a moderator has changed it. The title of
// a short post, which is the beginning of its text or all of it, can be changed at any time on the author's own profile. The caller renders
// TextHTML and Excerpt from Text.
type Edit struct {
	ID       data.ID
	Title    string // "" keeps it
	Text     string
	TextHTML string
	Excerpt  string
	NSFW     bool
	Spoiler  bool
	Flair    *data.ID            // 0 is none; nil keeps it
	Chosen   *[]pictures.Chosen  // the pictures to keep, with their descriptions; nil keeps all
	Pictures *[]pictures.Picture // the pictures of Chosen; publishing finds them
	Tags     *string             // as typed; nil keeps them
	Revision int64               // the form's revision
	Judged   rules.Verdict
}

// Validate checks the fields. Whether the text may be empty depends on the stored post; Edit checks that.
func (e *Edit) Validate() error {
	if data.Blank(e.Text) {
		e.Text = ""
	}
	e.Title = data.Line(e.Title)
	if e.Tags != nil {
		kept, err := tags.Parse(*e.Tags)
		if err != nil {
			return err
		}
		e.Tags = &kept
	}
	if e.Chosen != nil {
		kept, err := pictures.Check(*e.Chosen)
		if err != nil {
			return err
		}
		e.Chosen = &kept
	}
	if utf8.RuneCountInString(e.Title) > TitleMax {
		return CheckTitle(e.Title)
	}
	if utf8.RuneCountInString(e.Text) > TextMax {
		return data.Mistake("text", "A text has at most 40,000 characters.")
	}
	return nil
}

// pictures returns :pictures of both statements; nil keeps the stored ones.
func (e *Edit) pictures() any {
	if e.Pictures == nil {
		return nil
	}
	return pictures.Encode(*e.Pictures)
}

// tags returns :tags of editPost; nil keeps the stored ones.
func (e *Edit) tags() any {
	if e.Tags == nil {
		return nil
	}
	return *e.Tags
}

var (
	// The condition of both statements. editPost must run last, because it writes a new revision, after which the condition is false.
	mayEdit = ` FROM posts p WHERE p.id = :id AND p.author_id = :actor AND p.status = 'published' AND p.locked = 0
  AND coalesce(p.edited_at, 0) = :revision
  AND (p.link <> '' OR p.image <> '' OR coalesce(:pictures, p.pictures) <> '' OR p.crosspost_of IS NOT NULL OR :text <> ''
    OR :title <> '' AND p.community_name = :profile)
  AND (:title IN ('', p.title) OR p.community_name = :profile OR p.created_at > ` + data.DatabaseNow + ` - 600000
    AND NOT EXISTS (SELECT 1 FROM moderation_log m WHERE m.target_id = p.id AND m.action = 'title'))
  AND NOT ` + bans.BannedOrMuted("p.community_id") + ` AND NOT ` + flairRefused + ` AND ` +
		data.LiveSession
	editText = `INSERT INTO post_texts (post_id, text, html, words) SELECT p.id, :text, :html, :words` + mayEdit + `
ON CONFLICT (post_id) DO UPDATE SET text = excluded.text, html = excluded.html, words = excluded.words`
	// An author can't remove a moderator's mark. Index moderation_log_target.
	marked   = `EXISTS (SELECT 1 FROM moderation_log l WHERE l.target_id = posts.id AND l.undone_by IS NULL AND l.action = `
	editPost = `UPDATE posts SET title = iif(:title = '', title, :title), words = iif(:title = '', words, :words),
  excerpt = :excerpt, nsfw = :nsfw OR ` + marked +
		`'nsfw'), spoiler = :spoiler OR ` + marked + `'spoiler'),
  flair_id = ` + newFlair + `, tags = coalesce(:tags, tags), pictures = coalesce(:pictures, pictures),
  kind = iif(link = '' AND image = '' AND kind = 'image' AND :pictures = '', 'text', kind), edited_at = :next
WHERE id = (SELECT p.id` + mayEdit + `)`
)

// Edit changes a post of the actor's, in one transaction on its shard, and returns the post as it is now: after a
// Conflict, with what was saved since Revision. Invalid, NotFound, Forbidden (not the author's, locked, archived,
// removed, deleted; banned or muted), Conflict and Unauthenticated.
func (s *Store) Edit(ctx context.Context, a data.Actor, e Edit) (*Source, error) {
	if err := e.Validate(); err != nil {
		return nil, err
	}
	next := NextRevision(e.Revision, s.Source.Now())
	w := s.DB.WriteAt(e.ID)
	profile := data.ProfileOf(a.UserID)
	choice := flairChoice{e.Flair, e.Flair != nil, e.Judged.Flair}
	w.ChangeListings()
	w.Do(editText, a.Args(choice.args(data.Args{"id": e.ID, "revision": e.Revision, "title": e.Title, "profile": profile, "text": e.Text,
		"html": e.TextHTML, "words": searchwords.Words(e.Text), "pictures": e.pictures(), "now": s.Source.DatabaseNow()})))
	w.Do(editPost, a.Args(choice.args(data.Args{"id": e.ID, "revision": e.Revision, "title": e.Title,
		"words": searchwords.Words(e.Title), "profile": profile, "text": e.Text,
		"excerpt": data.Line(e.Excerpt), "nsfw": e.NSFW, "spoiler": e.Spoiler, "tags": e.tags(), "pictures": e.pictures(),
		"next": next, "now": s.Source.DatabaseNow()})))
	e.Judged.RecordEdited(w, s.Source, e.ID, next)
	w.Do(retitleHere, a.Args(data.Args{"id": e.ID, "title": e.Title, "next": next}))
	outbox.EnqueueUpdate(w, s.Source, e.ID, a.UserID, next)
	p, live := s.findNow(w, a, e.ID, choice)
	if err := w.Run(ctx); err != nil {
		return nil, err
	}
	if !p.invisibleTo(a.UserID) && !*live {
		return nil, data.ErrSessionEnded
	}
	if err := p.Editable(a.UserID); err != nil {
		return nil, err
	}
	switch {
	case p.Text == e.Text && (p.NSFW || !e.NSFW) && (p.Spoiler || !e.Spoiler) && (e.Title == "" || e.Title == p.Title) &&
		(e.Tags == nil || *e.Tags == p.Tags) &&
		(e.Pictures == nil || pictures.Encode(*e.Pictures) == pictures.Encode(p.Pictures)) && choice.matches(p):
		// perhaps by an earlier attempt; a moderator's marks stay
		if e.Title != "" {
			s.updateCopiesNow(ctx, e.ID)
		}
		return p, nil
	case p.ban.Err() != nil:
		return nil, p.ban.Err()
	case p.flair != nil && p.Revision == e.Revision:
		return nil, p.flair
	case e.Title != "" && e.Title != p.Title && p.Revision == e.Revision && p.Community != profile:
		return nil, errTitle
	case e.Text == "" && (e.Title == "" || p.Community != profile) && p.Link == "" && p.Image == "" && p.Original == nil &&
		(len(p.Pictures) == 0 || e.Pictures != nil && len(*e.Pictures) == 0):
		return nil, data.Mistake("text", "A post needs a text, a link or an image.")
	}
	return p, ErrEditedSince
}
