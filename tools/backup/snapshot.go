package backup

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"plaza/data/schema"
	"plaza/data/wire/hrana"
)

// snapshot is the state of a database at one moment: a read transaction on a stream of its own. sqld ends streams that are idle for ten
// seconds, so a waiting stream sends a small request from time to time. A database without writers (Site.Copied, or one that is being
// restored) needs no transaction: each page is a request of its own.
type snapshot struct {
	name    string
	seen    time.Time
	step    int
	tables  []*table // those that others refer to first
	objects []object // in the order they were made: indexes, triggers, views

	stop   context.CancelFunc
	awake  sync.WaitGroup // keepAwake
	mu     sync.Mutex     // of stream
	stream *hrana.Stream
	once   sync.Once
	copy   *hrana.Client // instead of stream
}

type object struct{ kind, name, sql string }

// table is a table that is being read.
type table struct {
	name, sql string
	columns   []string
	keys      []string // the order of pages: the rowid, or the primary key of a table without one
	texts     []string // columns that may be long
	virtual   bool     // it has no rows of its own: they are in tables that the database makes along with it
	refers    []string // to other tables
	rows      int64
}

// stayAwake is how often a waiting stream is used. Tests use it more often.
var stayAwake = 3 * time.Second

// takeSnapshot begins the transaction. Its first read determines the state that it sees.
func takeSnapshot(ctx context.Context, name string, db *hrana.Client) (*snapshot, error) {
	awake, stop := context.WithCancel(ctx)
	s := &snapshot{name: name, stop: stop, stream: db.Stream(), seen: time.Now().UTC()}
	if _, err := s.stream.Run(ctx, hrana.Stmt{SQL: "BEGIN"}, hrana.Stmt{SQL: "SELECT count(*) FROM sqlite_master"}); err != nil {
		s.close()
		return nil, err
	}
	s.awake.Go(func() { s.keepAwake(awake) })
	return s, nil
}

func (s *snapshot) keepAwake(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(stayAwake):
		}
		_, _ = s.query(ctx, "SELECT 1") // if that fails, the next read fails as well
	}
}

func (s *snapshot) close() {
	s.once.Do(func() {
		s.stop()
		s.awake.Wait()
		if s.stream == nil {
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		s.stream.Close(ctx)
	})
}

// snapshotOfCopy is takeSnapshot for a database without writers.
func snapshotOfCopy(name string, db *hrana.Client, begun time.Time) *snapshot {
	return &snapshot{name: name, stop: func() {}, copy: db, seen: begun}
}

// query reads in the transaction. It does not retry: another stream would see another state.
func (s *snapshot) query(ctx context.Context, query string, args ...hrana.Named) ([][]any, error) {
	if s.copy != nil {
		results, err := s.copy.Query(ctx, hrana.Stmt{SQL: query, Named: args})
		if err != nil {
			return nil, err
		}
		return results[0].Rows(), nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	results, err := s.stream.Run(ctx, hrana.Stmt{SQL: query, Named: args})
	if err != nil {
		return nil, fmt.Errorf("%s after the read transaction began: %w", time.Since(s.seen).Round(time.Second), err)
	}
	return results[0].Rows(), nil
}

const (
	schemaObjects = `SELECT m.type, m.name, m.sql FROM sqlite_master m WHERE m.sql IS NOT NULL ORDER BY m.rowid`
	shadowTables  = `SELECT l.name FROM pragma_table_list l WHERE l.schema = 'main' AND l.type = 'shadow'`
	tableColumns  = `SELECT c.name, upper(c.type), c.pk FROM pragma_table_xinfo(:table) c WHERE c.hidden = 0 ORDER BY c.cid`
	withoutRowid  = `SELECT l.wr FROM pragma_table_list l WHERE l.schema = 'main' AND l.name = :table`
	refersTo      = `SELECT DISTINCT f."table" FROM pragma_foreign_key_list(:table) f`
)

// describe reads the list of tables, and counts their rows.
func (s *snapshot) describe(ctx context.Context) error {
	objects, err := s.query(ctx, schemaObjects)
	if err != nil {
		return err
	}
	created, err := s.query(ctx, shadowTables)
	if err != nil {
		return err
	}
	shadow := map[string]bool{}
	for _, row := range created {
		shadow[row[0].(string)] = true
	}
	var tables []*table
	for _, o := range objects {
		kind, name, text := o[0].(string), o[1].(string), o[2].(string)
		switch {
		case internal(name):
		case strings.HasPrefix(strings.ToUpper(text), "CREATE VIRTUAL"):
			tables = append(tables, &table{name: name, sql: text, virtual: true})
		case kind != "table":
			s.objects = append(s.objects, object{kind, name, text})
		default:
			t := &table{name: name, sql: text}
			if shadow[name] { // its virtual table has made it, with rows that the backup also has
				t.sql = clearing(name)
			}
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

// internal reports whether a table is the database's own.
func internal(name string) bool {
	return strings.HasPrefix(name, "sqlite_") || strings.HasPrefix(name, "libsql_") || strings.HasPrefix(name, "_litestream")
}

// notMoving fails when a community is on two shards. A move lasts longer than it takes to begin the snapshots. So if the directory, which
// is the last, has no move, the others are from before the next one or from after the last one.
func (s *snapshot) notMoving(ctx context.Context) error {
	if !slices.ContainsFunc(s.tables, func(t *table) bool { return t.name == "slot_moves" }) {
		return nil
	}
	rows, err := s.query(ctx, `SELECT count(*) FROM slot_moves WHERE ended_at IS NULL`)
	if err == nil && rows[0][0] != int64(0) {
		err = errors.New("a community has begun to move to another shard: make the backup when that is done")
	}
	return err
}

func (s *snapshot) describeTable(ctx context.Context, t *table) error {
	columns, err := s.query(ctx, tableColumns, hrana.Named{Name: "table", Value: t.name})
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
	without, err := s.query(ctx, withoutRowid, hrana.Named{Name: "table", Value: t.name})
	if err != nil {
		return err
	}
	alias := len(primary) == 1 && slices.ContainsFunc(columns, func(c []any) bool { return c[0] == primary[0] && c[1] == "INTEGER" })
	if t.keys = []string{"rowid"}; alias || len(without) == 1 && without[0][0] == int64(1) {
		t.keys = primary
	}
	refers, err := s.query(ctx, refersTo, hrana.Named{Name: "table", Value: t.name})
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

// inOrder sorts tables behind those that they refer to, so that their rows can be written in that order.
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

// quote quotes a name for SQL.
func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

func quoted(prefix string, names []string) string {
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = prefix + quote(n)
	}
	return strings.Join(list, ", ")
}

// A page has at most pageRows rows and about pageBytes: sqld returns 10 MB at most, and JSON may encode one byte in six.
const (
	pageRows  = 2000
	pageBytes = 1 << 20
)

// page selects the next rows: their columns and, if it is not among these, the rowid. later makes it begin after the keys :k0 and so on.
func (t *table) page(later bool) string {
	keys, columns, where := t.quotedKeys(""), quoted("x.", t.columns), ""
	if t.keys[0] == "rowid" {
		columns += ", x.rowid"
	}
	if later {
		where = fmt.Sprintf(" WHERE (%s) > (%s)", keys, numbered(":k", len(t.keys)))
	}
	if len(t.texts) == 0 {
		return fmt.Sprintf("SELECT %s FROM %s x%s ORDER BY %s LIMIT %d", columns, quote(t.name), where, keys, pageRows)
	}
	// Lengths are known without reading the texts. The row that exceeds the limit is the page's last.
	size := fmt.Sprint(10 * len(t.columns))
	for _, c := range t.texts {
		size += fmt.Sprintf(" + coalesce(octet_length(%s), 0)", quote(c))
	}
	names := numbered("k", len(t.keys))
	return fmt.Sprintf(`WITH sized (%[1]s, size) AS (SELECT %[2]s, %[3]s FROM %[4]s%[5]s ORDER BY %[2]s LIMIT %[6]d),
cut AS MATERIALIZED (SELECT %[1]s, sum(size) OVER (ORDER BY %[1]s ROWS UNBOUNDED PRECEDING) - size AS before FROM sized)
SELECT %[7]s FROM cut CROSS JOIN %[4]s x ON (%[8]s) = (%[1]s) WHERE cut.before < %[9]d ORDER BY %[1]s`,
		names, keys, size, quote(t.name), where, pageRows, columns, t.quotedKeys("x."), pageBytes)
}

func (t *table) quotedKeys(prefix string) string {
	if t.keys[0] == "rowid" {
		return prefix + "rowid"
	}
	return quoted(prefix, t.keys)
}

// numbered returns a list of n names: k0, k1, …
func numbered(prefix string, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprint(prefix, i)
	}
	return strings.Join(list, ", ")
}

// read reads all rows of a table, a page at a time.
func (s *snapshot) read(ctx context.Context, t *table, each func(page [][]any) error) error {
	if t.virtual {
		return nil
	}
	text, args := t.page(false), []hrana.Named{}
	for {
		rows, err := s.query(ctx, text, args...)
		if err != nil || len(rows) == 0 {
			return err
		}
		last := rows[len(rows)-1]
		text, args = t.page(true), args[:0]
		for i, key := range t.keys {
			place := slices.Index(t.columns, key)
			if place < 0 {
				place = len(t.columns) // the rowid
			}
			args = append(args, hrana.Named{Name: fmt.Sprint("k", i), Value: last[place]})
		}
		for i := range rows {
			rows[i] = rows[i][:len(t.columns)]
		}
		if err := each(rows); err != nil {
			return err
		}
	}
}
