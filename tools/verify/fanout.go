package verify

import (
	"context"
	"fmt"

	"plaza/data/wire/hrana"
)

const (
	onReadFollows = `SELECT f.follower_id, f.followee_id, f.on_read, u.on_read_to, f.backfill FROM follows f
  CROSS JOIN users u ON u.id = f.followee_id
WHERE (f.follower_id, f.followee_id) > (:follower, :followee) ORDER BY f.follower_id, f.followee_id LIMIT :limit`
	repairOnReadFollow = `UPDATE follows SET on_read = 1, backfill = 0 WHERE follower_id = :follower AND followee_id = :followee
  AND EXISTS (SELECT 1 FROM users u WHERE u.id = :followee AND u.on_read_to >= :follower)`
	repairOnReadAuthor = `UPDATE users SET on_read_to = 0 WHERE id = :followee AND on_read_to IS NULL
  AND EXISTS (SELECT 1 FROM follows f WHERE f.follower_id = :follower AND f.followee_id = :followee AND f.on_read = 1 AND f.backfill = 0)`
)

// fanOutOnRead compares the follows of authors above the threshold (data/lists/timelines) with users.on_read_to, which says how far
// they are marked. An author with a follow on read is above the threshold; the next post then marks the other follows. A follow that is
// both
// on_read and backfill belongs to an author who is below the threshold again, and waits for a backfill.
func (v *verifier) fanOutOnRead(ctx context.Context, db *database) error {
	reported := map[int64]bool{} // authors
	var follower, followee int64
	for {
		rows, err := rowsOf(ctx, db.Client, onReadFollows, named("follower", follower), named("followee", followee), named("limit", pageRows))
		if err != nil {
			return err
		}
		for _, row := range rows {
			follower, followee = row[0].(int64), row[1].(int64)
			to, isOnRead := row[3].(int64)
			d, repair := Difference{Database: db.name, Repaired: v.Repair}, ""
			switch marked := row[2] == int64(1); {
			case marked && !isOnRead && row[4] == int64(0) && !reported[followee]:
				reported[followee] = true
				d.Table, d.Key, d.Column, d.Stored, d.Computed = "users", fmt.Sprint(followee), "on_read_to", text(nil), "0"
				repair = repairOnReadAuthor
			case !marked && isOnRead && follower <= to:
				d.Table, d.Key, d.Column, d.Stored, d.Computed = "follows", join(row[:2]), "on_read", "0", "1"
				repair = repairOnReadFollow
			default:
				continue
			}
			if v.Repair {
				if _, err := v.write(ctx, db.Client, repair, []hrana.Named{named("follower", follower), named("followee", followee)}...); err != nil {
					return err
				}
			}
			v.report(d)
		}
		if len(rows) < pageRows {
			return nil
		}
	}
}
