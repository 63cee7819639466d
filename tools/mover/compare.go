package mover

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"plaza/data/wire/hrana"
)

// comparedAtOnce is how many rows one statement looks for.
const comparedAtOnce = 2000

// compare has the source note each row that only one of the shards has: it was missed, or the target had it before, or got it from a job
// of its other rows that came across a copy. What counts others is compared by all of its columns, because such a job changes it twice.
func (m *Move) compare(ctx context.Context) error {
	m.comparing = true
	defer func() { m.comparing = false }()
	for i := range tables {
		t := &tables[i]
		if t.shared {
			continue
		}
		m.now.Table, m.now.Done = t.name+", compared", i
		columns := t.keys
		if t.counts {
			var err error
			if columns, err = m.columnsOf(ctx, t); err != nil {
				return err
			}
		}
		for _, db := range []*hrana.Client{m.source, m.target} {
			note := func(keys [][]any) error { return m.noteOthers(ctx, t, columns, keys) }
			if err := m.scan(ctx, db, t, nil, note, false); err != nil {
				return fmt.Errorf("%s: %w", t.name, err)
			}
		}
	}
	return nil
}

// noteOthers has the source note those keys whose rows are not the same on both shards.
func (m *Move) noteOthers(ctx context.Context, t *table, columns []string, keys [][]any) error {
	for some := range slices.Chunk(keys, comparedAtOnce) {
		stmt := hrana.Stmt{SQL: "SELECT x." + strings.Join(columns, ", x.") + t.byKeys(), Args: []any{listOf(some)}}
		var rows [2]map[string]string // by their keys
		for i, db := range []*hrana.Client{m.source, m.target} {
			results, err := db.Query(ctx, stmt)
			if err != nil {
				return err
			}
			rows[i] = map[string]string{}
			for _, row := range results[0].Rows() {
				rows[i][listOf(t.keyOf(columns, row))] = listOf(row)
			}
		}
		var others []string
		for _, key := range some {
			if k := listOf(key); rows[0][k] != rows[1][k] {
				others = append(others, k)
			}
		}
		if len(others) > 0 {
			if err := m.exec(ctx, m.source, noteRows, t.name, listOf(others)); err != nil {
				return err
			}
		}
	}
	return nil
}
