package mover

import (
	"context"
	"strings"

	"plaza/data/wire/hrana"
)

// What the pages say that the posts ?1 link to. A work of the outbox that is done has fetched it.
const previewsOf = `SELECT DISTINCT l.* FROM json_each(?1) j CROSS JOIN posts p ON p.id = j.value ->> 0
CROSS JOIN link_previews l ON l.url = p.link WHERE p.link <> ''`

// copyPreviews copies what pages say that posts link to, unless the target knows it from a later fetch.
func (m *Move) copyPreviews(ctx context.Context, posts [][]any) error {
	t := &tables[len(tables)-1]
	columns, err := m.columnsOf(ctx, t)
	if err != nil {
		return err
	}
	results, err := m.source.Query(ctx, hrana.Stmt{SQL: strings.Replace(previewsOf, "l.*", "l."+strings.Join(columns, ", l."), 1),
		Args: []any{listOf(posts)}})
	if err != nil || len(results[0].Rows()) == 0 {
		return err
	}
	stmts := t.upserts(columns, results[0].Rows())
	for i := range stmts {
		stmts[i].SQL += " WHERE link_previews.fetched_at < excluded.fetched_at"
	}
	_, err = m.target.Tx(ctx, stmts...)
	return err
}
