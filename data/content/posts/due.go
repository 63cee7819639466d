package posts

import (
	"context"
	"slices"
	"time"

	"plaza/data"
	"plaza/data/events/outbox"
	"plaza/data/rights/rules"
	"plaza/data/wire/hrana"
	"plaza/ranking"
)

const (
	// publishStep is how many posts one transaction publishes.
	publishStep = 50
	// publishSteps limits the transactions of one run on a shard; the next run does the rest.
	publishSteps = 10
	// publishTries limits the transactions of one step: if the database refuses some posts, the others are published without them.
	publishTries = 20
)

// PublishDue publishes the scheduled posts that are due, in small transactions on every shard, if their authors may still post. It may
// run any number of times, at the same time too. A failure of one shard does not stop the others. It returns the posts that it has
// published.
func (s *Store) PublishDue(ctx context.Context) (published []data.ID, err error) {
	err = s.DB.OnAll(func(home data.Where) error {
		for range publishSteps {
			if n, err := s.publishStep(ctx, home, &published); err != nil || n < publishStep {
				return err
			}
		}
		return nil
	})
	return published, err
}

const (
	databaseTime = `SELECT ` + data.DatabaseNow
	// Index posts_scheduled in its order, from its front.
	duePosts = `SELECT p.id, p.author_id FROM posts p
WHERE p.status = 'scheduled' AND p.publish_at <= ` + data.DatabaseNow + `
  AND (p.id >> 12) & 1023` + data.NotFrozen + `
ORDER BY p.publish_at, p.id LIMIT :step`
	// Primary key, in the directory.
	activeMembers = `SELECT u.id FROM json_each(:members) j CROSS JOIN users u ON u.id = j.value WHERE u.status = 'active'`
)

// publishStep publishes the posts of one shard that have been due the longest, and returns how many it found. A post that the database
// refuses stays unchanged, and the error has the reason.
func (s *Store) publishStep(ctx context.Context, home data.Where, published *[]data.ID) (found int, err error) {
	var now time.Time // of the database
	var due, authors, active []data.ID
	r := s.DB.Read()
	r.FindAt(home, databaseTime, data.Args{"now": s.Source.DatabaseNow()}, func(row *data.Row) { now = row.Time() })
	r.FindAt(home, duePosts, data.Args{"now": s.Source.DatabaseNow(), "step": publishStep}, func(row *data.Row) {
		due, authors = append(due, row.ID()), append(authors, row.ID())
	})
	if err := r.Run(ctx); err != nil || len(due) == 0 {
		return 0, err
	}
	r = s.DB.Read()
	r.Find(activeMembers, data.Args{"members": authors}, func(row *data.Row) { active = append(active, row.ID()) })
	if err := r.Run(ctx); err != nil {
		return 0, err
	}
	publish := hrana.Bisect[data.ID]{Calls: publishTries, Do: func(ids []data.ID) error {
		var allowed []data.ID
		for i, id := range due {
			if slices.Contains(ids, id) && slices.Contains(active, authors[i]) {
				allowed = append(allowed, id)
			}
		}
		return s.publishAll(ctx, home, ids, allowed, now, published)
	}}
	publish.Run(slices.Clone(due))
	return len(due), publish.Err
}

// A post whose author has taken it back since it was found stays a draft.
var (
	publishDue = `UPDATE posts SET status = iif(held = 1, 'removed', 'published'), ` + publishNow + `
WHERE id IN (SELECT value FROM json_each(:posts)) AND status = 'scheduled' AND publish_at <= :at AND ` + showsSomething + `
  AND NOT EXISTS (SELECT 1 FROM bans ban WHERE ban.until > :at AND ban.user_id = posts.author_id AND ban.community_id = posts.community_id)`
	withdrawDue = `UPDATE posts SET status = 'draft', publish_at = NULL, held = 0
WHERE id IN (SELECT value FROM json_each(:posts)) AND status = 'scheduled' AND publish_at <= :at`
	voteForDue = `INSERT INTO votes (target_id, user_id, value, updated_at)
SELECT p.id, p.author_id, 1, :at FROM json_each(:posts) j CROSS JOIN posts p ON p.id = j.value
WHERE p.status = 'published' AND p.created_at = :at
ON CONFLICT DO NOTHING`
	publishedDue = `SELECT p.id FROM json_each(:posts) j CROSS JOIN posts p ON p.id = j.value
WHERE p.status = 'published' AND p.created_at = :at`
)

// Release is for moderators who publish held posts at the time at. In the same transaction it adds their authors' votes, and enqueues the
// previews of their links and their fan-out.
func Release(w *data.Write, s data.Source, posts []data.ID, at time.Time) {
	w.Do(voteForDue, data.Args{"posts": posts, "at": at})
	outbox.EnqueueLinks(w, s, posts, at)
	outbox.EnqueueTimelines(w, s, posts, at)
}

// publishAll publishes the allowed ones of posts in one transaction and adds them to published. The others, and posts that are empty by now
// or whose authors are banned, become drafts, and their authors are notified. The triggers are those of publishing.
func (s *Store) publishAll(ctx context.Context, home data.Where, posts, allowed []data.ID, now time.Time, published *[]data.ID) error {
	w := s.DB.WriteAt(home)
	w.ChangeListings()
	w.Do(publishDue, data.Args{"posts": allowed, "at": now, "hot": ranking.Hot(0, 0, now)})
	outbox.EnqueueNotPublished(w, s.Source, posts, now)
	w.Do(withdrawDue, data.Args{"posts": posts, "at": now})
	w.Do(voteForDue, data.Args{"posts": posts, "at": now})
	rules.RecordDue(w, posts, now)
	outbox.EnqueueLinks(w, s.Source, posts, now)
	outbox.EnqueueNotifyPosts(w, s.Source, posts, now)
	outbox.EnqueueTimelines(w, s.Source, posts, now)
	w.Find(publishedDue, data.Args{"posts": posts, "at": now}, func(row *data.Row) {
		id := row.ID()
		w.EnqueueVoteDeltas(id)
		*published = append(*published, id)
	})
	return w.Run(ctx)
}
