package posts

import (
	"context"
	"time"

	"plaza/data"
	"plaza/data/events/outbox"
)

// Deletable returns why a member may not delete the post; nil if they may.
func (p *Source) Deletable(member data.ID) error {
	switch {
	case p.invisibleTo(member) || p.Status == "deleted":
		return errNoSuchPost
	case p.AuthorID == 0 || p.AuthorID != member:
		return ErrNotAuthor
	}
	return nil
}

// All by primary keys.
const (
	postToDelete = `SELECT p.id, p.community_name, p.slug, p.author_id, p.status, ` + data.LiveSession + ` FROM posts p WHERE p.id = :id`
	// A draft is deleted with its row, because nobody else has seen it. deleted_drafts has its id, so that its author may repeat this.
	noteDeletedDraft = `INSERT INTO deleted_drafts (post_id, author_id, community_name, deleted_at) SELECT p.id, p.author_id, p.community_name,
  :at
FROM posts p WHERE p.id = :id AND p.author_id = :actor AND p.status IN ('draft', 'scheduled') AND ` + data.LiveSession +
		` ON CONFLICT DO NOTHING`
	deleteDraft = `DELETE FROM posts WHERE id = :id AND author_id = :actor AND status IN ('draft', 'scheduled') AND ` + data.LiveSession
	// The author's texts are deleted permanently. The row stays for the thread, and author_id for the karma of votes that are not applied
	// yet. Partial indexes, the delta run of the hot sets and every listing's condition exclude unpublished posts. With several shards
	// link_key stays until the crossposts on the others are found by it (UpdateCopies).
	deletePost = `UPDATE posts SET status = 'deleted', title = '` + data.DeletedTitle + `', words = '', author_avatar = '',
  link = '', image = '', domain = '', excerpt = '', link_key = iif(:several, iif(link_key = '', 'post:' || id, link_key), ''),
  crosspost_of = NULL, crosspost = NULL, flair_id = NULL, tags = '', pictures = ''
WHERE id = :id AND author_id = :actor AND ` + data.LiveSession
	deletePostText = `DELETE FROM post_texts WHERE post_id = (SELECT p.id FROM posts p WHERE p.id = :id AND p.author_id = :actor
  AND p.status = 'deleted')`
	deletedDraft = `SELECT d.community_name, ` + data.LiveSession + ` FROM deleted_drafts d WHERE d.post_id = :id AND d.author_id = :actor`
)

// Delete deletes a post of the actor's, whatever its status, and returns its address and previous status. The thread of a published post
// stays. It is one transaction on the post's shard; UpdateCopies then updates crossposts on other shards. Its author may repeat it with the
// same result. The trigger posts_status_changed subtracts the post from its community's count. NotFound (also for another member's
// draft), Forbidden (not the author's) and Unauthenticated.
func (s *Store) Delete(ctx context.Context, a data.Actor, id data.ID) (*Post, error) {
	w := s.DB.WriteAt(id)
	p, live := &Post{}, false
	w.ChangeListings()
	w.Find(postToDelete, a.Args(data.Args{"id": id}), func(r *data.Row) {
		p.ID, p.Community, p.Slug, p.AuthorID, p.Status, live = r.ID(), r.Text(), r.Text(), r.ID(), r.Text(), r.Bool()
	})
	w.Do(forgetHere, a.Args(data.Args{"id": id}))
	w.Do(noteDeletedDraft, a.Args(data.Args{"id": id, "at": s.Source.Now()}))
	w.Do(deleteDraft, a.Args(data.Args{"id": id}))
	w.Do(deletePost, a.Args(data.Args{"id": id, "several": s.DB.Several()}))
	w.Do(deletePostText, data.Args{"id": id, "actor": a.UserID})
	outbox.EnqueueUpdate(w, s.Source, id, a.UserID, 0,
		func(id data.ID) { w.EnqueueApply(id) }) // its delta run removes the post from the hot sets
	outbox.EnqueueForgetPosts(w, s.Source, a.UserID, id)
	w.Find(deletedDraft, a.Args(data.Args{"id": id}), func(r *data.Row) {
		if p.ID == 0 { // deleted before, perhaps by an attempt whose response was lost
			p.ID, p.Community, p.AuthorID, p.Status, live = id, r.Text(), a.UserID, "draft", r.Bool()
		}
	})
	if err := w.Run(ctx); err != nil {
		return nil, err
	}
	switch {
	case p.ID == 0 || p.Unpublished() && p.AuthorID != a.UserID:
		return nil, errNoSuchPost
	case !live:
		return nil, data.ErrSessionEnded
	case p.AuthorID != a.UserID:
		return nil, ErrNotAuthor
	}
	s.updateCopiesNow(ctx, id)
	return p, nil
}

// deletedDraftLife is how long rows of deleted_drafts are stored.
const deletedDraftLife = 24 * time.Hour

// purgeDeletedDrafts uses the index deleted_drafts_age.
const purgeDeletedDrafts = `DELETE FROM deleted_drafts WHERE deleted_at < ` + data.DatabaseNow + ` - :life
  AND (post_id >> 12) & 1023` + data.NotFrozen

// PurgeDeletedDrafts deletes, on every shard, rows of deleted_drafts that are older than deletedDraftLife. Unavailable, with the shards
// that could not be reached.
func (s *Store) PurgeDeletedDrafts(ctx context.Context) error {
	return s.DB.WriteAll(ctx, func(w *data.Write) {
		w.Do(purgeDeletedDrafts, data.Args{"now": s.Source.DatabaseNow(), "life": deletedDraftLife})
	})
}
