package posts

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"plaza/data"
	"plaza/data/pace/deadline"
)

// Crossposts have a copy of their original's title and state. The transaction that changes or deletes the original updates the crossposts
// on its shard, and enqueues outbox.JobUpdate. UpdateCopies does the part of that job for the other shards.

const (
	// The link_key of a post of the actor's.
	keyToForget = `SELECT ` + discussionKey + ` FROM posts p WHERE p.id = :id AND p.author_id = :actor AND ` + data.LiveSession
	// Index posts_same: a post's crossposts have the same link_key.
	forgetHere  = `UPDATE posts SET ` + forgotten + ` WHERE link_key <> '' AND crosspost_of = :id AND link_key = (` + keyToForget + `)`
	retitleHere = `UPDATE posts SET crosspost = json_set(crosspost, '$.title', :title) WHERE :title <> '' AND link_key <> ''
  AND crosspost_of = :id
  AND link_key = (` + keyToForget + ` AND p.edited_at = :next AND p.title = :title) AND crosspost ->> '$.title' <> :title`
	// RetitleCopies gives the crossposts of a post on its own shard the title that a moderator has given it. Index posts_same.
	RetitleCopies = `UPDATE posts SET crosspost = json_set(crosspost, '$.title', :title) WHERE link_key <> '' AND crosspost_of = :id
  AND link_key = (SELECT ` + discussionKey + ` FROM posts p WHERE p.id = :id AND p.title = :title) AND crosspost ->> '$.title' <> :title`

	// Deleted posts whose crossposts on other shards may not be updated yet, and posts whose titles may have changed: short posts, posts
	// that were edited soon after they were posted, and posts with a new title by moderators (index moderation_log_target).
	copiesToUpdate = `SELECT p.id, ` + discussionKey + `, p.status = 'deleted', p.title FROM json_each(:ids) j
  CROSS JOIN posts p ON p.id = j.value
WHERE iif(p.status = 'deleted', p.link_key <> '', p.crosspost_of IS NULL AND p.status = 'published'
  AND (` + data.OnProfile + ` OR p.edited_at < p.created_at + 3600000
  OR EXISTS (SELECT 1 FROM moderation_log l WHERE l.target_id = p.id AND l.action = 'title')))`
	// Index posts_same. :posts is an array of pairs of id and link_key.
	forgetThere = `UPDATE posts SET ` + forgotten + `
WHERE link_key <> '' AND link_key IN (SELECT value ->> 1 FROM json_each(:posts)) AND crosspost_of IN (SELECT value ->> 0
  FROM json_each(:posts))`
	retitleThere = `UPDATE posts SET crosspost = json_set(crosspost, '$.title', :title)
WHERE link_key <> '' AND crosspost_of = :id AND link_key = :about AND crosspost ->> '$.title' <> :title`
	clearLinkKeys = `UPDATE posts SET link_key = '' WHERE status = 'deleted' AND link_key <> '' AND id IN (SELECT value ->> 0
  FROM json_each(:posts))`

	forgotten = `crosspost = json_set(crosspost, '$.title', '` + data.DeletedTitle + `', '$.slug', '', '$.author', '', '$.link', '')`
)

// updateTime is how long a request waits for the other shards. The retry job updates those that take longer.
const updateTime = 2 * time.Second

// updateCopiesNow is UpdateCopies for a request. It ignores errors, because the job is enqueued on the post's shard.
func (s *Store) updateCopiesNow(ctx context.Context, id data.ID) {
	_ = s.UpdateCopies(deadline.ForPart(ctx, updateTime), []data.ID{id})
}

// UpdateCopies updates the crossposts on other shards: it removes the copies of deleted posts, and writes the titles of changed ones. It
// is a part of outbox.JobUpdate: it may be stopped at any point and repeated. Unavailable, with the shards that could not be reached.
func (s *Store) UpdateCopies(ctx context.Context, subjects []data.ID) error {
	if !s.DB.Several() {
		return nil
	}
	byShard, err := s.DB.ByShard(ctx, slices.DeleteFunc(slices.Clone(subjects), data.ID.IsComment))
	if err != nil {
		return err
	}
	deleted := map[data.Where][][2]any{}
	var all [][2]any
	var titles []data.Args
	r := s.DB.Read()
	for shard, ids := range byShard {
		r.FindAt(shard, copiesToUpdate, data.Args{"ids": ids}, func(row *data.Row) {
			id, about, isDeleted, title := row.ID(), row.Text(), row.Bool(), row.Text()
			if !isDeleted {
				titles = append(titles, data.Args{"id": id, "about": about, "title": title})
				return
			}
			deleted[shard] = append(deleted[shard], [2]any{int64(id), about})
			all = append(all, [2]any{int64(id), about})
		})
	}
	if err := r.Run(ctx); err != nil || len(all)+len(titles) == 0 {
		return err
	}
	if err := s.DB.WriteAll(ctx, func(w *data.Write) {
		w.ChangeListings()
		if len(all) > 0 {
			w.Do(forgetThere, data.Args{"posts": pairs(all)})
		}
		for _, args := range titles {
			w.Do(retitleThere, args)
		}
	}); err != nil {
		return err
	}
	var failed error
	for shard, list := range deleted {
		w := s.DB.WriteAt(shard)
		w.Do(clearLinkKeys, data.Args{"posts": pairs(list)})
		failed = errors.Join(failed, w.Run(ctx))
	}
	return failed
}

func pairs(list [][2]any) string {
	text, _ := json.Marshal(list) // encoding texts and numbers can't fail
	return string(text)
}
