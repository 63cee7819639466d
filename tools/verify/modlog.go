package verify

import (
	"context"
	"fmt"
	"slices"
	"time"

	"plaza/data"
	"plaza/data/moderation/transparency"
	"plaza/data/wire/hrana"
)

// What the log of a community has in each month, and what is counted of it; rows are those that differ. Index moderation_log_community,
// primary key.
const (
	countsOf = `WITH computed AS MATERIALIZED (SELECT CAST(strftime('%Y%m', (l.id >> 22) / 1000 + 1767225600, 'unixepoch') AS INTEGER) AS
  month, l.actor_id AS actor, l.action AS action,
    count(*) AS made, count(l.undone_by) AS undone FROM moderation_log l WHERE l.community_id = :community GROUP BY 1, 2, 3),
wrong AS (SELECT x.month, x.actor, x.action, coalesce(c.made, 0) AS made, x.made AS made_is, coalesce(c.undone, 0) AS undone,
  x.undone AS undone_is FROM computed x
  LEFT JOIN moderation_counts c ON c.community_id = :community AND c.month = x.month AND c.actor_id = x.actor AND c.action = x.action
  UNION ALL SELECT c.month, c.actor_id, c.action, c.made, 0, c.undone, 0 FROM moderation_counts c WHERE c.community_id = :community
    AND (c.month, c.actor_id, c.action) NOT IN (SELECT x.month, x.actor, x.action FROM computed x))
SELECT * FROM wrong w WHERE w.made <> w.made_is OR w.undone <> w.undone_is LIMIT :limit`
	// A decision changes what is stored and what is computed by the same number. So their difference can be added at any time.
	mendCounts = `INSERT INTO moderation_counts (community_id, month, actor_id, action, made, undone)
  VALUES (:community, :month, :actor, :action, :made, :undone)
ON CONFLICT (community_id, month, actor_id, action) DO UPDATE SET made = made + excluded.made, undone = undone + excluded.undone`
)

// decisions compares how much moderators have decided in each month, of the site and of each community.
func (v *verifier) decisions(ctx context.Context, db *database) error {
	pages := pager{db: db.Client, query: standingPage, size: strayPage}
	community := []any{int64(0)}
	for community != nil {
		for more := true; more; {
			rows, err := rowsOf(ctx, db.Client, countsOf, named("community", community[0]), named("limit", strayPage))
			if err != nil {
				return err
			}
			for _, r := range rows {
				made, madeIs, undone, undoneIs := r[3].(int64), r[4].(int64), r[5].(int64), r[6].(int64)
				if v.Repair {
					if _, err := v.write(ctx, db.Client, mendCounts, named("community", community[0]), named("month", r[0]), named("actor", r[1]),
						named("action", r[2]),
						named("made", madeIs-made), named("undone", undoneIs-undone)); err != nil {
						return err
					}
				}
				d := Difference{Database: db.name, Table: "moderation_counts", Key: fmt.Sprintf("%d, %d, %d, %s", community[0], r[0], r[1], r[2]),
					Mended: v.Repair}
				if made != madeIs {
					d.Column, d.Stored, d.Computed = "made", fmt.Sprint(made), fmt.Sprint(madeIs)
					v.report(d)
				}
				if undone != undoneIs {
					d.Column, d.Stored, d.Computed = "undone", fmt.Sprint(undone), fmt.Sprint(undoneIs)
					v.report(d)
				}
			}
			more = v.Repair && len(rows) == strayPage
		}
		var err error
		if community, err = pages.next(ctx); err != nil {
			return err
		}
	}
	return nil
}

// The public numbers of decisions, by half-year, and those that differ from what the log has. Entries of the log are never deleted, and
// neither their rule nor how they were found changes. So both can be compared for all times.
const (
	// Primary key, from both ends.
	logSpan = `SELECT (SELECT min(id) FROM moderation_log), (SELECT max(id) FROM moderation_log)`
	// Primary key, a seek for each half-year.
	countedHalves = `WITH RECURSIVE h (half) AS (SELECT min(t.half) FROM transparency t UNION ALL
  SELECT (SELECT min(t.half) FROM transparency t WHERE t.half > h.half) FROM h WHERE h.half IS NOT NULL LIMIT :limit)
SELECT half FROM h WHERE half IS NOT NULL`
	// groundOf is the ground of entry l, as the trigger moderation_log_found counts it.
	groundOf = `CASE WHEN l.rule IN ('Breaks the law', 'Sexual content with minors', 'Illegal content', 'Personal data', 'Rights of others',
  'Order of an authority') THEN l.rule WHEN l.rule <> '' THEN 'rule' ELSE '' END`
	// A range of the primary key of the log; primary key of transparency.
	decidedIn = `WITH computed AS MATERIALIZED (SELECT l.action AS kind, ` + groundOf + ` AS ground, l.found AS found, count(*) AS n,
    count(l.undone_by) AS undone FROM moderation_log l WHERE l.id >= :from AND l.id < :to GROUP BY 1, 2, 3),
wrong AS (SELECT x.kind, x.ground, x.found, coalesce(t.n, 0) AS n, x.n AS n_is, coalesce(t.undone, 0) AS undone, x.undone AS undone_is
  FROM computed x LEFT JOIN transparency t ON t.half = :half AND t.what = 'decision' AND t.kind = x.kind AND t.ground = x.ground
    AND t.found = x.found AND t.within = 0
  UNION ALL SELECT t.kind, t.ground, t.found, t.n, 0, t.undone, 0 FROM transparency t WHERE t.half = :half AND t.what = 'decision'
    AND (t.kind, t.ground, t.found) NOT IN (SELECT x.kind, x.ground, x.found FROM computed x))
SELECT * FROM wrong w WHERE w.n <> w.n_is OR w.undone <> w.undone_is LIMIT :limit`
	// As with mendCounts, the difference can be added at any time.
	mendDecided = `INSERT INTO transparency (half, what, kind, ground, found, within, n, undone)
VALUES (:half, 'decision', :kind, :ground, :found, 0, :n, :undone)
ON CONFLICT (half, what, kind, ground, found, within) DO UPDATE SET n = n + excluded.n, undone = undone + excluded.undone`
)

const forgetNone = `DELETE FROM transparency WHERE half = :half AND what = 'decision' AND n = 0 AND undone = 0`

// CountDecisions counts anew, for the page of public numbers, the decisions that the log of a database has, in the half-years from one id
// to another. It counts while it only reads: a half-year can have millions. Each transaction that writes begins with a condition: a
// statement that fails if nothing may be written. alive is called ahead of each half-year.
func CountDecisions(ctx context.Context, db *hrana.Client, first, last data.ID, condition hrana.Stmt,
	alive func(context.Context) error) error {
	for h := transparency.HalfOf(first.Time()); h <= transparency.HalfOf(last.Time()); h = transparency.HalfOf(h.End()) {
		if err := alive(ctx); err != nil {
			return err
		}
		args := []hrana.Named{named("half", int64(h)), named("from", idAt(h.Begin())), named("to", idAt(h.End()))}
		for more := true; more; {
			rows, err := rowsOf(ctx, db, decidedIn, append(slices.Clone(args), named("limit", strayPage))...)
			if err != nil {
				return err
			}
			for _, r := range rows {
				if err := writeIf(ctx, db, condition, mendDecided, args[0], named("kind", r[0]), named("ground", r[1]), named("found", r[2]),
					named("n", r[4].(int64)-r[3].(int64)), named("undone", r[6].(int64)-r[5].(int64))); err != nil {
					return err
				}
			}
			more = len(rows) == strayPage
		}
		if err := writeIf(ctx, db, condition, forgetNone, args[0]); err != nil {
			return err
		}
	}
	return nil
}

// halvesMax bounds how many half-years are compared.
const halvesMax = 400

// publicNumbers compares the numbers of decisions on the page /transparency with the log of the same database. Notices, objections, appeals
// and what left the queue are not compared: their rows are purged, and the numbers stay.
func (v *verifier) publicNumbers(ctx context.Context, db *database) error {
	halves := map[transparency.Half]bool{}
	rows, err := rowsOf(ctx, db.Client, logSpan)
	if err != nil {
		return err
	}
	if first, ok := rows[0][0].(int64); ok {
		last := transparency.HalfOf(data.ID(rows[0][1].(int64)).Time())
		for h := transparency.HalfOf(data.ID(first).Time()); h <= last; h = transparency.HalfOf(h.End()) {
			halves[h] = true
		}
	}
	if rows, err = rowsOf(ctx, db.Client, countedHalves, named("limit", halvesMax)); err != nil {
		return err
	}
	for _, r := range rows {
		halves[transparency.Half(r[0].(int64))] = true
	}
	for h := range halves {
		args := []hrana.Named{named("half", int64(h)), named("from", idAt(h.Begin())), named("to", idAt(h.End()))}
		rows, err := rowsOf(ctx, db.Client, decidedIn, append(slices.Clone(args), named("limit", strayPage))...)
		if err != nil {
			return err
		}
		for _, r := range rows {
			n, nIs, undone, undoneIs := r[3].(int64), r[4].(int64), r[5].(int64), r[6].(int64)
			if v.Repair {
				if _, err := v.write(ctx, db.Client, mendDecided, args[0], named("kind", r[0]), named("ground", r[1]), named("found", r[2]),
					named("n", nIs-n), named("undone", undoneIs-undone)); err != nil {
					return err
				}
			}
			d := Difference{Database: db.name, Table: "transparency", Key: fmt.Sprintf("%d, decision, %s, %s, %s", h, r[0], r[1], r[2]),
				Mended: v.Repair}
			for _, of := range []struct {
				column  string
				is, was int64
			}{{"n", nIs, n}, {"undone", undoneIs, undone}} {
				if d.Column, d.Stored, d.Computed = of.column, fmt.Sprint(of.was), fmt.Sprint(of.is); of.is != of.was {
					v.report(d)
				}
			}
		}
	}
	return nil
}

// idAt is the least id of a time.
func idAt(t time.Time) data.ID { return data.NewID(t, 0, data.KindOther, 0) }
