package communities

import (
	"context"
	"errors"

	"plaza/data"
)

// Limits of AgeWeeks.
const (
	weekStep  = 2000 // rows of a step
	weekSteps = 5    // steps of a call, for members and for the posts of each shard
)

// weekMilliseconds is how long a post or a member counts as new.
const weekMilliseconds = `604800000`

const (
	// Times are in milliseconds.
	weekAgo = data.DatabaseNow + ` - ` + weekMilliseconds + ` AS week`

	// Three times: since when members or posts are counted as new now; how far that time can move in one step, past :step + 1 rows; and its
	// target, a week ago. Indexes subscriptions_age and posts_site_new, from its end.
	memberWeek = `SELECT w.since,
  coalesce((SELECT s.created_at FROM subscriptions s WHERE s.created_at > w.since AND s.created_at <= w.week
    ORDER BY s.created_at LIMIT 1 OFFSET :step), w.week),
  w.week
FROM (SELECT coalesce((SELECT since FROM weeks WHERE what = 'members'), 0) AS since, ` + weekAgo + `) w`
	postWeek = `SELECT w.since,
  coalesce((SELECT p.created_at FROM posts p WHERE p.status = 'published' AND p.created_at > w.since AND p.created_at <= w.week
    ORDER BY p.created_at LIMIT 1 OFFSET :step), w.week),
  w.week
FROM (SELECT coalesce((SELECT since FROM weeks WHERE what = 'posts'), 0) AS since, ` + weekAgo + `) w`

	// Rows after :since, up to :until, are no longer new. Nothing happens if another run has moved the week meanwhile.
	subtractMembers = `UPDATE communities SET growth = growth - aged.n
FROM (SELECT s.community_id AS id, count(*) AS n FROM subscriptions s
  WHERE s.created_at > :since AND s.created_at <= :until GROUP BY s.community_id) aged
WHERE communities.id = aged.id AND coalesce((SELECT since FROM weeks WHERE what = 'members'), 0) = :since`
	subtractPosts = `UPDATE community_stats SET week_posts = week_posts - aged.n
FROM (SELECT p.community_id AS id, count(*) AS n FROM posts p
  WHERE p.status = 'published' AND p.created_at > :since AND p.created_at <= :until
  AND (p.id >> 12) & 1023` + data.NotFrozen + ` GROUP BY p.community_id) aged
WHERE community_stats.community_id = aged.id AND coalesce((SELECT since FROM weeks WHERE what = 'posts'), 0) = :since`
	moveWeek = `INSERT INTO weeks (what, since) VALUES (:what, :until)
ON CONFLICT (what) DO UPDATE SET since = excluded.since WHERE since = :since`
)

// AgeWeeks subtracts members and posts that have become older than a week from the communities' counts of new ones. It reads each of them
// once, at most 10,000 members in a call, and 10,000 posts of each shard. So its cost grows with the rate of changes, not with the size of
// the tables. Any number of calls may run at the same time.
func (s *Store) AgeWeeks(ctx context.Context) error {
	return errors.Join(
		s.advanceWeek(ctx, data.In(""), "members", memberWeek, subtractMembers),
		s.DB.OnAll(func(shard data.Where) error { return s.advanceWeek(ctx, shard, "posts", postWeek, subtractPosts) }),
	)
}

// advanceWeek moves the start of the week of members or posts in one database. find and subtract are its statements.
func (s *Store) advanceWeek(ctx context.Context, where data.Where, what, find, subtract string) error {
	for range weekSteps {
		var since, until, end int64
		r := s.DB.Read()
		r.FindAt(where, find, data.Args{"now": s.Source.DatabaseNow(), "step": weekStep - 1}, func(row *data.Row) {
			since, until, end = row.Int(), row.Int(), row.Int()
		})
		if err := r.Run(ctx); err != nil {
			return err
		}
		if until <= since {
			return nil
		}
		w := s.DB.WriteAt(where)
		w.Do(subtract, data.Args{"since": since, "until": until})
		w.Do(moveWeek, data.Args{"what": what, "since": since, "until": until})
		if err := w.Run(ctx); err != nil || until == end {
			return err
		}
	}
	return nil
}
