package data

import "context"

// Deletable tells why a member may not delete the comment, or nil.
func (c *CommentSource) Deletable(member ID) error {
	switch {
	case c.ID == 0 || c.Status == "deleted":
		return errNoSuchComment
	case c.AuthorID == 0 || c.AuthorID != member:
		return errNotAuthor
	}
	return nil
}

// deleteComment takes away what was said for good; the row stays for the replies, and
// author_id for the karma of votes that are not folded yet. Primary key.
const deleteComment = `UPDATE comments SET status = 'deleted', body = '', body_html = '' WHERE id = ?4 AND author_id = ?1 AND ` + liveSession

// DeleteComment deletes a comment of the actor's, whatever its state; its replies stay.
// Harmless when done again. NotFound, Forbidden (not the author's), Unauthenticated.
func (s *CommentStore) DeleteComment(ctx context.Context, a Actor, id ID) (*CommentSource, error) {
	shard, err := s.DB.ShardOfID(id)
	if err != nil {
		return nil, err
	}
	results, err := tx(ctx, shard, stmt(deleteComment, a.args(id)...), stmt(editedComment, a.args(id)...))
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
		return nil, errNotAuthor
	}
	return c, nil
}

// forgetAuthor takes from a deleted comment what its row still has of its author.
func (c *Comment) forgetAuthor() {
	if c.Status == "deleted" {
		c.AuthorID, c.Author = 0, ""
	}
}
