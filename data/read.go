package data

import (
	"context"
	"errors"
	"slices"
	"time"

	"plaza/data/wire/hrana"
)

// Read gathers the statements of one page. Run sends what belongs to one database as one request, so that a page costs
// one round trip whatever it shows.
type Read struct {
	db       *DB
	gathered []gathered
	kept     []func() error // scans of results that are remembered
	done     []func()

	Member  ID // set by For, as are the next three
	Marker  string
	Changed time.Time
	Now     time.Time
}

// gathered is a statement, the place where it runs and the function that reads its result.
type gathered struct {
	where Where
	stmt  hrana.Stmt
	scan  func(hrana.Result) error
}

// Read begins the reading of a page.
func (db *DB) Read() *Read { return &Read{db: db} }

// Find gathers a statement. Run calls scan for every row that it finds, never two scans at the same time. A statement
// for a community or a shard that does not exist finds no rows.
func (r *Read) Find(where Where, sql string, args Args, scan func(*Row)) {
	r.gather(where, hrana.Stmt{SQL: sql, Named: args.named()}, func(res hrana.Result) error { return each(res, scan) })
}

// FindOwn is Find for a statement about the member for whom the page is made (For). An instance remembers what it
// found for OwnLife. about is what else the statement asks about, as a text: its arguments other than the member and
// the time; "" for none.
func (r *Read) FindOwn(where Where, about, sql string, args Args, scan func(*Row)) {
	r.gatherOwn(where, about, hrana.Stmt{SQL: sql, Named: args.named()}, func(res hrana.Result) error { return each(res, scan) })
}

// After has Run call f at the end, if everything was read without an error.
func (r *Read) After(f func()) { r.done = append(r.done, f) }

func (r *Read) gather(where Where, stmt hrana.Stmt, scan func(hrana.Result) error) {
	r.gathered = append(r.gathered, gathered{where, stmt, scan})
}

// Run asks all databases at the same time and calls the scans for what they found. An error is Unavailable, or a
// scan's own. What the databases that did answer have found is scanned all the same.
func (r *Read) Run(ctx context.Context) error {
	gathered, kept, done := r.gathered, r.kept, r.done
	r.gathered, r.kept, r.done = nil, nil, nil
	groups, err := r.db.group(ctx, gathered)
	if err = errors.Join(err, runGroups(ctx, groups)); err != nil {
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

// readGroup is what is asked of one database.
type readGroup struct {
	client  *hrana.Client
	stmts   []hrana.Stmt
	scans   []func(hrana.Result) error
	results []hrana.Result
	err     error
}

// group collects the statements for each database. Statements for databases that do not exist are left out.
func (db *DB) group(ctx context.Context, list []gathered) (groups []*readGroup, err error) {
	places := make([]Where, len(list))
	for i, g := range list {
		places[i] = g.where
	}
	clients, err := db.clients(ctx, places)
	for _, g := range list {
		client := clients[g.where]
		if g.where.kind == nowhere {
			err = errors.Join(err, errNowhere)
		}
		if client == nil {
			continue
		}
		i := slices.IndexFunc(groups, func(of *readGroup) bool { return of.client == client })
		if i < 0 {
			i, groups = len(groups), append(groups, &readGroup{client: client})
		}
		groups[i].stmts, groups[i].scans = append(groups[i].stmts, g.stmt), append(groups[i].scans, g.scan)
	}
	return groups, err
}

// runGroups asks the databases at the same time. It scans their results one after the other, because scans of two
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
		return failed(g.err)
	}
	for i, scan := range g.scans {
		if err := scan(g.results[i]); err != nil {
			return err
		}
	}
	return nil
}
