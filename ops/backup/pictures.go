package backup

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"plaza/data/wire/hrana"
	"plaza/ops/bucket"
)

// Pictures describes the pictures of a backup, in its manifest.
type Pictures struct {
	File    string `json:"file"`   // pictures.jsonl, a line of JSON for each picture, in the order of the sums
	SHA256  string `json:"sha256"` // of that file
	Count   int    `json:"count"`
	Bytes   int64  `json:"bytes"`             // of all pictures and small versions
	Missing int    `json:"missing,omitempty"` // pictures with a row in the directory that were not in the bucket

	Read int `json:"-"` // how many were read from the bucket for this backup; the others came from the previous one
}

// picture is a line of pictures.jsonl. Its bytes are in the file pictures/ab/abcd…, and those of its small version in abcd…-small.
type picture struct {
	Sum         string `json:"sum"`
	Bytes       int64  `json:"bytes,omitempty"`
	Small       int64  `json:"small,omitempty"`
	SmallSHA256 string `json:"small_sha256,omitempty"`
	Missing     bool   `json:"missing,omitempty"`
}

const (
	picturesFile   = "pictures.jsonl"
	picturesFolder = "pictures"
	// picturesMax limits the pictures of a backup, and pictureLine the bytes of a line.
	picturesMax = 10_000_000
	pictureLine = 1000
	// parallelCopies is how many pictures are copied at the same time.
	parallelCopies = 8
)

// pathOf returns the path of a picture in the folder of a backup.
func pathOf(dir, sum string, small bool) string {
	name := sum
	if small {
		name += "-small"
	}
	return filepath.Join(dir, picturesFolder, sum[:2], name)
}

// storedPictures selects a page of the pictures that posts may show. It skips the states uploading, in which the bytes may be missing, and
// deleting.
const storedPictures = `SELECT p.sum, p.small FROM pictures p WHERE p.sum > :after AND p.state = 'stored' ORDER BY p.sum LIMIT 2000`

// pictures reads the sums of pictures in the directory, and whether they have a small version.
func (s *snapshot) pictures(ctx context.Context) (list []picture, err error) {
	if !s.has("pictures", "state") {
		return nil, nil // a database of a build without pictures
	}
	for after := ""; ; {
		rows, err := s.query(ctx, storedPictures, hrana.Named{Name: "after", Value: after})
		if err != nil || len(rows) == 0 {
			return list, err
		}
		for _, row := range rows {
			after = strings.Clone(row[0].(string))
			list = append(list, picture{Sum: after, Small: row[1].(int64)})
		}
	}
}

// copyPicture copies one picture if needed, and reports whether it did. o is what the bucket has of it.
type copyPicture func(ctx context.Context, line *picture, o bucket.Object) (copied bool, err error)

// eachPicture calls do for each picture, for several at a time. It returns how many were copied.
func eachPicture(ctx context.Context, b *bucket.Client, list []picture, progress Progress, do copyPicture) (int, error) {
	walk := bucket.NewWalk(b)
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(parallelCopies)
	var done, copied atomic.Int64
	for i := range list {
		line := &list[i]
		o, err := walk.To(ctx, line.Sum)
		if err != nil {
			return 0, errors.Join(err, all.Wait())
		}
		all.Go(func() error {
			one, err := do(ctx, line, o)
			if err != nil {
				return fmt.Errorf("picture %s: %w", line.Sum, err)
			}
			if one {
				copied.Add(1)
			}
			progress(done.Add(1), int64(len(list)), "pictures")
			return nil
		})
	}
	err := all.Wait()
	return int(copied.Load()), err
}

// savePictures copies pictures from the bucket, or from the previous backup, whose folder is before.
func (w *writing) savePictures(ctx context.Context, b *bucket.Client, list []picture, before string) (p *Pictures, err error) {
	p = &Pictures{File: picturesFile}
	smalls := savedSmalls(before)
	p.Read, err = eachPicture(ctx, b, list, w.progress, func(ctx context.Context, line *picture, o bucket.Object) (bool, error) {
		withSmall := line.Small == 1 && o.Small > 0
		line.Small = 0
		return w.savePicture(ctx, b, line, before, smalls[line.Sum], withSmall)
	})
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	lines := json.NewEncoder(&text)
	for _, line := range list {
		if line.Missing {
			p.Missing++
		} else {
			p.Count, p.Bytes = p.Count+1, p.Bytes+line.Bytes+line.Small
		}
		if err := lines.Encode(line); err != nil {
			return nil, err
		}
	}
	p.SHA256 = bucket.SumOf(text.Bytes())
	return p, writeFile(filepath.Join(w.dir, p.File), text.Bytes())
}

// savedSmalls returns the SHA-256 of a backup's small versions, by the sums of their pictures. It is empty if the list can't be read.
func savedSmalls(dir string) map[string]string {
	smalls, m := map[string]string{}, &Manifest{}
	if dir == "" {
		return smalls
	}
	text, err := readFile(filepath.Join(dir, manifestFile), manifestMax)
	if err != nil || json.Unmarshal(text, m) != nil || m.Pictures == nil {
		return smalls
	}
	list, _ := m.Pictures.lines(dir) // without it, all small versions are read again
	for _, l := range list {
		smalls[l.Sum] = l.SmallSHA256
	}
	return smalls
}

// savePicture copies one picture. oldSmall is the sum of its small version in the backup before. read: a file came from the bucket.
func (w *writing) savePicture(ctx context.Context, b *bucket.Client, line *picture, before, oldSmall string,
	withSmall bool) (read bool, err error) {
	get := func(small bool) ([]byte, error) {
		path, want := pathOf(w.dir, line.Sum, small), line.Sum
		if small {
			want = oldSmall // the file's name has the sum of the picture
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
		if before != "" {
			from := pathOf(before, line.Sum, small)
			if old, err := readFile(from, bucket.MaxBytes); err == nil && bucket.SumOf(old) == want {
				if os.Link(from, path) != nil {
					err = writeFile(path, old)
				}
				return old, err
			}
		}
		got, _, err := b.Read(ctx, line.Sum, small)
		if err == nil && !small && bucket.SumOf(got) != line.Sum {
			err = bucket.ErrMissing // the bytes are those of another picture
		}
		if err != nil {
			return nil, err
		}
		read = true
		return got, writeFile(path, got)
	}
	got, err := get(false)
	if line.Bytes = int64(len(got)); errors.Is(err, bucket.ErrMissing) {
		line.Missing = true
		return false, nil
	}
	if err != nil || !withSmall {
		return read, err
	}
	small, err := get(true)
	if errors.Is(err, bucket.ErrMissing) {
		return read, nil
	}
	line.Small, line.SmallSHA256 = int64(len(small)), bucket.SumOf(small)
	return read, err
}

// before returns the newest backup with pictures in the folder of dir; "" for none.
func before(dir string) (newest string) {
	manifests, _ := filepath.Glob(filepath.Join(filepath.Dir(dir), "*", manifestFile)) // none if the folder's name makes an invalid pattern
	var when time.Time
	for _, m := range manifests {
		folder := filepath.Dir(m)
		info, err := os.Stat(m)
		if err != nil || strings.HasSuffix(folder, unfinished) || !info.ModTime().After(when) {
			continue
		}
		if pictures, err := os.Stat(filepath.Join(folder, picturesFolder)); err == nil && pictures.IsDir() {
			newest, when = folder, info.ModTime()
		}
	}
	return newest
}

// lines reads the list of pictures of a backup.
func (p *Pictures) lines(dir string) (list []picture, err error) {
	if p.File != picturesFile {
		return nil, fmt.Errorf("the manifest names %q, which is not a list of pictures", p.File)
	}
	text, err := readFile(filepath.Join(dir, p.File), picturesMax*pictureLine)
	if err != nil {
		return nil, err
	}
	if bucket.SumOf(text) != p.SHA256 {
		return nil, errors.New("it is not the file that was written")
	}
	after := ""
	for text := range bytes.Lines(text) {
		var line picture
		if err := json.Unmarshal(text, &line); err != nil {
			return nil, err
		}
		if !bucket.IsSum(line.Sum) || line.Sum <= after {
			return nil, fmt.Errorf("%.80q is not a sum, or not in order", line.Sum)
		}
		after, list = line.Sum, append(list, line)
	}
	return list, nil
}

// check reads all pictures of a backup and compares them with the list.
func (p *Pictures) check(ctx context.Context, dir string, progress Progress) error {
	list, err := p.lines(dir)
	if err != nil {
		return fmt.Errorf("%s: %w", p.File, err)
	}
	var found Pictures
	for _, line := range list {
		if line.Missing {
			found.Missing++
			continue
		}
		_, err := line.read(dir, false)
		if err == nil && line.SmallSHA256 != "" {
			_, err = line.read(dir, true)
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		found.Count, found.Bytes = found.Count+1, found.Bytes+line.Bytes+line.Small
		progress(int64(found.Count), int64(p.Count), "reading pictures")
	}
	if found.Count != p.Count || found.Missing != p.Missing || found.Bytes != p.Bytes {
		return fmt.Errorf("%s does not have the pictures that the manifest names", p.File)
	}
	return nil
}

// read reads a picture's file and compares it with the line.
func (line *picture) read(dir string, small bool) ([]byte, error) {
	want, size := line.Sum, line.Bytes
	if small {
		want, size = line.SmallSHA256, line.Small
	}
	path := pathOf(dir, line.Sum, small)
	text, err := readFile(path, bucket.MaxBytes)
	if err == nil && (int64(len(text)) != size || bucket.SumOf(text) != want) {
		err = fmt.Errorf("%s is not the file that was written", path)
	}
	return text, err
}

// Saved returns a function that reads the pictures of a backup by their sums.
func Saved(dir string) func(sum string, small bool) ([]byte, error) {
	return func(sum string, small bool) ([]byte, error) {
		return readFile(pathOf(dir, sum, small), bucket.MaxBytes)
	}
}

// RestorePictures writes the pictures of a backup to a bucket, and returns how many it has written. It replaces a picture with another
// length than in the backup. Other pictures in the bucket stay.
func RestorePictures(ctx context.Context, dir string, m *Manifest, b *bucket.Client, progress Progress) (written int, err error) {
	list, err := m.Pictures.lines(dir)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", picturesFile, err)
	}
	return eachPicture(ctx, b, list, progress, func(ctx context.Context, line *picture, o bucket.Object) (wrote bool, err error) {
		if line.Missing {
			return false, nil
		}
		if o.Bytes != 0 && o.Bytes != line.Bytes {
			if err := b.Delete(ctx, line.Sum); err != nil {
				return false, err
			}
			o = bucket.Object{}
		}
		for _, small := range []bool{false, true} { // what the bucket lacks
			if small && (o.Small != 0 || line.SmallSHA256 == "") || !small && o.Bytes != 0 {
				continue
			}
			text, err := line.read(dir, small)
			if err == nil {
				err = b.Write(ctx, line.Sum, small, text)
			}
			if err != nil {
				return wrote, err
			}
			wrote = true
		}
		return wrote, nil
	})
}
