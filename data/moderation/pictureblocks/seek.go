package pictureblocks

import (
	"context"
	"errors"
	"slices"

	"plaza/data"
	"plaza/data/content/pictures"
)

// seekMax limits how many similar pictures one run finds, and how many uses it adds to queues in each database.
const seekMax = 500

var (
	blockSums = `SELECT b.id, b.community_id, b.sum FROM json_each(:blocks) j CROSS JOIN picture_blocks b ON b.id = j.value`
	// Primary keys, and indexes as pictures.SimilarRows says.
	similarSums = `SELECT a.id, a.community_id, a.sum FROM ` + pictures.SimilarRows("h.id, h.community_id, x.sum", "pictures",
		`(SELECT b.id, b.community_id, b.hash FROM json_each(:blocks) j CROSS JOIN picture_blocks b ON b.id = j.value)`) + ` a LIMIT :limit`
)

// The trigger rule_hits_queued adds the targets to the queue. A scheduled post is added when it is published. :found has for each picture
// the block, its community and the sum. Primary keys.
const queueUses = `INSERT INTO rule_hits (target_id, rule_id, site, community_id, title, message, queued, created_at, later)
SELECT u.subject_id, j.value ->> 0, j.value ->> 1 = 0, p.community_id, :title, '', 1, ` + data.DatabaseNow + `, p.status = 'scheduled'
FROM json_each(:found) j CROSS JOIN picture_uses u ON u.sum = j.value ->> 2 AND u.kind IN ('post', 'comment')
  LEFT JOIN comments c ON c.id = u.subject_id CROSS JOIN posts p ON p.id = coalesce(c.post_id, u.subject_id)
WHERE coalesce(c.status, p.status) IN ('published', 'archived', 'scheduled') AND j.value ->> 1 IN (0, p.community_id)
  AND NOT EXISTS (SELECT 1 FROM rule_hits h WHERE h.target_id = u.subject_id AND h.rule_id = j.value ->> 0)
LIMIT :limit ON CONFLICT DO NOTHING`

// queueExistingUses adds posts and comments with a blocked or similar picture to queues, and returns how many it added. It also removes
// blocked pictures, but not similar ones, from avatars, icons and banners.
func (s *Store) queueExistingUses(ctx context.Context, community string, blocks []data.ID) (queued int64, err error) {
	var found [][3]any
	scan := func(row *data.Row) {
		x := [3]any{int64(row.ID()), int64(row.ID()), row.Text()}
		if !slices.Contains(found, x) { // a similar picture is found once for each quarter of the hash that differs in at most one bit
			found = append(found, x)
		}
	}
	r := s.DB.Read()
	r.Find(blockSums, data.Args{"blocks": blocks}, scan)
	r.Find(similarSums, data.Args{"blocks": blocks, "limit": seekMax}, scan)
	if err := r.Run(ctx); err != nil || len(found) == 0 {
		return 0, err
	}
	removeErr := s.removeFromProfiles(ctx, blocks) // after an error, the posts are added to the queue nevertheless
	queueAt := func(where data.Where) error {
		w := s.DB.WriteAt(where)
		hit := w.Do(queueUses, data.Args{"found": listOf(found), "title": pictures.BlockTitle, "limit": seekMax, "now": s.Source.DatabaseNow()})
		err := w.Run(ctx)
		queued += hit.Rows
		return err
	}
	if community != "" {
		return queued, errors.Join(removeErr, queueAt(data.In(community)))
	}
	return queued, errors.Join(removeErr, s.DB.OnAll(queueAt))
}
