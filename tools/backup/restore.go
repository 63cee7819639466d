package backup

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"plaza/data/wire/hrana"
)

// ErrNotEmpty is about a database that has tables, and ErrChanged about a backup whose statements differ from this build's.
var (
	ErrNotEmpty = errors.New("the database is not empty")
	ErrChanged  = errors.New("not as in this build")
)

// Options say what a restore may do.
type Options struct {
	Overwrite bool   // delete everything that is in the databases
	Changed   bool   // make tables, indexes, triggers and views that differ from this build, too
	SHA256    string // the manifest's required sum; empty: any
}

// Restore writes a backup into databases. Before it changes anything it reads all of the backup, checks all databases, and runs all
// statements in each of them, in a transaction that it rolls back. The databases must be empty, unless o permits others. No other program
// may write to them meanwhile.
//
// A server may end transactions that take many requests, as Turso's do. So each transaction of a restore is one request.
//
// Rows are written before there are triggers, which would count them a second time, and before indexes. Then all of it is read again and
// compared with the backup. The databases of an interrupted restore can't be used: begin it again with overwrite.
func Restore(ctx context.Context, dir string, site Site, o Options, progress Progress) (*Manifest, error) {
	m, err := Check(ctx, dir, progress)
	switch {
	case err != nil:
		return nil, fmt.Errorf("the backup is damaged, nothing was changed: %w", err)
	case o.SHA256 != "" && o.SHA256 != m.SHA256:
		return nil, fmt.Errorf("it is another backup, nothing was changed: the SHA-256 of its %s is %s", manifestFile, m.SHA256)
	case len(m.Changed()) > 0 && !o.Changed:
		return nil, fmt.Errorf("the backup has what is %w, nothing was changed: %s", ErrChanged, strings.Join(m.Changed(), ", "))
	}
	targets, err := m.place(site)
	if err != nil {
		return nil, err
	}
	for i, d := range m.Databases {
		there, err := tablesOf(ctx, targets[i])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.Name, err)
		}
		if len(there) > 0 && !o.Overwrite {
			return nil, fmt.Errorf("%s: %w", d.Name, ErrNotEmpty)
		}
	}
	r := &restoring{dir: dir, overwrite: o.Overwrite, progress: progress, total: 2 * m.Rows()}
	for i := range m.Databases {
		if err := r.try(ctx, &m.Databases[i], targets[i]); err != nil {
			return nil, fmt.Errorf("%s would refuse the backup, nothing was changed: %w", m.Databases[i].Name, err)
		}
	}
	for i := range m.Databases {
		if err := r.database(ctx, &m.Databases[i], targets[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", m.Databases[i].Name, err)
		}
	}
	return m, nil
}

// place returns for each database of a backup its target: there must be as many shards, and the directory in the same place.
func (m *Manifest) place(site Site) ([]*hrana.Client, error) {
	if len(site.Shards) != len(m.Shards) {
		return nil, fmt.Errorf("the backup has %d shards, and %d were given", len(m.Shards), len(site.Shards))
	}
	places := map[string]*hrana.Client{"directory": site.Directory}
	for n, name := range m.Shards {
		if name == "directory" != (site.Shards[n] == site.Directory) {
			return nil, fmt.Errorf("shard %d is not the directory in both, the backup and the databases that were given", n)
		}
		places[name] = site.Shards[n]
	}
	var list []*hrana.Client
	for _, d := range m.Databases {
		t := places[d.Name]
		if slices.Contains(list, t) {
			return nil, errors.New("a database was given twice")
		}
		list = append(list, t)
	}
	return list, nil
}

// tablesOf returns the tables of a database, the last made first, without those that belong to a virtual table.
func tablesOf(ctx context.Context, db *hrana.Client) (names []string, err error) {
	results, err := db.Query(ctx, hrana.Stmt{SQL: `SELECT m.name FROM sqlite_master m WHERE m.type = 'table' AND m.name NOT IN (` +
		shadowTables + `) ORDER BY m.rowid DESC`})
	if err != nil {
		return nil, err
	}
	for _, row := range results[0].Rows() {
		if name := row[0].(string); !internal(name) {
			names = append(names, name)
		}
	}
	return names, nil
}

// restoring is a restore in progress.
type restoring struct {
	dir         string
	overwrite   bool
	progress    Progress
	done, total int64
}

func (r *restoring) database(ctx context.Context, d *Database, target *hrana.Client) error {
	if r.overwrite {
		if err := empty(ctx, target); err != nil {
			return err
		}
	}
	file, err := d.open(r.dir)
	if err != nil {
		return err
	}
	defer file.Close()
	l := &loading{restoring: r, ctx: ctx, target: target, database: d.Name}
	sum := sha256.New()
	whole := io.TeeReader(bufio.NewReaderSize(file, 1<<16), sum)
	if _, err = read(ctx, whole, d, visitor{table: l.table, row: l.row, end: l.end, object: l.object}); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, whole); err != nil {
		return err
	}
	if hexOf(sum) != d.SHA256 {
		return errors.New("the file has changed since it was checked")
	}
	if err := l.finish(indexesAtOnce(d)); err != nil {
		return err
	}
	return r.compare(ctx, d, target)
}

// try runs all statements of a file, except rows, in a transaction that is rolled back.
func (r *restoring) try(ctx context.Context, d *Database, target *hrana.Client) error {
	stmts, err := emptying(ctx, target)
	if err != nil {
		return err
	}
	file, err := d.open(r.dir)
	if err != nil {
		return err
	}
	defer file.Close()
	var columns []head
	take := func(h head) error {
		stmts = append(stmts, hrana.Stmt{SQL: h.SQL})
		if len(h.Columns) > 0 {
			columns = append(columns, h)
		}
		return nil
	}
	r.progress(0, r.total, "trying "+d.Name)
	if _, err := read(ctx, bufio.NewReaderSize(file, 1<<16), d, visitor{table: take, object: take}); err != nil {
		return err
	}
	for _, h := range columns { // fails for an unknown column without reading a row
		stmts = append(stmts, hrana.Stmt{SQL: "SELECT " + quoted("x.", h.Columns) + " FROM " + quote(h.Name) + " x LIMIT 0"})
	}
	return transaction(ctx, target, stmts, "ROLLBACK")
}

// empty deletes everything. Each statement is a transaction, because a large table may take long.
func empty(ctx context.Context, db *hrana.Client) error {
	stmts, err := emptying(ctx, db)
	if err != nil {
		return err
	}
	for _, stmt := range stmts {
		if err := transaction(ctx, db, []hrana.Stmt{stmt}, "COMMIT"); err != nil {
			return err
		}
	}
	return nil
}

// emptying returns the statements that delete everything. Objects that refer to a table were made after it.
func emptying(ctx context.Context, db *hrana.Client) ([]hrana.Stmt, error) {
	names, err := tablesOf(ctx, db)
	if err != nil {
		return nil, err
	}
	// Triggers before views: dropping a view drops its triggers.
	others, err := db.Query(ctx, hrana.Stmt{SQL: `SELECT m.type, m.name FROM sqlite_master m WHERE m.type IN ('trigger', 'view')
ORDER BY m.type, m.rowid DESC`})
	if err != nil {
		return nil, err
	}
	var stmts []hrana.Stmt
	for _, row := range others[0].Rows() {
		stmts = append(stmts, hrana.Stmt{SQL: "DROP " + row[0].(string) + " " + quote(row[1].(string))})
	}
	for _, name := range names {
		stmts = append(stmts, hrana.Stmt{SQL: "DROP TABLE " + quote(name)})
	}
	return stmts, nil
}

// transaction runs statements in one transaction, with COMMIT or ROLLBACK at the end. It is one request, which may take longer than a
// Client allows.
func transaction(ctx context.Context, db *hrana.Client, stmts []hrana.Stmt, end string) error {
	all := append(append([]hrana.Stmt{{SQL: "BEGIN IMMEDIATE"}}, stmts...), hrana.Stmt{SQL: end})
	_, err := db.Stream().Last(ctx, all...)
	var e *hrana.Error
	if errors.As(err, &e) && e.Step >= 0 {
		return fmt.Errorf("%s: %w", all[e.Step].SQL, err)
	}
	return err
}

// A transaction of a restore writes about loadBytes; a statement has at most loadValues values, of the 32,766 that SQLite allows. A
// transaction that makes indexes reads about indexRows rows for them.
const (
	loadBytes  = 1 << 20
	loadValues = 2000
	indexRows  = 200_000
)

// loading writes the content of a file to a database.
type loading struct {
	*restoring
	ctx      context.Context
	target   *hrana.Client
	database string

	open   head  // the table of the following rows
	values []any // of rows without a statement yet
	stmts  []hrana.Stmt
	bytes  int // of rows that are not written
	rows   int64

	objects []hrana.Stmt // that make indexes, triggers and views
}

func (l *loading) table(h head) error {
	l.open = h
	l.stmts = append(l.stmts, hrana.Stmt{SQL: h.SQL})
	return nil
}

func (l *loading) object(h head) error {
	l.objects = append(l.objects, hrana.Stmt{SQL: h.SQL})
	return nil
}

// indexesAtOnce is how many indexes one transaction may make. Single ones would wait for the disk each, and all together would take too
// long for large tables.
func indexesAtOnce(d *Database) int {
	largest := int64(1)
	for _, t := range d.Tables {
		largest = max(largest, t.Rows)
	}
	return int(max(1, indexRows/largest))
}

// finish writes the rest, and then makes indexes, triggers and views, so many in one transaction.
func (l *loading) finish(together int) error {
	if err := l.flush(); err != nil {
		return err
	}
	l.progress(l.done, l.total, l.database+", indexes")
	for part := range slices.Chunk(l.objects, together) {
		if err := transaction(l.ctx, l.target, part, "COMMIT"); err != nil {
			return err
		}
	}
	return nil
}

func (l *loading) row(row []any) error {
	l.rows++
	for _, v := range row {
		l.bytes += 10
		switch v := v.(type) {
		case string:
			l.bytes += len(v)
		case []byte:
			l.bytes += base64.StdEncoding.EncodedLen(len(v))
		}
	}
	l.values = append(l.values, row...)
	if len(l.values)+len(row) > loadValues {
		l.statement()
	}
	if l.bytes < loadBytes {
		return nil
	}
	return l.flush()
}

// statement makes a statement for the rows without one.
func (l *loading) statement() {
	if len(l.values) == 0 {
		return
	}
	n := len(l.values) / len(l.open.Columns)
	row := "(" + strings.Repeat("?, ", len(l.open.Columns)-1) + "?)"
	l.stmts = append(l.stmts, hrana.Stmt{Args: l.values,
		// A transaction whose response is lost is sent again.
		SQL: "INSERT INTO " + quote(l.open.Name) + " (" + quoted("", l.open.Columns) + ") VALUES " + strings.Repeat(row+", ", n-1) + row +
			" ON CONFLICT DO NOTHING"})
	l.values = nil
}

func (l *loading) flush() error {
	if l.statement(); len(l.stmts) > 0 {
		if _, err := l.target.Tx(l.ctx, l.stmts...); err != nil {
			return fmt.Errorf("%s, or a table before it: %w", l.open.Name, err)
		}
	}
	l.done += l.rows
	l.progress(l.done, l.total, l.database+", "+l.open.Name)
	l.stmts, l.bytes, l.rows = nil, 0, 0
	return nil
}

func (l *loading) end(Table) error {
	l.statement()
	return nil
}

// compare reads a restored database and compares its rows with the backup's.
func (r *restoring) compare(ctx context.Context, d *Database, db *hrana.Client) error {
	s := snapshotOfCopy(d.Name, db, time.Now()) // no other program writes to it
	if err := s.describe(ctx); err != nil {
		return err
	}
	var line line
	var is []Table
	for _, t := range s.tables {
		sum, rows := sha256.New(), int64(0)
		if err := s.read(ctx, t, func(page [][]any) error {
			for _, row := range page {
				sum.Write(line.row(row))
			}
			rows, r.done = rows+int64(len(page)), r.done+int64(len(page))
			r.progress(r.done, r.total, "comparing "+d.Name+", "+t.name)
			return nil
		}); err != nil {
			return err
		}
		is = append(is, Table{t.name, rows, hexOf(sum)})
	}
	if !slices.Equal(is, d.Tables) {
		return fmt.Errorf("what was written is not what the backup has: %v instead of %v", is, d.Tables)
	}
	return nil
}
