package verify

import (
	"context"
	"fmt"
)

const (
	reputationPage = `SELECT k.id FROM communities k WHERE k.id > :after ORDER BY k.id LIMIT :limit`

	// The visible posts and comments of members in a community, without those that wait for a delta run: posts by the unique index on
	// (community_id, slug), comments by comments_path, count_deltas by their index on posts, reputations by primary key. Rows are those that
	// differ.
	reputationsOf = `WITH written AS (
  SELECT p.author_id AS id, sum(p.status IN ('published', 'archived')) AS posts, 0 AS comments FROM posts p
  WHERE p.community_id = :community AND p.author_id IS NOT NULL GROUP BY p.author_id
  UNION ALL SELECT c.author_id, 0, sum(c.status = 'published' AND c.held = 0) FROM posts p CROSS JOIN comments c ON c.post_id = p.id
    WHERE p.community_id = :community AND c.author_id IS NOT NULL GROUP BY c.author_id
  UNION ALL SELECT c.author_id, 0, -count(*) FROM posts p CROSS JOIN count_deltas d ON d.post_id = p.id
  CROSS JOIN comments c ON c.post_id = d.post_id AND c.path = d.path
    WHERE p.community_id = :community AND c.author_id IS NOT NULL GROUP BY c.author_id
  UNION ALL SELECT s.user_id, 0, 0 FROM reputations s WHERE s.community_id = :community),
computed AS MATERIALIZED (SELECT w.id, sum(w.posts) AS posts, sum(w.comments) AS comments FROM written w GROUP BY w.id)
SELECT x.id, coalesce(s.posts, 0), x.posts, coalesce(s.comments, 0), x.comments FROM computed x
  LEFT JOIN reputations s ON s.community_id = :community AND s.user_id = x.id
WHERE coalesce(s.posts, 0) <> x.posts OR coalesce(s.comments, 0) <> x.comments LIMIT :limit`

	// A delta run changes the stored and the computed number equally. So their difference can be added at any time.
	repairReputation = `INSERT INTO reputations (community_id, user_id, posts, comments) VALUES (:community, :user, :posts, :comments)
ON CONFLICT (community_id, user_id) DO UPDATE SET posts = posts + excluded.posts, comments = comments + excluded.comments`
)

// reputations compares how many visible posts and comments members have in each community.
func (v *verifier) reputations(ctx context.Context, db *database) error {
	pages := pager{db: db.Client, query: reputationPage, size: pageRows}
	for {
		row, err := pages.next(ctx)
		if row == nil || err != nil {
			return err
		}
		for more := true; more; {
			rows, err := rowsOf(ctx, db.Client, reputationsOf, named("community", row[0]), named("limit", pageRows))
			if err != nil {
				return err
			}
			for _, r := range rows {
				n := make([]int64, len(r))
				for i, value := range r {
					n[i] = value.(int64)
				}
				if v.Repair {
					if _, err := v.write(ctx, db.Client, repairReputation, named("community", row[0]), named("user", n[0]), named("posts", n[2]-n[1]),
						named("comments", n[4]-n[3])); err != nil {
						return err
					}
				}
				for i, column := range []string{"posts", "comments"} {
					if stored, computed := n[1+2*i], n[2+2*i]; stored != computed {
						v.report(Difference{Database: db.name, Table: "reputations", Key: fmt.Sprintf("%d, %d", row[0], n[0]), Column: column,
							Stored: fmt.Sprint(stored), Computed: fmt.Sprint(computed), Repaired: v.Repair})
					}
				}
			}
			more = v.Repair && len(rows) == pageRows
		}
	}
}
