package backup

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// Check reads all of a backup, and returns its manifest when every file is as it was written.
func Check(dir string, progress Progress) (*Manifest, error) {
	text, err := os.ReadFile(filepath.Join(dir, manifestFile))
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
	var done int64
	for i := range m.Databases {
		d := &m.Databases[i]
		if err := d.check(dir, func(rows int64, table string) {
			done += rows
			progress(done, m.Rows(), "reading "+d.Name+", "+table)
		}); err != nil {
			return nil, fmt.Errorf("%s: %w", d.File, err)
		}
	}
	return m, nil
}

// check reads a database's file and compares it with the manifest.
func (d *Database) check(dir string, progress func(rows int64, table string)) error {
	file, err := d.open(dir)
	if err != nil {
		return err
	}
	defer file.Close()
	sum := sha256.New()
	size := &counter{}
	whole := io.TeeReader(bufio.NewReaderSize(file, 1<<16), io.MultiWriter(sum, size))
	tables, err := read(whole, d.Name, visitor{end: func(t Table) error { progress(t.Rows, t.Name); return nil }})
	if err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, whole); err != nil {
		return err
	}
	if size.n != d.Bytes || hexOf(sum) != d.SHA256 {
		return fmt.Errorf("it is not the file that was written")
	}
	if !slices.Equal(tables, d.Tables) {
		return fmt.Errorf("it has not the tables and rows that the manifest names")
	}
	return nil
}

// open opens a database's file, which lies in the folder itself.
func (d *Database) open(dir string) (*os.File, error) {
	if d.File != filepath.Base(d.File) {
		return nil, fmt.Errorf("the manifest names %q, which is no file of the folder", d.File)
	}
	return os.Open(filepath.Join(dir, d.File))
}

type counter struct{ n int64 }

func (c *counter) Write(b []byte) (int, error) {
	c.n += int64(len(b))
	return len(b), nil
}
