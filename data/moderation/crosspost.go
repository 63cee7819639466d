package moderation

import (
	"context"
	"encoding/json"
	"slices"

	"plaza/data"
)

const (
	// Posts that have ever been removed, and the link_key of their crossposts. Primary keys, index moderation_log_target.
	removedOnce = `SELECT p.id, iif(p.link_key = '', 'post:' || p.id, p.link_key), p.status = 'removed' FROM json_each(:ids) j
  CROSS JOIN posts p ON p.id = j.value
WHERE p.crosspost_of IS NULL AND EXISTS (SELECT 1 FROM moderation_log l WHERE l.target_id = p.id AND l.action = 'remove')`
	// Index posts_same: a post's crossposts have the same link_key. :posts is an array of pairs of id and link_key.
	ofThese = ` WHERE link_key <> '' AND link_key IN (SELECT value ->> 1 FROM json_each(:posts)) AND crosspost_of IN (SELECT value ->> 0
  FROM json_each(:posts))`
	hideOriginal = `UPDATE posts SET crosspost = json_set(crosspost, '$.removed', json('true'))` + ofThese +
		` AND crosspost ->> '$.removed' IS NULL`
	showOriginal = `UPDATE posts SET crosspost = json_remove(crosspost, '$.removed')` + ofThese + ` AND crosspost ->> '$.removed' IS NOT NULL`
)

// UpdateCrossposts writes into the crossposts of posts, on all shards, whether the originals are removed. It is a part of
// outbox.JobUpdate: it may be stopped at any point and repeated. Unavailable.
func (s *Store) UpdateCrossposts(ctx context.Context, subjects []data.ID) error {
	posts := slices.DeleteFunc(slices.Clone(subjects), data.ID.IsComment)
	byShard, err := s.DB.ByShard(ctx, posts)
	if err != nil {
		return err
	}
	lists := map[bool][][2]any{}
	r := s.DB.Read()
	for shard, ids := range byShard {
		r.FindAt(shard, removedOnce, data.Args{"ids": ids}, func(row *data.Row) {
			id, key := row.ID(), row.Text()
			removed := row.Bool()
			lists[removed] = append(lists[removed], [2]any{int64(id), key})
		})
	}
	if err := r.Run(ctx); err != nil || len(lists) == 0 {
		return err
	}
	return s.DB.WriteAll(ctx, func(w *data.Write) {
		for removed, sql := range map[bool]string{true: hideOriginal, false: showOriginal} {
			if list := lists[removed]; len(list) > 0 {
				text, _ := json.Marshal(list) // encoding texts and numbers can't fail
				w.Do(sql, data.Args{"posts": string(text)})
			}
		}
	})
}
