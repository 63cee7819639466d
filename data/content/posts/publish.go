package posts

import (
	"context"
	"time"

	"plaza/data"
	"plaza/data/content/flair"
	"plaza/data/events/outbox"
	"plaza/data/rights/bans"
	"plaza/data/rights/rules"
	"plaza/ranking"
)

var (
	// An empty post is not published. Nor is, without :anyway, a post whose link was posted to the community after :since. :revision is the
	// one that the rules were applied to. Primary keys, and posts_same.
	publishDraft = `UPDATE posts SET status = iif(:held, 'removed', 'published'), held = :held, nsfw = nsfw OR :nsfw, spoiler = spoiler
  OR :spoiler, locked = :locked, auto_reply = '', flair_id = ` + publishedFlair + `, ` + publishNow + `
WHERE id = :id AND author_id = :actor AND status IN ('draft', 'scheduled') AND coalesce(edited_at, 0) = :revision AND ` + showsSomething + `
  AND (:anyway OR NOT EXISTS (SELECT 1 FROM posts o WHERE o.link_key = posts.link_key AND o.link_key <> '' AND o.created_at > :since
    AND o.community_id = posts.community_id AND o.status = 'published')) AND NOT ` + bans.BannedOrMuted("posts.community_id") + `
  AND NOT EXISTS (SELECT 1 FROM posts p WHERE p.id = :id AND ` + flairOfRule + ` IS NULL AND ` + flair.Missing + `) AND ` + data.LiveSession
	publishNow     = `created_at = :at, active = :at, hot = :hot, age = 0, edited_at = NULL, publish_at = NULL`
	showsSomething = `(link <> '' OR image <> '' OR pictures <> '' OR crosspost_of IS NOT NULL OR EXISTS (SELECT 1
  FROM post_texts t WHERE t.post_id = posts.id
  AND t.text <> ''))`
)

// publishing adds the statements that publish a draft of the given revision. The trigger posts_status_changed counts the post for its
// community, and votes_cast adds its author's vote to vote_deltas for the delta run.
func (s *Store) publishing(w *data.Write, a data.Actor, id data.ID, revision int64, anyway bool, v rules.Verdict, now time.Time) {
	w.Do(publishDraft, a.Args(data.Args{"id": id, "revision": revision, "anyway": anyway, "held": int(v.Held), "nsfw": v.NSFW,
		"spoiler": v.Spoiler, "locked": v.Locked, "ruled": v.Flair, "since": now.Add(-recentLink), "at": now, "hot": ranking.Hot(0, 0, now),
		"now": s.Source.DatabaseNow()}))
	v.RecordPublished(w, s.Source, id, now)
	w.Do(voteForPost, data.Args{"id": id, "at": now})
	w.Find(publishedDue, data.Args{"posts": []data.ID{id}, "at": now}, func(r *data.Row) { w.EnqueueVoteDeltas(r.ID()) })
	outbox.EnqueueLinks(w, s.Source, []data.ID{id}, now)
	outbox.EnqueueNotifyPosts(w, s.Source, []data.ID{id}, now)
	outbox.EnqueueTimelines(w, s.Source, []data.ID{id}, now)
}

var (
	errPublished     = &data.Error{Code: data.Conflict, Message: "This was posted in the meantime. Please edit it on its page."}
	errNothingToShow = data.Mistake("text", "A post needs a text, a link or an image.")
)

// PublishDraft publishes an unpublished post of the actor's at the given revision. v is the verdict on it. anyway is as in Create. A
// published post stays as it is. Invalid (the post is empty), NotFound, Forbidden, Conflict (removed or deleted, PostedBefore; or changed
// since that revision) and Unauthenticated.
func (s *Store) PublishDraft(ctx context.Context, a data.Actor, id data.ID, revision int64, anyway bool, v rules.Verdict) (*Source, error) {
	now := s.Source.Now()
	w := s.DB.WriteAt(id)
	s.publishing(w, a, id, revision, anyway, v, now)
	p, before, err := s.runDraft(ctx, w, a, id, flairChoice{publish: true, ruled: v.Flair},
		data.Args{"id": id, "about": nil, "since": now.Add(-recentLink)})
	switch {
	case err != nil:
		return nil, err
	case p.Status == "published" || p.Status == "removed" && p.Held != data.NotHeld: // perhaps by an earlier attempt
		return p, nil
	case !p.Unpublished():
		return p, errPublished
	case p.ban.Err() != nil:
		return nil, p.ban.Err()
	case p.Revision != revision:
		return p, ErrEditedSince
	case p.flair != nil:
		return p, p.flair
	case !anyway && len(before.Posts) > 0:
		return p, before.conflict()
	}
	return p, errNothingToShow
}
