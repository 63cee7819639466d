package transparency

import (
	"context"
	"time"

	"plaza/data"
)

const (
	// halfOf is the half-year of x.at, a time in milliseconds.
	halfOf   = `strftime('%Y', x.at / 1000, 'unixepoch') * 10 + 1 + (strftime('%m', x.at / 1000, 'unixepoch') > '06')`
	counting = `INSERT INTO transparency (half, what, kind, ground, found, within, n)
SELECT ` + halfOf + `, x.what, x.kind, x.ground, x.found, iif(x.took IS NULL, 0, (SELECT min(j.value)
  FROM json_each('[1, 2, 4, 8, 12, 24, 48, 72, 168, 336, 720, 1000]') j WHERE j.value = 1000 OR x.took <= j.value * 3600000)), 1
FROM (`
	countingEnd = `) x WHERE true ON CONFLICT (half, what, kind, ground, found, within) DO UPDATE SET n = n + 1`
	item        = `SELECT 'queue' AS what, '' AS ground, iif(held = 1, 'held', iif(reports > 0, 'report', 'rule')) AS found,
  ` + data.DatabaseNow + ` AS at, ` + data.DatabaseNow + ` - came_at AS took, `
	fromItems = ` AS kind FROM queue_items WHERE `
)

// Counting returns the statement that counts each row of a SELECT. Its columns are what, kind, ground, found, at (when it happened) and
// took (how long; NULL: not measured), both in milliseconds. It must select nothing when the transaction is sent again.
func Counting(rows string) string { return counting + rows + countingEnd }

// CountingItems is Counting of the queue items that the next statement decides, with the same condition. decision is an SQL expression.
func CountingItems(decision, condition string) string {
	return Counting(item + decision + fromItems + condition)
}

// lately is how long a half-year is counted again after one of its decisions was made or undone. So some days without a count lose nothing.
const lately = 7 * 24 * time.Hour

const (
	// The half-years of entries that were made or undone since an id. A range of the primary key, then index moderation_log_target.
	touched = `SELECT DISTINCT ` + halfOf + ` FROM (SELECT (i.id >> 22) + 1767225600000 AS at FROM (
  SELECT l.id FROM moderation_log l WHERE l.id > :since
  UNION ALL SELECT o.id FROM moderation_log l CROSS JOIN moderation_log o ON o.target_id = l.target_id
    WHERE l.id > :since AND l.target_id <> 0 AND o.undone_by = l.id) i) x`
	// groundOf is the ground of entry l: a legal one, 'rule' or none.
	groundOf = `CASE WHEN l.rule IN ('Breaks the law', 'Sexual content with minors', 'Illegal content', 'Personal data', 'Rights of others',
  'Order of an authority') THEN l.rule WHEN l.rule <> '' THEN 'rule' ELSE '' END`
	// Miscounted are the numbers of decisions in a half-year that differ from the log: n and undone, first the stored ones and then the
	// correct ones. A range of the primary key of the log; primary key of transparency.
	Miscounted = `WITH computed AS MATERIALIZED (SELECT l.action AS kind, ` + groundOf + ` AS ground, l.found AS found, count(*) AS n,
    count(l.undone_by) AS undone FROM moderation_log l WHERE l.id >= :from AND l.id < :to GROUP BY 1, 2, 3),
wrong AS (SELECT x.kind, x.ground, x.found, coalesce(t.n, 0) AS n, x.n AS n_is, coalesce(t.undone, 0) AS undone, x.undone AS undone_is
  FROM computed x LEFT JOIN transparency t ON t.half = :half AND t.what = 'decision' AND t.kind = x.kind AND t.ground = x.ground
    AND t.found = x.found AND t.within = 0
  UNION ALL SELECT t.kind, t.ground, t.found, t.n, 0, t.undone, 0 FROM transparency t WHERE t.half = :half AND t.what = 'decision'
    AND (t.kind, t.ground, t.found) NOT IN (SELECT x.kind, x.ground, x.found FROM computed x))
SELECT * FROM wrong w WHERE w.n <> w.n_is OR w.undone <> w.undone_is LIMIT :limit`
	// PutDecided stores the correct number.
	PutDecided = `INSERT INTO transparency (half, what, kind, ground, found, within, n, undone)
VALUES (:half, 'decision', :kind, :ground, :found, 0, :n, :undone)
ON CONFLICT (half, what, kind, ground, found, within) DO UPDATE SET n = excluded.n, undone = excluded.undone`
	// ForgetNone deletes numbers that are 0 now, because a community has moved to another shard.
	ForgetNone = `DELETE FROM transparency WHERE half = :half AND what = 'decision' AND n = 0`
)

// While a community moves, two shards have its entries. Primary key.
const underWay = `SELECT 1 FROM slot_moves WHERE id = (SELECT max(id) FROM slot_moves) AND ended_at IS NULL`

// Recount counts the decisions of each half-year with recently made or undone decisions. It reads the entries of the half-year, and
// corrects wrong numbers. So it may be stopped at any point, and repeated. While a community moves it does nothing. Unavailable.
func Recount(ctx context.Context, db *data.DB, s data.Source) error {
	halves, moves := map[Half]bool{}, false
	since := data.NewID(s.Now().Add(-lately), 0, data.KindOther, 0)
	r := db.Read()
	r.FindEverywhere(touched, data.Args{"since": since}, func(row *data.Row) { halves[Half(row.Int())] = true })
	r.Find(underWay, nil, func(*data.Row) { moves = true })
	if err := r.Run(ctx); err != nil || moves {
		return err
	}
	return db.OnEverywhere(func(where data.Where) error {
		r, w := db.Read(), db.WriteAt(where)
		for half := range halves {
			from, to := half.IDs()
			r.FindAt(where, Miscounted, data.Args{"half": int64(half), "from": from, "to": to, "limit": rowsMax}, func(row *data.Row) {
				args := data.Args{"half": int64(half), "kind": row.Text(), "ground": row.Text(), "found": row.Text()}
				_, args["n"], _, args["undone"] = row.Int(), row.Int(), row.Int(), row.Int()
				w.Do(PutDecided, args)
			})
		}
		if err := r.Run(ctx); err != nil {
			return err
		}
		for half := range halves {
			w.Do(ForgetNone, data.Args{"half": int64(half)})
		}
		return w.Run(ctx)
	})
}
