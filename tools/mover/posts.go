package mover

import (
	"context"
	"slices"

	"plaza/data/wire/hrana"
)

const missingPosts = `SELECT j.value FROM json_each(?1) j WHERE NOT EXISTS (SELECT 1 FROM posts p WHERE p.id = j.value)`

// copyPosts copies the posts of rows that the target has not yet: a post may be made after all posts were copied, and before its text and
// its comments are. The result is the rows without texts of posts that are deleted by now. That those are, too, is noted.
func (m *Move) copyPosts(ctx context.Context, t *table, columns []string, rows [][]any) ([][]any, error) {
	post := slices.Index(columns, "post_id")
	var unknown []any
	for _, row := range rows {
		if id := row[post]; !m.posts[id.(int64)] && !slices.Contains(unknown, id) {
			unknown = append(unknown, id)
		}
	}
	missing, err := m.missing(ctx, unknown)
	if err != nil {
		return nil, err
	}
	if len(missing) > 0 {
		keys := make([][]any, len(missing))
		for i, id := range missing {
			keys[i] = []any{id}
		}
		if err := m.copyRows(ctx, &tables[0], keys); err != nil {
			return nil, err
		}
		if missing, err = m.missing(ctx, missing); err != nil {
			return nil, err
		}
	}
	for _, id := range unknown {
		if !slices.Contains(missing, id) {
			m.posts[id.(int64)] = true
		}
	}
	if t.name == "post_texts" {
		rows = slices.DeleteFunc(rows, func(row []any) bool { return slices.Contains(missing, row[post]) })
	}
	return rows, nil
}

// missing are those posts that the target does not have.
func (m *Move) missing(ctx context.Context, posts []any) ([]any, error) {
	if len(posts) == 0 {
		return nil, nil
	}
	results, err := m.target.Query(ctx, hrana.Stmt{SQL: missingPosts, Args: []any{listOf(posts)}})
	if err != nil {
		return nil, err
	}
	return slices.Concat(results[0].Rows()...), nil
}
