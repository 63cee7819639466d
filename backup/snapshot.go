package backup

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"plaza/data/schema"
)

// snapshot is the state of a database at one moment: a read transaction on a connection of its own, which is one stream of the database.
// sqld ends streams that are idle for ten seconds, so one that waits for its turn asks for something now and then.
type snapshot struct {
	name    string
	seen    time.Time
	step    int
	tables  []*table // those that others refer to first
	objects []object // in the order they were made: indexes, triggers, views

	conn *sql.Conn
	stop context.CancelFunc
	mu   sync.Mutex // of conn
	lost error      // why the stream ended while nobody read
	once sync.Once
}

type object struct{ kind, name, sql string }

// table is one table as it is read.
type table struct {
	name, sql string
	columns   []string
	keys      []string // in whose order pages go: the rowid, or the primary key of a table without one
	texts     []string // columns that may be long
	refers    []string // to other tables
	rows      int64
}

// stayAwake is how often a stream that waits is used.
const stayAwake = 3 * time.Second

// takeSnapshot begins the transaction. What it sees is settled by the first read.
func takeSnapshot(ctx context.Context, name string, db *sql.DB) (*snapshot, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	awake, stop := context.WithCancel(ctx)
	s := &snapshot{name: name, conn: conn, stop: stop}
	if _, err = conn.ExecContext(ctx, "BEGIN"); err == nil {
		s.seen = time.Now().UTC()
		_, err = s.query(ctx, "SELECT count(*) FROM sqlite_master")
	}
	if err != nil {
		s.close()
		return nil, err
	}
	go s.keepAwake(awake)
	return s, nil
}

func (s *snapshot) keepAwake(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(stayAwake):
		}
		s.mu.Lock()
		if _, err := rowsOf(ctx, s.conn, "SELECT 1"); err != nil && ctx.Err() == nil {
			s.lost = err
		}
		s.mu.Unlock()
	}
}

func (s *snapshot) close() {
	s.once.Do(func() {
		s.stop()
		s.mu.Lock()
		defer s.mu.Unlock()
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_, _ = s.conn.ExecContext(ctx, "ROLLBACK")
		_ = s.conn.Close()
	})
}

// query reads in the transaction. There is no trying again: another stream would see another state.
func (s *snapshot) query(ctx context.Context, query string, args ...any) ([][]any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lost != nil {
		return nil, fmt.Errorf("the database has ended the read transaction: %w", s.lost)
	}
	rows, err := rowsOf(ctx, s.conn, query, args...)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%s after the read transaction began: %w", time.Since(s.seen).Round(time.Second), err)
	}
	return rows, err
}

const (
	schemaObjects = `SELECT m.type, m.name, m.sql FROM sqlite_master m WHERE m.sql IS NOT NULL ORDER BY m.rowid`
	tableColumns  = `SELECT c.name, upper(c.type), c.pk FROM pragma_table_xinfo(:table) c WHERE c.hidden = 0 ORDER BY c.cid`
	withoutRowid  = `SELECT l.wr FROM pragma_table_list l WHERE l.schema = 'main' AND l.name = :table`
	refersTo      = `SELECT DISTINCT f."table" FROM pragma_foreign_key_list(:table) f`
)

// describe reads which tables there are, and counts their rows.
func (s *snapshot) describe(ctx context.Context) error {
	objects, err := s.query(ctx, schemaObjects)
	if err != nil {
		return err
	}
	var tables []*table
	for _, o := range objects {
		kind, name, text := o[0].(string), o[1].(string), o[2].(string)
		switch {
		case internal(name):
		case strings.HasPrefix(strings.ToUpper(text), "CREATE VIRTUAL"):
			return fmt.Errorf("%s is a virtual table, which this build can't back up", name)
		case kind != "table":
			s.objects = append(s.objects, object{kind, name, text})
		default:
			t := &table{name: name, sql: text}
			if err := s.describeTable(ctx, t); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			tables = append(tables, t)
		}
	}
	if s.tables, err = inOrder(tables); err != nil {
		return err
	}
	for _, t := range s.tables {
		if t.name == "schema_steps" {
			step, err := s.query(ctx, schema.Taken)
			if err != nil {
				return err
			}
			s.step = int(step[0][0].(int64))
		}
	}
	return nil
}

// internal tells tables of the database itself.
func internal(name string) bool {
	return strings.HasPrefix(name, "sqlite_") || strings.HasPrefix(name, "libsql_") || strings.HasPrefix(name, "_litestream")
}

func (s *snapshot) describeTable(ctx context.Context, t *table) error {
	columns, err := s.query(ctx, tableColumns, sql.Named("table", t.name))
	if err != nil {
		return err
	}
	var primary []string
	for _, c := range columns {
		name, kind, place := c[0].(string), c[1].(string), int(c[2].(int64))
		t.columns = append(t.columns, name)
		if kind != "INTEGER" && kind != "REAL" {
			t.texts = append(t.texts, name)
		}
		for ; len(primary) < place; primary = append(primary, "") {
		}
		if place > 0 {
			primary[place-1] = name
		}
	}
	without, err := s.query(ctx, withoutRowid, sql.Named("table", t.name))
	if err != nil {
		return err
	}
	if t.keys = []string{"rowid"}; len(without) == 1 && without[0][0] == int64(1) {
		t.keys = primary
	}
	refers, err := s.query(ctx, refersTo, sql.Named("table", t.name))
	if err != nil {
		return err
	}
	for _, r := range refers {
		if name := r[0].(string); name != t.name {
			t.refers = append(t.refers, name)
		}
	}
	counted, err := s.query(ctx, "SELECT count(*) FROM "+quote(t.name))
	if err != nil {
		return err
	}
	t.rows = counted[0][0].(int64)
	return nil
}

// inOrder puts tables behind those that they refer to, so that their rows can be written in that order.
func inOrder(tables []*table) (list []*table, err error) {
	done := map[string]bool{}
	for len(list) < len(tables) {
		before := len(list)
		for _, t := range tables {
			ready := !done[t.name]
			for _, other := range t.refers {
				ready = ready && done[other]
			}
			if ready {
				done[t.name], list = true, append(list, t)
			}
		}
		if len(list) == before {
			return nil, errors.New("tables refer to each other in a circle, or to one that is not there")
		}
	}
	return list, nil
}

func (s *snapshot) rows() (n int64) {
	for _, t := range s.tables {
		n += t.rows
	}
	return n
}

// quote is a name as SQL has it.
func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

func quoted(prefix string, names []string) string {
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = prefix + quote(n)
	}
	return strings.Join(list, ", ")
}

// A page has at most pageRows rows and about pageBytes: sqld answers with 10 MB at most, and JSON may make six bytes of one.
const (
	pageRows  = 2000
	pageBytes = 1 << 20
)

// page selects the next rows: their keys and then their columns. later has it begin after the keys :k0 and so on.
func (t *table) page(later bool) string {
	keys, where := quoted("", t.keys), ""
	if t.keys[0] == "rowid" {
		keys = "rowid"
	}
	if later {
		names := make([]string, len(t.keys))
		for i := range names {
			names[i] = fmt.Sprintf(":k%d", i)
		}
		where = fmt.Sprintf(" WHERE (%s) > (%s)", keys, strings.Join(names, ", "))
	}
	if len(t.texts) == 0 {
		return fmt.Sprintf("SELECT %s, %s FROM %s%s ORDER BY %s LIMIT %d", keys, quoted("", t.columns), quote(t.name), where, keys, pageRows)
	}
	// Lengths are known without reading the texts. The row that goes beyond the limit is the page's last.
	size := fmt.Sprint(30 * len(t.columns))
	for _, c := range t.texts {
		size += fmt.Sprintf(" + coalesce(octet_length(%s), 0)", quote(c))
	}
	short, on := make([]string, len(t.keys)), make([]string, len(t.keys))
	for i, k := range t.keys {
		if short[i] = fmt.Sprintf("k%d", i); k != "rowid" {
			k = quote(k)
		}
		on[i] = fmt.Sprintf("x.%s = cut.k%d", k, i)
	}
	names := strings.Join(short, ", ")
	return fmt.Sprintf(`WITH sized (%[1]s, size) AS (SELECT %[2]s, %[3]s FROM %[4]s%[5]s ORDER BY %[2]s LIMIT %[6]d),
cut AS MATERIALIZED (SELECT %[1]s, sum(size) OVER (ORDER BY %[1]s ROWS UNBOUNDED PRECEDING) - size AS before FROM sized)
SELECT cut.%[7]s, %[8]s FROM cut CROSS JOIN %[4]s x ON %[9]s WHERE cut.before < %[10]d ORDER BY %[1]s`,
		names, keys, size, quote(t.name), where, pageRows, strings.Join(short, ", cut."), quoted("x.", t.columns), strings.Join(on, " AND "), pageBytes)
}

// read reads all rows of a table, a page at a time.
func (s *snapshot) read(ctx context.Context, t *table, each func(page [][]any) error) error {
	return readTable(ctx, t, s.query, each)
}

func readTable(ctx context.Context, t *table, query func(context.Context, string, ...any) ([][]any, error), each func(page [][]any) error) error {
	text, args := t.page(false), []any{}
	for {
		rows, err := query(ctx, text, args...)
		if err != nil || len(rows) == 0 {
			return err
		}
		text, args = t.page(true), args[:0]
		for i, key := range rows[len(rows)-1][:len(t.keys)] {
			args = append(args, sql.Named(fmt.Sprintf("k%d", i), key))
		}
		for i := range rows {
			rows[i] = rows[i][len(t.keys):]
		}
		if err := each(rows); err != nil {
			return err
		}
	}
}

// querier is a connection, or a database.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

func rowsOf(ctx context.Context, db querier, query string, args ...any) (list [][]any, err error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		row, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		list = append(list, row)
	}
	return list, rows.Err()
}
