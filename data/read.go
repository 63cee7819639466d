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

// Read collects the statements of one page. Run sends the statements for one database as one request, so that a page costs one round
// trip.
type Read struct {
	db          *DB
	gathered    []gathered
	cachedScans []func() error
	after       []func()

	optional    bool                         // AllowMissing was called
	fails       func(shard Where, err error) // from AllowFailing; nil without it
	unavailable []Where                      // shards that are skipped, because they are known not to respond
	found       bool                         // at least one shard has responded, or its response is cached
	missing     []Where

	replicas bool // AllowReplicas was called
	lag      time.Duration

	slots bool // FindSlots was called

	Member  ID // set by For, as are the next two
	Changes Changes
	Now     time.Time
}

// gathered is a statement, its place and the function that reads its result.
type gathered struct {
	where Where
	ids   []ID // of FindByIDs, instead of where; the statement does not have them yet
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

// Read begins the reads of a page.
func (db *DB) Read() *Read { return &Read{db: db} }

// Find adds a statement for the directory. Run calls scan for every row, never two scans at the same time.
func (r *Read) Find(sql string, args Args, scan func(*Row)) { r.FindAt(directory, sql, args, scan) }

// FindAt is Find for another place. A statement for an unknown community or shard finds no rows.
func (r *Read) FindAt(at Place, sql string, args Args, scan func(*Row)) {
	where := at.where()
	r.gather(where, hrana.Stmt{SQL: sql, Named: args.named()}, func(res hrana.Result) error { return eachOf(r.db, where, res, scan) })
}

// FindAll adds a statement for each shard. While a community moves, two shards have its rows: Row.InOwnShard.
func (r *Read) FindAll(sql string, args Args, scan func(*Row)) {
	for _, shard := range r.db.homes {
		r.FindAt(shard, sql, args, scan)
	}
}

// FindEverywhere is FindAll for the directory, too, if it is not one of the shards.
func (r *Read) FindEverywhere(sql string, args Args, scan func(*Row)) {
	for _, where := range r.db.Databases() {
		r.FindAt(where, sql, args, scan)
	}
}

// FindElsewhere adds a statement for each database except the directory.
func (r *Read) FindElsewhere(sql string, args Args, scan func(*Row)) {
	for _, where := range r.db.Databases()[1:] {
		r.FindAt(where, sql, args, scan)
	}
}

// FindByIDs adds a statement for each shard that holds rows with some of the ids. Its argument :ids is the list of the shard's ids.
func (r *Read) FindByIDs(ids []ID, sql string, args Args, scan func(*Row)) {
	if len(ids) > 0 {
		r.gathered = append(r.gathered, gathered{ids: ids, args: args, stmt: hrana.Stmt{SQL: sql},
			scan: func(res hrana.Result) error { return each(res, scan) }})
	}
}

// FindCached is Find for a statement about the page's member (For). An instance caches the result for MemberCacheTTL. about is a text of
// its other arguments, without the member and the time; "" for none.
func (r *Read) FindCached(about, sql string, args Args, scan func(*Row)) {
	r.FindCachedAt(directory, about, sql, args, scan)
}

// FindCachedAt is FindCached for another place.
func (r *Read) FindCachedAt(at Place, about, sql string, args Args, scan func(*Row)) {
	r.gatherCached(at.where(), about, sql, args, func(res hrana.Result) error { return each(res, scan) })
}

// AllowMissing lets Run succeed although a shard does not respond. It is for pages that merge the lists of all shards, and show that one
// is missing. Statements to a missing shard find no rows. Run waits for shards no longer than deadline.ForOptional allows. It skips the
// shards in unavailable, which did not respond to another Read of the same page.
//
// Run still fails with Unavailable if the directory does not respond, or if no shard does.
func (r *Read) AllowMissing(unavailable ...Where) { r.optional, r.unavailable = true, unavailable }

// AllowFailing is AllowMissing for pages that work without any shard. Run succeeds if the directory responds. A shard that refuses a
// statement is missing, too. Run calls f with the error of each missing shard.
func (r *Read) AllowFailing(f func(shard Where, err error)) { r.optional, r.fails = true, f }

// Missing returns the shards that did not respond to Run, in their order. Without AllowMissing there are none.
func (r *Read) Missing() []Where { return r.missing }

// Complete reports whether all shards have responded, so Missing is empty.
func (r *Read) Complete() bool { return len(r.missing) == 0 }

// After makes Run call f at the end, if it succeeds.
func (r *Read) After(f func()) { r.after = append(r.after, f) }

func (r *Read) gather(where Where, stmt hrana.Stmt, scan func(hrana.Result) error) {
	r.gathered = append(r.gathered, gathered{where: where, stmt: stmt, scan: scan})
}

// Run reads all databases concurrently and calls the scans for the rows. An error is Unavailable, or a scan's own. The rows of the
// databases that did respond are scanned nevertheless.
//
// If a slot has moved to another shard, Run reads once more, before it calls any scan.
func (r *Read) Run(ctx context.Context) error {
	gathered, cachedScans, after, slots := r.gathered, r.cachedScans, r.after, r.slots
	r.gathered, r.cachedScans, r.after, r.slots = nil, nil, nil, false
	groups, err := r.query(ctx, gathered, slots)
	for _, g := range groups {
		r.lag = max(r.lag, g.lag)
	}
	if err = errors.Join(err, r.scan(groups)); err != nil {
		return err
	}
	for _, scan := range cachedScans {
		if err := scan(); err != nil {
			return err
		}
	}
	for _, f := range after {
		f()
	}
	return nil
}

// query reads all databases concurrently; slots means that it has to read the slots, too.
func (r *Read) query(ctx context.Context, list []gathered, slots bool) ([]*readGroup, error) {
	for again := false; ; again = true {
		clients, groups, err := r.db.group(ctx, list)
		if r.optional {
			r.markOptional(groups)
		}
		var readSlots *slotsRead
		if !again {
			readSlots, groups = r.addSlots(clients, groups, slots)
		}
		for _, g := range groups {
			g.replica, g.changed = r.replicas && !g.fresh, r.Changes.Last
		}
		queryAll(ctx, groups)
		slotsErr := readSlots.note(r.db)
		if again || !r.db.moved(clients) {
			if slots {
				err = errors.Join(err, slotsErr)
			}
			return groups, err
		}
	}
}

// markOptional marks the groups that may be missing.
func (r *Read) markOptional(groups []*readGroup) {
	for _, g := range groups {
		g.optional = g.client != r.db.directory
		g.unavailable = g.optional && slices.ContainsFunc(r.unavailable, func(w Where) bool { return r.db.client(w) == g.client })
	}
}

// scan scans the results one after the other, because scans of two shards may fill the same list. It records what is missing.
func (r *Read) scan(groups []*readGroup) (err error) {
	var missingErr error
	for _, g := range groups {
		switch groupErr := g.failed(); {
		case len(g.scans) == 0: // the group reads only the slots
		case g.optional && groupErr != nil && (r.fails != nil || ErrorCode(groupErr) == Unavailable):
			shard := r.db.homes[slices.Index(r.db.shards, g.client)]
			r.missing = append(r.missing, shard)
			if r.fails != nil {
				r.fails(shard, groupErr)
			}
			missingErr = errors.Join(missingErr, groupErr)
		case groupErr != nil:
			err = errors.Join(err, groupErr)
		default:
			r.found = r.found || slices.Contains(r.db.shards, g.client)
			err = errors.Join(err, g.scan())
		}
	}
	slices.SortFunc(r.missing, func(a, b Where) int { return a.number - b.number })
	if err == nil && !r.found && r.fails == nil {
		err = missingErr
	}
	return err
}

// readGroup is the statements for one database.
type readGroup struct {
	client      *hrana.Client
	stmts       []hrana.Stmt
	scans       []func(hrana.Result) error
	optional    bool // the page is also made without it
	unavailable bool // it is skipped
	replica     bool // a replica may be used
	fresh       bool // no replica may be used
	changed     time.Time
	lag         time.Duration
	results     []hrana.Result
	err         error
}

// group collects the statements for each database, without those for unknown databases. It also returns the database of each place.
func (db *DB) group(ctx context.Context, list []gathered) (clients map[Where]*hrana.Client, groups []*readGroup, err error) {
	var places []Where
	for _, g := range list {
		places = append(places, g.places()...)
	}
	clients, err = db.clients(ctx, places)
	add := func(client *hrana.Client, stmt hrana.Stmt, scan func(hrana.Result) error) {
		i := slices.IndexFunc(groups, func(g *readGroup) bool { return g.client == client })
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

// idsAt returns the ids whose rows a database holds.
func idsAt(ids []ID, clients map[Where]*hrana.Client, client *hrana.Client) (here []ID) {
	for _, id := range ids {
		if clients[id.where()] == client {
			here = append(here, id)
		}
	}
	return here
}

// queryAll reads the databases concurrently.
func queryAll(ctx context.Context, groups []*readGroup) {
	if len(groups) == 1 {
		groups[0].query(ctx)
		return
	}
	done := make(chan struct{}, len(groups))
	for _, g := range groups {
		go func() {
			g.query(ctx)
			done <- struct{}{}
		}()
	}
	for range groups {
		<-done
	}
}

var errKnownUnavailable = errors.New("it did not respond to an earlier call of this request")

func (g *readGroup) query(ctx context.Context) {
	if g.unavailable {
		g.err = UnavailableBecause(errKnownUnavailable)
		return
	}
	if g.optional {
		ctx = deadline.ForOptional(ctx)
	}
	// The Reader may not know the database of the member's last change, or that it was committed together with another member's. So a
	// replica must have the state of a moment after the change.
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

// failed returns the error of the request.
func (g *readGroup) failed() error {
	if g.err == nil || g.unavailable {
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
