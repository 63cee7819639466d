package importer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"plaza/ops/exchange"
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

// items reads the items of a source, one after the other.
type items struct {
	*opened
	site string // where ids come from
	// decode reads the next item: a Post, Comment, Community, User or Picture of package exchange, and the line where it begins. changed
	// reports whether a number, a time or an address of it was changed or left out. The error is an *exchange.LineError for an item that is
	// skipped, and io.EOF at the end.
	decode func() (item any, changed bool, line int, err error)
}

func openItems(ctx context.Context, s Source, o Options) (*items, error) {
	in, err := openSource(ctx, s, o.Long)
	if err != nil {
		return nil, err
	}
	i := &items{opened: in}
	switch o.Format {
	case RedditCSV:
		r, err := openRows(in)
		if err != nil {
			in.close()
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		fallback := communityOfFile(s.Name)
		i.site, i.decode = exchange.RedditSite, func() (any, bool, int, error) { return r.post(fallback) }
	case Reddit:
		i.site, i.decode = exchange.RedditSite, i.lines(exchange.DecodeReddit)
	default:
		i.decode = i.lines(exchange.Decode)
	}
	return i, nil
}

// eachItem calls f for each item of a source. It calls bad if an item can't be read, or f returns an *exchange.LineError.
func eachItem(ctx context.Context, s Source, o Options, bad func(Bad), f func(i *items, item any, changed bool) error) error {
	i, err := openItems(ctx, s, o)
	if err != nil {
		return err
	}
	defer i.close()
	for {
		item, changed, line, err := i.decode()
		if err == nil {
			err = f(i, item, changed)
		}
		var wrong *exchange.LineError
		switch {
		case err == nil:
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &wrong):
			bad(Bad{s.Name, line, wrong.Reason})
		default:
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
}

// lines returns a decode function for lines of JSON. The first line of a file names the site of the others, unless the format has one.
func (i *items) lines(decode func([]byte) (any, bool, error)) func() (any, bool, int, error) {
	lines := exchange.NewLines(i.opened)
	return func() (any, bool, int, error) {
		for {
			text, err := lines.Next()
			if err != nil {
				return nil, false, lines.Line(), err
			}
			item, changed, err := decode(text)
			head, isHead := item.(exchange.Header)
			switch {
			case err != nil:
			case !isHead && i.site == "":
				err = errors.New("the first line does not say of which site this is: see docs/exchange.md")
			case !isHead:
			case head.Version != exchange.Version:
				err = fmt.Errorf("line %d: version %d of the format is not known, %d is", lines.Line(), head.Version, exchange.Version)
			case !exchange.IsSite(head.Site):
				err = fmt.Errorf("line %d: the site %.40q is not made of letters, digits, dots, hyphens and colons", lines.Line(), head.Site)
			default:
				i.site = head.Site
				continue
			}
			return item, changed, lines.Line(), err
		}
	}
}

// batch is the content of one transaction on each of its shards.
type batch struct {
	communities []exchange.Community
	people      []person
	pictures    []exchange.Picture
	posts       []*post
	comments    []*comment
	entries     []*entry // of the posts and comments
	progress    Progress
	items, text int // how many there are, and bytes of text in them
}

// reader reads batches from sources.
type reader struct {
	o    Options
	at   func(time.Time) time.Time
	out  chan<- batch
	seen Result // lines that were skipped or changed, and tags that were left out

	batch batch // the next one
}

func (r *reader) run(ctx context.Context) error {
	var done, size int64
	for _, s := range r.o.Sources {
		size += s.Size
	}
	for _, s := range r.o.Sources {
		if err := eachItem(ctx, s, r.o, func(b Bad) {
			r.seen.Bad++
			r.o.Bad(b)
		}, func(i *items, item any, changed bool) error {
			if err := r.add(item, i.site, changed); err != nil {
				return err
			}
			r.batch.progress = Progress{File: s.Name, Done: done + min(i.consumed.Load(), s.Size), Total: size}
			if r.batch.items < r.o.Batch && r.batch.text < maxBatchText {
				return nil
			}
			return r.flush(ctx)
		}); err != nil {
			return err
		}
		done += s.Size
	}
	return r.flush(ctx)
}

// add checks an item and adds it to the batch.
func (r *reader) add(item any, site string, changed bool) (err error) {
	b, text := &r.batch, 0
	switch v := item.(type) {
	case exchange.Post:
		var p *post
		if p, err = postOf(v, site, r.at); err == nil {
			b.posts, b.entries, text = append(b.posts, p), append(b.entries, &p.entry), p.textSize()
			changed = changed || p.changed
			r.seen.TagsLost += p.tagsLost
		}
	case exchange.Comment:
		var c *comment
		if c, err = commentOf(v, site, r.at); err == nil {
			b.comments, b.entries, text = append(b.comments, c), append(b.entries, &c.entry), c.textSize()
			changed = changed || c.changed
		}
	case exchange.User:
		var p person
		if p, err = personOf(v, site, r.at); err == nil {
			b.people, text = append(b.people, p), len(p.Bio)
		}
	case exchange.Community:
		if v, err = communityOf(v, site, r.at); err == nil {
			b.communities, text = append(b.communities, v), len(v.Sidebar)
		}
	case exchange.Picture:
		b.pictures = append(b.pictures, v)
	}
	if err == nil {
		b.items, b.text = b.items+1, b.text+text
		r.seen.Changed += bit(changed)
	}
	return err
}

// flush sends the batch to the writer.
func (r *reader) flush(ctx context.Context) error {
	if r.batch.items == 0 {
		return nil
	}
	b := r.batch
	r.batch = batch{}
	select {
	case r.out <- b:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
