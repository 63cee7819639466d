package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"plaza/data/schema"
	"plaza/data/wire/hrana"
)

// snapshot is the state of a database at one moment: a read transaction on a stream of its own. sqld ends streams that are idle for ten
// seconds, so an idle stream sends a small request from time to time. A database without writers (Site.Copied, or one that is being
// restored) needs no transaction: each page is a request of its own.
type snapshot struct {
	name    string
	seen    time.Time
	step    int
	tables  []*table // each after the tables that it refers to
	objects []head   // indexes, triggers and views, in the order of their creation

	run    func(context.Context, ...hrana.Stmt) ([]hrana.Result, error)
	mu     sync.Mutex    // of run
	stream *hrana.Stream // nil: there is no transaction
	stop   context.CancelFunc
	awake  sync.WaitGroup
}

// table is a table that is read.
type table struct {
	head
	keys    []string // the order of pages: the rowid, or the primary key
	texts   []string // columns that may be long
	virtual bool     // it has no rows of its own: they are in tables that the database creates with it
	refers  []string // names of other tables, in foreign keys
	rows    int64
}

// stayAwake is how often an idle stream sends a request. Tests make it shorter.
var stayAwake = 3 * time.Second

// takeSnapshot begins the transaction. Its first read determines the state that it sees.
func takeSnapshot(ctx context.Context, name string, db *hrana.Client) (*snapshot, error) {
	awake, stop := context.WithCancel(ctx)
	s := &snapshot{name: name, stop: stop, stream: db.Stream(), seen: time.Now().UTC()}
	s.run = s.stream.Run
	if _, err := s.run(ctx, hrana.Stmt{SQL: "BEGIN"}, hrana.Stmt{SQL: "SELECT count(*) FROM sqlite_master"}); err != nil {
		s.close()
		return nil, err
	}
	s.awake.Go(func() {
		for {
			select {
			case <-awake.Done():
				return
			case <-time.After(stayAwake):
			}
			_, _ = s.query(awake, "SELECT 1") // if it fails, so will the next read
		}
	})
	return s, nil
}

func (s *snapshot) close() {
	if s.stream == nil {
		return
	}
	s.stop()
	s.awake.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	s.stream.Close(ctx)
	s.stream = nil
}

// query reads in the transaction. It does not retry: another stream would see another state.
func (s *snapshot) query(ctx context.Context, query string, args ...hrana.Named) ([][]any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	results, err := s.run(ctx, hrana.Stmt{SQL: query, Named: args})
	if err != nil {
		return nil, fmt.Errorf("%s after the read began: %w", time.Since(s.seen).Round(time.Second), err)
	}
	return results[0].Rows(), nil
}

const (
	schemaObjects = `SELECT m.type, m.name, m.sql FROM sqlite_master m WHERE m.sql IS NOT NULL ORDER BY m.rowid`
	shadowTables  = `SELECT l.name FROM pragma_table_list l WHERE l.schema = 'main' AND l.type = 'shadow'`
	refersTo      = `SELECT DISTINCT f."table" FROM pragma_foreign_key_list(:table) f WHERE f."table" <> :table`
	// Each row also has two facts of the table: whether it is WITHOUT ROWID, and how many rows it has.
	tableColumns = `SELECT c.name, upper(c.type), c.pk, (SELECT l.wr FROM pragma_table_list l WHERE l.schema = 'main' AND l.name = :table),
  (SELECT count(*) FROM %s) FROM pragma_table_xinfo(:table) c WHERE c.hidden = 0 ORDER BY c.cid`
)

func (s *snapshot) describe(ctx context.Context) error {
	objects, err := s.query(ctx, schemaObjects)
	if err != nil {
		return err
	}
	created, err := s.query(ctx, shadowTables)
	if err != nil {
		return err
	}
	var tables []*table
	for _, o := range objects {
		h := head{Kind: o[0].(string), Name: o[1].(string), SQL: o[2].(string)}
		switch {
		case internal(h.Name):
		case strings.HasPrefix(strings.ToUpper(h.SQL), "CREATE VIRTUAL"):
			tables = append(tables, &table{head: h, virtual: true})
		case h.Kind != "table":
			s.objects = append(s.objects, h)
		default:
			if slices.ContainsFunc(created, func(row []any) bool { return row[0] == h.Name }) {
				h.SQL = clearing(h.Name) // its virtual table creates it, with rows that the backup has, too
			}
			t := &table{head: h}
			if err := s.describeTable(ctx, t); err != nil {
				return fmt.Errorf("%s: %w", h.Name, err)
			}
			tables = append(tables, t)
		}
	}
	if s.tables, err = inOrder(tables); err != nil || !s.has("schema_steps", "number") {
		return err
	}
	step, err := s.query(ctx, schema.Taken)
	if err == nil {
		s.step = int(step[0][0].(int64))
	}
	return err
}

func internal(name string) bool {
	return strings.HasPrefix(name, "sqlite_") || strings.HasPrefix(name, "libsql_") || strings.HasPrefix(name, "_litestream")
}

// has reports whether the database has a table with a column. Databases of other builds may lack it.
func (s *snapshot) has(name, column string) bool {
	return slices.ContainsFunc(s.tables, func(t *table) bool { return t.Name == name && slices.Contains(t.Columns, column) })
}

// notMoving returns an error if a community may be on two shards. To begin all snapshots takes less time than a move. So if the directory,
// whose snapshot is the last, has no move, no snapshot was taken during a move.
func (s *snapshot) notMoving(ctx context.Context) error {
	if !s.has("slot_moves", "ended_at") {
		return nil
	}
	rows, err := s.query(ctx, `SELECT count(*) FROM slot_moves WHERE ended_at IS NULL`)
	if err == nil && rows[0][0] != int64(0) {
		err = errors.New("a community has begun to move to another shard: make the backup when that is done")
	}
	return err
}

func (s *snapshot) describeTable(ctx context.Context, t *table) error {
	named := hrana.Named{Name: "table", Value: t.Name}
	columns, err := s.query(ctx, fmt.Sprintf(tableColumns, quote(t.Name)), named)
	if err != nil {
		return err
	}
	primary, n, integer, without := make([]string, len(columns)), 0, false, false
	for _, c := range columns {
		name, kind, place := c[0].(string), c[1].(string), int(c[2].(int64))
		t.Columns = append(t.Columns, name)
		if kind != "INTEGER" && kind != "REAL" {
			t.texts = append(t.texts, name)
		}
		if place > 0 {
			primary[place-1], n, integer = name, n+1, kind == "INTEGER"
		}
		without, t.rows = c[3] == int64(1), c[4].(int64)
	}
	if t.keys = []string{"rowid"}; n == 1 && integer || without {
		t.keys = primary[:n]
	}
	refers, err := s.query(ctx, refersTo, named)
	for _, r := range refers {
		t.refers = append(t.refers, r[0].(string))
	}
	return err
}

// inOrder sorts tables so that each comes after the tables that it refers to. Their rows can be written in that order.
func inOrder(tables []*table) (list []*table, err error) {
	done := map[string]bool{}
	for len(list) < len(tables) {
		before := len(list)
		for _, t := range tables {
			if !done[t.Name] && !slices.ContainsFunc(t.refers, func(other string) bool { return !done[other] }) {
				done[t.Name], list = true, append(list, t)
			}
		}
		if len(list) == before {
			return nil, errors.New("tables refer to each other in a circle, or to a missing one")
		}
	}
	return list, nil
}

// quote returns a name as a quoted identifier of SQL.
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

// page returns a statement for a page of rows: their columns and, if it is the key, the rowid. later: it begins after the keys :k0, :k1.
func (t *table) page(later bool) string {
	keys, columns, where := quoted("", t.keys), quoted("x.", t.Columns), ""
	if t.keys[0] == "rowid" {
		columns += ", x.rowid"
	}
	if later {
		where = fmt.Sprintf(" WHERE (%s) > (%s)", keys, numberedList(":k", len(t.keys)))
	}
	if len(t.texts) == 0 {
		return fmt.Sprintf("SELECT %s FROM %s x%s ORDER BY %s LIMIT %d", columns, quote(t.Name), where, keys, pageRows)
	}
	// octet_length does not read the texts. The row that exceeds pageBytes is the last of the page.
	size := fmt.Sprint(10 * len(t.Columns))
	for _, c := range t.texts {
		size += fmt.Sprintf(" + coalesce(octet_length(%s), 0)", quote(c))
	}
	names := numberedList("k", len(t.keys))
	return fmt.Sprintf(`WITH sized (%[1]s, size) AS (SELECT %[2]s, %[3]s FROM %[4]s%[5]s ORDER BY %[2]s LIMIT %[6]d),
cut AS MATERIALIZED (SELECT %[1]s, sum(size) OVER (ORDER BY %[1]s ROWS UNBOUNDED PRECEDING) - size AS before FROM sized)
SELECT %[7]s FROM cut CROSS JOIN %[4]s x ON (%[8]s) = (%[1]s) WHERE cut.before < %[9]d ORDER BY %[1]s`,
		names, keys, size, quote(t.Name), where, pageRows, columns, quoted("x.", t.keys), pageBytes)
}

// numberedList returns n names with a prefix, such as k0, k1.
func numberedList(prefix string, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprint(prefix, i)
	}
	return strings.Join(list, ", ")
}

// sum reads the rows of a table, writes their lines, and returns their number and SHA-256. It calls page with the rows of each page.
func (s *snapshot) sum(ctx context.Context, t *table, lines io.Writer, page func(rows int)) (Table, error) {
	var buf []byte
	result, sum, args, later := Table{Name: t.Name}, newDigest(), []hrana.Named{}, false
	for !t.virtual {
		rows, err := s.query(ctx, t.page(later), args...)
		if err != nil {
			return result, err
		}
		if len(rows) == 0 {
			break
		}
		last := rows[len(rows)-1]
		later, args = true, args[:0]
		for i, key := range t.keys {
			place := slices.Index(t.Columns, key)
			if place < 0 {
				place = len(t.Columns) // the rowid
			}
			args = append(args, hrana.Named{Name: fmt.Sprint("k", i), Value: last[place]})
		}
		for _, row := range rows {
			buf = appendRow(buf[:0], row[:len(t.Columns)])
			sum.Write(buf)
			if _, err := lines.Write(buf); err != nil {
				return result, err
			}
		}
		result.Rows += int64(len(rows))
		page(len(rows))
	}
	result.SHA256 = sum.String()
	return result, nil
}
