// Package backup writes all databases of a site into a folder, and restores them into empty databases. It is native code, for plaza
// backup and plaza restore.
//
// The idea: each database is read in one transaction, so a file has the state of one moment. Shards come before the directory, to which
// they refer. The package has no list of tables: it reads sqlite_master, and rows by primary key.
//
// Begin with Write (backup.go) and Restore; format.go has the format. Servers that end long transactions are read from copies
// (Site.Copied, package branches). docs/operations/backup.md has the rest.
package backup

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"plaza/data/wire/hrana"
	"plaza/ops/bucket"
)

// Site has the databases of a site.
type Site struct {
	Directory *hrana.Client
	Shards    []*hrana.Client // by number; one of them may be the directory
	Bucket    *bucket.Client  // of pictures; nil excludes them
	Copied    time.Time       // not zero: the databases are read-only copies, begun at that time (package branches)
}

// Progress is called with how many rows of how many are done, and of what. For pictures, several goroutines call it at once.
type Progress func(done, total int64, what string)

// version is the version of the format. A restore refuses others.
const version = 1

// Manifest describes the content of a backup.
type Manifest struct {
	Version   int        `json:"plaza_backup"`
	Began     time.Time  `json:"began"` // everything that was committed before is in it
	Ended     time.Time  `json:"ended"`
	Shards    []string   `json:"shards"` // the names of the databases that are the shards, by number
	Databases []Database `json:"databases"`
	Pictures  *Pictures  `json:"pictures,omitempty"` // nil: excluded

	SHA256 string `json:"-"` // of the manifest itself, which has the sums of all files: it identifies this backup
}

// Changed returns the tables, indexes, triggers and views, with their databases, that differ from those of this build. It skips databases
// at another step.
func (m *Manifest) Changed() (names []string) {
	for _, d := range m.Databases {
		for _, name := range d.Changed {
			names = append(names, d.Name+": "+name)
		}
	}
	return names
}

// Database is one database of a backup.
type Database struct {
	Name   string    `json:"name"` // directory, shard-1
	File   string    `json:"file"`
	Bytes  int64     `json:"bytes"`
	SHA256 string    `json:"sha256"`                  // of the file
	Seen   time.Time `json:"seen"`                    // the moment of its state, by the clock of the computer that made the backup
	Step   int       `json:"step"`                    // of the schema; 0 for a database of a build without steps
	Schema string    `json:"schema_sha256,omitempty"` // of all tables, indexes, triggers and views; backups of earlier builds have none
	Tables []Table   `json:"tables"`

	Changed []string `json:"-"` // what differs from this build; see Manifest.Changed
	created []head   // the lines of tables, indexes, triggers and views, once the file was checked
}

// Table is one table of a database.
type Table struct {
	Name   string `json:"name"`
	Rows   int64  `json:"rows"`
	SHA256 string `json:"sha256"` // of its rows in the file
}

// Rows counts the rows of all databases.
func (m *Manifest) Rows() (n int64) {
	for _, d := range m.Databases {
		for _, t := range d.Tables {
			n += t.Rows
		}
	}
	return n
}

// Bytes returns the size of all files of databases.
func (m *Manifest) Bytes() (n int64) {
	for _, d := range m.Databases {
		n += d.Bytes
	}
	return n
}

const manifestFile = "manifest.json"

// unfinished is the name of the folder until the backup is complete.
const unfinished = ".unfinished"

// Write makes a backup in a new folder.
func Write(ctx context.Context, dir string, site Site, progress Progress) (*Manifest, error) {
	if _, err := os.Stat(dir); err == nil {
		return nil, fmt.Errorf("%s is there already", dir)
	}
	m := &Manifest{Version: version, Began: time.Now().UTC()}
	if !site.Copied.IsZero() {
		m.Began = site.Copied.UTC()
	}
	snapshots, err := open(ctx, site, m)
	defer func() {
		for _, s := range snapshots {
			s.close()
		}
	}()
	if err != nil {
		return nil, err
	}
	temporary := dir + unfinished
	if err := errors.Join(os.RemoveAll(temporary), os.MkdirAll(temporary, 0o700)); err != nil {
		return nil, err
	}
	w := &writing{dir: temporary, progress: progress}
	for _, s := range snapshots {
		for _, t := range s.tables {
			w.total += t.rows
		}
	}
	var pictures []picture
	for _, s := range snapshots {
		d, err := w.database(ctx, s)
		if err == nil && s.name == "directory" && site.Bucket != nil {
			pictures, err = s.pictures(ctx)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		s.close()
		m.Databases = append(m.Databases, *d)
	}
	if site.Bucket != nil {
		if m.Pictures, err = w.savePictures(ctx, site.Bucket, pictures, before(dir)); err != nil {
			return nil, fmt.Errorf("pictures: %w", err)
		}
	}
	m.Ended = time.Now().UTC()
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return nil, err
	}
	if err := writeFile(filepath.Join(temporary, manifestFile), append(text, '\n')); err != nil {
		return nil, err
	}
	saved := m.Pictures
	if m, err = Check(ctx, temporary, progress); err != nil {
		return nil, fmt.Errorf("what was written can't be read: %w", err)
	}
	m.Pictures = saved
	if err := os.Rename(temporary, dir); err != nil {
		return nil, err
	}
	parent, err := os.Open(filepath.Dir(dir))
	if err != nil {
		return nil, err
	}
	return m, errors.Join(parent.Sync(), parent.Close())
}

// open begins the snapshots: of the shards, and then of the directory.
func open(ctx context.Context, site Site, m *Manifest) (list []*snapshot, err error) {
	names, dbs := []string{}, []*hrana.Client{}
	for n, shard := range site.Shards {
		name := "directory"
		if shard != site.Directory {
			name = fmt.Sprintf("shard-%d", n)
			names, dbs = append(names, name), append(dbs, shard)
		}
		m.Shards = append(m.Shards, name)
	}
	names, dbs = append(names, "directory"), append(dbs, site.Directory)
	for i, name := range names {
		s := &snapshot{name: name, run: dbs[i].Query, seen: m.Began}
		if site.Copied.IsZero() {
			if s, err = takeSnapshot(ctx, name, dbs[i]); err != nil {
				return list, fmt.Errorf("%s: %w", name, err)
			}
		}
		list = append(list, s)
	}
	for _, s := range list {
		if err := s.describe(ctx); err != nil {
			return list, fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return list, list[len(list)-1].notMoving(ctx)
}

// writing is a backup that is being written.
type writing struct {
	dir         string
	progress    Progress
	done, total int64
}

func (w *writing) database(ctx context.Context, s *snapshot) (*Database, error) {
	d := &Database{Name: s.name, File: s.name + ".jsonl.gz", Seen: s.seen, Step: s.step}
	file, err := os.OpenFile(filepath.Join(w.dir, d.File), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	sum := newDigest()
	zip, _ := gzip.NewWriterLevel(io.MultiWriter(file, sum), gzip.BestSpeed) // the level is valid
	out := &encoder{zip, newDigest()}
	if err := out.head(head{Version: version, Database: s.name}); err != nil {
		return nil, err
	}
	for _, t := range s.tables {
		table, err := w.table(ctx, s, t, out)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
		d.Tables = append(d.Tables, table)
	}
	for _, o := range append(s.objects, head{End: true}) {
		if err := out.head(o); err != nil {
			return nil, err
		}
	}
	d.Schema = out.created.String()
	err = errors.Join(out.Close(), file.Sync())
	d.Bytes, d.SHA256 = sum.bytes, sum.String()
	return d, err
}

// table writes the rows of a table, and compares their number with the database's count in the same snapshot.
func (w *writing) table(ctx context.Context, s *snapshot, t *table, out *encoder) (Table, error) {
	if err := out.head(t.head); err != nil {
		return Table{}, err
	}
	written, err := s.sum(ctx, t, out, func(rows int) {
		w.done += int64(rows)
		w.progress(w.done, w.total, s.name+", "+t.Name)
	})
	if err == nil && written.Rows != t.rows {
		err = fmt.Errorf("%d rows were read where the database counts %d", written.Rows, t.rows)
	}
	if err != nil {
		return written, err
	}
	return written, out.head(head{Rows: &written.Rows, SHA256: written.SHA256})
}

// writeFile writes a new file, and waits until it is on the disk.
func writeFile(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Sync(), f.Close())
}
