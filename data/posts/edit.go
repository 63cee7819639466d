package posts

import (
	"context"
	"time"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/hrana"
)

// PostSource is a post as its author's forms need it: with the Markdown.
type Source struct {
	ID        data.ID
	Community string
	AuthorID  data.ID
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
func (p *Source) URL() string { return "/c/" + p.Community + "/p/" + p.Slug }

var (
	errNoSuchPost   = &data.Error{Code: data.NotFound, Message: "There is no such post here. It may have been moved or deleted."}
	ErrNotAuthor    = &data.Error{Code: data.Forbidden, Message: "Only its author can do that."}
	ErrEditedSince  = &data.Error{Code: data.Conflict, Message: "You have changed this elsewhere in the meantime. Below is what you wrote just now; saving it once more replaces the newer text."}
	errEditLocked   = &data.Error{Code: data.Forbidden, Message: "This thread is locked: nothing in it can be changed."}
	errEditArchived = &data.Error{Code: data.Forbidden, Message: "This thread is archived: nothing in it can be changed."}
	ErrEditRemoved  = &data.Error{Code: data.Forbidden, Message: "A moderator has removed this. It can be deleted, but not changed."}
	ErrEditGone     = &data.Error{Code: data.Forbidden, Message: "This is deleted. It can't be changed any more."}
)

// ErrDraft tells that a post is not published yet, and changed by EditDraft.
var ErrDraft = &data.Error{Code: data.Conflict, Message: "This is not published yet: it is changed as a draft."}

// Editable tells why a member may not change the post, or nil.
func (p *Source) Editable(member data.ID) error {
	switch {
	case p.hiddenFrom(member):
		return errNoSuchPost
	case p.AuthorID == 0 || p.AuthorID != member:
		return ErrNotAuthor
	case p.Status == "deleted":
		return ErrEditGone
	case p.Unpublished():
		return ErrDraft
	}
	return OpenForEdits(p.Status, p.Locked)
}

// openForEdits tells why nothing in the thread of a post may be changed, or nil.
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

// EditPost is what an author changes: the text and the marks. Title, link and image
// stay as posted, because address, votes and answers are about them. TextHTML and
// Excerpt are made from Text by the caller, who has the Markdown.
type Edit struct {
	ID       data.ID
	Text     string
	TextHTML string
	Excerpt  string
	NSFW     bool
	Spoiler  bool
	Revision int64 // that the form was made from
}

// Validate checks the fields. That a text post needs a text is known with the post.
func (e *Edit) Validate() error {
	if data.Blank(e.Text) {
		e.Text = ""
	}
	if utf8.RuneCountInString(e.Text) > PostTextMax {
		return data.Mistake("text", "A text has at most 40,000 characters.")
	}
	return nil
}

const (
	// Primary keys. The same condition in every statement of the transaction; the row of
	// the post, which it depends on, is written last.
	mayEditPost = ` FROM posts p WHERE p.id = ?4 AND p.author_id = ?1 AND p.status = 'published' AND p.locked = 0
  AND coalesce(p.edited_at, 0) = ?5 AND (p.kind <> 'text' OR p.crosspost_of IS NOT NULL OR ?6 <> '') AND ` + data.OldLiveSession
	editPostText = `INSERT INTO post_texts (post_id, text, html) SELECT p.id, ?6, ?7` + mayEditPost + `
ON CONFLICT (post_id) DO UPDATE SET text = excluded.text, html = excluded.html`
	editPost = `UPDATE posts SET excerpt = ?7, nsfw = ?8, spoiler = ?9, edited_at = ?10 WHERE id = (SELECT p.id` + mayEditPost + `)`

	postSourceColumns = `SELECT p.id, p.community_name, p.author_id, p.slug, p.kind, p.title, p.link, p.image, t.text, p.status, p.locked, p.nsfw, p.spoiler, p.edited_at, p.crosspost, p.created_at, p.publish_at`
	postSource        = postSourceColumns + ` FROM posts p LEFT JOIN post_texts t ON t.post_id = p.id WHERE p.id = ?1`
	editedPost        = postSourceColumns + `, ` + data.OldLiveSession + ` FROM posts p LEFT JOIN post_texts t ON t.post_id = p.id WHERE p.id = ?4`
)

func scanPostSource(r *data.Row, p *Source) {
	*p = Source{ID: r.ID(), Community: r.Text(), AuthorID: r.ID(), Slug: r.Text(), Kind: r.Text(), Title: r.Text(), Link: r.Text(), Image: r.Text(),
		Text: r.Text(), Status: r.Text(), Locked: r.Bool(), NSFW: r.Bool(), Spoiler: r.Bool(), Revision: r.Int(),
		Original: parseOriginal(r.Text()), CreatedAt: data.Millis(r.Int())}
	if ms := r.Int(); ms != 0 {
		p.PublishAt = data.Millis(ms)
	}
}

// FindSource reads a post's source along with a page; ID stays 0 when there is none.
// It is for the author's eyes: ask Editable before showing it.
func (s *Store) FindSource(r *data.Read, shard *hrana.Client, id data.ID) *Source {
	p := &Source{}
	r.OldAdd(shard, data.OldStmt(postSource, id), func(res hrana.Result) error {
		return data.Each(res, func(row *data.Row) { scanPostSource(row, p) })
	})
	return p
}

// EditPost changes a post of the actor's, in one transaction on its shard, and returns
// it as it is now: after a Conflict, with what somebody has saved since Revision.
// Invalid, NotFound, Forbidden (not the author's, locked, archived, removed, deleted),
// Conflict and Unauthenticated.
func (s *Store) Edit(ctx context.Context, a data.Actor, e Edit) (*Source, error) {
	if err := e.Validate(); err != nil {
		return nil, err
	}
	shard, err := s.DB.ShardOfID(e.ID)
	if err != nil {
		return nil, err
	}
	revision := NextRevision(e.Revision, s.Source.Now())
	results, err := data.Tx(ctx, shard,
		data.OldStmt(editPostText, a.OldArgs(e.ID, e.Revision, e.Text, e.TextHTML)...),
		data.OldStmt(editPost, a.OldArgs(e.ID, e.Revision, e.Text, data.Line(e.Excerpt), e.NSFW, e.Spoiler, revision)...),
		data.OldStmt(editedPost, a.OldArgs(e.ID)...))
	if err != nil {
		return nil, err
	}
	p, live := &Source{}, false
	if err := data.Each(results[2], func(r *data.Row) {
		scanPostSource(r, p)
		live = r.Bool()
	}); err != nil {
		return nil, err
	}
	if !p.hiddenFrom(a.UserID) && !live {
		return nil, data.ErrSessionEnded
	}
	if err := p.Editable(a.UserID); err != nil {
		return nil, err
	}
	switch {
	case p.Text == e.Text && p.NSFW == e.NSFW && p.Spoiler == e.Spoiler: // perhaps by an earlier try
		s.changed()
		return p, nil
	case p.Kind == "text" && e.Text == "":
		return nil, data.Mistake("text", "A post needs a text, a link or an image.")
	}
	return p, ErrEditedSince
}

// nextRevision is now, but later than what it replaces, whatever the clocks say.
func NextRevision(revision int64, now time.Time) int64 { return max(now.UnixMilli(), revision+1) }
