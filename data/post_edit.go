package data

import (
	"context"
	"time"
	"unicode/utf8"

	"plaza/data/hrana"
)

// PostSource is a post as its author's forms need it: with the Markdown.
type PostSource struct {
	ID        ID
	Community string
	AuthorID  ID
	Slug      string
	Kind      string
	Title     string
	Link      string
	Image     string
	Text      string
	Status    string
	Locked    bool
	NSFW      bool
	Spoiler   bool
	Original  *Original // what it shows again
	CreatedAt time.Time
	PublishAt time.Time // of a scheduled post
	Revision  int64     // of what it says: the moment of the last edit in milliseconds, 0 before
}

// URL is the post's address on the site.
func (p *PostSource) URL() string { return "/c/" + p.Community + "/p/" + p.Slug }

var (
	errNoSuchPost   = &Error{Code: NotFound, Message: "There is no such post here. It may have been moved or deleted."}
	errNotAuthor    = &Error{Code: Forbidden, Message: "Only its author can do that."}
	errEditedSince  = &Error{Code: Conflict, Message: "You have changed this elsewhere in the meantime. Below is what you wrote just now; saving it once more replaces the newer text."}
	errEditLocked   = &Error{Code: Forbidden, Message: "This thread is locked: nothing in it can be changed."}
	errEditArchived = &Error{Code: Forbidden, Message: "This thread is archived: nothing in it can be changed."}
	errEditRemoved  = &Error{Code: Forbidden, Message: "A moderator has removed this. It can be deleted, but not changed."}
	errEditGone     = &Error{Code: Forbidden, Message: "This is deleted. It can't be changed any more."}
)

// ErrDraft tells that a post is not published yet, and changed by EditDraft.
var ErrDraft = &Error{Code: Conflict, Message: "This is not published yet: it is changed as a draft."}

// Editable tells why a member may not change the post, or nil.
func (p *PostSource) Editable(member ID) error {
	switch {
	case p.hiddenFrom(member):
		return errNoSuchPost
	case p.AuthorID == 0 || p.AuthorID != member:
		return errNotAuthor
	case p.Status == "deleted":
		return errEditGone
	case p.Unpublished():
		return ErrDraft
	}
	return openForEdits(p.Status, p.Locked)
}

// openForEdits tells why nothing in the thread of a post may be changed, or nil.
func openForEdits(status string, locked bool) error {
	switch {
	case status == "removed":
		return errEditRemoved
	case status == "archived":
		return errEditArchived
	case locked:
		return errEditLocked
	}
	return nil
}

// EditPost is what an author changes: the text and the marks. Title, link and image
// stay as posted, because address, votes and answers are about them. TextHTML and
// Excerpt are made from Text by the caller, who has the Markdown.
type EditPost struct {
	ID       ID
	Text     string
	TextHTML string
	Excerpt  string
	NSFW     bool
	Spoiler  bool
	Revision int64 // that the form was made from
}

// Validate checks the fields. That a text post needs a text is known with the post.
func (e *EditPost) Validate() error {
	if Blank(e.Text) {
		e.Text = ""
	}
	if utf8.RuneCountInString(e.Text) > PostTextMax {
		return Mistake("text", "A text has at most 40,000 characters.")
	}
	return nil
}

const (
	// Primary keys. The same condition in every statement of the transaction; the row of
	// the post, which it depends on, is written last.
	mayEditPost = ` FROM posts p WHERE p.id = ?4 AND p.author_id = ?1 AND p.status = 'published' AND p.locked = 0
  AND coalesce(p.edited_at, 0) = ?5 AND (p.kind <> 'text' OR p.crosspost_of IS NOT NULL OR ?6 <> '') AND ` + liveSession
	editPostText = `INSERT INTO post_texts (post_id, text, html) SELECT p.id, ?6, ?7` + mayEditPost + `
ON CONFLICT (post_id) DO UPDATE SET text = excluded.text, html = excluded.html`
	editPost = `UPDATE posts SET excerpt = ?7, nsfw = ?8, spoiler = ?9, edited_at = ?10 WHERE id = (SELECT p.id` + mayEditPost + `)`

	postSourceColumns = `SELECT p.id, p.community_name, p.author_id, p.slug, p.kind, p.title, p.link, p.image, t.text, p.status, p.locked, p.nsfw, p.spoiler, p.edited_at, p.crosspost, p.created_at, p.publish_at`
	postSource        = postSourceColumns + ` FROM posts p LEFT JOIN post_texts t ON t.post_id = p.id WHERE p.id = ?1`
	editedPost        = postSourceColumns + `, ` + liveSession + ` FROM posts p LEFT JOIN post_texts t ON t.post_id = p.id WHERE p.id = ?4`
)

func scanPostSource(r *Row, p *PostSource) {
	*p = PostSource{ID: r.ID(), Community: r.Text(), AuthorID: r.ID(), Slug: r.Text(), Kind: r.Text(), Title: r.Text(), Link: r.Text(), Image: r.Text(),
		Text: r.Text(), Status: r.Text(), Locked: r.Bool(), NSFW: r.Bool(), Spoiler: r.Bool(), Revision: r.Int(),
		Original: parseOriginal(r.Text()), CreatedAt: millis(r.Int())}
	if ms := r.Int(); ms != 0 {
		p.PublishAt = millis(ms)
	}
}

// FindSource reads a post's source along with a page; ID stays 0 when there is none.
// It is for the author's eyes: ask Editable before showing it.
func (s *PostStore) FindSource(r *Read, shard *hrana.Client, id ID) *PostSource {
	p := &PostSource{}
	r.add(shard, stmt(postSource, id), func(res hrana.Result) error {
		return each(res, func(row *Row) { scanPostSource(row, p) })
	})
	return p
}

// EditPost changes a post of the actor's, in one transaction on its shard, and returns
// it as it is now: after a Conflict, with what somebody has saved since Revision.
// Invalid, NotFound, Forbidden (not the author's, locked, archived, removed, deleted),
// Conflict and Unauthenticated.
func (s *PostStore) EditPost(ctx context.Context, a Actor, e EditPost) (*PostSource, error) {
	if err := e.Validate(); err != nil {
		return nil, err
	}
	shard, err := s.DB.ShardOfID(e.ID)
	if err != nil {
		return nil, err
	}
	revision := nextRevision(e.Revision, s.Source.Now())
	results, err := tx(ctx, shard,
		stmt(editPostText, a.args(e.ID, e.Revision, e.Text, e.TextHTML)...),
		stmt(editPost, a.args(e.ID, e.Revision, e.Text, Line(e.Excerpt), e.NSFW, e.Spoiler, revision)...),
		stmt(editedPost, a.args(e.ID)...))
	if err != nil {
		return nil, err
	}
	p, live := &PostSource{}, false
	if err := each(results[2], func(r *Row) {
		scanPostSource(r, p)
		live = r.Bool()
	}); err != nil {
		return nil, err
	}
	if !p.hiddenFrom(a.UserID) && !live {
		return nil, ErrSessionEnded
	}
	if err := p.Editable(a.UserID); err != nil {
		return nil, err
	}
	switch {
	case p.Text == e.Text && p.NSFW == e.NSFW && p.Spoiler == e.Spoiler: // perhaps by an earlier try
		s.changed()
		return p, nil
	case p.Kind == "text" && e.Text == "":
		return nil, Mistake("text", "A post needs a text, a link or an image.")
	}
	return p, errEditedSince
}

// nextRevision is now, but later than what it replaces, whatever the clocks say.
func nextRevision(revision int64, now time.Time) int64 { return max(now.UnixMilli(), revision+1) }
