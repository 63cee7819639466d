package data

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"plaza/data/pace/deadline"
	"plaza/data/wire/hrana"
)

// Read gathers the statements of one page. Run sends what belongs to one database as one request, so that a page costs
// one round trip whatever it shows.
type Read struct {
	db       *DB
	gathered []gathered
	kept     []func() error // scans of results that are remembered
	done     []func()

	spares  bool                         // AllowMissing was called
	fails   func(shard Where, err error) // of AllowFailing; nil without it
	away    []Where                      // shards that are not asked, because they are known not to answer
	found   bool                         // at least one shard has answered, or the answer of one is remembered
	missing []Where

	replicas bool // AllowReplicas was called
	lag      time.Duration

	slots bool // FindSlots was called

	Member  ID // set by For, as are the next three
	Marker  string
	Changed time.Time
	Now     time.Time
}

// gathered is a statement, the place where it runs and the function that reads its result.
type gathered struct {
	where Where
	ids   []ID // of FindByIDs, in place of where; the statement still lacks them
	args  Args // of FindByIDs
	stmt  hrana.Stmt
	scan  func(hrana.Result) error
}

// places are where it runs.
func (g *gathered) places() []Where {
	if g.ids == nil {
		return []Where{g.where}
	}
	places := make([]Where, len(g.ids))
	for i, id := range g.ids {
		places[i] = id.where()
	}
	return places
}

// Read begins the reading of a page.
func (db *DB) Read() *Read { return &Read{db: db} }

// Find gathers a statement for the directory. Run calls scan for every row that it finds, never two scans at the same time.
func (r *Read) Find(sql string, args Args, scan func(*Row)) { r.FindAt(directory, sql, args, scan) }

// FindAt is Find for another place. A statement for a community or a shard that does not exist finds no rows.
func (r *Read) FindAt(at Place, sql string, args Args, scan func(*Row)) {
	where := at.where()
	r.gather(where, hrana.Stmt{SQL: sql, Named: args.named()}, func(res hrana.Result) error { return eachOf(r.db, where, res, scan) })
}

// FindAll gathers a statement for each shard. While a community moves, two shards have its rows: Row.Holds.
func (r *Read) FindAll(sql string, args Args, scan func(*Row)) {
	for _, shard := range r.db.homes {
		r.FindAt(shard, sql, args, scan)
	}
}

// FindEverywhere is FindAll for the directory, too, if that is not one of the shards.
func (r *Read) FindEverywhere(sql string, args Args, scan func(*Row)) {
	for _, where := range r.db.Databases() {
		r.FindAt(where, sql, args, scan)
	}
}

// FindElsewhere gathers a statement for each database but the directory.
func (r *Read) FindElsewhere(sql string, args Args, scan func(*Row)) {
	for _, where := range r.db.Databases()[1:] {
		r.FindAt(where, sql, args, scan)
	}
}

// FindByIDs gathers a statement for each shard that holds what some of the ids name. The argument :ids of each is the list of them.
func (r *Read) FindByIDs(ids []ID, sql string, args Args, scan func(*Row)) {
	if len(ids) > 0 {
		r.gathered = append(r.gathered, gathered{ids: ids, args: args, stmt: hrana.Stmt{SQL: sql},
			scan: func(res hrana.Result) error { return each(res, scan) }})
	}
}

// FindOwn is Find for a statement about the member for whom the page is made (For). An instance remembers what it
// found for OwnLife. about is what else the statement asks about, as a text: its arguments other than the member and
// the time; "" for none.
func (r *Read) FindOwn(about, sql string, args Args, scan func(*Row)) {
	r.FindOwnAt(directory, about, sql, args, scan)
}

// FindOwnAt is FindOwn for another place.
func (r *Read) FindOwnAt(at Place, about, sql string, args Args, scan func(*Row)) {
	r.gatherOwn(at.where(), about, hrana.Stmt{SQL: sql, Named: args.named()}, func(res hrana.Result) error { return each(res, scan) })
}

// AllowMissing has Run succeed although a shard does not answer. It is for pages that merge the lists of all shards, and that say so when
// one is missing. Queries to a missing shard find no rows. Run waits for shards no longer than deadline.ForOptional allows. It does not ask
// the shards in away, which did not answer to another Read of the same page.
//
// Run still fails with Unavailable if the directory does not answer, or if none of the shards does.
func (r *Read) AllowMissing(away ...Where) { r.spares, r.away = true, away }

// AllowFailing is AllowMissing for what can also be said when no shard answers. Run succeeds if the directory answers. A shard that refuses
// a statement is missing, too. Run calls f with the error of each shard that is missing.
func (r *Read) AllowFailing(f func(shard Where, err error)) { r.spares, r.fails = true, f }

// Missing are the shards that did not answer to Run, in their order. Without AllowMissing there are none.
func (r *Read) Missing() []Where { return r.missing }

// Complete tells whether all shards that were asked have answered, so Missing is empty.
func (r *Read) Complete() bool { return len(r.missing) == 0 }

// After has Run call f at the end, if it succeeds.
func (r *Read) After(f func()) { r.done = append(r.done, f) }

func (r *Read) gather(where Where, stmt hrana.Stmt, scan func(hrana.Result) error) {
	r.gathered = append(r.gathered, gathered{where: where, stmt: stmt, scan: scan})
}

// Run asks all databases at the same time and calls the scans for what they found. An error is Unavailable, or a
// scan's own. What the databases that did answer have found is scanned all the same.
//
// If it turns out that a slot has moved to another shard, Run asks once more, before it calls any scan.
func (r *Read) Run(ctx context.Context) error {
	gathered, kept, done, slots := r.gathered, r.kept, r.done, r.slots
	r.gathered, r.kept, r.done, r.slots = nil, nil, nil, false
	groups, err := r.ask(ctx, gathered, slots)
	for _, g := range groups {
		r.lag = max(r.lag, g.lag)
	}
	if err = errors.Join(err, r.scan(groups)); err != nil {
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

// ask asks all databases at the same time; slots tells that it has to ask where slots are, too.
func (r *Read) ask(ctx context.Context, list []gathered, slots bool) ([]*readGroup, error) {
	for again := false; ; again = true {
		clients, groups, err := r.db.group(ctx, list)
		if r.spares {
			r.spare(groups)
		}
		var along *slotsAlong
		if !again {
			along, groups = r.askSlots(clients, groups, slots)
		}
		for _, g := range groups {
			g.replica, g.changed = r.replicas && !g.fresh, r.Changed
		}
		askAll(ctx, groups)
		failed := along.note(r.db)
		if again || !r.db.moved(clients) {
			if slots {
				err = errors.Join(err, failed)
			}
			return groups, err
		}
	}
}

// spare marks the groups that may be missing.
func (r *Read) spare(groups []*readGroup) {
	for _, g := range groups {
		g.spared = g.client != r.db.directory
		g.away = g.spared && slices.ContainsFunc(r.away, func(w Where) bool { return r.db.client(w) == g.client })
	}
}

// scan scans the results one after the other, because scans of two shards may fill the same list. It notes what is missing.
func (r *Read) scan(groups []*readGroup) (err error) {
	var lost error
	for _, g := range groups {
		switch asked := g.failed(); {
		case len(g.scans) == 0: // it was asked for slots alone
		case g.spared && asked != nil && (r.fails != nil || ErrorCode(asked) == Unavailable):
			shard := r.db.homes[slices.Index(r.db.shards, g.client)]
			r.missing = append(r.missing, shard)
			if r.fails != nil {
				r.fails(shard, asked)
			}
			lost = errors.Join(lost, asked)
		case asked != nil:
			err = errors.Join(err, asked)
		default:
			r.found = r.found || slices.Contains(r.db.shards, g.client)
			err = errors.Join(err, g.scan())
		}
	}
	slices.SortFunc(r.missing, func(a, b Where) int { return a.number - b.number })
	if err == nil && !r.found && r.fails == nil {
		err = lost
	}
	return err
}

// readGroup is what is asked of one database.
type readGroup struct {
	client  *hrana.Client
	stmts   []hrana.Stmt
	scans   []func(hrana.Result) error
	spared  bool // the page is also made without it
	away    bool // it is not asked
	replica bool // a replica may be asked
	fresh   bool // no replica may be asked
	changed time.Time
	lag     time.Duration
	results []hrana.Result
	err     error
}

// group collects the statements for each database. Statements for databases that do not exist are left out. It also returns where the
// places are.
func (db *DB) group(ctx context.Context, list []gathered) (clients map[Where]*hrana.Client, groups []*readGroup, err error) {
	var places []Where
	for _, g := range list {
		places = append(places, g.places()...)
	}
	clients, err = db.clients(ctx, places)
	add := func(client *hrana.Client, stmt hrana.Stmt, scan func(hrana.Result) error) {
		i := slices.IndexFunc(groups, func(of *readGroup) bool { return of.client == client })
		if i < 0 {
			i, groups = len(groups), append(groups, &readGroup{client: client})
		}
		groups[i].stmts, groups[i].scans = append(groups[i].stmts, stmt), append(groups[i].scans, scan)
	}
	for _, g := range list {
		switch client := clients[g.where]; {
		case g.ids != nil:
			for _, client := range db.shards {
				if ids := idsAt(g.ids, clients, client); len(ids) > 0 {
					args := Args{"ids": ids}
					maps.Copy(args, g.args)
					add(client, hrana.Stmt{SQL: g.stmt.SQL, Named: args.named()}, g.scan)
				}
			}
		case g.where.kind == nowhere:
			err = errors.Join(err, errNowhere)
		case client != nil:
			add(client, g.stmt, g.scan)
		}
	}
	return clients, groups, err
}

// idsAt are those of some ids that a database holds.
func idsAt(ids []ID, clients map[Where]*hrana.Client, client *hrana.Client) (here []ID) {
	for _, id := range ids {
		if clients[id.where()] == client {
			here = append(here, id)
		}
	}
	return here
}

// askAll asks the databases at the same time.
func askAll(ctx context.Context, groups []*readGroup) {
	if len(groups) == 1 {
		groups[0].ask(ctx)
		return
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
}

var errAway = errors.New("it has not answered to this request before")

func (g *readGroup) ask(ctx context.Context) {
	if g.away {
		g.err = UnavailableBecause(errAway)
		return
	}
	if g.spared {
		ctx = deadline.ForOptional(ctx)
	}
	// What the member has just changed may be in another database than the Reader knows of, or was committed together with what somebody else
	// did. So a replica has to have all of a moment after the change.
	if g.replica {
		since := g.changed
		if !since.IsZero() {
			since = since.Add(clocksDiffer)
		}
		g.results, g.lag, g.err = g.client.QueryReplica(ctx, since, g.stmts...)
		return
	}
	g.results, g.err = g.client.Query(ctx, g.stmts...)
}

// failed is the error of asking.
func (g *readGroup) failed() error {
	if g.err == nil || g.away {
		return g.err
	}
	return failed(g.err)
}

func (g *readGroup) scan() error {
	for i, scan := range g.scans {
		if err := scan(g.results[i]); err != nil {
			return err
		}
	}
	return nil
}
