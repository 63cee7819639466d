package data

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"plaza/data/hrana"
)

// DB is the directory and the thread shards. With one database, both are the same
// client and a page that needs both is still one request.
type DB struct {
	directory *hrana.Client
	shards    []*hrana.Client

	mu          sync.Mutex // never held across I/O
	communities map[string]ID

	own own
}

// NewDB makes a DB. Without shards, the directory is the only one.
func NewDB(directory *hrana.Client, shards ...*hrana.Client) *DB {
	if len(shards) == 0 {
		shards = []*hrana.Client{directory}
	}
	return &DB{directory: directory, shards: shards, communities: map[string]ID{}}
}

// Shards is how many thread shards there are.
func (db *DB) Shards() int { return len(db.shards) }

// shard is the client of the shard that holds id; nil for a shard that isn't there.
func (db *DB) shard(id ID) *hrana.Client {
	if n := id.Shard(); n < len(db.shards) {
		return db.shards[n]
	}
	return nil
}

// single tells that one database plays both parts.
func (db *DB) single() bool { return len(db.shards) == 1 && db.shards[0] == db.directory }

// databases lists every distinct database once, the directory first.
func (db *DB) databases() []*hrana.Client {
	all := []*hrana.Client{db.directory}
	for _, s := range db.shards {
		if s != db.directory {
			all = append(all, s)
		}
	}
	return all
}

// Read gathers the statements of one page. Run sends what belongs to one database as
// one request, so that a page costs one round trip whatever it shows.
type Read struct {
	db     *DB
	groups []*readGroup
	kept   []func() error // scans of results that need no asking
	done   []func()

	member  ID // for whom the page is, see For
	marker  string
	changed time.Time
	now     time.Time
}

type readGroup struct {
	client  *hrana.Client
	stmts   []hrana.Stmt
	scans   []func(hrana.Result) error
	results []hrana.Result
	err     error
}

// Read begins a page's reading.
func (db *DB) Read() *Read { return &Read{db: db} }

func (r *Read) add(c *hrana.Client, stmt hrana.Stmt, scan func(hrana.Result) error) {
	for _, g := range r.groups {
		if g.client == c {
			g.stmts, g.scans = append(g.stmts, stmt), append(g.scans, scan)
			return
		}
	}
	r.groups = append(r.groups, &readGroup{client: c, stmts: []hrana.Stmt{stmt}, scans: []func(hrana.Result) error{scan}})
}

// after has f called when all that was gathered has been read without an error.
func (r *Read) after(f func()) { r.done = append(r.done, f) }

// Run sends what was gathered and fills in what the Find methods returned. Its errors
// are of code Unavailable, or those of the scans.
func (r *Read) Run(ctx context.Context) error {
	groups, kept, done := r.groups, r.kept, r.done
	r.groups, r.kept, r.done = nil, nil, nil
	if err := runGroups(ctx, groups); err != nil {
		return err
	}
	for _, scan := range kept {
		if err := scan(); err != nil {
			return err
		}
	}
	for _, f := range done {
		f()
	}
	return nil
}

// runGroups asks the databases at once and scans one after the other: scans of two
// shards may fill the same list.
func runGroups(ctx context.Context, groups []*readGroup) error {
	switch len(groups) {
	case 0:
		return nil
	case 1:
		groups[0].ask(ctx)
		return groups[0].scan()
	}
	done := make(chan struct{}, len(groups))
	for _, g := range groups {
		go func() {
			g.ask(ctx)
			done <- struct{}{}
		}()
	}
	for range groups {
		<-done
	}
	var err error
	for _, g := range groups {
		err = errors.Join(err, g.scan())
	}
	return err
}

func (g *readGroup) ask(ctx context.Context) { g.results, g.err = g.client.Query(ctx, g.stmts...) }

func (g *readGroup) scan() error {
	if g.err != nil {
		return unavailable(g.err)
	}
	for i, scan := range g.scans {
		if err := scan(g.results[i]); err != nil {
			return err
		}
	}
	return nil
}

// tx runs a transaction; a failure is Unavailable unless it breaks a uniqueness,
// which the caller explains.
func tx(ctx context.Context, c *hrana.Client, stmts ...hrana.Stmt) ([]hrana.Result, error) {
	results, err := c.Tx(ctx, stmts...)
	if err != nil && !hrana.IsUnique(err) {
		return nil, unavailable(err)
	}
	return results, err
}

func unavailable(err error) error {
	return &Error{Code: Unavailable, Message: "The database can't be reached right now. Please try again in a moment.", Err: err}
}

// row reads the columns of one row in order; a type that does not fit is kept as err.
type row struct {
	values []any
	next   int
	err    error
}

func (r *row) value() any {
	if r.next >= len(r.values) {
		r.err = fmt.Errorf("row has %d columns, column %d was asked for", len(r.values), r.next)
		r.next++
		return nil
	}
	v := r.values[r.next]
	r.next++
	return v
}

func (r *row) int() int64 {
	switch v := r.value().(type) {
	case int64:
		return v
	case nil:
		return 0
	default:
		r.fail(v, "an integer")
		return 0
	}
}

func (r *row) id() ID { return ID(r.int()) }

func (r *row) bool() bool { return r.int() != 0 }

func (r *row) text() string {
	switch v := r.value().(type) {
	case string:
		return v
	case nil:
		return ""
	default:
		r.fail(v, "text")
		return ""
	}
}

func (r *row) float() float64 {
	switch v := r.value().(type) {
	case float64:
		return v
	case int64:
		return float64(v)
	case nil:
		return 0
	default:
		r.fail(v, "a number")
		return 0
	}
}

func (r *row) fail(v any, want string) {
	if r.err == nil {
		r.err = fmt.Errorf("column %d is %T, not %s", r.next-1, v, want)
	}
}

// each calls f for every row of a result.
func each(res hrana.Result, f func(*row)) error {
	r := &row{}
	for _, values := range res.Rows {
		r.values, r.next = values, 0
		f(r)
		if r.err != nil {
			return r.err
		}
	}
	return nil
}

func stmt(sql string, args ...any) hrana.Stmt {
	for i, a := range args {
		if id, ok := a.(ID); ok {
			args[i] = int64(id)
		}
	}
	return hrana.Stmt{SQL: sql, Args: args}
}

func millis(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

func scanIDs(ids *[]ID) func(hrana.Result) error {
	return func(res hrana.Result) error {
		return each(res, func(r *row) { *ids = append(*ids, r.id()) })
	}
}
