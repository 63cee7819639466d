package mover

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"plaza/data/wire/hrana"
)

const (
	// Decisions about communities that are counted otherwise than the log of a database has them, without entries with ids of a slot: what
	// is counted and what is right. Index moderation_log_community, primary key of moderation_counts.
	miscounted = `WITH computed AS MATERIALIZED (SELECT l.community_id AS community,
    CAST(strftime('%Y%m', (l.id >> 22) / 1000 + 1767225600, 'unixepoch') AS INTEGER) AS month, l.actor_id AS actor, l.action AS action,
    count(*) AS made, count(l.undone_by) AS undone
  FROM json_each(?1) j CROSS JOIN moderation_log l ON l.community_id = j.value WHERE (l.id >> 12) & 1023 <> ?2 GROUP BY 1, 2, 3, 4),
both AS (SELECT x.community, x.month, x.actor, x.action, coalesce(c.made, 0) AS made, coalesce(c.undone, 0) AS undone,
    x.made AS made_is, x.undone AS undone_is
  FROM computed x LEFT JOIN moderation_counts c ON c.community_id = x.community AND c.month = x.month AND c.actor_id = x.actor
    AND c.action = x.action
  UNION ALL SELECT c.community_id, c.month, c.actor_id, c.action, c.made, c.undone, 0, 0
  FROM json_each(?1) j CROSS JOIN moderation_counts c ON c.community_id = j.value
  WHERE (c.community_id, c.month, c.actor_id, c.action) NOT IN (SELECT community, month, actor, action FROM computed))
SELECT * FROM both WHERE made <> made_is OR undone <> undone_is`
	// A count that somebody has changed since it was read stays, and is read again.
	recount = `INSERT INTO moderation_counts (community_id, month, actor_id, action, made, undone)
SELECT r.value ->> 0, r.value ->> 1, r.value ->> 2, r.value ->> 3, r.value ->> 6, r.value ->> 7 FROM json_each(?1) r WHERE true
ON CONFLICT (community_id, month, actor_id, action) DO UPDATE SET made = excluded.made, undone = excluded.undone
WHERE (made, undone) = (SELECT r.value ->> 4, r.value ->> 5 FROM json_each(?1) r WHERE r.value ->> 0 = excluded.community_id
  AND r.value ->> 1 = excluded.month AND r.value ->> 2 = excluded.actor_id AND r.value ->> 3 = excluded.action)`
	forgetUncounted = `DELETE FROM moderation_counts WHERE community_id IN (SELECT value FROM json_each(?1)) AND made = 0 AND undone = 0`
	recountAtOnce   = 100 // each row of recount goes through all of them
	recounts        = 10  // tries, where moderators decide meanwhile
)

// countDecisions counts a database's decisions about communities anew, without those that have ids of a slot: they are counted where the
// slot is. It only reads while it counts, because a log can be long and writers would have to wait.
func (m *Move) countDecisions(ctx context.Context, db *hrana.Client, ids string, without int) error {
	for range recounts {
		if err := m.beat(ctx); err != nil {
			return err
		}
		results, err := db.Query(ctx, hrana.Stmt{SQL: miscounted, Args: []any{ids, without}})
		if err != nil {
			return err
		}
		rows := results[0].Rows()
		if len(rows) == 0 {
			return m.exec(ctx, db, forgetUncounted, ids)
		}
		for some := range slices.Chunk(rows, recountAtOnce) {
			text, err := json.Marshal(some)
			if err != nil {
				return err
			}
			if err := m.exec(ctx, db, recount, string(text)); err != nil {
				return err
			}
		}
	}
	return errors.New("moderators decide faster than their decisions can be counted: run the same command again")
}
