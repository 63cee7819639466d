package mover

import (
	"context"
	"slices"
	"strings"

	"plaza/data/wire/hrana"
	"plaza/protocol/weburl"
)

// What the pages say that the posts ?1 link to. A work of the outbox that is done has fetched it.
const previewsOf = `SELECT DISTINCT l.* FROM json_each(?1) j CROSS JOIN posts p ON p.id = j.value
CROSS JOIN link_previews l ON l.url = p.link WHERE p.link <> ''`

// copyPreviews copies what pages say that posts link to, unless the target knows it from a later fetch. keys are those of posts, or of work
// that may be about posts.
func (m *Move) copyPreviews(ctx context.Context, of *table, keys [][]any) error {
	var ids []any
	for _, key := range keys {
		ids = append(ids, key[len(of.keys)-1])
	}
	t := &tables[len(tables)-1]
	columns, err := m.columnsOf(ctx, t)
	if err != nil {
		return err
	}
	results, err := m.source.Query(ctx, hrana.Stmt{SQL: strings.Replace(previewsOf, "l.*", "l."+strings.Join(columns, ", l."), 1),
		Args: []any{listOf(ids)}})
	if err != nil || len(results[0].Rows()) == 0 {
		return err
	}
	return m.tx(ctx, m.target, t.upserts(columns, results[0].Rows())...)
}

const (
	// ?1 has pairs of a link and its key. Index posts_same.
	linkedTo = `SELECT j.value ->> 0 FROM json_each(?1) j WHERE EXISTS (SELECT 1 FROM posts p WHERE p.link_key <> ''
  AND p.link_key = j.value ->> 1 AND p.link = j.value ->> 0)`
	// ?1 has keys of posts.
	forgetPreviews = `DELETE FROM link_previews WHERE url IN (SELECT p.link FROM json_each(?1) j CROSS JOIN posts p ON p.id = j.value ->> 0
  WHERE p.link <> '' AND NOT EXISTS (SELECT 1 FROM posts o WHERE o.link_key <> '' AND o.link_key = p.link_key AND o.link = p.link
    AND o.id NOT IN (SELECT value ->> 0 FROM json_each(?1))))`
)

// unlinked are those links of previews that no post of the target has.
func (m *Move) unlinked(ctx context.Context, keys [][]any) ([][]any, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	pairs := make([][]any, len(keys))
	for i, key := range keys {
		pairs[i] = []any{key[0], weburl.Key(key[0].(string))}
	}
	results, err := m.target.Query(ctx, hrana.Stmt{SQL: linkedTo, Args: []any{listOf(pairs)}})
	if err != nil {
		return nil, err
	}
	linked := slices.Concat(results[0].Rows()...)
	return slices.DeleteFunc(keys, func(key []any) bool { return slices.Contains(linked, key[0]) }), nil
}
