package threads

import (
	"context"
	"plaza/data"
	"plaza/data/posts"
)

// Deletable tells why a member may not delete the comment, or nil.
func (c *CommentSource) Deletable(member data.ID) error {
	switch {
	case c.ID == 0 || c.Status == "deleted":
		return errNoSuchComment
	case c.AuthorID == 0 || c.AuthorID != member:
		return posts.ErrNotAuthor
	}
	return nil
}

// deleteComment takes away what was said for good; the row stays for the replies, and
// author_id for the karma of votes that are not folded yet. Primary key.
const deleteComment = `UPDATE comments SET status = 'deleted', body = '', body_html = '' WHERE id = ?4 AND author_id = ?1 AND ` + data.OldLiveSession

// DeleteComment deletes a comment of the actor's, whatever its state; its replies stay.
// Harmless when done again. NotFound, Forbidden (not the author's), Unauthenticated.
func (s *Store) DeleteComment(ctx context.Context, a data.Actor, id data.ID) (*CommentSource, error) {
	shard, err := s.DB.ShardOfID(id)
	if err != nil {
		return nil, err
	}
	results, err := data.Tx(ctx, shard, data.OldStmt(deleteComment, a.OldArgs(id)...), data.OldStmt(editedComment, a.OldArgs(id)...))
	if err != nil {
		return nil, err
	}
	c, err := lookedAt(results[1])
	switch {
	case err != nil:
		return nil, err
	case c.ID == 0:
		return nil, errNoSuchComment
	case c.AuthorID != a.UserID:
		return nil, posts.ErrNotAuthor
	}
	return c, nil
}

// forgetAuthor takes from a deleted comment what its row still has of its author.
func (c *Comment) forgetAuthor() {
	if c.Status == "deleted" {
		c.AuthorID, c.Author = 0, ""
	}
}
