package mover

import (
	"context"
	"slices"
	"strings"

	"plaza/data/wire/hrana"
)

const (
	// The directory's rows are the truth about communities. A shard that is another database has copies of those in its slots.
	inSlot = ` WHERE ((id >> 12) & 1023) = ?1`
	// Of two copies the one with the later settings stays.
	later = ` WHERE coalesce(communities.revision, 0) <= coalesce(excluded.revision, 0)`
	// What waits there is known by the shard. Its trigger rests while rows are copied.
	countWaiting = `UPDATE communities SET waiting = coalesce((SELECT s.waiting + s.cases FROM community_stats s
  WHERE s.community_id = communities.id), 0)` +
		inSlot
	removeCopies = `DELETE FROM communities` + inSlot
)

// copyCommunities writes the target's copies of the slot's communities. Where the target is the directory they are there.
func (m *Move) copyCommunities(ctx context.Context) error {
	if m.target == m.Directory {
		return nil
	}
	t := table{name: "communities", keys: []string{"id"}}
	columns, err := m.columnsOf(ctx, &t)
	if err != nil {
		return err
	}
	// Members are counted in the directory alone.
	columns = slices.DeleteFunc(slices.Clone(columns), func(name string) bool {
		return slices.Contains([]string{"members", "growth", "waiting"}, name)
	})
	results, err := m.Directory.Query(ctx, hrana.Stmt{SQL: "SELECT " + strings.Join(columns, ", ") + " FROM communities" + inSlot,
		Args: []any{m.Slot}})
	if err != nil || len(results[0].Rows()) == 0 {
		return err
	}
	var stmts []hrana.Stmt
	for _, row := range results[0].Rows() {
		stmt := t.upsert(columns, [][]any{row})
		stmt.SQL += later
		stmts = append(stmts, stmt)
	}
	return m.tx(ctx, m.target, stmts...)
}

const (
	// The week of posts begins at a time of the shard's own.
	countWeek = `UPDATE community_stats SET week_posts = (SELECT count(*) FROM posts p WHERE p.community_id = community_stats.community_id
  AND p.status = 'published' AND p.created_at > coalesce((SELECT since FROM weeks WHERE what = 'posts'), 0))
WHERE community_id IN (SELECT value FROM json_each(?1))`
	communityIDs = `SELECT id FROM communities` + inSlot
)

// communities are the ids of those in the slot, as a JSON array.
func (m *Move) communities(ctx context.Context) (string, error) {
	results, err := m.Directory.Query(ctx, hrana.Stmt{SQL: communityIDs, Args: []any{m.Slot}})
	if err != nil {
		return "", err
	}
	return listOf(slices.Concat(results[0].Rows()...)), nil
}

// removeCommunities deletes the source's copies.
func (m *Move) removeCommunities(ctx context.Context) error {
	if m.source == m.Directory {
		return nil
	}
	return m.exec(ctx, m.source, removeCopies, m.Slot)
}
