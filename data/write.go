package data

import (
	"context"
	"errors"
	"fmt"

	"plaza/data/wire/hrana"
)

// Write collects the statements of one transaction. Run sends it as one request. If the response is lost, the transaction is sent again,
// although it may have committed. So every statement must be harmless when it runs twice, and statements that make something new are
// added by Once.
//
// A transaction that enqueues a job or a mail, or adds deltas, also registers a message for the consumer (Ask, EnqueueApply,
// EnqueueVoteDeltas, EnqueueCountDeltas). Run sends these messages after the commit.
type Write struct {
	db       *DB
	where    Where
	stmts    []hrana.Stmt
	scans    []func(hrana.Result) error
	messages messages
	listings bool // ChangeListings was called
}

// Write begins a transaction in the directory.
func (db *DB) Write() *Write { return db.WriteAt(directory) }

// WriteAt begins a transaction at another place.
func (db *DB) WriteAt(at Place) *Write { return &Write{db: db, where: at.where()} }

// Change is the result of a statement of a Write. Run fills it.
type Change struct{ Rows int64 }

// Do adds a statement that writes. The returned Change has the number of rows written, without those of triggers.
func (w *Write) Do(sql string, args Args) *Change {
	c := &Change{}
	w.gather(sql, args, func(res hrana.Result) error {
		c.Rows = res.RowsAffected
		return nil
	})
	return c
}

// Find adds a statement that returns rows: a SELECT, which sees the writes of the statements before it, or one that ends in RETURNING.
// Run calls scan for every row.
func (w *Write) Find(sql string, args Args, scan func(*Row)) {
	w.gather(sql, args, func(res hrana.Result) error { return each(res, scan) })
}

func (w *Write) gather(sql string, args Args, scan func(hrana.Result) error) {
	w.stmts = append(w.stmts, hrana.Stmt{SQL: sql, Named: args.named()})
	w.scans = append(w.scans, scan)
}

// Run runs all statements in one transaction: all of them or none. It returns NotFound for an unknown community or shard, an error for
// which IsTaken is true if a value that has to be unique exists already, Unavailable for any other failure of the database, or a scan's
// own error. After a scan's error the transaction is committed. After a commit Run passes the messages to DB.Send before it returns.
func (w *Write) Run(ctx context.Context) error {
	results, err := w.send(ctx)
	w.db.changed(w.listings) // an error may hide a commit
	if err != nil {
		return err
	}
	err = w.scan(results)
	w.db.publish(ctx, &w.messages)
	return err
}

// ChangeListings marks that the transaction changes listings. This instance then reads them again, so that the author of a change sees it
// at once.
func (w *Write) ChangeListings() { w.listings = true }

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
		_ = w.db.RecentSlots(ctx) // without the directory, use the cached slots
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

// tx runs a transaction. An error is Unavailable, or Internal if the database refused a statement. An error of a unique constraint is
// returned as it is, for the caller to explain.
func tx(ctx context.Context, c *hrana.Client, stmts ...hrana.Stmt) ([]hrana.Result, error) {
	results, err := c.Tx(ctx, stmts...)
	if err != nil && !hrana.IsUnique(err) {
		return nil, failed(err)
	}
	return results, err
}

// IsTaken reports whether a write failed because a name, an address or an id is in use already.
func IsTaken(err error) bool { return hrana.IsUnique(err) }

// IsRefused reports whether the database refused a write for its content or the state of the rows. A retry would fail, too.
func IsRefused(err error) bool { return hrana.IsRefused(err) }

// WriteEach runs a transaction in each of several databases concurrently. It calls gather for each, one after the other. If one is down,
// the others are written nevertheless. The error joins all errors, each with the name of its database.
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
	var all messages
	for i, where := range places {
		db.changed(writes[i].listings)
		if failed[i] == nil {
			failed[i] = writes[i].scan(results[i])
			all.addAll(&writes[i].messages)
		}
		if failed[i] != nil {
			failed[i] = fmt.Errorf("%s: %w", where, failed[i])
		}
	}
	db.publish(ctx, &all)
	return errors.Join(failed...)
}

// InSteps does long work in each of several databases, one after the other, in transactions that change some rows at a time. gather adds
// the statements of the next one and returns a function that reports, after the transaction, whether more is left. InSteps runs at most
// maxSteps transactions in a database; the next call continues. If one database is down, the others are done nevertheless. The error joins
// all errors, each with the name of its database.
func (db *DB) InSteps(ctx context.Context, places []Where, maxSteps int, gather func(*Write) (more func() bool)) error {
	return OnEach(places, func(where Where) error {
		for range maxSteps {
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
func (db *DB) Steps(ctx context.Context, maxSteps int, gather func(*Write) (more func() bool)) error {
	return db.InSteps(ctx, []Where{directory}, maxSteps, gather)
}

// StepsAll is InSteps for all shards.
func (db *DB) StepsAll(ctx context.Context, maxSteps int, gather func(*Write) (more func() bool)) error {
	return db.InSteps(ctx, db.homes, maxSteps, gather)
}

// StepsEverywhere is InSteps for all databases.
func (db *DB) StepsEverywhere(ctx context.Context, maxSteps int, gather func(*Write) (more func() bool)) error {
	return db.InSteps(ctx, db.Databases(), maxSteps, gather)
}

// WriteAll is WriteEach for all shards.
func (db *DB) WriteAll(ctx context.Context, gather func(*Write)) error {
	return db.WriteEach(ctx, db.homes, gather)
}

// WriteEverywhere is WriteEach for all databases.
func (db *DB) WriteEverywhere(ctx context.Context, gather func(*Write)) error {
	return db.WriteEach(ctx, db.Databases(), gather)
}

// WriteElsewhere is WriteEach for all databases except the directory.
func (db *DB) WriteElsewhere(ctx context.Context, gather func(*Write)) error {
	return db.WriteEach(ctx, db.Databases()[1:], gather)
}

// OnAll is OnEach for all shards.
func (db *DB) OnAll(f func(Where) error) error { return OnEach(db.homes, f) }

// OnEverywhere is OnEach for all databases.
func (db *DB) OnEverywhere(f func(Where) error) error { return OnEach(db.Databases(), f) }

// OnEach calls f for each of several places, one after the other, also after an error. It returns all errors joined, each with the name
// of its place.
func OnEach(places []Where, f func(Where) error) error {
	var failed error
	for _, where := range places {
		if err := f(where); err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", where, err))
		}
	}
	return failed
}
