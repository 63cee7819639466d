package posts

import (
	"context"
	"errors"
	"plaza/data"
	"time"
)

const (
	// Primary keys. What the author said goes for good; the row stays for the thread, and
	// author_id for the karma of votes that are not folded yet. Partial indexes, the hot
	// sets' fold and every listing's condition leave out what is not published.
	deletePost = `UPDATE posts SET status = 'deleted', title = '[deleted]', link = '', image = '', domain = '', excerpt = '', link_key = '', crosspost_of = NULL, crosspost = NULL
WHERE id = ?4 AND author_id = ?1 AND ` + data.OldLiveSession
	deletePostText = `DELETE FROM post_texts WHERE post_id = (SELECT p.id FROM posts p WHERE p.id = ?4 AND p.author_id = ?1 AND p.status = 'deleted')`
	// Nobody has seen it: nothing stays but a note for its author, who may ask twice.
	noteDeletedDraft = `INSERT INTO deleted_drafts (post_id, author_id, community_name, deleted_at) SELECT p.id, p.author_id, p.community_name, ?5
FROM posts p WHERE p.id = ?4 AND p.author_id = ?1 AND p.status IN ('draft', 'scheduled') AND ` + data.OldLiveSession + ` ON CONFLICT DO NOTHING`
	deletedDraft = `SELECT d.community_name, ` + data.OldLiveSession + ` FROM deleted_drafts d WHERE d.post_id = ?4 AND d.author_id = ?1`
	deleteDraft  = `DELETE FROM posts WHERE id = ?4 AND author_id = ?1 AND status IN ('draft', 'scheduled') AND ` + data.OldLiveSession
	postToDelete = `SELECT p.id, p.community_name, p.slug, p.author_id, p.status, ` + data.OldLiveSession + ` FROM posts p WHERE p.id = ?4`
)

// Deletable tells why a member may not delete the post, or nil.
func (p *Source) Deletable(member data.ID) error {
	switch {
	case p.hiddenFrom(member) || p.Status == "deleted":
		return errNoSuchPost
	case p.AuthorID == 0 || p.AuthorID != member:
		return ErrNotAuthor
	}
	return nil
}

// DeletePost deletes a post of the actor's, whatever its state, and returns its address
// and the status it had; its thread stays, but for what nobody else has ever seen. In
// one transaction, and for its author harmless when done again, which has the same
// answer. NotFound (somebody else's draft, too), Forbidden (not the author's) and
// Unauthenticated.
func (s *Store) Delete(ctx context.Context, a data.Actor, id data.ID) (*Post, error) {
	shard, err := s.DB.ShardOfID(id)
	if err != nil {
		return nil, err
	}
	if err := s.forgetElsewhere(ctx, a, shard, id); err != nil {
		return nil, err
	}
	results, err := data.Tx(ctx, shard, data.OldStmt(postToDelete, a.OldArgs(id)...), data.OldStmt(forgetHere, a.OldArgs(id)...),
		data.OldStmt(noteDeletedDraft, a.OldArgs(id, s.Source.Now().UnixMilli())...), data.OldStmt(deleteDraft, a.OldArgs(id)...),
		data.OldStmt(deletePost, a.OldArgs(id)...), data.OldStmt(deletePostText, a.OldArgs(id)...), data.OldStmt(deletedDraft, a.OldArgs(id)...))
	if err != nil {
		return nil, err
	}
	p, live := &Post{}, false
	if err := data.Each(results[0], func(r *data.Row) {
		p.ID, p.Community, p.Slug, p.AuthorID, p.Status, live = r.ID(), r.Text(), r.Text(), r.ID(), r.Text(), r.Bool()
	}); err != nil {
		return nil, err
	}
	if p.ID == 0 { // deleted before, perhaps by a try whose answer was lost
		if err := data.Each(results[6], func(r *data.Row) {
			p.ID, p.Community, p.AuthorID, p.Status, live = id, r.Text(), a.UserID, "draft", r.Bool()
		}); err != nil {
			return nil, err
		}
	}
	switch {
	case p.ID == 0 || p.Unpublished() && p.AuthorID != a.UserID:
		return nil, errNoSuchPost
	case !live:
		return nil, data.ErrSessionEnded
	case p.AuthorID != a.UserID:
		return nil, ErrNotAuthor
	}
	s.changed() // its author looks for it at once
	return p, nil
}

// deletedDraftLife is how long it is known who has deleted a draft.
const deletedDraftLife = 24 * time.Hour

// purgeDeletedDrafts uses the index deleted_drafts_age.
const purgeDeletedDrafts = `DELETE FROM deleted_drafts WHERE deleted_at < coalesce(?1, ` + data.OldDatabaseNow + `) - ?2`

// PurgeDeletedDrafts forgets who has deleted drafts, on every shard.
func (s *Store) PurgeDeletedDrafts(ctx context.Context) error {
	var failed error
	for _, shard := range s.DB.OldShards() {
		_, err := data.Tx(ctx, shard, data.OldStmt(purgeDeletedDrafts, s.Source.OldDatabase(), deletedDraftLife.Milliseconds()))
		failed = errors.Join(failed, err)
	}
	return failed
}

// forgetAuthor takes from a deleted post what its row still has of its author.
func (p *Post) forgetAuthor() {
	if p.Status == "deleted" {
		p.AuthorID, p.Author = 0, ""
	}
}
