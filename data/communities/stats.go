package communities

import (
	"context"
	"errors"

	"plaza/data"
	"plaza/data/hrana"
)

// Steps of the job that keeps the weeks, in rows.
const (
	weekStep  = 2000
	weekSteps = 5 // of one call
)

// Index subscriptions_age; ?1 before databaseNow, ?2 the step. The first column is where the
// week begins now, the second where it may begin after the step, the third a week ago.
const (
	weekAgo    = `coalesce(?1, ` + data.OldDatabaseNow + `) - 604800000 AS week`
	memberWeek = `SELECT w.since, coalesce((SELECT s.created_at FROM subscriptions s WHERE s.created_at > w.since AND s.created_at <= w.week
  ORDER BY s.created_at LIMIT 1 OFFSET ?2), w.week), w.week FROM (SELECT coalesce((SELECT since FROM weeks WHERE what = 'members'), 0) AS since, ` + weekAgo + `) w`
	// Index posts_site_new, from its end.
	postWeek = `SELECT w.since, coalesce((SELECT p.created_at FROM posts p WHERE p.status = 'published' AND p.created_at > w.since AND p.created_at <= w.week
  ORDER BY p.created_at LIMIT 1 OFFSET ?2), w.week), w.week FROM (SELECT coalesce((SELECT since FROM weeks WHERE what = 'posts'), 0) AS since, ` + weekAgo + `) w`

	// What lies in (?1, ?2] is no longer new. Nothing happens when another run has
	// moved the week meanwhile.
	passMembers = `UPDATE communities SET growth = growth - d.n
FROM (SELECT s.community_id AS id, count(*) AS n FROM subscriptions s WHERE s.created_at > ?1 AND s.created_at <= ?2 GROUP BY s.community_id) d
WHERE communities.id = d.id AND coalesce((SELECT since FROM weeks WHERE what = 'members'), 0) = ?1`
	passPosts = `UPDATE community_stats SET week_posts = week_posts - d.n
FROM (SELECT p.community_id AS id, count(*) AS n FROM posts p WHERE p.status = 'published' AND p.created_at > ?1 AND p.created_at <= ?2 GROUP BY p.community_id) d
WHERE community_stats.community_id = d.id AND coalesce((SELECT since FROM weeks WHERE what = 'posts'), 0) = ?1`
	moveWeek = `INSERT INTO weeks (what, since) VALUES (?3, ?2) ON CONFLICT (what) DO UPDATE SET since = excluded.since WHERE since = ?1`
)

// AgeWeeks takes members and posts that have become older than a week out of the
// communities' counts of new ones. It reads each once, at most 10,000 of either kind a
// call, so that the work grows with what happens and not with what there is. Any number
// of calls may run at once.
func (s *Store) AgeWeeks(ctx context.Context) error {
	failed := s.passWeek(ctx, s.DB.OldDirectory(), "members", memberWeek, passMembers)
	for _, shard := range s.DB.OldShards() {
		failed = errors.Join(failed, s.passWeek(ctx, shard, "posts", postWeek, passPosts))
	}
	return failed
}

func (s *Store) passWeek(ctx context.Context, c *hrana.Client, what, look, pass string) error {
	for range weekSteps {
		var since, until, end int64
		r := s.DB.Read()
		r.OldAdd(c, data.OldStmt(look, s.Source.OldDatabase(), weekStep-1), func(res hrana.Result) error {
			return data.Each(res, func(row *data.Row) { since, until, end = row.Int(), row.Int(), row.Int() })
		})
		if err := r.Run(ctx); err != nil {
			return err
		}
		if until <= since {
			return nil
		}
		if _, err := data.Tx(ctx, c, data.OldStmt(pass, since, until), data.OldStmt(moveWeek, since, until, what)); err != nil {
			return err
		}
		if until == end {
			return nil
		}
	}
	return nil
}
