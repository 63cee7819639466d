package erase

import (
	"context"
	"slices"
	"strings"

	"plaza/data"
	"plaza/data/events/outbox"
)

// Kept is how long moderators see the reports and notes about a post or comment that its author has deleted.
const Kept = outbox.ForgetAfter

const (
	// forgetStep limits the rows that one statement changes, and forgetSteps the transactions for one post.
	forgetStep  = 1000
	forgetSteps = 10
)

const (
	// The remaining data of a deleted post or comment. Primary keys, index moderation_log_target.
	remainingPost = `SELECT p.id, p.community_name, p.slug, (SELECT json_group_array(l.id) FROM moderation_log l WHERE l.target_id = p.id)
FROM posts p WHERE p.id = :id AND p.status = 'deleted'`
	remainingComment = `SELECT p.id, p.community_name, p.slug, (SELECT json_group_array(l.id) FROM moderation_log l WHERE l.target_id = c.id)
FROM comments c CROSS JOIN posts p ON p.id = c.post_id WHERE c.id = :id AND c.status = 'deleted'`

	// Conversations about it: appeals against decisions about it, and those that were begun from it. Index conversations_decision and
	// conversations_about.
	appealsAbout = `SELECT c.id FROM conversations c WHERE c.decision_id <> 0 AND c.decision_id IN (SELECT value FROM json_each(:entries))`
	mailAbout    = `SELECT c.id FROM conversations c WHERE c.about <> '' AND c.about = :url`
	// Addresses of comments begin with the post's address. The comments stay, so conversations about them get the new address. Index
	// conversations_about.
	mailWithin = `UPDATE conversations SET about = :now || substr(about, length(:url) + 1) WHERE about <> '' AND about > :url || '/'
  AND about < :url || '0'`

	// The trigger conversation_messages_stay refuses updates but not deletes, so messages are deleted. Index
	// conversation_messages_of, primary keys, index inbox_subject.
	forgetMessages = `DELETE FROM conversation_messages WHERE conversation_id IN (SELECT value FROM json_each(:ids))`
	forgetMail     = `UPDATE conversations SET subject = '` + data.DeletedTitle + `', about = '', status = 'closed'
WHERE id IN (SELECT value FROM json_each(:ids))`
	forgetEntries = `DELETE FROM inbox WHERE post_id IN (SELECT value FROM json_each(:ids)) AND event IN ('from-moderators', 'to-moderators')`

	// Index inbox_subject. An inbox entry about the erasure does not quote the erased text, so its excerpt stays.
	forgetThread = `UPDATE inbox SET title = '` + data.DeletedTitle + `', slug = :slug,
  excerpt = iif(event IN ('', 'erase') AND subject_id <> :id, excerpt, '')
WHERE id IN (SELECT i.id FROM inbox i WHERE i.post_id = :id AND (i.title <> '` + data.DeletedTitle + `' OR i.slug <> :slug
  OR i.excerpt <> '' AND (i.event NOT IN ('', 'erase') OR i.subject_id = :id)) LIMIT :step)`
	forgetEventExcerpts = `UPDATE inbox SET excerpt = '' WHERE id IN (SELECT i.id FROM inbox i WHERE i.post_id = :post
  AND i.event NOT IN ('', 'erase')
  AND i.subject_id IN (SELECT value FROM json_each(:entries)) AND i.excerpt <> '')`
	// Index legal_notices_target.
	clearNoticeText = `UPDATE legal_notices SET text = '' WHERE target_id = :id AND text <> ''`
	forgetComment   = `DELETE FROM inbox WHERE post_id = :post AND subject_id = :id`
	// Indexes watches_followed and watches_muted.
	forgetFollowed = `UPDATE watches SET path = :path WHERE (user_id, post_id) IN (SELECT w.user_id, w.post_id FROM watches w
  WHERE w.post_id = :id AND w.muted = 0 AND w.path <> :path LIMIT :step)`
	forgetMuted = `UPDATE watches SET path = :path WHERE (user_id, post_id) IN (SELECT w.user_id, w.post_id FROM watches w
  WHERE w.post_id = :id AND w.muted = 1 AND w.path <> :path LIMIT :step)`

	// Indexes reports_said and moderation_log_target, primary key.
	forgetReports = `UPDATE reports SET text = '' WHERE target_id = :id AND text <> ''`
	forgetNotes   = `UPDATE moderation_log SET note = '' WHERE target_id = :id AND note <> ''`
	forgetHits    = `UPDATE rule_hits SET message = '' WHERE target_id = :id AND message <> ''`
	forgetAddress = `UPDATE posts SET slug = :slug WHERE id = :id AND status = 'deleted' AND slug <> :slug`
)

// Forget does the job outbox.JobForget: it removes the text of deleted posts and comments from all rows that refer to them by their ids.
// The first attempt, such as right after an erasure, does not end the job: a later attempt does the same again and ends it. Forget may be
// stopped at any point and repeated. missed are the ids on shards that could not be reached. Unavailable.
func (s *Store) Forget(ctx context.Context, ids []data.ID) (missed []data.ID, err error) {
	byShard, err := s.DB.ByShard(ctx, ids)
	if err != nil {
		return ids, err
	}
	err = s.DB.OnAll(func(shard data.Where) error {
		if len(byShard[shard]) == 0 {
			return nil
		}
		var claimed []outbox.Claimed
		w := s.DB.WriteAt(shard)
		outbox.Claim(w, s.Source, outbox.JobForget, byShard[shard], func(c outbox.Claimed) { claimed = append(claimed, c) })
		if err := w.Run(ctx); err != nil {
			missed = append(missed, byShard[shard]...)
			return err
		}
		for _, c := range claimed {
			if err := s.forget(ctx, shard, c); err != nil {
				return err
			}
		}
		return nil
	})
	return missed, err
}

func (s *Store) forget(ctx context.Context, shard data.Where, c outbox.Claimed) error {
	var post data.ID
	var community, slug, entries string
	sql := remainingPost
	if c.Subject.IsComment() {
		sql = remainingComment
	}
	r := s.DB.Read()
	r.FindAt(shard, sql, data.Args{"id": c.Subject}, func(row *data.Row) {
		post, community, slug, entries = row.ID(), row.Text(), row.Text(), row.Text()
	})
	if err := r.Run(ctx); err != nil {
		return err
	}
	if post != 0 {
		if err := s.forgetMail(ctx, c.Subject, "/c/"+community+"/p/", slug, entries); err != nil {
			return err
		}
		if err := s.forgetInboxes(ctx, c.Subject, post, community, entries); err != nil {
			return err
		}
	}
	w := s.DB.WriteAt(shard)
	if post != 0 {
		w.Do(forgetReports, data.Args{"id": c.Subject})
		w.Do(forgetNotes, data.Args{"id": c.Subject})
		w.Do(forgetHits, data.Args{"id": c.Subject})
	}
	if post == c.Subject {
		w.ChangeListings()
		w.Do(forgetAddress, data.Args{"id": post, "slug": post.Text()})
	}
	if post == 0 || c.Attempts > 1 {
		outbox.Done(w, c.Subject, outbox.JobForget, c.QueuedAt)
	}
	return w.Run(ctx)
}

// forgetMail empties conversations about a post or comment, as an account deletion does, and removes the title from the addresses of the
// post's comments in other conversations. The thread is at place + slug.
func (s *Store) forgetMail(ctx context.Context, id data.ID, place, slug, entries string) error {
	url := place + slug
	var ids []data.ID
	scan := func(row *data.Row) { ids = append(ids, row.ID()) }
	r := s.DB.Read()
	r.Find(appealsAbout, data.Args{"entries": entries}, scan)
	if id.IsComment() {
		r.Find(mailAbout, data.Args{"url": url + "/" + id.Text()}, scan)
	} else {
		r.Find(mailAbout, data.Args{"url": url}, scan)
	}
	if err := r.Run(ctx); err != nil {
		return err
	}
	within := !id.IsComment() && slug != id.Text()
	if len(ids) == 0 && !within {
		return nil
	}
	w := s.DB.Write()
	if within {
		w.Do(mailWithin, data.Args{"url": url, "now": place + id.Text()})
	}
	w.Do(forgetMessages, data.Args{"ids": ids})
	w.Do(forgetMail, data.Args{"ids": ids})
	w.Do(forgetEntries, data.Args{"ids": ids})
	return w.Run(ctx)
}

// forgetInboxes removes the text of a post or comment, and the address of a post, from inboxes and from the threads that members follow
// or have muted.
func (s *Store) forgetInboxes(ctx context.Context, id, post data.ID, community, entries string) error {
	if id.IsComment() {
		w := s.DB.Write()
		w.Do(clearNoticeText, data.Args{"id": id})
		w.Do(forgetComment, data.Args{"post": post, "id": id})
		w.Do(forgetEventExcerpts, data.Args{"post": post, "entries": entries})
		return w.Run(ctx)
	}
	return s.DB.Steps(ctx, forgetSteps, func(w *data.Write) func() bool {
		path := data.Args{"id": id, "path": strings.ToLower(community) + "/" + id.Text(), "step": forgetStep}
		w.Do(clearNoticeText, data.Args{"id": id})
		changes := []*data.Change{w.Do(forgetThread, data.Args{"id": id, "slug": id.Text(), "step": forgetStep}),
			w.Do(forgetFollowed, path), w.Do(forgetMuted, path)}
		return func() bool {
			return slices.ContainsFunc(changes, func(c *data.Change) bool { return c.Rows == forgetStep })
		}
	})
}
