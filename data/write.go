package data

import (
	"context"
	"errors"
	"fmt"

	"plaza/data/wire/hrana"
)

// Write gathers the statements of one transaction. Run sends it as one request. If the answer is lost, the
// transaction is sent again, although it may have been committed. So every statement has to do no harm when it runs
// twice, and what makes something new is gathered by Once.
//
// A transaction that leaves work for a consumer of a queue also asks for it (Ask, Fold). Run sends these messages after the commit.
type Write struct {
	db    *DB
	where Where
	stmts []hrana.Stmt
	scans []func(hrana.Result) error
	asked messages
	shows bool // it changes what listings show
}

// Write begins a transaction in the directory.
func (db *DB) Write() *Write { return db.WriteAt(directory) }

// WriteAt begins one at another place.
func (db *DB) WriteAt(at Place) *Write { return &Write{db: db, where: at.where()} }

// Change is what a statement of a Write has done. It is known after Run.
type Change struct{ Rows int64 }

// Do gathers a statement that writes. The Change it returns tells how many rows were written, without those that
// triggers wrote.
func (w *Write) Do(sql string, args Args) *Change {
	c := &Change{}
	w.gather(sql, args, func(res hrana.Result) error {
		c.Rows = res.RowsAffected
		return nil
	})
	return c
}

// Find gathers a statement whose rows are wanted: a SELECT, which sees what the statements before it wrote, or one that
// ends in RETURNING. Run calls scan for every row.
func (w *Write) Find(sql string, args Args, scan func(*Row)) {
	w.gather(sql, args, func(res hrana.Result) error { return each(res, scan) })
}

func (w *Write) gather(sql string, args Args, scan func(hrana.Result) error) {
	w.stmts = append(w.stmts, hrana.Stmt{SQL: sql, Named: args.named()})
	w.scans = append(w.scans, scan)
}

// Run runs all statements in one transaction: all of them or none. It returns NotFound where there is no such
// community or shard, an error that IsTaken tells where something has to be unique and is not, Unavailable for any
// other failure in the database, or a scan's own error. After a scan's error the transaction is committed. Before Run
// returns from a transaction that is committed, it gives the messages to DB.Send.
func (w *Write) Run(ctx context.Context) error {
	results, err := w.send(ctx)
	w.db.changed(w.shows) // an error may hide a commit
	if err != nil {
		return err
	}
	err = w.scan(results)
	w.db.hand(ctx, &w.asked)
	return err
}

// ChangeListings says that the transaction changes what listings show. This instance then reads them anew, so that whoever has changed
// something sees it at once.
func (w *Write) ChangeListings() { w.shows = true }

func (db *DB) changed(listings bool) {
	if listings && db.ListingsChanged != nil {
		db.ListingsChanged()
	}
}

// send sends the transaction.
func (w *Write) send(ctx context.Context) ([]hrana.Result, error) {
	if len(w.stmts) == 0 {
		return nil, nil
	}
	if w.where.kind == onSlot || w.where.kind == atCommunity {
		_ = w.db.RecentSlots(ctx) // without the directory what is known is the best there is
	}
	clients, err := w.db.clients(ctx, []Where{w.where})
	if err != nil {
		return nil, err
	}
	client := clients[w.where]
	if client == nil {
		return nil, w.where.missing()
	}
	return tx(ctx, client, w.stmts...)
}

func (w *Write) scan(results []hrana.Result) error {
	for i := range results {
		if err := w.scans[i](results[i]); err != nil {
			return err
		}
	}
	return nil
}

// tx runs a transaction. An error is Unavailable, or Internal where the database refused a statement. If something has
// to be unique and is not, that error is the caller's to explain.
func tx(ctx context.Context, c *hrana.Client, stmts ...hrana.Stmt) ([]hrana.Result, error) {
	results, err := c.Tx(ctx, stmts...)
	if err != nil && !hrana.IsUnique(err) {
		return nil, failed(err)
	}
	return results, err
}

// IsTaken tells whether a write failed because a name, an address or an id belongs to something else already.
func IsTaken(err error) bool { return hrana.IsUnique(err) }

// IsRefused tells whether a write failed for what it says or what it found in the database. It would fail again. The
// database itself is well.
func IsRefused(err error) bool { return hrana.IsRefused(err) }

// WriteEach runs a transaction in each of several databases at the same time. It calls gather once for each, one
// after the other. A database that is down does not stop the others: they have written. The error joins all errors,
// each with the name of its database.
func (db *DB) WriteEach(ctx context.Context, places []Where, gather func(*Write)) error {
	writes, results, failed := make([]*Write, len(places)), make([][]hrana.Result, len(places)), make([]error, len(places))
	done := make(chan struct{}, len(places))
	for i, where := range places {
		w := db.WriteAt(where)
		gather(w)
		writes[i] = w
		go func() {
			results[i], failed[i] = w.send(ctx)
			done <- struct{}{}
		}()
	}
	for range places {
		<-done
	}
	var asked messages
	for i, where := range places {
		db.changed(writes[i].shows)
		if failed[i] == nil {
			failed[i] = writes[i].scan(results[i])
			asked.take(&writes[i].asked)
		}
		if failed[i] != nil {
			failed[i] = fmt.Errorf("%s: %w", where, failed[i])
		}
	}
	db.hand(ctx, &asked)
	return errors.Join(failed...)
}

// InSteps does a long work in each of several databases, one after the other, in transactions that change some rows at a time. gather
// gathers the next one and returns a function that tells, after it ran, whether more is left. It makes at most most transactions a
// database; the next call goes on. A database that is down does not stop the others. The error joins all errors, each with the name of
// its database.
func (db *DB) InSteps(ctx context.Context, places []Where, most int, gather func(*Write) (more func() bool)) error {
	return OnEach(places, func(where Where) error {
		for range most {
			w := db.WriteAt(where)
			more := gather(w)
			if err := w.Run(ctx); err != nil || !more() {
				return err
			}
		}
		return nil
	})
}

// Steps is InSteps for the directory.
func (db *DB) Steps(ctx context.Context, most int, gather func(*Write) (more func() bool)) error {
	return db.InSteps(ctx, []Where{directory}, most, gather)
}

// StepsAll is InSteps for all shards.
func (db *DB) StepsAll(ctx context.Context, most int, gather func(*Write) (more func() bool)) error {
	return db.InSteps(ctx, db.homes, most, gather)
}

// StepsEverywhere is InSteps for all databases.
func (db *DB) StepsEverywhere(ctx context.Context, most int, gather func(*Write) (more func() bool)) error {
	return db.InSteps(ctx, db.Databases(), most, gather)
}

// WriteAll is WriteEach for all shards.
func (db *DB) WriteAll(ctx context.Context, gather func(*Write)) error {
	return db.WriteEach(ctx, db.homes, gather)
}

// WriteEverywhere is WriteEach for all databases.
func (db *DB) WriteEverywhere(ctx context.Context, gather func(*Write)) error {
	return db.WriteEach(ctx, db.Databases(), gather)
}

// WriteElsewhere is WriteEach for all databases but the directory.
func (db *DB) WriteElsewhere(ctx context.Context, gather func(*Write)) error {
	return db.WriteEach(ctx, db.Databases()[1:], gather)
}

// OnAll is OnEach for all shards.
func (db *DB) OnAll(f func(Where) error) error { return OnEach(db.homes, f) }

// OnEverywhere is OnEach for all databases.
func (db *DB) OnEverywhere(f func(Where) error) error { return OnEach(db.Databases(), f) }

// OnEach calls f for each of several places, one after the other, also after an error. What it returns joins all
// errors, each with the name of its place.
func OnEach(places []Where, f func(Where) error) error {
	var failed error
	for _, where := range places {
		if err := f(where); err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", where, err))
		}
	}
	return failed
}
