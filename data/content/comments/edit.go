package comments

import (
	"context"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/content/pictures"
	"plaza/data/content/posts"
	"plaza/data/events/outbox"
	"plaza/data/rights/bans"
	"plaza/data/rights/rules"
	"plaza/data/searchwords"
)

// Source is a comment with its Markdown, for its author's forms.
type Source struct {
	ID       data.ID
	AuthorID data.ID
	Body     string
	Pictures []pictures.Picture
	Status   string
	Held     data.Hold
	Revision int64      // as in posts.Source
	Post     posts.Post // its address, title and status, and whether it is locked

	ban bans.Ban // as in posts.Source
}

// URL is the comment's own address.
func (c *Source) URL() string { return c.Post.URL() + "/" + c.ID.Text() }

// Editable returns why a member may not change the comment; nil if they may.
func (c *Source) Editable(member data.ID) error {
	switch {
	case c.ID == 0:
		return errNoSuchComment
	case c.AuthorID == 0 || c.AuthorID != member:
		return posts.ErrNotAuthor
	case c.Status == "deleted":
		return posts.ErrEditGone
	case c.Held == data.Held:
		return posts.ErrEditHeld
	case c.Status == "removed":
		return posts.ErrEditRemoved
	case c.Post.Status == "deleted":
		return errEditPostGone
	}
	return posts.OpenForEdits(c.Post.Status, c.Post.Locked)
}

var (
	errNoSuchComment = &data.Error{Code: data.NotFound, Message: "There is no such comment here. It may have been deleted."}
	errEditPostGone  = &data.Error{Code: data.Forbidden, Message: "The post of this thread is deleted: nothing in it can be changed."}
)

var (
	sourceColumns = `SELECT c.id, c.author_id, c.body, c.pictures, c.status, c.held, c.edited_at, p.id, p.community_name, p.slug,
  p.title, p.status, p.locked`
	sourceFrom    = ` FROM comments c JOIN posts p ON p.id = c.post_id WHERE c.id = :id`
	commentSource = sourceColumns + sourceFrom
	changedSource = sourceColumns + `, ` + data.LiveSession + `, ` + bans.Mine("p.community_id") + sourceFrom
)

func (c *Source) scan(r *data.Row) {
	*c = Source{ID: r.ID(), AuthorID: r.ID(), Body: r.Text(), Pictures: pictures.Scan(r), Status: r.Text(), Held: data.Hold(r.Int()),
		Revision: r.Int()}
	c.Post = posts.Post{ID: r.ID(), Community: r.Text(), Slug: r.Text(), Title: r.Text(), Status: r.Text(), Locked: r.Bool()}
}

// FindSource reads a comment's source along with a page; ID stays 0 if it does not exist. Only the author may see it: call Editable
// before showing it.
func (s *Store) FindSource(r *data.Read, id data.ID) *Source {
	c := &Source{}
	r.FindAt(id, commentSource, data.Args{"id": id}, c.scan)
	return c
}

// change runs sql, which edits or deletes a comment of the actor's, with args and the arguments of LiveSession. It also records verdict,
// updates the Q&A ranks and enqueues outbox.JobUpdate, and for a deletion EnqueueForgetComments. revision is what an edit writes, 0 for a
// deletion. It returns the comment after the change; ID stays 0 if it does not exist. Unauthenticated, Unavailable.
func (s *Store) change(ctx context.Context, a data.Actor, id data.ID, revision int64, verdict rules.Verdict, sql string,
	args data.Args) (*Source, error) {
	w := s.DB.WriteAt(id)
	w.Do(sql, a.Args(args))
	verdict.RecordEdited(w, s.Source, id, revision)
	rankQuestions(w, id)
	outbox.EnqueueUpdate(w, s.Source, id, a.UserID, revision,
		func(id data.ID) { w.EnqueueApply(id) }) // its delta run updates the rank of the parent
	if revision == 0 {
		outbox.EnqueueForgetComments(w, s.Source, a.UserID, id)
	}
	c, live := &Source{}, false
	w.Find(changedSource, a.Args(data.Args{"id": id, "now": s.Source.DatabaseNow()}), func(r *data.Row) {
		c.scan(r)
		live = r.Bool()
		c.ban.Scan(r)
	})
	err := w.Run(ctx)
	if err == nil && c.ID != 0 && !live {
		err = data.ErrSessionEnded
	}
	return c, err
}

// Edit is an author's change. The caller renders BodyHTML from Body. An edit can change descriptions of pictures and remove pictures, but
// not add any.
type Edit struct {
	ID       data.ID
	Body     string
	BodyHTML string
	Chosen   *[]pictures.Chosen // as the form names them; nil keeps the pictures
	Pictures []pictures.Picture // the result of pictures.Keep for Chosen
	Revision int64              // the form's revision
	Judged   rules.Verdict
}

var errNoWords = data.Mistake("body", "Please write something first. To take a comment back, delete it.")

// Validate checks the fields, and normalizes Chosen. If Chosen is nil, only the statement checks whether the text may be empty.
func (e *Edit) Validate() error {
	if e.Chosen != nil {
		chosen, err := pictures.CheckOfComment(*e.Chosen)
		if err != nil {
			return err
		}
		e.Chosen = &chosen
	}
	switch {
	case data.Blank(e.Body) && e.Chosen != nil && len(*e.Chosen) == 0:
		return errNoWords
	case utf8.RuneCountInString(e.Body) > CommentMax:
		return data.Mistake("body", "A comment has at most 10,000 characters.")
	}
	return nil
}

var editComment = `UPDATE comments SET body = :body, words = :words, body_html = :html,
  pictures = coalesce(:pictures, pictures), edited_at = :next
WHERE id = :id AND author_id = :actor AND status = 'published' AND coalesce(edited_at, 0) = :revision
  AND (:written OR coalesce(:pictures, pictures) <> '')
  AND EXISTS (SELECT 1 FROM posts p WHERE p.id = comments.post_id AND p.status = 'published' AND p.locked = 0
    AND NOT ` + bans.BannedOrMuted("p.community_id") + `) AND ` + data.LiveSession

// Edit changes a comment of the actor's, in one transaction, and returns the comment as it is now: after a Conflict, with what was saved
// since Revision. Errors are as in posts.Store.Edit.
func (s *Store) Edit(ctx context.Context, a data.Actor, e Edit) (*Source, error) {
	if err := e.Validate(); err != nil {
		return nil, err
	}
	next := posts.NextRevision(e.Revision, s.Source.Now())
	var encoded any // of e.Pictures; NULL keeps the stored ones
	if e.Chosen != nil {
		encoded = pictures.Encode(e.Pictures)
	}
	c, err := s.change(ctx, a, e.ID, next, e.Judged, editComment, data.Args{"id": e.ID, "revision": e.Revision, "body": e.Body,
		"words": searchwords.Words(e.Body),
		"html":  e.BodyHTML, "pictures": encoded, "written": !data.Blank(e.Body), "next": next, "now": s.Source.DatabaseNow()})
	if err != nil {
		return nil, err
	}
	if err := c.Editable(a.UserID); err != nil {
		return nil, err
	}
	if c.Body == e.Body && (encoded == nil || encoded == pictures.Encode(c.Pictures)) { // perhaps by an earlier attempt
		return c, nil
	}
	if data.Blank(e.Body) && encoded == nil && len(c.Pictures) == 0 {
		return nil, errNoWords
	}
	if err := c.ban.Err(); err != nil {
		return nil, err
	}
	return c, posts.ErrEditedSince
}
