package backup

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"plaza/data/wire/hrana"
	"plaza/tools/bucket"
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
	// together is how many pictures are copied at the same time.
	together = 8
)

// pathOf returns the path of a picture in the folder of a backup.
func pathOf(dir, sum string, small bool) string {
	name := sum
	if small {
		name += "-small"
	}
	return filepath.Join(dir, picturesFolder, sum[:2], name)
}

// storedPictures selects a page of the pictures that posts may show, without those in the state uploading, which may have no bytes yet,
// and in the state deleting, which are being deleted.
const storedPictures = `SELECT p.sum, p.small FROM pictures p WHERE p.sum > :after AND p.state = 'stored' ORDER BY p.sum LIMIT 2000`

// pictures reads the pictures with a row in the state of the directory, in the order of the sums, and whether they have a small version.
func (s *snapshot) pictures(ctx context.Context) (list []picture, err error) {
	if !slices.ContainsFunc(s.tables, func(t *table) bool { return t.name == "pictures" && slices.Contains(t.columns, "state") }) {
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

// savePictures copies pictures from the bucket, or from the previous backup beside this one.
func (w *writing) savePictures(ctx context.Context, b *bucket.Client, list []picture, before string) (*Pictures, error) {
	p := &Pictures{File: picturesFile}
	smalls := savedSmalls(before)
	walk := bucket.NewWalk(b)
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(together)
	var mu sync.Mutex
	for i := range list {
		line := &list[i]
		o, err := walk.To(ctx, line.Sum)
		if err != nil {
			return nil, errors.Join(err, all.Wait())
		}
		withSmall := line.Small == 1 && o.Small > 0
		line.Small = 0
		all.Go(func() error {
			read, err := w.savePicture(ctx, b, line, before, smalls, withSmall)
			if err != nil {
				return fmt.Errorf("picture %s: %w", line.Sum, err)
			}
			mu.Lock()
			defer mu.Unlock()
			p.Count, p.Bytes = p.Count+1, p.Bytes+line.Bytes+line.Small
			if read {
				p.Read++
			}
			if line.Missing {
				p.Missing++
				p.Count--
			}
			w.progress(int64(p.Count+p.Missing), int64(len(list)), "pictures")
			return nil
		})
	}
	if err := all.Wait(); err != nil {
		return nil, err
	}
	var text bytes.Buffer
	lines := json.NewEncoder(&text)
	for _, line := range list {
		if err := lines.Encode(line); err != nil {
			return nil, err
		}
	}
	p.SHA256 = sumOf(text.Bytes())
	return p, writeFile(filepath.Join(w.dir, p.File), text.Bytes())
}

// savedSmalls returns the SHA-256 of the small versions of a backup, by the sums of their pictures; none if its list can't be read.
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

// savePicture copies one picture. read reports whether it came from the bucket.
func (w *writing) savePicture(ctx context.Context, b *bucket.Client, line *picture, before string, smalls map[string]string,
	withSmall bool) (read bool, err error) {
	get := func(small bool) ([]byte, error) {
		path := pathOf(w.dir, line.Sum, small)
		if before != "" {
			// The name of a small version has the sum of the whole picture. Its own sum is in the previous backup's list.
			want := line.Sum
			if small {
				want = smalls[line.Sum]
			}
			old, err := readFile(pathOf(before, line.Sum, small), bucket.MostBytes)
			if err == nil && bucket.SumOf(old) == want {
				return old, linkOrWrite(pathOf(before, line.Sum, small), path, old)
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
		return got, errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), writeFile(path, got))
	}
	got, err := get(false)
	if errors.Is(err, bucket.ErrMissing) {
		line.Missing = true
		return false, nil
	}
	if err != nil || !withSmall {
		line.Bytes = int64(len(got))
		return read, err
	}
	line.Bytes = int64(len(got))
	small, err := get(true)
	if errors.Is(err, bucket.ErrMissing) {
		return read, nil
	}
	if err == nil {
		line.Small, line.SmallSHA256 = int64(len(small)), sumOf(small)
	}
	return read, err
}

// linkOrWrite adds a file of another backup to this one, as a hard link if the disk supports it.
func linkOrWrite(old, path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if os.Link(old, path) == nil {
		return nil
	}
	return writeFile(path, text)
}

// Before returns the folder of the newest backup beside dir that has pictures; "" for none.
func Before(dir string) string {
	manifests, _ := filepath.Glob(filepath.Join(filepath.Dir(dir), "*", manifestFile)) // the pattern is valid for usual folder names
	type found struct {
		dir  string
		when int64
	}
	var list []found
	for _, m := range manifests {
		of := filepath.Dir(m)
		info, err := os.Stat(m)
		if err != nil || strings.HasSuffix(of, unfinished) {
			continue
		}
		if pictures, err := os.Stat(filepath.Join(of, picturesFolder)); err == nil && pictures.IsDir() {
			list = append(list, found{of, info.ModTime().UnixNano()})
		}
	}
	if len(list) == 0 {
		return ""
	}
	return slices.MaxFunc(list, func(a, b found) int { return cmp.Compare(a.when, b.when) }).dir
}

// lines reads the list of pictures of a backup.
func (p *Pictures) lines(dir string) (list []picture, err error) {
	if p.File != picturesFile {
		return nil, fmt.Errorf("the manifest names %q, which is no list of pictures", p.File)
	}
	text, err := readFile(filepath.Join(dir, p.File), picturesMax*pictureLine)
	if err != nil {
		return nil, err
	}
	if sumOf(text) != p.SHA256 {
		return nil, errors.New("it is not the file that was written")
	}
	in := bufio.NewScanner(bytes.NewReader(text))
	for after := ""; in.Scan(); {
		var line picture
		if err := json.Unmarshal(in.Bytes(), &line); err != nil {
			return nil, err
		}
		if sum, err := hex.DecodeString(line.Sum); err != nil || len(sum) != 32 || line.Sum <= after || strings.ToLower(line.Sum) != line.Sum {
			return nil, fmt.Errorf("%.80q is no sum, or not in its place", line.Sum)
		}
		after, list = line.Sum, append(list, line)
	}
	return list, in.Err()
}

// check reads all pictures of a backup and compares them with the list.
func (p *Pictures) check(ctx context.Context, dir string, progress Progress) error {
	list, err := p.lines(dir)
	if err != nil {
		return fmt.Errorf("%s: %w", p.File, err)
	}
	var count, missing int
	var size int64
	for _, line := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		if line.Missing {
			missing++
			continue
		}
		for _, small := range []bool{false, true} {
			if small && line.SmallSHA256 == "" {
				continue
			}
			if _, err := line.read(dir, small); err != nil {
				return err
			}
		}
		count, size = count+1, size+line.Bytes+line.Small
		progress(int64(count), int64(p.Count), "reading pictures")
	}
	if count != p.Count || missing != p.Missing || size != p.Bytes {
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
	text, err := readFile(path, bucket.MostBytes)
	if err == nil && (int64(len(text)) != size || sumOf(text) != want) {
		err = fmt.Errorf("%s is not the file that was written", path)
	}
	return text, err
}

// Saved returns a function that reads the pictures of a backup by their sums.
func Saved(dir string) func(sum string, small bool) ([]byte, error) {
	return func(sum string, small bool) ([]byte, error) {
		return readFile(pathOf(dir, sum, small), bucket.MostBytes)
	}
}

// RestorePictures writes the pictures of a backup to a bucket, and returns how many it has written. Other pictures in the bucket stay. A
// picture with another length than in the backup is replaced.
func RestorePictures(ctx context.Context, dir string, m *Manifest, b *bucket.Client, progress Progress) (written int, err error) {
	list, err := m.Pictures.lines(dir)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", picturesFile, err)
	}
	walk := bucket.NewWalk(b)
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(together)
	var mu sync.Mutex
	done := 0
	for i := range list {
		line := &list[i]
		o, err := walk.To(ctx, line.Sum)
		if err != nil {
			return written, errors.Join(err, all.Wait())
		}
		all.Go(func() error {
			wrote, err := line.restore(ctx, dir, b, o)
			mu.Lock()
			defer mu.Unlock()
			if done++; wrote {
				written++
			}
			progress(int64(done), int64(len(list)), "pictures")
			if err != nil {
				return fmt.Errorf("picture %s: %w", line.Sum, err)
			}
			return nil
		})
	}
	return written, all.Wait()
}

// restore writes a picture and its small version if the bucket lacks them. o is the bucket's object.
func (line *picture) restore(ctx context.Context, dir string, b *bucket.Client, o bucket.Object) (wrote bool, err error) {
	if line.Missing {
		return false, nil
	}
	if o.Bytes != 0 && o.Bytes != line.Bytes {
		if err := b.Delete(ctx, line.Sum); err != nil {
			return false, err
		}
		o = bucket.Object{}
	}
	for _, part := range []struct {
		small, due bool
	}{{false, o.Bytes == 0}, {true, o.Small == 0 && line.SmallSHA256 != ""}} {
		if !part.due {
			continue
		}
		text, err := line.read(dir, part.small)
		if err == nil {
			err = b.Write(ctx, line.Sum, part.small, text)
		}
		if err != nil {
			return wrote, err
		}
		wrote = true
	}
	return wrote, nil
}
