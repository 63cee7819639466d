package links

import (
	"context"
	"time"

	"plaza/data"
	"plaza/data/events/outbox"
)

// Job is one post's link to fetch.
type Job struct {
	Post      data.ID
	URL       string // "" if there is nothing to fetch any more
	Fresh     bool   // its page was fetched within previewAge, for this post or another
	LastTry   bool   // there is no other attempt after this failure
	Exhausted bool   // even the last attempt never reported its result: perhaps fetching this link crashes instances
	queuedAt  int64
}

const (
	// previewAge is how long a page is not fetched again, whatever the result was.
	previewAge = 24 * time.Hour
	// tries is how often a link is fetched at most. The first wait is a minute, and each wait is four times as long as the one before: the
	// last attempt comes 21 minutes after the first.
	tries = 4
)

// Primary keys of posts and link_previews.
const claimedLinks = `SELECT p.id, p.link, l.fetched_at FROM json_each(:posts) j CROSS JOIN posts p ON p.id = j.value
LEFT JOIN link_previews l ON l.url = p.link WHERE p.status IN ('published', 'archived') AND p.link <> ''`

// Claim begins the job outbox.JobLink for posts of any shards. It returns the jobs that no other request has claimed. A claim lasts
// until the job is due again, in case it is never completed. missed are the posts of shards that could not be reached; then the error
// is Unavailable.
func (s *Store) Claim(ctx context.Context, posts []data.ID) (all []Job, missed []data.ID, err error) {
	groups, err := s.DB.ByShard(ctx, posts)
	if err != nil {
		return nil, posts, err
	}
	err = s.DB.OnAll(func(shard data.Where) error {
		here := groups[shard]
		claimed, err := s.claim(ctx, shard, here)
		if err != nil {
			missed = append(missed, here...)
			return err
		}
		all = append(all, claimed...)
		return nil
	})
	return all, missed, err
}

// claim is Claim on one shard.
func (s *Store) claim(ctx context.Context, shard data.Where, posts []data.ID) (claimed []Job, err error) {
	if len(posts) == 0 {
		return nil, nil
	}
	now := s.Source.Now()
	w := s.DB.WriteAt(shard)
	outbox.Claim(w, s.Source, outbox.JobLink, posts, func(c outbox.Claimed) {
		claimed = append(claimed, Job{Post: c.Subject, LastTry: c.Attempts >= tries, Exhausted: c.Attempts > tries, queuedAt: c.QueuedAt})
	})
	w.Find(claimedLinks, data.Args{"posts": posts}, func(r *data.Row) {
		id, url, fetched := r.ID(), r.Text(), r.Time()
		for i := range claimed {
			if claimed[i].Post == id {
				claimed[i].URL, claimed[i].Fresh = url, !fetched.IsZero() && now.Sub(fetched) < previewAge
			}
		}
	})
	err = w.Run(ctx)
	return claimed, err
}
