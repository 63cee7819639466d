package verify

import (
	"context"
	"fmt"
)

// A community's decisions in each month, in the log and as counted; rows are those that differ. Index moderation_log_community, primary
// key.
const (
	countsOf = `WITH computed AS MATERIALIZED (SELECT CAST(strftime('%Y%m', (l.id >> 22) / 1000 + 1767225600, 'unixepoch') AS INTEGER) AS
  month, l.actor_id AS actor, l.action AS action,
    count(*) AS entries, count(l.undone_by) AS undone FROM moderation_log l WHERE l.community_id = :community GROUP BY 1, 2, 3),
wrong AS (SELECT x.month, x.actor, x.action, coalesce(c.entries, 0) AS entries, x.entries AS entries_is, coalesce(c.undone, 0) AS undone,
  x.undone AS undone_is FROM computed x
  LEFT JOIN moderation_counts c ON c.community_id = :community AND c.month = x.month AND c.actor_id = x.actor AND c.action = x.action
  UNION ALL SELECT c.month, c.actor_id, c.action, c.entries, 0, c.undone, 0 FROM moderation_counts c WHERE c.community_id = :community
    AND (c.month, c.actor_id, c.action) NOT IN (SELECT x.month, x.actor, x.action FROM computed x))
SELECT * FROM wrong w WHERE w.entries <> w.entries_is OR w.undone <> w.undone_is LIMIT :limit`
	// A decision changes the stored and the computed number equally. So their difference can be added at any time.
	repairCounts = `INSERT INTO moderation_counts (community_id, month, actor_id, action, entries, undone)
  VALUES (:community, :month, :actor, :action, :entries, :undone)
ON CONFLICT (community_id, month, actor_id, action) DO UPDATE SET entries = entries + excluded.entries, undone = undone + excluded.undone`
)

// decisions compares the numbers of moderators' decisions in each month, for the site and for each community.
func (v *verifier) decisions(ctx context.Context, db *database) error {
	pages := pager{db: db.Client, query: reputationPage, size: pageRows}
	community := []any{int64(0)}
	for community != nil {
		for more := true; more; {
			rows, err := rowsOf(ctx, db.Client, countsOf, named("community", community[0]), named("limit", pageRows))
			if err != nil {
				return err
			}
			for _, r := range rows {
				entries, entriesIs, undone, undoneIs := r[3].(int64), r[4].(int64), r[5].(int64), r[6].(int64)
				if v.Repair {
					if _, err := v.write(ctx, db.Client, repairCounts, named("community", community[0]), named("month", r[0]), named("actor", r[1]),
						named("action", r[2]),
						named("entries", entriesIs-entries), named("undone", undoneIs-undone)); err != nil {
						return err
					}
				}
				d := Difference{Database: db.name, Table: "moderation_counts", Key: fmt.Sprintf("%d, %d, %d, %s", community[0], r[0], r[1], r[2]),
					Repaired: v.Repair}
				if entries != entriesIs {
					d.Column, d.Stored, d.Computed = "entries", fmt.Sprint(entries), fmt.Sprint(entriesIs)
					v.report(d)
				}
				if undone != undoneIs {
					d.Column, d.Stored, d.Computed = "undone", fmt.Sprint(undone), fmt.Sprint(undoneIs)
					v.report(d)
				}
			}
			more = v.Repair && len(rows) == pageRows
		}
		var err error
		if community, err = pages.next(ctx); err != nil {
			return err
		}
	}
	return nil
}
