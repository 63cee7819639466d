package comments

import (
	"context"

	"plaza/data"
	"plaza/data/content/posts"
	"plaza/data/rights/rules"
)

// Deletable returns why a member may not delete the comment; nil if they may.
func (c *Source) Deletable(member data.ID) error {
	switch {
	case c.ID == 0 || c.Status == "deleted":
		return errNoSuchComment
	case c.AuthorID == 0 || c.AuthorID != member:
		return posts.ErrNotAuthor
	}
	return nil
}

// The text is deleted permanently. The row stays for the replies, and author_id for the karma of votes that are not applied yet.
const deleteComment = `UPDATE comments SET status = 'deleted', body = '', words = '', body_html = '', author_avatar = '', pictures = ''
WHERE id = :id AND author_id = :actor AND ` + data.LiveSession

// Delete deletes a comment of the actor's, whatever its status, and returns the row that stays, without its text. Its replies stay. A
// repetition changes nothing. NotFound, Forbidden (not the author's), Unauthenticated.
func (s *Store) Delete(ctx context.Context, a data.Actor, id data.ID) (*Source, error) {
	c, err := s.change(ctx, a, id, 0, rules.Verdict{}, deleteComment, data.Args{"id": id})
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
