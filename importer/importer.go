// Package importer brings posts of other sites into Plaza's tables. It reads dumps as streams, row by row, and writes
// through database/sql. It runs natively, for `plaza import` and `plaza dev`; nothing of it is served.
//
// An import can be repeated and resumed: a post's origin is in posts.source, which is unique, so rows that are there
// already are passed over. Batches commit on their own, so an interrupted import keeps what it did.
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
)

// Source is one dump, plain or gzipped. It may be opened more than once.
type Source struct {
	Name string // as problems name it; its base is the community of rows that don't tell theirs
	Size int64  // bytes as stored, for the progress; 0 when unknown
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
}

// Result counts the rows of an import.
type Result struct {
	Posts, Present, Bad int // inserted, there already, skipped
	Communities         int // created
}

// Databases are where posts go. The directory has every community; the posts of one are all in the shard that
// its id names, with a copy of its row.
type Databases struct {
	Directory *sql.DB
	Shards    []*sql.DB // in the order of their numbers, one of them perhaps the directory; none: the directory is the one shard
}

// shards are the shards in the order of their numbers.
func (d Databases) shards() []*sql.DB {
	if len(d.Shards) == 0 {
		return []*sql.DB{d.Directory}
	}
	return d.Shards
}

// all is each database once.
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
	Shift   bool      // move all times so that the newest post is a few minutes old; see shift
	Now     time.Time // of the import; ids of posts from before data.Epoch carry it
	Batch   int       // posts a transaction; 0 for 4,000

	Bad      func(Bad)      // called for every skipped row, in order; may be nil
	Progress func(Progress) // called after every transaction; may be nil
}

// Posts go in by id, that is by time, while dumps are sorted by something else: every transaction touches most pages
// of the table. So large ones, across communities, write far less: on sqld 7,300 posts/s where 1,000 a transaction made 3,600.
const (
	defaultBatch = 4000
	maxBatchText = 4 << 20 // bytes of text a transaction, whatever the count
)

// batch is what one transaction writes, in each shard that has some of it.
type batch struct {
	posts    []*post
	progress Progress
}

// Import reads the sources in order and writes their posts. Rows that can't be read are reported and skipped; the error
// is for what ends the import: a source that can't be opened, a database that refuses.
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

	var result, written Result
	batches := make(chan batch, 2)
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		defer close(batches)
		r := &reader{o: o, at: at, out: batches}
		err := r.run(ctx)
		result.Bad = r.bad
		return err
	})
	group.Go(func() error {
		w := &writer{directory: db.Directory, shards: db.shards(), all: db.all(), now: o.Now, communities: map[string]*community{}}
		defer func() { written = w.result }()
		if err := w.beginWeeks(ctx); err != nil {
			return err
		}
		for b := range batches {
			if err := w.write(ctx, b); err != nil {
				return err
			}
			b.progress.Posts = w.result.Posts
			o.Progress(b.progress)
		}
		return w.finish(ctx)
	})
	err := group.Wait()
	result.Posts, result.Present, result.Communities = written.Posts, written.Present, written.Communities
	return result, err
}

// reader turns sources into batches.
type reader struct {
	o    Options
	at   func(time.Time) time.Time
	out  chan<- batch
	bad  int
	done int64 // bytes of the sources before the current one
	size int64

	posts    []*post // of the batch to come
	text     int     // bytes of text in it
	progress Progress
}

func (r *reader) run(ctx context.Context) error {
	for _, s := range r.o.Sources {
		r.size += s.Size
	}
	for _, s := range r.o.Sources {
		if err := r.read(ctx, s); err != nil {
			return err
		}
		r.done += s.Size
	}
	return r.flush(ctx)
}

func (r *reader) read(ctx context.Context, s Source) error {
	rows, err := openRows(s)
	if err != nil {
		return err
	}
	defer rows.close()
	fallback := communityOfFile(s.Name)
	for {
		row, err := rows.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		var p *post
		if err == nil {
			p, err = readReddit(row, fallback, r.at)
		}
		var bad *badRow
		if errors.As(err, &bad) {
			r.bad++
			r.o.Bad(Bad{File: s.Name, Line: bad.line, Reason: bad.reason})
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		r.posts = append(r.posts, p)
		r.text += len(p.text) + len(p.html)
		r.progress = Progress{File: s.Name, Done: r.done + min(rows.consumed(), s.Size), Total: r.size}
		if len(r.posts) >= r.o.Batch || r.text >= maxBatchText {
			if err := r.flush(ctx); err != nil {
				return err
			}
		}
	}
}

// flush hands over what has been read.
func (r *reader) flush(ctx context.Context) error {
	if len(r.posts) == 0 {
		return nil
	}
	b := batch{r.posts, r.progress}
	slices.SortStableFunc(b.posts, func(a, b *post) int { return a.created.Compare(b.created) })
	r.posts, r.text = nil, 0
	select {
	case r.out <- b:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// source is what posts.source holds for a post of reddit.
func source(redditID string) string { return "reddit:t3_" + redditID }

// postID makes the id of a post. One that is older than ids can tell takes the time of the import, n posts into it.
func postID(p *post, now time.Time, n *uint32, salt uint32) data.ID {
	shard := p.place.id.Shard()
	if p.created.Before(data.Epoch) {
		at := now.Add(time.Duration(*n/2048) * time.Millisecond)
		*n++
		return data.NewID(at, shard, data.KindPost, (*n%2048)*2)
	}
	return data.NewID(p.created, shard, data.KindPost, hash(p.source)+salt*2)
}
