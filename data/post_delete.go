package data

import "context"

const (
	// Primary keys. What the author said goes for good; the row stays for the thread, and
	// author_id for the karma of votes that are not folded yet. Partial indexes, the hot
	// sets' fold and every listing's condition leave out what is not published.
	deletePost = `UPDATE posts SET status = 'deleted', title = '[deleted]', link = '', image = '', domain = '', excerpt = '', link_key = '', crosspost_of = NULL, crosspost = NULL
WHERE id = ?4 AND author_id = ?1 AND ` + liveSession
	deletePostText = `DELETE FROM post_texts WHERE post_id = (SELECT p.id FROM posts p WHERE p.id = ?4 AND p.author_id = ?1 AND p.status = 'deleted')`
	// Nobody has seen it: nothing stays.
	deleteDraft  = `DELETE FROM posts WHERE id = ?4 AND author_id = ?1 AND status IN ('draft', 'scheduled') AND ` + liveSession
	postToDelete = `SELECT p.id, p.community_name, p.slug, p.author_id, p.status, ` + liveSession + ` FROM posts p WHERE p.id = ?4`
)

// Deletable tells why a member may not delete the post, or nil.
func (p *PostSource) Deletable(member ID) error {
	switch {
	case p.ID == 0 || p.Status == "deleted":
		return errNoSuchPost
	case p.AuthorID == 0 || p.AuthorID != member:
		return errNotAuthor
	}
	return nil
}

// DeletePost deletes a post of the actor's, whatever its state, and returns its address
// and the status it had; its thread stays, but for what nobody else has ever seen. In
// one transaction, and harmless when done again. NotFound, Forbidden (not the
// author's) and Unauthenticated.
func (s *PostStore) DeletePost(ctx context.Context, a Actor, id ID) (*Post, error) {
	shard, err := s.DB.ShardOfID(id)
	if err != nil {
		return nil, err
	}
	if err := s.forgetElsewhere(ctx, a, shard, id); err != nil {
		return nil, err
	}
	results, err := tx(ctx, shard, stmt(postToDelete, a.args(id)...), stmt(forgetHere, a.args(id)...), stmt(deleteDraft, a.args(id)...),
		stmt(deletePost, a.args(id)...), stmt(deletePostText, a.args(id)...))
	if err != nil {
		return nil, err
	}
	p, live := &Post{}, false
	if err := each(results[0], func(r *row) {
		p.ID, p.Community, p.Slug, p.AuthorID, p.Status, live = r.id(), r.text(), r.text(), r.id(), r.text(), r.bool()
	}); err != nil {
		return nil, err
	}
	switch {
	case p.ID == 0:
		return nil, errNoSuchPost
	case !live:
		return nil, errSessionEnded
	case p.AuthorID != a.UserID:
		return nil, errNotAuthor
	}
	s.warm.clear() // its author looks for it at once
	return p, nil
}

// forgetAuthor takes from a deleted post what its row still has of its author.
func (p *Post) forgetAuthor() {
	if p.Status == "deleted" {
		p.AuthorID, p.Author = 0, ""
	}
}
