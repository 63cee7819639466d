package importer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	_ "image/gif" // decoders
	_ "image/jpeg"
	_ "image/png"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp"
	"golang.org/x/sync/errgroup"

	"plaza/data"
	"plaza/data/content/pictures"
	"plaza/ops/bucket"
	"plaza/ops/exchange"
	"plaza/protocol/unfurl"
)

// Pictures is the source and the target of the pictures of an import.
type Pictures struct {
	Bucket *bucket.Client
	Dirs   []string // exchange.PicturesFolder beside each file
}

const (
	// picturesInMemory limits the cached facts that lines have about pictures.
	picturesInMemory = 300_000
	// picturesRead is how many pictures are in memory at a time, of up to bucket.MaxBytes each.
	picturesRead = 32
	// parallelWrites is how many pictures are written at the same time.
	parallelWrites = 8
	// smallSide and smallBytes limit a small version, in pixels and bytes (worker/edge/shim/form.mjs).
	smallSide, smallBytes = 320, 25 << 10
)

const (
	// These statements do the same as pictures.Store.Claim, Reserve and Kept: the job checks the picture a day later. Primary key.
	claimPictures = `UPDATE pictures SET check_at = max(coalesce(check_at, 0), ` + nowMilli + ` + 86400000)
WHERE sum IN (SELECT value FROM json_each(:sums)) AND state = 'stored'
RETURNING sum, width, height, colour, small, bytes <= :light, coalesce(user_id, 0)`
	reservePicture = `INSERT INTO pictures (sum, type, width, height, bytes, small, colour, hash, user_id, created_at, state, check_at)
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6,
  nullif(nullif(value ->> 7, 0), -1), nullif(value ->> 8, 0), ` + nowMilli + `, 'uploading', ` + nowMilli + ` + 86400000
  FROM json_each(:rows) WHERE true
ON CONFLICT (sum) DO UPDATE SET check_at = max(coalesce(check_at, 0), excluded.check_at) WHERE state <> 'deleting'`
	storePictures = `UPDATE pictures SET state = 'stored' WHERE sum IN (SELECT value FROM json_each(:sums)) AND state = 'uploading'`
	// Unique index picture_blocks_sum.
	blockedSums = `SELECT b.sum FROM json_each(:list) j CROSS JOIN picture_blocks b ON b.sum = j.value AND b.community_id = 0`
	nowMilli    = `(unixepoch('subsec') * 1000 | 0)`
)

// wanted are the pictures of a post or comment, until they are stored.
type wanted struct {
	shown  []exchange.PictureRef
	column string // the value of the column pictures
	lost   int    // how many could not be stored
	by     *account
}

func (p *wanted) textSize() (n int) {
	for _, s := range p.shown {
		n += len(s.Sum) + len(s.Alt)
	}
	return n
}

// shownOf returns the pictures that a post or comment may show: at most limit, with shortened descriptions.
func shownOf(list []exchange.PictureRef, limit int) (kept []exchange.PictureRef) {
	for _, s := range list {
		if s.Alt = cut(data.Line(clean(s.Alt)), pictures.AltMax); pictures.IsSum(s.Sum) && len(kept) < limit {
			kept = append(kept, s)
		}
	}
	return kept
}

// storeLists stores the pictures of posts or comments in the bucket and the directory, before the posts or comments are written. It skips
// and counts pictures that can't be stored.
func (w *writer) storeLists(ctx context.Context, list []*wanted) error {
	var sums []string
	first := map[string]firstUse{}
	for _, p := range list {
		for _, s := range p.shown {
			if _, known := first[s.Sum]; !known {
				first[s.Sum], sums = firstUse{p.by, s.Small}, append(sums, s.Sum)
			}
		}
	}
	stored := map[string]uploaded{}
	for some := range slices.Chunk(sums, picturesRead) {
		if err := w.storeSums(ctx, some, first, stored); err != nil {
			return fmt.Errorf("pictures: %w", err)
		}
	}
	for _, p := range list {
		p.lost = 0
		var shown []pictures.Picture
		for _, s := range p.shown {
			if known, is := stored[s.Sum]; is {
				known.Alt = s.Alt
				if known.by == 0 || known.by != p.by.id { // another member's small version may show something else
					known.Small, known.Colour = false, ""
				}
				known.Small = known.Small && s.Small
				shown = append(shown, known.Picture)
			} else {
				p.lost++
			}
		}
		p.column = pictures.Encode(shown)
	}
	return nil
}

// storeIcons stores the icon and the banner of a community before it is created. It removes from about those that can't be stored.
func (w *writer) storeIcons(ctx context.Context, about *exchange.Community) error {
	var sums []string
	for _, sum := range []string{about.Icon, about.Banner} {
		if pictures.IsSum(sum) && !slices.Contains(sums, sum) {
			sums = append(sums, sum)
		}
	}
	stored := map[string]uploaded{}
	if len(sums) > 0 {
		if err := w.storeSums(ctx, sums, nil, stored); err != nil {
			return fmt.Errorf("pictures: %w", err)
		}
	}
	for _, sum := range []*string{&about.Icon, &about.Banner} {
		if _, is := stored[*sum]; !is && *sum != "" {
			*sum = ""
			w.result.NoPictures++
		}
	}
	return nil
}

// firstUse is the first post or comment that shows a picture: its author, and whether it shows the small version.
type firstUse struct {
	by    *account
	small bool
}

// uploaded is a picture on the site, and the member who counts as its uploader; 0 none.
type uploaded struct {
	pictures.Picture
	by data.ID
}

// storeSums finds or stores the pictures with these sums, and adds them to stored.
func (w *writer) storeSums(ctx context.Context, sums []string, first map[string]firstUse, stored map[string]uploaded) error {
	// Pictures that are blocked on the whole site are not imported either.
	blocked, err := textsOf(ctx, w.db, directory, blockedSums, listOf(sums))
	if err != nil {
		return err
	}
	sums = slices.DeleteFunc(slices.Clone(sums), func(sum string) bool { return blocked[sum] })
	claim := func(t *data.Write, sums []string) error {
		t.Find(claimPictures, data.Args{"sums": sums, "light": pictures.LightMax}, func(row *data.Row) {
			sum := strings.Clone(row.Text())
			stored[sum] = uploaded{pictures.Picture{Sum: sum, Width: int(row.Int()), Height: int(row.Int()), Colour: strings.Clone(row.Text()),
				Small: row.Bool(), Light: row.Bool()}, row.ID()}
		})
		return t.Run(ctx)
	}
	if err := claim(w.db.Write(), sums); err != nil {
		return err
	}
	found, err := w.read(ctx, slices.DeleteFunc(sums, func(sum string) bool { _, is := stored[sum]; return is }))
	if err != nil || len(found) == 0 {
		return err
	}
	var rows [][]any
	for sum, f := range found {
		if !first[sum].small {
			f.small = nil
		}
		rows = append(rows, f.row(first[sum].by))
	}
	if err := write(ctx, w.db, directory, reservePicture, data.Args{"rows": listOf(rows)}); err != nil {
		return err
	}
	kept, err := w.put(ctx, found)
	if err != nil {
		return err
	}
	t := w.db.Write()
	t.Do(storePictures, data.Args{"sums": kept})
	if err = claim(t, kept); err == nil { // otherwise it may be tried again
		w.result.Pictures += len(kept)
	}
	return err
}

// colourForm matches a colour such as #00695c.
var colourForm = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)

// file is a picture of the import.
type file struct {
	exchange.Picture
	bytes, small []byte
}

// row returns the row for reservePicture. Type, size and length are those of the bytes, not of the line. The statement leaves out the
// hash of a picture of one colour, 0 or -1, which is of no use (data/content/pictures).
func (f *file) row(by *account) []any {
	n, err := strconv.ParseUint(f.Hash, 16, 64)
	hash := int64(n)
	if err != nil || len(f.Hash) != 16 {
		hash, _ = hashOf(f.bytes)
	}
	var user data.ID
	if by != nil {
		user = by.id
	}
	return []any{f.Sum, f.Media, f.Width, f.Height, len(f.bytes), f.small != nil, f.Colour, hash, int64(user)}
}

// read reads the files of pictures. A sum without a valid file is not in the result.
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
			f := &file{Picture: w.pictureFacts[sum], bytes: text}
			if f.Sum, f.Media = sum, unfurl.ImageType(text); f.Width != height || f.Height != width { // unless it is stored rotated
				f.Width, f.Height = width, height
			}
			if !colourForm.MatchString(f.Colour) {
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

// readPicture reads a file. It returns nil if it does not exist, is not a regular file, or is too long for a picture.
func readPicture(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) || err == nil && (!info.Mode().IsRegular() || info.Size() > bucket.MaxBytes) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// put writes pictures into the bucket, and returns the sums of those that the site accepts.
func (w *writer) put(ctx context.Context, found map[string]*file) (kept []string, err error) {
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(parallelWrites)
	var mu sync.Mutex
	for sum, f := range found {
		all.Go(func() error {
			err := w.pictures.Bucket.Write(ctx, sum, false, f.bytes)
			if err == nil && f.small != nil {
				err = w.pictures.Bucket.Write(ctx, sum, true, f.small)
			}
			if errors.Is(err, bucket.ErrRefused) {
				return nil // a day later the job deletes its row, and its bytes if there are any
			}
			mu.Lock()
			defer mu.Unlock()
			kept = append(kept, sum)
			return err
		})
	}
	return kept, all.Wait()
}

// maxDecodedPixels bounds the pixels of a picture that is decoded for its hash. Small versions have far fewer.
const maxDecodedPixels = 4_000_000

// hashOf computes a difference hash as browsers do (web/app/upload.js): for 8 rows of 9 pixels, whether each is brighter than the next.
// Browsers scale with other filters, so a few bits may differ.
func hashOf(text []byte) (hash int64, ok bool) {
	size, _, err := image.DecodeConfig(bytes.NewReader(text))
	if err != nil || size.Width <= 0 || size.Height <= 0 || size.Width > maxDecodedPixels/size.Height {
		return 0, false
	}
	it, _, err := image.Decode(bytes.NewReader(text))
	if err != nil {
		return 0, false
	}
	tiny := image.NewNRGBA(image.Rect(0, 0, 9, 8))
	draw.BiLinear.Scale(tiny, tiny.Bounds(), it, it.Bounds(), draw.Src, nil)
	grey := func(x, y int) int {
		c := tiny.NRGBAAt(x, y)
		return int(c.R)*299 + int(c.G)*587 + int(c.B)*114
	}
	for y := range 8 {
		for x := range 8 {
			if hash <<= 1; grey(x, y) > grey(x+1, y) {
				hash |= 1
			}
		}
	}
	return hash, true
}
