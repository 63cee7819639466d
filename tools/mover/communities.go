package mover

import (
	"context"

	"plaza/data/wire/hrana"
)

const (
	// The directory's rows are the truth about communities. A shard that is another database has copies of those in its slots.
	communitiesOf = `SELECT * FROM communities WHERE ((id >> 12) & 1023) = ?1`
	// What waits there is known by the shard. Its trigger rests while rows are copied.
	countWaiting = `UPDATE communities SET waiting = coalesce((SELECT s.waiting + s.cases FROM community_stats s WHERE s.community_id = communities.id), 0)
WHERE ((id >> 12) & 1023) = ?1`
	removeCopies = `DELETE FROM communities WHERE ((id >> 12) & 1023) = ?1`
)

// copyCommunities writes the target's copies of the slot's communities. Where the target is the directory they are there.
func (m *Move) copyCommunities(ctx context.Context) error {
	if m.target == m.Directory {
		return exec(ctx, m.target, countWaiting, m.slot)
	}
	results, err := m.Directory.Query(ctx, hrana.Stmt{SQL: "SELECT name FROM pragma_table_info('communities')"},
		hrana.Stmt{SQL: communitiesOf, Args: []any{m.slot}})
	if err != nil || len(results[1].Rows) == 0 {
		return err
	}
	var columns []string
	for _, row := range results[0].Rows {
		columns = append(columns, row[0].(string))
	}
	t := table{name: "communities", keys: []string{"id"}}
	var stmts []hrana.Stmt
	for _, row := range results[1].Rows {
		for i, c := range columns {
			if c == "members" || c == "growth" { // they are counted in the directory alone
				row[i] = int64(0)
			}
		}
		stmts = append(stmts, t.upsert(columns, [][]any{row}))
	}
	_, err = m.target.Tx(ctx, append(stmts, hrana.Stmt{SQL: countWaiting, Args: []any{m.slot}})...)
	return err
}

// removeCommunities deletes the source's copies.
func (m *Move) removeCommunities(ctx context.Context) error {
	if m.source == m.Directory {
		return nil
	}
	return exec(ctx, m.source, removeCopies, m.slot)
}
