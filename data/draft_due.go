package data

import (
	"context"
	"errors"
	"slices"

	"plaza/data/hrana"
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
	duePosts = `SELECT p.id, p.author_id FROM posts p WHERE p.status = 'scheduled' AND p.publish_at <= coalesce(?1, ` + databaseNow + `) ORDER BY p.publish_at, p.id LIMIT ?2`
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
type DuePosts struct{ All, Links []ID }

// PublishDue publishes what is scheduled for now or before, in small transactions on
// every shard, if their authors may still post. It may run any number of times, at once
// too, and what fails on one shard is no matter of the others.
func (s *PostStore) PublishDue(ctx context.Context) (DuePosts, error) {
	var done DuePosts
	var failed error
	for _, shard := range s.DB.shards {
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
func (s *PostStore) publishStep(ctx context.Context, shard *hrana.Client, done *DuePosts) (found int, err error) {
	var ms int64
	var due, authors []ID
	r := s.DB.Read()
	r.add(shard, stmt(databaseTime, s.Source.database()), func(res hrana.Result) error {
		return each(res, func(row *Row) { ms = row.Int() })
	})
	r.add(shard, stmt(duePosts, s.Source.database(), publishStep), func(res hrana.Result) error {
		return each(res, func(row *Row) { due, authors = append(due, row.ID()), append(authors, row.ID()) })
	})
	if err := r.Run(ctx); err != nil || len(due) == 0 {
		return 0, err
	}
	var active []ID
	r = s.DB.Read()
	r.add(s.DB.directory, stmt(activeMembers, jsonIDs(authors)), scanIDs(&active))
	if err := r.Run(ctx); err != nil {
		return 0, err
	}
	now := millis(ms)
	publish := trial[ID]{calls: publishTries, do: func(ids []ID) error {
		var may []ID
		for i, id := range due {
			if slices.Contains(ids, id) && slices.Contains(active, authors[i]) {
				may = append(may, id)
			}
		}
		list := jsonIDs(ids)
		results, err := tx(ctx, shard,
			stmt(publishDue, jsonIDs(may), nil, nil, nil, nil, ms, ranking.Hot(0, 0, now)), stmt(withdrawDue, list, ms),
			stmt(voteForDue, list, ms), stmt(leaveLinksOfDue, list, ms, now.Add(resendAfter).UnixMilli()), stmt(publishedDue, list, ms))
		if err != nil {
			return err
		}
		return each(results[4], func(row *Row) {
			id := row.ID()
			done.All = append(done.All, id)
			if row.Bool() {
				done.Links = append(done.Links, id)
			}
		})
	}}
	publish.run(slices.Clone(due))
	return len(due), publish.err
}
