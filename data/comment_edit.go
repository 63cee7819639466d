package data

import (
	"context"
	"unicode/utf8"

	"plaza/data/hrana"
)

// CommentSource is a comment as its author's forms need it: with the Markdown.
type CommentSource struct {
	ID       ID
	AuthorID ID
	Body     string
	Status   string
	Revision int64 // as of PostSource
	Post     Post  // its address, title, status and whether it is locked
}

// URL is the comment's own address.
func (c *CommentSource) URL() string { return c.Post.URL() + "/" + c.ID.Text() }

// Editable tells why a member may not change the comment, or nil.
func (c *CommentSource) Editable(member ID) error {
	switch {
	case c.ID == 0:
		return errNoSuchComment
	case c.AuthorID == 0 || c.AuthorID != member:
		return errNotAuthor
	case c.Status == "deleted":
		return errEditGone
	case c.Status == "removed":
		return errEditRemoved
	case c.Post.Status == "deleted":
		return errEditPostGone
	}
	return openForEdits(c.Post.Status, c.Post.Locked)
}

var (
	errNoSuchComment = &Error{Code: NotFound, Message: "There is no such comment here. It may have been deleted."}
	errEditPostGone  = &Error{Code: Forbidden, Message: "The post of this thread is deleted: nothing in it can be changed."}
)

// EditComment is what an author changes. BodyHTML is made of Body by the caller.
type EditComment struct {
	ID       ID
	Body     string
	BodyHTML string
	Revision int64 // that the form was made from
}

// Validate checks the fields.
func (e *EditComment) Validate() error {
	switch {
	case Blank(e.Body):
		return Mistake("body", "Please write something first. To take a comment back, delete it.")
	case utf8.RuneCountInString(e.Body) > CommentMax:
		return Mistake("body", "A comment has at most 10,000 characters.")
	}
	return nil
}

const (
	// Primary keys.
	editComment = `UPDATE comments SET body = ?6, body_html = ?7, edited_at = ?8
WHERE id = ?4 AND author_id = ?1 AND status = 'published' AND coalesce(edited_at, 0) = ?5
  AND EXISTS (SELECT 1 FROM posts p WHERE p.id = comments.post_id AND p.status = 'published' AND p.locked = 0) AND ` + liveSession

	commentSourceColumns = `SELECT c.id, c.author_id, c.body, c.status, c.edited_at, p.id, p.community_name, p.slug, p.title, p.status, p.locked`
	commentSource        = commentSourceColumns + ` FROM comments c JOIN posts p ON p.id = c.post_id WHERE c.id = ?1`
	editedComment        = commentSourceColumns + `, ` + liveSession + ` FROM comments c JOIN posts p ON p.id = c.post_id WHERE c.id = ?4`
)

func scanCommentSource(r *Row, c *CommentSource) {
	*c = CommentSource{ID: r.ID(), AuthorID: r.ID(), Body: r.Text(), Status: r.Text(), Revision: r.Int()}
	c.Post = Post{ID: r.ID(), Community: r.Text(), Slug: r.Text(), Title: r.Text(), Status: r.Text(), Locked: r.Bool()}
}

// FindSource reads a comment's source along with a page; ID stays 0 when there is none.
// It is for the author's eyes: ask Editable before showing it.
func (s *CommentStore) FindSource(r *Read, shard *hrana.Client, id ID) *CommentSource {
	c := &CommentSource{}
	r.add(shard, stmt(commentSource, id), func(res hrana.Result) error {
		return each(res, func(row *Row) { scanCommentSource(row, c) })
	})
	return c
}

// EditComment changes a comment of the actor's, in one transaction on its shard, and
// returns it as it is now: after a Conflict, with what somebody has saved since
// Revision. Errors are those of EditPost.
func (s *CommentStore) EditComment(ctx context.Context, a Actor, e EditComment) (*CommentSource, error) {
	if err := e.Validate(); err != nil {
		return nil, err
	}
	shard, err := s.DB.ShardOfID(e.ID)
	if err != nil {
		return nil, err
	}
	revision := nextRevision(e.Revision, s.Source.Now())
	results, err := tx(ctx, shard, stmt(editComment, a.args(e.ID, e.Revision, e.Body, e.BodyHTML, revision)...), stmt(editedComment, a.args(e.ID)...))
	if err != nil {
		return nil, err
	}
	c, err := lookedAt(results[1])
	if err != nil {
		return nil, err
	}
	if err := c.Editable(a.UserID); err != nil {
		return nil, err
	}
	if c.Body == e.Body { // perhaps by an earlier try
		return c, nil
	}
	return c, errEditedSince
}

// lookedAt reads a row of editedComment.
func lookedAt(res hrana.Result) (*CommentSource, error) {
	c, live := &CommentSource{}, false
	err := each(res, func(r *Row) {
		scanCommentSource(r, c)
		live = r.Bool()
	})
	if err == nil && c.ID != 0 && !live {
		err = ErrSessionEnded
	}
	return c, err
}
