package exporter

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"plaza/data"
	"plaza/data/content/pictures"
	"plaza/ops/bucket"
	"plaza/ops/exchange"
)

// Pictures is the source and the target of the pictures of an export.
type Pictures struct {
	Bucket *bucket.Client
	Dir    string // exchange.PicturesFolder, beside the file of lines
}

// parallelReads is how many pictures are read at the same time.
const parallelReads = 8

// Primary key.
const pictureFacts = `SELECT p.sum, p.type, p.width, p.height, p.small, p.colour, p.hash FROM json_each(:sums) j
CROSS JOIN pictures p ON p.sum = j.value WHERE p.state = 'stored'`

// shownOf reads the column pictures of a post or comment.
func shownOf(row *data.Row) (list []exchange.PictureRef) {
	for _, p := range pictures.Scan(row) {
		list = append(list, exchange.PictureRef{Sum: p.Sum, Alt: p.Alt, Small: p.Small})
	}
	return list
}

// writePictures writes the pictures of lists that were not written yet. It removes from the lists those that could not be written.
func (e *exporter) writePictures(ctx context.Context, lists ...*[]exchange.PictureRef) error {
	var sums []string
	for _, list := range lists {
		if e.o.Pictures == nil {
			*list = nil
		}
		for _, s := range *list {
			if _, known := e.pictures[s.Sum]; !known {
				e.pictures[s.Sum] = false
				sums = append(sums, s.Sum)
			}
		}
	}
	if len(sums) > 0 {
		if err := e.writeSums(ctx, sums); err != nil {
			return err
		}
	}
	for _, list := range lists {
		*list = slices.DeleteFunc(*list, func(s exchange.PictureRef) bool { return !e.pictures[s.Sum] })
	}
	return nil
}

// writeIcons writes the icon and the banner of a community. It removes those that could not be written.
func (e *exporter) writeIcons(ctx context.Context, c *exchange.Community) error {
	list := []exchange.PictureRef{{Sum: c.Icon}, {Sum: c.Banner}}
	list = slices.DeleteFunc(list, func(s exchange.PictureRef) bool { return s.Sum == "" })
	err := e.writePictures(ctx, &list)
	for _, sum := range []*string{&c.Icon, &c.Banner} {
		if !e.pictures[*sum] {
			*sum = ""
		}
	}
	return err
}

// writeSums writes the lines and files of the pictures with these sums.
func (e *exporter) writeSums(ctx context.Context, sums []string) error {
	var list []*exchange.Picture
	if err := e.find(ctx, directory, pictureFacts, data.Args{"sums": sums}, func(row *data.Row) {
		p := &exchange.Picture{Sum: strings.Clone(row.Text()), Media: row.Text(), Width: int(row.Int()), Height: int(row.Int()),
			Small: row.Int(), Colour: row.Text()}
		if hash, known := row.Value().(int64); known {
			p.Hash = fmt.Sprintf("%016x", uint64(hash))
		}
		list = append(list, p)
	}); err != nil {
		return err
	}
	if err := os.MkdirAll(e.o.Pictures.Dir, 0o700); err != nil {
		return err
	}
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(parallelReads)
	for _, p := range list {
		all.Go(func() error {
			if err := e.o.Pictures.save(ctx, p); err != nil {
				return fmt.Errorf("picture %s: %w", p.Sum, err)
			}
			return nil
		})
	}
	if err := all.Wait(); err != nil {
		return err
	}
	e.result.Missing += len(sums)
	for _, p := range list {
		if p.Bytes == 0 {
			continue
		}
		if err := e.out.Write(*p); err != nil {
			return err
		}
		e.pictures[p.Sum] = true
		e.result.Pictures++
		e.result.Missing--
	}
	return nil
}

// save writes the files of a picture. Bytes stays 0 if the bucket does not have the picture.
func (d *Pictures) save(ctx context.Context, p *exchange.Picture) error {
	withSmall := p.Small == 1
	p.Small = 0
	picture, err := d.file(ctx, p.Sum, false)
	if err != nil || picture == nil {
		return err
	}
	if p.Bytes = int64(len(picture)); withSmall {
		picture, err = d.file(ctx, p.Sum, true)
		p.Small = int64(len(picture))
	}
	return err
}

// file writes a file of a picture, unless an earlier export has written it. It returns the bytes, or nil if the bucket does not have them.
func (d *Pictures) file(ctx context.Context, sum string, small bool) ([]byte, error) {
	path := filepath.Join(d.Dir, exchange.PictureFile(sum, small))
	if saved, err := os.ReadFile(path); err == nil && !small && bucket.SumOf(saved) == sum {
		return saved, nil
	}
	read, _, err := d.Bucket.Read(ctx, sum, small)
	if errors.Is(err, bucket.ErrMissing) || err == nil && !small && bucket.SumOf(read) != sum {
		return nil, nil
	}
	if err == nil {
		err = os.WriteFile(path, read, 0o600)
	}
	return read, err
}
