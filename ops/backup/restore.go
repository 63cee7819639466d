package backup

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"plaza/data/wire/hrana"
)

// ErrNotEmpty is the error for a database that has tables, ErrChanged for a backup whose statements differ from this build's.
var (
	ErrNotEmpty = errors.New("the database is not empty")
	ErrChanged  = errors.New("not as in this build")
)

// Options say what a restore may do.
type Options struct {
	Overwrite bool   // delete everything that is in the databases
	Changed   bool   // also create tables, indexes, triggers and views that differ from this build's
	SHA256    string // the required sum of the manifest; empty: any
}

// Restore writes a backup into databases. Before it changes anything it reads all of the backup, checks all databases, and runs all
// statements in each of them, except those that write rows, in a transaction that it rolls back. The databases must be empty, except with
// o.Overwrite. No other program may write to them meanwhile.
//
// A server may end transactions that take many requests, as Turso's do. So each transaction of a restore is one request.
//
// Rows are written before triggers, which would count them a second time, and before indexes. Then everything is read again and compared
// with the backup. The databases of an interrupted restore can't be used: restore again with Overwrite.
func Restore(ctx context.Context, dir string, site Site, o Options, progress Progress) (*Manifest, error) {
	m, err := Check(ctx, dir, progress)
	switch {
	case err != nil:
		return nil, fmt.Errorf("the backup is damaged, nothing was changed: %w", err)
	case o.SHA256 != "" && o.SHA256 != m.SHA256:
		return nil, fmt.Errorf("it is another backup, nothing was changed: the SHA-256 of its %s is %s", manifestFile, m.SHA256)
	case len(m.Changed()) > 0 && !o.Changed:
		return nil, fmt.Errorf("the backup's schema is %w, nothing was changed: %s", ErrChanged, strings.Join(m.Changed(), ", "))
	}
	targets, err := m.place(site, &restoring{ctx: ctx, dir: dir, progress: progress, total: 2 * m.Rows()})
	if err != nil {
		return nil, err
	}
	for _, t := range targets {
		if t.drop, err = dropAll(ctx, t.db); err == nil && len(t.drop) > 0 && !o.Overwrite {
			err = ErrNotEmpty
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
	}
	for _, t := range targets {
		if err := t.try(); err != nil {
			return nil, fmt.Errorf("%s would refuse the backup, nothing was changed: %w", t.Name, err)
		}
	}
	for _, t := range targets {
		if err := t.write(); err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
	}
	return m, nil
}

// restoring is the state of a restore.
type restoring struct {
	ctx         context.Context
	dir         string
	progress    Progress
	done, total int64
}

// target is a database into which a database of the backup is restored.
type target struct {
	*restoring
	*Database
	db   *hrana.Client
	drop []hrana.Stmt // delete what is in it

	open    *head // the table whose rows are read
	values  []any // of rows that are not in stmts yet
	stmts   []hrana.Stmt
	bytes   int // of rows that are not written
	rows    int64
	objects []hrana.Stmt // create indexes, triggers and views
}

// place returns the target of each database of a backup. The site needs as many shards, and the same shard as directory.
func (m *Manifest) place(site Site, r *restoring) (list []*target, err error) {
	if len(site.Shards) != len(m.Shards) {
		return nil, fmt.Errorf("the backup has %d shards, and %d were given", len(m.Shards), len(site.Shards))
	}
	places := map[string]*hrana.Client{"directory": site.Directory}
	for n, name := range m.Shards {
		if name == "directory" != (site.Shards[n] == site.Directory) {
			return nil, fmt.Errorf("shard %d is the directory in the backup or in the databases that were given, but not in both", n)
		}
		places[name] = site.Shards[n]
	}
	for i := range m.Databases {
		t := &target{restoring: r, Database: &m.Databases[i], db: places[m.Databases[i].Name], open: &head{}}
		if slices.ContainsFunc(list, func(other *target) bool { return other.db == t.db }) {
			return nil, errors.New("a database was given twice")
		}
		list = append(list, t)
	}
	return list, nil
}

// A table comes before those that it refers to. Dropping a view drops its triggers, and dropping a virtual table its tables.
const droppable = `SELECT m.type, m.name FROM sqlite_master m WHERE m.type IN ('table', 'trigger', 'view') AND m.name NOT IN (` +
	shadowTables + `) ORDER BY m.type = 'table', m.type, m.rowid DESC`

// dropAll returns the statements that delete everything in a database.
func dropAll(ctx context.Context, db *hrana.Client) (stmts []hrana.Stmt, err error) {
	results, err := db.Query(ctx, hrana.Stmt{SQL: droppable})
	if err != nil {
		return nil, err
	}
	for _, row := range results[0].Rows() {
		if kind, name := row[0].(string), row[1].(string); !internal(name) {
			stmts = append(stmts, hrana.Stmt{SQL: "DROP " + kind + " " + quote(name)})
		}
	}
	return stmts, nil
}

// try runs all statements of a file, except for rows, in a transaction that is rolled back.
func (t *target) try() error {
	stmts, columns := slices.Clone(t.drop), []hrana.Stmt{} // select the columns of each table, but no row
	for _, h := range t.created {
		stmts = append(stmts, hrana.Stmt{SQL: h.SQL})
		if len(h.Columns) > 0 {
			columns = append(columns, hrana.Stmt{SQL: "SELECT " + quoted("x.", h.Columns) + " FROM " + quote(h.Name) + " x LIMIT 0"})
		}
	}
	t.progress(0, t.total, "trying "+t.Name)
	return t.transaction(append(stmts, columns...), "ROLLBACK")
}

// A transaction of a restore writes about loadBytes. A statement has at most loadValues values; SQLite's limit is 32,766. A transaction
// that creates indexes reads about indexRows rows for them.
const (
	loadBytes  = 1 << 20
	loadValues = 2000
	indexRows  = 200_000
)

// write restores the database, and compares its rows with the backup's.
func (t *target) write() error {
	for _, stmt := range t.drop { // each is a transaction, because a large table may take long
		if err := t.transaction([]hrana.Stmt{stmt}, "COMMIT"); err != nil {
			return err
		}
	}
	if _, err := t.read(t.ctx, t.dir, t.take); err != nil {
		return err
	}
	if err := t.flush(); err != nil {
		return err
	}
	t.progress(t.done, t.total, t.Name+", indexes")
	// A transaction for each index would wait for the disk each time, and one for all would take too long for large tables.
	largest := int64(1)
	for _, table := range t.Tables {
		largest = max(largest, table.Rows)
	}
	for part := range slices.Chunk(t.objects, int(max(1, indexRows/largest))) {
		if err := t.transaction(part, "COMMIT"); err != nil {
			return err
		}
	}
	s := &snapshot{name: t.Name, run: t.db.Query, seen: time.Now()}
	if err := s.describe(t.ctx); err != nil {
		return err
	}
	var written []Table
	for _, table := range s.tables {
		one, err := s.sum(t.ctx, table, io.Discard, func(rows int) {
			t.done += int64(rows)
			t.progress(t.done, t.total, "comparing "+t.Name+", "+table.Name)
		})
		if err != nil {
			return err
		}
		written = append(written, one)
	}
	if !slices.Equal(written, t.Tables) {
		return fmt.Errorf("what was written is not what the backup has: %v instead of %v", written, t.Tables)
	}
	return nil
}

// transaction runs statements and then end, COMMIT or ROLLBACK, in one request, without the time limit of a Client.
func (t *target) transaction(stmts []hrana.Stmt, end string) error {
	all := append(append([]hrana.Stmt{{SQL: "BEGIN IMMEDIATE"}}, stmts...), hrana.Stmt{SQL: end})
	_, err := t.db.Stream().Last(t.ctx, all...)
	var e *hrana.Error
	if errors.As(err, &e) && e.Step >= 0 {
		return fmt.Errorf("%s: %w", all[e.Step].SQL, err)
	}
	return err
}

// take gathers the statements of a line of the file (Database.read).
func (t *target) take(h *head, row []any) error {
	switch {
	case h == nil:
		return t.row(row)
	case h.Kind == "table":
		t.open, t.stmts = h, append(t.stmts, hrana.Stmt{SQL: h.SQL})
	case h.Kind == "":
		t.statement()
	default:
		t.objects = append(t.objects, hrana.Stmt{SQL: h.SQL})
	}
	return nil
}

func (t *target) row(row []any) error {
	t.rows++
	for _, v := range row {
		t.bytes += 10
		switch v := v.(type) {
		case string:
			t.bytes += len(v)
		case []byte:
			t.bytes += base64.StdEncoding.EncodedLen(len(v))
		}
	}
	t.values = append(t.values, row...)
	if len(t.values)+len(row) > loadValues {
		t.statement()
	}
	if t.bytes < loadBytes {
		return nil
	}
	return t.flush()
}

// statement adds a statement with the gathered values to stmts.
func (t *target) statement() {
	if len(t.values) == 0 {
		return
	}
	n := len(t.values) / len(t.open.Columns)
	row := "(" + strings.Repeat("?, ", len(t.open.Columns)-1) + "?)"
	t.stmts = append(t.stmts, hrana.Stmt{Args: t.values,
		// A transaction whose response is lost is sent again.
		SQL: "INSERT INTO " + quote(t.open.Name) + " (" + quoted("", t.open.Columns) + ") VALUES " + strings.Repeat(row+", ", n-1) + row +
			" ON CONFLICT DO NOTHING"})
	t.values = nil
}

// flush writes the gathered statements.
func (t *target) flush() error {
	t.statement()
	if _, err := t.db.Tx(t.ctx, t.stmts...); err != nil {
		return fmt.Errorf("%s, or a table before it: %w", t.open.Name, err)
	}
	t.done += t.rows
	t.progress(t.done, t.total, t.Name+", "+t.open.Name)
	t.stmts, t.bytes, t.rows = nil, 0, 0
	return nil
}
