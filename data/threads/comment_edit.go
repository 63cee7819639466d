package threads

import (
	"context"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/hrana"
	"plaza/data/posts"
)

// CommentSource is a comment as its author's forms need it: with the Markdown.
type CommentSource struct {
	ID       data.ID
	AuthorID data.ID
	Body     string
	Status   string
	Revision int64      // as of PostSource
	Post     posts.Post // its address, title, status and whether it is locked
}

// URL is the comment's own address.
func (c *CommentSource) URL() string { return c.Post.URL() + "/" + c.ID.Text() }

// Editable tells why a member may not change the comment, or nil.
func (c *CommentSource) Editable(member data.ID) error {
	switch {
	case c.ID == 0:
		return errNoSuchComment
	case c.AuthorID == 0 || c.AuthorID != member:
		return posts.ErrNotAuthor
	case c.Status == "deleted":
		return posts.ErrEditGone
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

// EditComment is what an author changes. BodyHTML is made of Body by the caller.
type EditComment struct {
	ID       data.ID
	Body     string
	BodyHTML string
	Revision int64 // that the form was made from
}

// Validate checks the fields.
func (e *EditComment) Validate() error {
	switch {
	case data.Blank(e.Body):
		return data.Mistake("body", "Please write something first. To take a comment back, delete it.")
	case utf8.RuneCountInString(e.Body) > CommentMax:
		return data.Mistake("body", "A comment has at most 10,000 characters.")
	}
	return nil
}

const (
	// Primary keys.
	editComment = `UPDATE comments SET body = ?6, body_html = ?7, edited_at = ?8
WHERE id = ?4 AND author_id = ?1 AND status = 'published' AND coalesce(edited_at, 0) = ?5
  AND EXISTS (SELECT 1 FROM posts p WHERE p.id = comments.post_id AND p.status = 'published' AND p.locked = 0) AND ` + data.OldLiveSession

	commentSourceColumns = `SELECT c.id, c.author_id, c.body, c.status, c.edited_at, p.id, p.community_name, p.slug, p.title, p.status, p.locked`
	commentSource        = commentSourceColumns + ` FROM comments c JOIN posts p ON p.id = c.post_id WHERE c.id = ?1`
	editedComment        = commentSourceColumns + `, ` + data.OldLiveSession + ` FROM comments c JOIN posts p ON p.id = c.post_id WHERE c.id = ?4`
)

func scanCommentSource(r *data.Row, c *CommentSource) {
	*c = CommentSource{ID: r.ID(), AuthorID: r.ID(), Body: r.Text(), Status: r.Text(), Revision: r.Int()}
	c.Post = posts.Post{ID: r.ID(), Community: r.Text(), Slug: r.Text(), Title: r.Text(), Status: r.Text(), Locked: r.Bool()}
}

// FindSource reads a comment's source along with a page; ID stays 0 when there is none.
// It is for the author's eyes: ask Editable before showing it.
func (s *Store) FindSource(r *data.Read, shard *hrana.Client, id data.ID) *CommentSource {
	c := &CommentSource{}
	r.OldAdd(shard, data.OldStmt(commentSource, id), func(res hrana.Result) error {
		return data.Each(res, func(row *data.Row) { scanCommentSource(row, c) })
	})
	return c
}

// EditComment changes a comment of the actor's, in one transaction on its shard, and
// returns it as it is now: after a Conflict, with what somebody has saved since
// Revision. Errors are those of EditPost.
func (s *Store) EditComment(ctx context.Context, a data.Actor, e EditComment) (*CommentSource, error) {
	if err := e.Validate(); err != nil {
		return nil, err
	}
	shard, err := s.DB.ShardOfID(e.ID)
	if err != nil {
		return nil, err
	}
	revision := posts.NextRevision(e.Revision, s.Source.Now())
	results, err := data.Tx(ctx, shard, data.OldStmt(editComment, a.OldArgs(e.ID, e.Revision, e.Body, e.BodyHTML, revision)...), data.OldStmt(editedComment, a.OldArgs(e.ID)...))
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
	return c, posts.ErrEditedSince
}

// lookedAt reads a row of editedComment.
func lookedAt(res hrana.Result) (*CommentSource, error) {
	c, live := &CommentSource{}, false
	err := data.Each(res, func(r *data.Row) {
		scanCommentSource(r, c)
		live = r.Bool()
	})
	if err == nil && c.ID != 0 && !live {
		err = data.ErrSessionEnded
	}
	return c, err
}
