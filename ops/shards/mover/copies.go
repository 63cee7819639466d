package mover

import (
	"context"
	"slices"
	"strings"

	"plaza/data/wire/hrana"
)

// inSlot is a condition for the table communities.
const inSlot = ` WHERE ((id >> 12) & 1023) = ?1`

// copyCommunities copies the slot's communities from the directory to the target. A copy with later settings stays.
func (m *Move) copyCommunities(ctx context.Context) error {
	to := m.Shards[m.To]
	if to == m.Directory {
		return nil
	}
	columns, err := m.columnsOf(ctx, "communities")
	if err != nil {
		return err
	}
	// Only the directory counts members, and only the shard counts waiting items.
	columns = slices.DeleteFunc(slices.Clone(columns), func(name string) bool {
		return slices.Contains([]string{"members", "growth", "waiting"}, name)
	})
	results, err := m.Directory.Query(ctx, hrana.Stmt{SQL: "SELECT " + strings.Join(columns, ", ") + " FROM communities" + inSlot,
		Args: []any{m.Slot}})
	if err != nil {
		return err
	}
	stmts := upserts("communities", []string{"id"}, columns, results[0].Rows())
	for i := range stmts {
		stmts[i].SQL += " WHERE coalesce(communities.revision, 0) <= coalesce(excluded.revision, 0)"
	}
	return m.tx(ctx, to, stmts...)
}

const (
	// Posts of several slots may share the preview of a linked page.
	previewsOf = ` FROM json_each(?1) j CROSS JOIN posts p ON p.id = j.value ->> 0 CROSS JOIN link_previews x ON x.url = p.link
WHERE p.link <> ''`
	forgetPreviews = `DELETE FROM link_previews WHERE url IN (SELECT p.link FROM json_each(?1) j CROSS JOIN posts p ON p.id = j.value ->> 0
  WHERE p.link <> '' AND NOT EXISTS (SELECT 1 FROM posts o WHERE o.link_key <> '' AND o.link_key = p.link_key AND o.link = p.link
    AND o.id NOT IN (SELECT value ->> 0 FROM json_each(?1))))`
)

// previews returns the statements that write the previews of the links of some posts of the source.
func (m *Move) previews(ctx context.Context, posts [][]any) ([]hrana.Stmt, error) {
	columns, err := m.columnsOf(ctx, "link_previews")
	if err != nil {
		return nil, err
	}
	results, err := m.Shards[m.From].Query(ctx, hrana.Stmt{SQL: "SELECT DISTINCT x." + strings.Join(columns, ", x.") + previewsOf,
		Args: []any{listOf(posts)}})
	if err != nil {
		return nil, err
	}
	return upserts("link_previews", []string{"url"}, columns, results[0].Rows()), nil
}
