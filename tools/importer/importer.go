package importer

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"plaza/data"
	"plaza/tools/exchange"
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
	if info.IsDir() {
		return Source{}, fmt.Errorf("%s is a directory", path)
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
	Posts, Comments, Present, Bad int // inserted, inserted, there already, skipped
	Communities, Accounts         int // created
	Lost                          int // comments whose parent is neither in the sources nor here
	Changed                       int // lines with a number, a time or an address that was changed or left out
	TagsLost                      int // tags that are invalid here, or that were too many
	Cut                           int // inserted texts that were cut to the limit here
	Pictures, NoPictures          int // stored; and left out, because they are missing in the files or can't be stored
}

// Databases are the targets of posts. The directory has every community; the posts of one are all in the shard of its id's slot, with a
// copy of its row.
type Databases struct {
	Directory *sql.DB
	Shards    []*sql.DB // in the order of their numbers, one of them perhaps the directory; none: the directory is the one shard
}

// Slots reads the shards of slots.
func (d Databases) Slots(ctx context.Context) (*data.SlotMap, error) {
	slots := data.NewSlotMap(len(d.shards()))
	rows, err := d.Directory.QueryContext(ctx, data.SlotsOf)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var slot, shard int
		if err := rows.Scan(&slot, &shard); err != nil {
			return nil, err
		}
		slots.Put(slot, shard)
	}
	return slots, rows.Err()
}

// shards returns the shards in the order of their numbers.
func (d Databases) shards() []*sql.DB {
	if len(d.Shards) == 0 {
		return []*sql.DB{d.Directory}
	}
	return d.Shards
}

// all returns each database once.
func (d Databases) all() []*sql.DB {
	all := []*sql.DB{d.Directory}
	for _, s := range d.shards() {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// Options say what to import and how.
type Options struct {
	Sources []Source
	Format  Format
	Shift   bool      // move all times so that the newest post is a few minutes old; see shift
	Now     time.Time // of the import
	Long    bool      // decompress files that need more memory: see longWindow
	Batch   int       // comments a transaction; 0 for 16,000
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

// Import reads the sources in order and writes their items. It reports and skips invalid ones; the error is for what ends the import: a
// source that can't be opened, a failure of a database.
func Import(ctx context.Context, db Databases, o Options) (Result, error) {
	if o.Batch <= 0 {
		o.Batch = defaultBatch
	}
	if o.Bad == nil {
		o.Bad = func(Bad) {}
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	at := func(t time.Time) time.Time { return t }
	if o.Shift {
		s, err := planShift(ctx, db.shards(), o)
		if err != nil {
			return Result{}, err
		}
		at = s.at
	}
	if o.MayWrite == nil {
		o.MayWrite = func(context.Context) error { return nil }
	}
	w := &writer{mayWrite: o.MayWrite, directory: db.Directory, shards: db.shards(), all: db.all(), now: o.Now, batch: o.Batch,
		communities: map[string]*community{},
		accounts:    map[string]account{}, threads: map[string]thread{}, waiting: map[string][]*comment{}, room: roomToWait,
		pictures: o.Pictures, pictureFacts: map[string]exchange.Picture{}}
	var err error
	if w.slots, err = db.Slots(ctx); err != nil {
		return Result{}, err
	}
	if err := w.beginWeeks(ctx); err != nil {
		return Result{}, err
	}
	err = w.passes(ctx, o, at)
	return w.result, err
}

// passes reads all sources, again and again while that adds comments for which there was no room to wait.
func (w *writer) passes(ctx context.Context, o Options, at func(time.Time) time.Time) error {
	for first := true; ; first = false {
		there := w.result.Present
		written, err := w.pass(ctx, o, at)
		if !first {
			w.result.Present = there // they were counted
		}
		if o.Bad = func(Bad) {}; err != nil || w.passedOver == 0 || written == 0 {
			return errors.Join(err, w.finish(ctx, err == nil))
		}
	}
}

// pass reads all sources once. It returns how much it wrote.
func (w *writer) pass(ctx context.Context, o Options, at func(time.Time) time.Time) (written int, err error) {
	before := w.result
	w.passedOver = 0
	for source := range w.waiting { // they are read again
		w.take(source)
	}
	batches := make(chan batch, 2)
	group, ctx := errgroup.WithContext(ctx)
	var seen Result
	group.Go(func() error {
		defer close(batches)
		r := &reader{o: o, at: at, out: batches}
		err := r.run(ctx)
		seen = r.seen
		return err
	})
	group.Go(func() error {
		for b := range batches {
			if err := w.mayWrite(ctx); err != nil {
				return err
			}
			if err := w.write(ctx, b); err != nil {
				return err
			}
			b.progress.Posts, b.progress.Comments = w.result.Posts, w.result.Comments
			o.Progress(b.progress)
		}
		return nil
	})
	err = group.Wait()
	w.result.Bad, w.result.Changed = max(w.result.Bad, seen.Bad), max(w.result.Changed, seen.Changed)
	w.result.TagsLost = max(w.result.TagsLost, seen.TagsLost)
	return w.result.Posts + w.result.Comments - before.Posts - before.Comments, err
}
