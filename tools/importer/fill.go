package importer

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"plaza/data/lists/search"
)

// A step of filling the search has as many comments as take about fillTime, because other writers wait for it.
const (
	fillTime            = time.Second
	fillFirst           = 4000 // comments of the first step
	fillLeast, fillMost = 500, 32_000
)

// fillSearch adds the comments of this import, and of earlier ones that were killed before, to the search index.
func (w *writer) fillSearch(ctx context.Context, shard *sql.DB) error {
	for step := fillFirst; ; {
		if err := w.mayWrite(ctx); err != nil {
			return err
		}
		began := time.Now()
		more, err := fillSome(ctx, shard, step)
		if err != nil {
			return fmt.Errorf("fill the search: %w", err)
		}
		if !more {
			return nil
		}
		if took := time.Since(began); took > fillTime {
			step = max(step/2, fillLeast)
		} else if took < fillTime/2 {
			step = min(step*2, fillMost)
		}
	}
}

// fillSome adds up to n comments. more is false if nothing was due.
func fillSome(ctx context.Context, shard *sql.DB, n int) (more bool, err error) {
	var first, last, upTo int64
	var found int
	err = shard.QueryRowContext(ctx, search.FirstDue).Scan(&first, &last)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := shard.QueryRowContext(ctx, search.DueComments, sql.Named("first", first), sql.Named("last", last), sql.Named("limit", n)).
		Scan(&found, &upTo); err != nil {
		return false, err
	}
	if found == n {
		last = upTo
	}
	return true, inTransaction(ctx, shard, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, search.FillComments, sql.Named("first", first), sql.Named("last", last)); err != nil {
			return err
		}
		for _, narrow := range []string{search.KeepDue, search.EndDue} {
			if _, err := tx.ExecContext(ctx, narrow, sql.Named("last", last)); err != nil {
				return err
			}
		}
		return nil
	})
}

// inTransaction runs f in a transaction, again if another writer was in the way.
func inTransaction(ctx context.Context, db *sql.DB, f func(tx *sql.Tx) error) error {
	var err error
	for try := range conflictTries {
		if err = once(ctx, db, f); err == nil || !isConflict(err) {
			return err
		}
		if err := pause(ctx, try); err != nil {
			return err
		}
	}
	return err
}

func once(ctx context.Context, db *sql.DB, f func(tx *sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}
