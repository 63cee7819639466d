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

// tries bounds how often a statement is sent when the database does not answer, or its one writer is the site's.
const tries = 7

// send runs statements on one stream, which may take as long as they need. What writes is only sent again when it was not carried out.
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

// rowsOf reads all rows of a statement that bounds them itself. Their texts keep the whole answer in memory: one that is kept is cloned.
func rowsOf(ctx context.Context, db *hrana.Client, query string, args ...hrana.Named) ([][]any, error) {
	results, err := send(ctx, db, false, hrana.Stmt{SQL: query, Named: args})
	if err != nil {
		return nil, err
	}
	return results[0].Rows(), nil
}

// write runs a statement that mends, and returns how many rows it has changed.
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

// pager reads the rows of a statement with :after and :limit one by one.
type pager struct {
	db    *hrana.Client
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
