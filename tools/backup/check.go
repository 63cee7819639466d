package backup

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// manifestMax is the longest manifest, in bytes. The manifest of three databases has 30 KB.
const manifestMax = 16 << 20

// Check reads all of a backup, and returns its manifest if every file is unchanged. It uses no database, so it does not check whether a
// database accepts the statements and rows.
func Check(ctx context.Context, dir string, progress Progress) (*Manifest, error) {
	text, err := readFile(filepath.Join(dir, manifestFile), manifestMax)
	if err != nil {
		return nil, err
	}
	m := &Manifest{}
	if err := json.Unmarshal(text, m); err != nil {
		return nil, fmt.Errorf("%s: %w", manifestFile, err)
	}
	if m.Version != version {
		return nil, fmt.Errorf("it is a backup of version %d, and this build reads version %d", m.Version, version)
	}
	names := map[string]bool{}
	for _, d := range m.Databases {
		names[d.Name] = true
	}
	if !names["directory"] || len(names) != len(m.Databases) || slices.ContainsFunc(m.Shards, func(name string) bool { return !names[name] }) {
		return nil, fmt.Errorf("%s does not name the databases of a site", manifestFile)
	}
	m.SHA256 = sumOf(text)
	var done int64
	for i := range m.Databases {
		d := &m.Databases[i]
		if err := d.check(ctx, dir, func(rows int64, table string) {
			done += rows
			progress(done, m.Rows(), "reading "+d.Name+", "+table)
		}); err != nil {
			return nil, fmt.Errorf("%s: %w", d.File, err)
		}
	}
	if m.Pictures != nil {
		if err := m.Pictures.check(ctx, dir, progress); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// check reads a database's file and compares it with the manifest.
func (d *Database) check(ctx context.Context, dir string, progress func(rows int64, table string)) error {
	file, err := d.open(dir)
	if err != nil {
		return err
	}
	defer file.Close()
	sum := sha256.New()
	size := &counter{}
	whole := io.TeeReader(bufio.NewReaderSize(io.LimitReader(file, d.Bytes+1), 1<<16), io.MultiWriter(sum, size))
	found, err := read(ctx, whole, d, visitor{end: func(t Table) error { progress(t.Rows, t.Name); return nil }})
	if err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, whole); err != nil {
		return err
	}
	if size.n != d.Bytes || hexOf(sum) != d.SHA256 {
		return fmt.Errorf("it is not the file that was written")
	}
	if d.Schema != "" && found.schema != d.Schema {
		return errors.New("its tables, indexes, triggers and views are not made by the statements that were written")
	}
	d.Changed = found.created.changed(d.Step)
	return nil
}

// open opens a database's file in the folder.
func (d *Database) open(dir string) (*os.File, error) {
	if d.File != filepath.Base(d.File) {
		return nil, fmt.Errorf("the manifest names %q, which is no file of the folder", d.File)
	}
	return openFile(filepath.Join(dir, d.File))
}

// openFile opens a regular file, but no pipe or device.
func openFile(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no file", path)
	}
	if err != nil {
		return nil, err
	}
	return os.Open(path)
}

// readFile reads a file of at most so many bytes.
func readFile(path string, most int64) ([]byte, error) {
	file, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(text)) > most {
		err = fmt.Errorf("%s is longer than %d MB", path, most>>20)
	}
	return text, err
}

type counter struct{ n int64 }

func (c *counter) Write(b []byte) (int, error) {
	c.n += int64(len(b))
	return len(b), nil
}
