package importer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"plaza/tools/exchange"
)

// Format is the format of sources.
type Format string

// The formats that an import reads.
const (
	RedditCSV Format = "reddit-csv" // "Reddit Top 2.5 Million" (github.com/umbrae/reddit-top-2.5-million): one CSV file for each subreddit
	Reddit    Format = "reddit"     // submissions and comments of reddit, a line of JSON each
	Neutral   Format = "plaza"      // package exchange
)

// Formats are all formats.
func Formats() []Format { return []Format{Neutral, Reddit, RedditCSV} }

// items reads the items of a source, one after the other: *post, *comment, or a Community or User of package exchange. It returns a
// *badRow for a skipped one and io.EOF at the end. changed reports whether a number, a time or an address was changed or left out.
type items interface {
	next() (item any, changed bool, err error)
	// time reads only the source and time of the next one; the zero time if it has none.
	time() (source string, t time.Time, err error)
	consumed() int64
	close()
}

// openItems opens a source of an import. at maps times.
func openItems(ctx context.Context, s Source, o Options, at func(time.Time) time.Time) (items, error) {
	if o.Format == RedditCSV {
		r, err := openRows(ctx, s, o.Long)
		if err != nil {
			return nil, err
		}
		return &redditRows{rows: r, fallback: communityOfFile(s.Name), at: at}, nil
	}
	in, err := openSource(ctx, s, o.Long)
	if err != nil {
		return nil, err
	}
	l := &lines{opened: in, lines: exchange.NewLines(in), at: at, decode: exchange.Decode}
	if o.Format == Reddit {
		l.decode, l.site = exchange.DecodeReddit, exchange.RedditSite
	}
	return l, nil
}

// redditRows are the rows of a CSV file.
type redditRows struct {
	rows     *rows
	fallback string
	at       func(time.Time) time.Time
}

func (r *redditRows) next() (any, bool, error) {
	row, err := r.rows.next()
	if err != nil {
		return nil, false, err
	}
	p, changed, err := readReddit(row, r.fallback, r.at)
	return p, changed, badOf(err, row.line)
}

func (r *redditRows) time() (string, time.Time, error) {
	row, err := r.rows.next()
	if err != nil {
		return "", time.Time{}, err
	}
	item, _, err := exchange.DecodeRedditRow(row.get)
	if p, ok := item.(exchange.Post); ok && err == nil {
		return sourceOf(exchange.RedditSite, p.ID), p.CreatedAt, nil
	}
	return "", time.Time{}, nil
}

func (r *redditRows) consumed() int64 { return r.rows.opened.consumed() }
func (r *redditRows) close()          { r.rows.opened.close() }

// lines are lines of JSON.
type lines struct {
	*opened
	lines  *exchange.Lines
	decode func([]byte) (item any, changed bool, err error)
	at     func(time.Time) time.Time
	site   string // the origin of ids
}

func (l *lines) next() (any, bool, error) {
	item, changed, err := l.item()
	if err != nil {
		return nil, false, err
	}
	switch v := item.(type) {
	case exchange.Post:
		item, err = postOf(v, l.site, l.at)
	case exchange.Comment:
		item, err = commentOf(v, l.site, l.at)
	case exchange.User:
		item, err = personOf(v, l.site, l.at)
	case exchange.Community:
		item, err = communityLine(v, l.site, l.at)
	}
	return item, changed, badOf(err, l.lines.Line())
}

func (l *lines) time() (string, time.Time, error) {
	item, _, err := l.item()
	if err != nil {
		return "", time.Time{}, err
	}
	switch v := item.(type) {
	case exchange.Post:
		return sourceOf(l.site, v.ID), v.CreatedAt, nil
	case exchange.Comment:
		return sourceOf(l.site, v.ID), v.CreatedAt, nil
	}
	return "", time.Time{}, nil
}

// badOf returns the badRow of an invalid line.
func badOf(err error, line int) error {
	var bad *exchange.Bad
	if errors.As(err, &bad) {
		return &badRow{line, bad.Reason}
	}
	return err
}

// item reads the next line, except a file's first, which has the site of all others.
func (l *lines) item() (item any, changed bool, err error) {
	for {
		text, err := l.lines.Next()
		if err != nil {
			return nil, false, badOf(err, l.lines.Line())
		}
		item, changed, err := l.decode(text)
		if err != nil {
			return nil, false, badOf(err, l.lines.Line())
		}
		head, isHead := item.(exchange.Header)
		switch {
		case !isHead && l.site == "":
			return nil, false, errors.New("the first line does not say of which site this is: see docs/exchange.md")
		case !isHead:
			return item, changed, nil
		case head.Version != exchange.Version:
			return nil, false, fmt.Errorf("line %d: version %d of the format is not known, %d is", l.lines.Line(), head.Version, exchange.Version)
		case !exchange.IsSite(head.Site):
			return nil, false, fmt.Errorf("line %d: the site %.40q is not made of letters, digits, dots, hyphens and colons", l.lines.Line(),
				head.Site)
		}
		l.site = head.Site
	}
}

// batch is the content of one transaction on each of its shards.
type batch struct {
	communities []exchange.Community
	people      []person
	pictures    []exchange.Picture
	posts       []*post
	comments    []*comment
	progress    Progress
}

func (b *batch) len() int {
	return len(b.communities) + len(b.people) + len(b.pictures) + len(b.posts) + len(b.comments)
}

// reader reads batches from sources.
type reader struct {
	o    Options
	at   func(time.Time) time.Time
	out  chan<- batch
	seen Result // lines that were skipped or changed, and tags that were left out
	done int64  // bytes of the sources before the current one
	size int64

	batch batch // to fill
	text  int   // bytes of text in it
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
	items, err := openItems(ctx, s, r.o, r.at)
	if err != nil {
		return err
	}
	defer items.close()
	for {
		item, changed, err := items.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		var bad *badRow
		if errors.As(err, &bad) {
			r.seen.Bad++
			r.o.Bad(Bad{File: s.Name, Line: bad.line, Reason: bad.reason})
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		r.add(item, changed)
		r.batch.progress = Progress{File: s.Name, Done: r.done + min(items.consumed(), s.Size), Total: r.size}
		if r.batch.len() >= r.o.Batch || r.text >= maxBatchText {
			if err := r.flush(ctx); err != nil {
				return err
			}
		}
	}
}

func (r *reader) add(item any, changed bool) {
	switch v := item.(type) {
	case *post:
		changed = changed || v.changed
		r.seen.TagsLost += v.tagsLost
		r.batch.posts = append(r.batch.posts, v)
		r.text += v.textSize()
	case *comment:
		changed = changed || v.changed
		r.batch.comments = append(r.batch.comments, v)
		r.text += v.textSize()
	case person:
		r.batch.people = append(r.batch.people, v)
		r.text += len(v.Bio)
	case exchange.Community:
		r.batch.communities = append(r.batch.communities, v)
		r.text += len(v.Sidebar)
	case exchange.Picture:
		r.batch.pictures = append(r.batch.pictures, v)
	}
	r.seen.Changed += bit(changed)
}

// flush writes the batch.
func (r *reader) flush(ctx context.Context) error {
	if r.batch.len() == 0 {
		return nil
	}
	b := r.batch
	r.batch, r.text = batch{}, 0
	select {
	case r.out <- b:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
