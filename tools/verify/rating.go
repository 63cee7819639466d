package verify

import (
	"context"
	"fmt"
)

const (
	ratingPage = `SELECT u.id, u.karma FROM users u WHERE u.id > :after ORDER BY u.id LIMIT :limit`
	ratingIn   = `SELECT j.value, coalesce(k.posts + k.comments, 0), m.author_id IS NOT NULL
FROM json_each(:ids) j LEFT JOIN author_karma k ON k.author_id = j.value LEFT JOIN karma_changed m ON m.author_id = j.value`
	// Not if another copy was made meanwhile.
	repairRating = `UPDATE users SET karma = :karma, karma_turn = karma_turn + 1 WHERE id = :id AND karma = :stored`
)

// ratings compares the members' karma in the directory with the sum of all shards. It skips members whose karma waits to be copied.
func (v *verifier) ratings(ctx context.Context) error {
	for after, more := int64(0), true; more; {
		var page [][]any
		earned := map[int64]int64{}
		found, err := v.confirm(ctx, func(ctx context.Context) (found []Difference, err error) {
			if page, err = rowsOf(ctx, v.Directory, ratingPage, named("after", after), named("limit", pageRows)); err != nil {
				return nil, fmt.Errorf("directory: %w", err)
			}
			ids := make([]int64, len(page))
			for i, row := range page {
				ids[i] = row[0].(int64)
			}
			clear(earned)
			waits := map[int64]bool{}
			for _, db := range v.all {
				rows, err := rowsOf(ctx, db.Client, ratingIn, named("ids", jsonOf(ids)))
				if err != nil {
					return nil, fmt.Errorf("%s: %w", db.name, err)
				}
				for _, row := range rows {
					id := row[0].(int64)
					earned[id] += row[1].(int64)
					waits[id] = waits[id] || row[2] != int64(0)
				}
			}
			for _, row := range page {
				if id := row[0].(int64); row[1] != earned[id] && !waits[id] {
					found = append(found, Difference{Database: "directory", Table: "users", Key: fmt.Sprint(id), Column: "karma", Stored: text(row[1]),
						Computed: fmt.Sprint(earned[id])})
				}
			}
			return found, nil
		})
		if err != nil {
			return err
		}
		for i := range found {
			for _, row := range page {
				if id := row[0].(int64); v.Repair && found[i].Key == fmt.Sprint(id) {
					if _, err := v.write(ctx, v.Directory, repairRating, named("id", id), named("karma", earned[id]), named("stored",
						row[1])); err != nil {
						return fmt.Errorf("directory: %w", err)
					}
					found[i].Repaired = true
				}
			}
		}
		v.report(found...)
		if len(page) > 0 {
			after = page[len(page)-1][0].(int64)
		}
		more = len(page) == pageRows
	}
	return nil
}
