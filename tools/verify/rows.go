package verify

import (
	"context"
	"time"

	"plaza/data"
	"plaza/data/wire/hrana"
)

// named is an argument of a statement.
func named(name string, value any) hrana.Named {
	switch v := value.(type) {
	case data.ID:
		value = int64(v)
	}
	return hrana.Named{Name: name, Value: value}
}

// tries limits how often a statement is sent while the database does not respond, or the site holds the write lock.
const tries = 7

// send runs statements on one stream, without a time limit. A write is sent again only if the database was busy and refused it.
func send(ctx context.Context, db *hrana.Client, writes bool, stmts ...hrana.Stmt) ([]hrana.Result, error) {
	for try := 1; ; try++ {
		results, err := db.Stream().Last(ctx, stmts...)
		if err == nil || try == tries || !hrana.IsBusy(err) && (writes || !hrana.IsUnavailable(err)) {
			return results, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(50 * time.Millisecond << try):
		}
	}
}

// rowsOf reads all rows of a statement, which must limit them itself. A text of a row keeps the whole response in memory, so clone what
// you keep.
func rowsOf(ctx context.Context, db *hrana.Client, query string, args ...hrana.Named) ([][]any, error) {
	results, err := send(ctx, db, false, hrana.Stmt{SQL: query, Named: args})
	if err != nil {
		return nil, err
	}
	return results[0].Rows(), nil
}

// write runs a statement that repairs, and returns how many rows it has changed.
func (v *verifier) write(ctx context.Context, db *hrana.Client, statement string, args ...hrana.Named) (int64, error) {
	if v.MayRepair != nil {
		if err := v.MayRepair(ctx); err != nil {
			return 0, err
		}
	}
	results, err := send(ctx, db, true, hrana.Stmt{SQL: statement, Named: args})
	if err != nil {
		return 0, err
	}
	return results[0].RowsAffected, nil
}

// pager returns the rows of a statement one by one. It reads them in pages by the arguments :after and :limit.
type pager struct {
	db    *hrana.Client
	query string
	size  int
	after int64
	page  [][]any
	ended bool
}

// next returns the next row, nil at the end.
func (p *pager) next(ctx context.Context) ([]any, error) {
	if len(p.page) == 0 && !p.ended {
		var err error
		if p.page, err = rowsOf(ctx, p.db, p.query, named("after", p.after), named("limit", p.size)); err != nil {
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
