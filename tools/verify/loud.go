package verify

import (
	"context"
	"fmt"

	"plaza/data/wire/hrana"
)

const (
	loudFollows = `SELECT f.follower_id, f.followee_id, f.loud, u.loud_to, f.unfilled FROM follows f CROSS JOIN users u ON u.id = f.followee_id
WHERE (f.follower_id, f.followee_id) > (:follower, :followee) ORDER BY f.follower_id, f.followee_id LIMIT :limit`
	mendLoudFollow = `UPDATE follows SET loud = 1, unfilled = 0 WHERE follower_id = :follower AND followee_id = :followee
  AND EXISTS (SELECT 1 FROM users u WHERE u.id = :followee AND u.loud_to >= :follower)`
	mendLoudAuthor = `UPDATE users SET loud_to = 0 WHERE id = :followee AND loud_to IS NULL
  AND EXISTS (SELECT 1 FROM follows f WHERE f.follower_id = :follower AND f.followee_id = :followee AND f.loud = 1 AND f.unfilled = 0)`
)

// loudness compares the follows of authors with many followers (loud: data/lists/timelines) with users.loud_to, which says how far they
// are marked. An author with a loud follow is loud; the next post then marks the other follows. A follow that is both loud and unfilled
// belongs to an author who is no longer loud, and waits for a fill.
func (v *verifier) loudness(ctx context.Context, db *database) error {
	told := map[int64]bool{} // authors
	var follower, followee int64
	for {
		rows, err := rowsOf(ctx, db.Client, loudFollows, named("follower", follower), named("followee", followee), named("limit", strayPage))
		if err != nil {
			return err
		}
		for _, row := range rows {
			follower, followee = row[0].(int64), row[1].(int64)
			to, isLoud := row[3].(int64)
			d, mend := Difference{Database: db.name, Mended: v.Repair}, ""
			switch marked := row[2] == int64(1); {
			case marked && !isLoud && row[4] == int64(0) && !told[followee]:
				told[followee] = true
				d.Table, d.Key, d.Column, d.Stored, d.Computed = "users", fmt.Sprint(followee), "loud_to", text(nil), "0"
				mend = mendLoudAuthor
			case !marked && isLoud && follower <= to:
				d.Table, d.Key, d.Column, d.Stored, d.Computed = "follows", join(row[:2]), "loud", "0", "1"
				mend = mendLoudFollow
			default:
				continue
			}
			if v.Repair {
				if _, err := v.write(ctx, db.Client, mend, []hrana.Named{named("follower", follower), named("followee", followee)}...); err != nil {
					return err
				}
			}
			v.report(d)
		}
		if len(rows) < strayPage {
			return nil
		}
	}
}
