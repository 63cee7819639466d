package importer

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"golang.org/x/sync/errgroup"

	"plaza/data"
	"plaza/data/content/pictures"
	"plaza/protocol/unfurl"
	"plaza/tools/bucket"
	"plaza/tools/exchange"
)

// Pictures say where the pictures of an import are, and where they go.
type Pictures struct {
	Bucket *bucket.Client
	Dirs   []string // exchange.PicturesFolder beside each file
}

const (
	// picturesInMemory bounds the pictures of which lines have told, and those that were brought.
	picturesInMemory = 300_000
	// picturesTogether is how many are written at the same time.
	picturesTogether = 8
	// smallEnough is how many bytes a picture without a small version has at most that listings show all the same
	// (data/content/pictures).
	smallEnough = 100 << 10
	// A small version has so many pixels and bytes at most (worker/edge/shim/form.mjs).
	smallSide, smallBytes = 320, 25 << 10
)

const (
	// As pictures.Store.Claim, Reserve and Kept do: the job looks at a picture a day later. Primary key.
	claimPictures = `UPDATE pictures SET check_at = max(coalesce(check_at, 0), ` + nowMilli + ` + 86400000)
WHERE sum IN (SELECT value FROM json_each(?1)) AND state = 'kept' RETURNING sum, width, height, colour, small = 1 OR bytes <= ?2`
	reservePicture = `INSERT INTO pictures (sum, type, width, height, bytes, small, colour, hash, user_id, created_at, state, check_at)
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7, value ->> 8,
  ` + nowMilli + `, 'coming', ` + nowMilli + ` + 86400000 FROM json_each(?) WHERE true
ON CONFLICT (sum) DO UPDATE SET check_at = max(coalesce(check_at, 0), excluded.check_at) WHERE state <> 'going'`
	keepPictures = `UPDATE pictures SET state = 'kept' WHERE sum IN (SELECT value FROM json_each(?)) AND state = 'coming'`
	// Unique index picture_blocks_sum.
	blockedSums = `SELECT b.sum FROM json_each(?) j CROSS JOIN picture_blocks b ON b.sum = j.value AND b.community_id = 0`
	nowMilli    = `(unixepoch('subsec') * 1000 | 0)`
)

// wanted is what a post or comment shows, until its pictures are brought.
type wanted struct {
	shown  []exchange.Shown
	column string // pictures of the row
	lost   int    // of them
	by     *account
}

// shownOf are pictures that a post or comment can show: a few, with short descriptions.
func shownOf(list []exchange.Shown) (kept []exchange.Shown) {
	for _, s := range list {
		if s.Alt = cut(data.Line(clean(s.Alt)), pictures.AltMax); pictures.IsSum(s.Sum) && len(kept) < pictures.Most {
			kept = append(kept, s)
		}
	}
	return kept
}

// bring brings the pictures of posts or comments into the bucket and the directory, before these are written. Those that can't be brought
// are left out and counted.
func (w *writer) bring(ctx context.Context, list []*wanted) error {
	var sums []string
	by := map[string]*account{}
	for _, p := range list {
		for _, s := range p.shown {
			if by[s.Sum] == nil {
				by[s.Sum], sums = p.by, append(sums, s.Sum)
			}
		}
	}
	there := map[string]pictures.Picture{}
	for len(sums) > 0 {
		some := sums[:min(len(sums), 500)]
		sums = sums[len(some):]
		if err := w.bringSome(ctx, some, by, there); err != nil {
			return fmt.Errorf("pictures: %w", err)
		}
	}
	for _, p := range list {
		p.lost = 0
		var shown []pictures.Picture
		for _, s := range p.shown {
			if known, is := there[s.Sum]; is {
				known.Alt = s.Alt
				shown = append(shown, known)
			} else {
				p.lost++
			}
		}
		p.column = pictures.Encode(shown)
	}
	return nil
}

// bringSome finds or brings pictures, and adds them to there.
func (w *writer) bringSome(ctx context.Context, sums []string, by map[string]*account, there map[string]pictures.Picture) error {
	// What is blocked on the whole site does not come in by an import either.
	blocked := map[string]bool{}
	if err := each(ctx, w.directory, blockedSums, sums, func(rows *sql.Rows) error {
		var sum string
		err := rows.Scan(&sum)
		blocked[sum] = true
		return err
	}); err != nil {
		return err
	}
	sums = slices.DeleteFunc(slices.Clone(sums), func(sum string) bool { return blocked[sum] })
	var absent []string
	claim := func(list []string) error {
		return each(ctx, w.directory, claimPictures, list, func(rows *sql.Rows) error {
			var p pictures.Picture
			err := rows.Scan(&p.Sum, &p.Width, &p.Height, &p.Colour, &p.Small)
			there[p.Sum] = p
			return err
		}, smallEnough)
	}
	if err := claim(sums); err != nil {
		return err
	}
	for _, sum := range sums {
		if _, is := there[sum]; !is {
			absent = append(absent, sum)
		}
	}
	found, err := w.read(ctx, absent)
	if err != nil || len(found) == 0 {
		return err
	}
	var rows [][]any
	for sum, f := range found {
		rows = append(rows, f.row(by[sum]))
	}
	text, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	if _, err := w.directory.ExecContext(ctx, reservePicture, string(text)); err != nil {
		return err
	}
	kept, err := w.put(ctx, found)
	if err != nil {
		return err
	}
	list, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	if _, err := w.directory.ExecContext(ctx, keepPictures, string(list)); err != nil {
		return err
	}
	w.result.Pictures += len(kept)
	return claim(kept)
}

// file is a picture of the import.
type file struct {
	exchange.Picture
	bytes, small []byte
}

// row is a row of reservePicture. What bytes tell is not taken from the line.
func (f *file) row(by *account) []any {
	var hash, user any
	if n, err := strconv.ParseUint(f.Hash, 16, 64); err == nil && len(f.Hash) == 16 {
		hash = int64(n)
	}
	if by != nil {
		user = by.column()
	}
	return []any{f.Sum, f.Media, f.Width, f.Height, len(f.bytes), bit(f.small != nil), f.Colour, hash, user}
}

// read reads the files of pictures. Those without a file that is one are not in the result.
func (w *writer) read(ctx context.Context, sums []string) (map[string]*file, error) {
	found := map[string]*file{}
	if w.pictures == nil {
		return found, nil
	}
	for _, sum := range sums {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, dir := range w.pictures.Dirs {
			text, err := readPicture(filepath.Join(dir, exchange.PictureFile(sum, false)))
			if err != nil {
				return nil, err
			}
			width, height := unfurl.ImageSize(text)
			if bucket.SumOf(text) != sum || width == 0 {
				continue
			}
			f := &file{Picture: w.told[sum], bytes: text}
			if f.Sum, f.Media = sum, unfurl.ImageType(text); f.Width != height || f.Height != width { // unless it lies on its side
				f.Width, f.Height = width, height
			}
			if !isColour(f.Colour) {
				f.Colour = ""
			}
			small, err := readPicture(filepath.Join(dir, exchange.PictureFile(sum, true)))
			if err != nil {
				return nil, err
			}
			if w, h := unfurl.ImageSize(small); w > 0 && max(w, h) <= smallSide && len(small) <= smallBytes {
				f.small = small
			}
			found[sum] = f
			break
		}
	}
	return found, nil
}

// readPicture reads a file; nil when it is not there, no file or too long for a picture.
func readPicture(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) || err == nil && (!info.Mode().IsRegular() || info.Size() > bucket.MostBytes) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// isColour tells a colour such as #00695c.
func isColour(s string) bool {
	_, err := strconv.ParseUint(s[min(1, len(s)):], 16, 32)
	return err == nil && len(s) == 7 && s[0] == '#'
}

// put puts pictures into the bucket, and returns the sums of those that it takes.
func (w *writer) put(ctx context.Context, found map[string]*file) (kept []string, err error) {
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(picturesTogether)
	var mu sync.Mutex
	for sum, f := range found {
		all.Go(func() error {
			err := w.pictures.Bucket.Write(ctx, sum, false, f.bytes)
			if err == nil && f.small != nil {
				err = w.pictures.Bucket.Write(ctx, sum, true, f.small)
			}
			if errors.Is(err, bucket.ErrRefused) {
				return nil // its row goes in a day, and what there is in the bucket with it
			}
			mu.Lock()
			defer mu.Unlock()
			kept = append(kept, sum)
			return err
		})
	}
	return kept, all.Wait()
}

// tell remembers what lines tell of pictures.
func (w *writer) tell(list []exchange.Picture) {
	if len(w.told) > picturesInMemory {
		clear(w.told) // then the bytes alone tell what they are
	}
	for _, p := range list {
		w.told[p.Sum] = p
	}
}
