package verify

import (
	"context"
	"database/sql"
	"strings"
	"time"
)

// rowsOf reads all rows of a statement that bounds them itself.
func rowsOf(ctx context.Context, db *sql.DB, query string, args ...any) (list [][]any, err error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		row, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		list = append(list, row)
	}
	return list, rows.Err()
}

// writeTries bounds how often a repair waits for the site's writers.
const writeTries = 6

// write runs a statement that writes, again while others hold the database's one writer. It returns how many rows changed.
func write(ctx context.Context, db *sql.DB, statement string, args ...any) (int64, error) {
	for try := 0; ; try++ {
		res, err := db.ExecContext(ctx, statement, args...)
		if err == nil {
			return res.RowsAffected()
		}
		if s := err.Error(); try == writeTries || !strings.Contains(s, "database is locked") && !strings.Contains(s, "SQLITE_BUSY") {
			return 0, err
		}
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-time.After(50 * time.Millisecond << try):
		}
	}
}

// pager reads the rows of a statement with :after and :limit one by one.
type pager struct {
	db    *sql.DB
	query string
	size  int
	after int64
	page  [][]any
	ended bool
}

// next is nil at the end.
func (p *pager) next(ctx context.Context) ([]any, error) {
	if len(p.page) == 0 && !p.ended {
		var err error
		if p.page, err = rowsOf(ctx, p.db, p.query, sql.Named("after", p.after), sql.Named("limit", p.size)); err != nil {
			return nil, err
		}
		p.ended = len(p.page) < p.size
		if len(p.page) > 0 {
			p.after = p.page[len(p.page)-1][0].(int64)
		}
	}
	if len(p.page) == 0 {
		return nil, nil
	}
	row := p.page[0]
	p.page = p.page[1:]
	return row, nil
}
