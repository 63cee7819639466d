package posts

import (
	"context"
	"errors"
	"slices"

	"plaza/data"
	"plaza/data/hrana"
	"plaza/data/outbox"
	"plaza/ranking"
)

const (
	// publishStep is how many posts one transaction publishes.
	publishStep = 50
	// publishSteps bounds the transactions of one run a shard; the next run goes on.
	publishSteps = 10
	// publishTries bounds the transactions of one step, when the database refuses a post
	// and those beside it are published without it.
	publishTries = 20
)

const (
	// Index posts_scheduled in its order, from its front.
	duePosts = `SELECT p.id, p.author_id FROM posts p WHERE p.status = 'scheduled' AND p.publish_at <= coalesce(?1, ` + data.OldDatabaseNow + `) ORDER BY p.publish_at, p.id LIMIT ?2`
	// Primary key, in the directory. ?1 is a JSON array of members.
	activeMembers = `SELECT u.id FROM json_each(?1) j CROSS JOIN users u ON u.id = j.value WHERE u.status = 'active'`
	// Primary keys. ?1 is a JSON array of ids, ?6 now; what was withdrawn since stays.
	publishDue = `UPDATE posts SET ` + publishNow + `
WHERE id IN (SELECT value FROM json_each(?1)) AND status = 'scheduled' AND publish_at <= ?6 AND ` + showsSomething
	voteForDue = `INSERT INTO votes (target_id, user_id, value, updated_at) SELECT p.id, p.author_id, 1, ?2 FROM json_each(?1) j CROSS JOIN posts p ON p.id = j.value
WHERE p.status = 'published' AND p.created_at = ?2 ON CONFLICT DO NOTHING`
	leaveLinksOfDue = `INSERT INTO outbox (subject_id, work, queued_at, due_at) SELECT p.id, 'link', ?2, ?3 FROM json_each(?1) j CROSS JOIN posts p ON p.id = j.value
WHERE p.status = 'published' AND p.created_at = ?2 AND p.link <> '' ON CONFLICT DO NOTHING`
	// What can't be published has become empty, or its author may not post any more; it
	// stays a draft.
	withdrawDue  = `UPDATE posts SET status = 'draft', publish_at = NULL WHERE id IN (SELECT value FROM json_each(?1)) AND status = 'scheduled' AND publish_at <= ?2`
	publishedDue = `SELECT p.id, p.link <> '' FROM json_each(?1) j CROSS JOIN posts p ON p.id = j.value WHERE p.status = 'published' AND p.created_at = ?2`
)

// Due posts were published just now: all of them, and those that have a link.
type Due struct{ All, Links []data.ID }

// PublishDue publishes what is scheduled for now or before, in small transactions on
// every shard, if their authors may still post. It may run any number of times, at once
// too, and what fails on one shard is no matter of the others.
func (s *Store) PublishDue(ctx context.Context) (Due, error) {
	var done Due
	var failed error
	for _, shard := range s.DB.OldShards() {
		for range publishSteps {
			n, err := s.publishStep(ctx, shard, &done)
			failed = errors.Join(failed, err)
			if err != nil || n < publishStep {
				break
			}
		}
	}
	if len(done.All) > 0 {
		s.changed()
	}
	return done, failed
}

// publishStep publishes the posts of one shard that are longest due, and tells how many it
// found. A post that the database refuses stays as it is, and is the error.
func (s *Store) publishStep(ctx context.Context, shard *hrana.Client, done *Due) (found int, err error) {
	var ms int64
	var due, authors []data.ID
	r := s.DB.Read()
	r.OldAdd(shard, data.OldStmt(data.OldDatabaseTime, s.Source.OldDatabase()), func(res hrana.Result) error {
		return data.Each(res, func(row *data.Row) { ms = row.Int() })
	})
	r.OldAdd(shard, data.OldStmt(duePosts, s.Source.OldDatabase(), publishStep), func(res hrana.Result) error {
		return data.Each(res, func(row *data.Row) { due, authors = append(due, row.ID()), append(authors, row.ID()) })
	})
	if err := r.Run(ctx); err != nil || len(due) == 0 {
		return 0, err
	}
	var active []data.ID
	r = s.DB.Read()
	r.OldAdd(s.DB.OldDirectory(), data.OldStmt(activeMembers, data.JsonIDs(authors)), data.OldScanIDs(&active))
	if err := r.Run(ctx); err != nil {
		return 0, err
	}
	now := data.Millis(ms)
	publish := data.Trial[data.ID]{Calls: publishTries, Do: func(ids []data.ID) error {
		var may []data.ID
		for i, id := range due {
			if slices.Contains(ids, id) && slices.Contains(active, authors[i]) {
				may = append(may, id)
			}
		}
		list := data.JsonIDs(ids)
		results, err := data.Tx(ctx, shard,
			data.OldStmt(publishDue, data.JsonIDs(may), nil, nil, nil, nil, ms, ranking.Hot(0, 0, now)), data.OldStmt(withdrawDue, list, ms),
			data.OldStmt(voteForDue, list, ms), data.OldStmt(leaveLinksOfDue, list, ms, now.Add(outbox.ResendAfter).UnixMilli()), data.OldStmt(publishedDue, list, ms))
		if err != nil {
			return err
		}
		return data.Each(results[4], func(row *data.Row) {
			id := row.ID()
			done.All = append(done.All, id)
			if row.Bool() {
				done.Links = append(done.Links, id)
			}
		})
	}}
	publish.Run(slices.Clone(due))
	return len(due), publish.Err
}
