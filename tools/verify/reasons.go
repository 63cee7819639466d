package verify

import "context"

const (
	// The reasons of reports, as counted in report_reasons and as in the reports.
	reasonsPage = `SELECT q.target_id,
  (SELECT json_group_array(json_array(x.reason, x.reports)) FROM (SELECT c.reason, c.reports FROM report_reasons c
  WHERE c.target_id = q.target_id ORDER BY c.reason) x),
  (SELECT json_group_array(json_array(x.reason, x.reports)) FROM (SELECT r.reason, count(*) AS reports FROM reports r
    WHERE r.target_id = q.target_id AND q.status = 'open' AND r.created_at >= q.came_at GROUP BY r.reason ORDER BY r.reason) x)
FROM queue_items q WHERE q.target_id > :after ORDER BY q.target_id LIMIT :limit`
	forgetReasons = `DELETE FROM report_reasons WHERE target_id IN (SELECT value FROM json_each(:ids))`
	countReasons  = `INSERT INTO report_reasons (target_id, reason, reports) SELECT q.target_id, r.reason, count(*) FROM json_each(:ids) j
CROSS JOIN queue_items q ON q.target_id = j.value AND q.status = 'open' CROSS JOIN reports r ON r.target_id = q.target_id
  AND r.created_at >= q.came_at
WHERE true GROUP BY q.target_id, r.reason ON CONFLICT (target_id, reason) DO UPDATE SET reports = excluded.reports`
)

// reasons compares the counts of the reasons of reports.
func (v *verifier) reasons(ctx context.Context, db *database) error {
	for after := int64(0); ; {
		rows, err := rowsOf(ctx, db.Client, reasonsPage, named("after", after), named("limit", pageRows))
		if err != nil {
			return err
		}
		var found []Difference
		var wrong []int64
		for _, row := range rows {
			after = row[0].(int64)
			if !equal(row[1], row[2]) {
				wrong = append(wrong, after)
				found = append(found, Difference{Database: db.name, Table: "report_reasons", Key: text(after), Column: "reports",
					Stored: text(row[1]), Computed: text(row[2]), Repaired: v.Repair})
			}
		}
		for _, statement := range []string{forgetReasons, countReasons} {
			if err := v.repair(ctx, db, statement, wrong); err != nil {
				return err
			}
		}
		v.report(found...)
		if len(rows) < pageRows {
			return nil
		}
	}
}
