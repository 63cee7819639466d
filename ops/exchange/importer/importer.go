// Package importer writes communities, posts and comments of other sites into Plaza's tables. It reads dumps as streams. It is native code,
// for plaza import and plaza dev.
//
// The idea: each row has a unique source, so an import skips rows that exist, and can be interrupted and run again. Rows are written in the
// order of the database pages that they change, because writing pages is most of the cost.
//
// Begin with Import and insert.go. Authors are members without a password (account.go). docs/inside/ops.md says why.
package importer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"plaza/data"
)

// Source is one dump, plain or compressed by gzip or zstd. It may be opened more than once.
type Source struct {
	Name string // its name in problems; its base is the community of rows without one
	Size int64  // bytes as stored, for the progress; 0 if unknown
	Open func() (io.ReadCloser, error)
}

// File is the Source of a file on disk.
func File(path string) (Source, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Source{}, err
	}
	open := func() (io.ReadCloser, error) { return os.Open(path) }
	return Source{Name: filepath.Base(path), Size: info.Size(), Open: open}, nil
}

// Bad is a row that was skipped.
type Bad struct {
	File   string
	Line   int // where the row begins; the first line is 1
	Reason string
}

func (b Bad) String() string { return fmt.Sprintf("%s:%d: %s", b.File, b.Line, b.Reason) }

// Progress is how far an import is.
type Progress struct {
	File        string
	Done, Total int64 // bytes of all sources
	Posts       int   // inserted
	Comments    int
}

// Result counts the rows of an import.
type Result struct {
	Posts, Comments, Existing, Bad int // inserted, inserted, already in the tables, skipped
	Communities, Accounts          int // created
	Orphans                        int // comments whose parent is neither in the sources nor in the tables
	Changed                        int // lines with a number, a time or an address that was changed or left out
	TagsLost                       int // tags that are invalid here, or too many for a post
	Shortened                      int // inserted texts that were shortened to the site's limit
	Pictures, NoPictures           int // stored; and left out, because they are missing in the files or can't be stored
}

// Options say what to import and how.
type Options struct {
	Sources []Source
	Format  Format
	Shift   bool      // move all times so that the newest post is a few minutes old; see shift
	Now     time.Time // of the import
	Long    bool      // decompress files that need more memory: see longWindow
	Batch   int       // comments per transaction; 0 for 16,000
	// Pictures are the pictures of posts and comments; nil skips them.
	Pictures *Pictures

	// MayWrite is called before each batch. Its error ends the import. nil: no check.
	MayWrite func(context.Context) error
	Bad      func(Bad)      // called for every skipped row, in order; may be nil
	Progress func(Progress) // called after every transaction; may be nil
}

// Most of the cost of a transaction is the pages that it changes, so a large one costs less for each comment (insert.go). It takes two or
// three seconds, in which no other client can write.
const (
	defaultBatch = 16_000
	maxBatchText = 16 << 20 // bytes of text in a transaction, whatever the count
)

// Import reads the sources in order and writes their content. It reports and skips invalid rows. It returns an error if a source can't be
// opened, or a database refuses a statement.
func Import(ctx context.Context, db *data.DB, o Options) (Result, error) {
	if o.Batch <= 0 {
		o.Batch = defaultBatch
	}
	if o.Bad == nil {
		o.Bad = func(Bad) {}
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	if o.MayWrite == nil {
		o.MayWrite = func(context.Context) error { return nil }
	}
	at := func(t time.Time) time.Time { return t }
	if o.Shift {
		s, err := planShift(ctx, db, o)
		if err != nil {
			return Result{}, err
		}
		at = s.at
	}
	w := newWriter(db, o)
	if err := retry(ctx, db, func() error {
		return find(ctx, db, directory, data.SlotRows, nil, func(row *data.Row) { w.slots.Put(int(row.Int()), int(row.Int())) })
	}); err != nil {
		return Result{}, err
	}
	err := retry(ctx, db, func() error {
		return db.WriteEach(ctx, db.Databases(), func(t *data.Write) { t.Do(beginWeek, data.Args{"since": w.now.AddDate(0, 0, -7)}) })
	})
	if err != nil {
		return Result{}, fmt.Errorf("begin the week's counts: %w", err)
	}
	err = w.passes(ctx, o, at)
	return w.result, err
}

// directory is the database of members and communities.
var directory = data.In("")

// find runs a statement at a place. A text of a row keeps the whole response in memory: clone what you keep.
func find(ctx context.Context, db *data.DB, at data.Place, sql string, args data.Args, scan func(*data.Row)) error {
	r := db.Read()
	r.FindAt(at, sql, args, scan)
	return r.Run(ctx)
}

// write runs a statement that writes at a place.
func write(ctx context.Context, db *data.DB, at data.Place, sql string, args data.Args) error {
	w := db.WriteAt(at)
	w.Do(sql, args)
	return w.Run(ctx)
}

// listOf returns a list as a JSON array, for an argument of a statement. Escapes of <, > and & would nearly double the size of HTML.
func listOf[T any](list []T) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(list) // texts and numbers can always be encoded
	return strings.TrimSuffix(b.String(), "\n")
}

// passes reads all sources. While comments were dropped because too many waited, it reads them again, as long as that inserts rows.
func (w *writer) passes(ctx context.Context, o Options, at func(time.Time) time.Time) error {
	for first := true; ; first = false {
		before := w.result
		err := w.pass(ctx, o, at)
		if !first {
			w.result.Existing = before.Existing // they were counted
		}
		wrote := w.result.Posts+w.result.Comments > before.Posts+before.Comments
		if o.Bad = func(Bad) {}; err != nil || w.dropped == 0 || !wrote {
			return errors.Join(err, w.finish(ctx, err == nil))
		}
	}
}

// pass reads all sources once.
func (w *writer) pass(ctx context.Context, o Options, at func(time.Time) time.Time) error {
	w.dropped = 0
	for source := range w.waiting { // they are read again
		w.take(source)
	}
	batches := make(chan batch, 2)
	group, ctx := errgroup.WithContext(ctx)
	r := &reader{o: o, at: at, out: batches}
	group.Go(func() error {
		defer close(batches)
		return r.run(ctx)
	})
	group.Go(func() error {
		for b := range batches {
			if err := w.mayWrite(ctx); err != nil {
				return err
			}
			if err := w.write(ctx, b); err != nil {
				return fmt.Errorf("%s: %w", b.progress.File, err)
			}
			b.progress.Posts, b.progress.Comments = w.result.Posts, w.result.Comments
			o.Progress(b.progress)
		}
		return nil
	})
	err := group.Wait()
	w.result.Bad, w.result.Changed = max(w.result.Bad, r.seen.Bad), max(w.result.Changed, r.seen.Changed)
	w.result.TagsLost = max(w.result.TagsLost, r.seen.TagsLost)
	return err
}
