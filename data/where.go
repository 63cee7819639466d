package data

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"plaza/data/wire/hrana"
)

// Where is the database of a statement: the directory, or a thread shard. Values of Where can be compared and be keys of maps, but two
// different ones may still be the same database (DB.Same). The zero Where is no database.
type Where struct {
	kind      whereKind
	number    int    // of the shard or slot
	community string // its key
}

type whereKind byte

const (
	nowhere whereKind = iota
	inDirectory
	onShard
	onSlot
	atCommunity
)

// Place is where a statement runs. An ID means the shard of its row: Run of a Read or a Write finds out which shard that is. A Where can be
// any place. Without a place a statement runs in the directory, which has the members and communities.
type Place interface{ where() Where }

func (id ID) where() Where   { return Where{kind: onSlot, number: id.Slot()} }
func (w Where) where() Where { return w }

var directory = Where{kind: inDirectory}

// In is the shard with the posts of a community. With several shards, Run of a Read or a Write looks it up in the directory, once for
// each community and instance, all its communities in one request. "" is the site, in the directory.
func In(community string) Where {
	if community == "" {
		return directory
	}
	return Where{kind: atCommunity, community: strings.ToLower(community)}
}

// AtOrIn is At for a row of a community, and the directory for a row of the site, whose id may have any slot.
func AtOrIn(id ID, community string) Where {
	if community == "" {
		return directory
	}
	return At(id)
}

// At is an ID as a Where, for comparison with other places.
func At(id ID) Where { return id.where() }

// Shard returns the number of the shard. It is 0 for a Where that is not from DB.Shards, DB.Home or DB.ShardOf.
func (w Where) Shard() int {
	if w.kind != onShard {
		return 0
	}
	return w.number
}

// String names the place, for errors.
func (w Where) String() string {
	switch w.kind {
	case inDirectory:
		return "directory"
	case onShard:
		return "thread shard " + strconv.Itoa(w.number)
	case onSlot:
		return "slot " + strconv.Itoa(w.number)
	case atCommunity:
		return "home of " + w.community
	}
	return "nowhere"
}

// Shards are all thread shards.
func (db *DB) Shards() []Where { return db.homes }

// ShardsBut returns all shards except one.
func (db *DB) ShardsBut(one Where) (list []Where) {
	for _, shard := range db.homes {
		if shard != one {
			list = append(list, shard)
		}
	}
	return list
}

// Databases returns the directory and every shard that is a database of its own.
func (db *DB) Databases() []Where {
	all := []Where{directory}
	for i, c := range db.shards {
		if c != db.directory {
			all = append(all, db.homes[i])
		}
	}
	return all
}

// HasShards reports whether there are databases besides the directory.
func (db *DB) HasShards() bool { return len(db.Databases()) > 1 }

// Several reports whether there are several shards.
func (db *DB) Several() bool { return len(db.homes) > 1 }

// InDirectory reports whether a place, which must not be from In, is the same database as the directory.
func (db *DB) InDirectory(at Place) bool { return db.Same(directory, at.where()) }

// Same reports whether two places are the same database. Neither may be from In.
func (db *DB) Same(a, b Where) bool {
	x, y := db.client(a), db.client(b)
	return x != nil && x == y
}

// Home returns the shard of a community, with its number. The error is NotFound for an unknown community, which it detects only with
// several shards, or Unavailable.
func (db *DB) Home(ctx context.Context, community string) (Where, error) {
	homes, err := db.Homes(ctx, []string{community})
	if err != nil {
		return Where{}, err
	}
	home, ok := homes[strings.ToLower(community)]
	if !ok {
		return Where{}, ErrNoCommunity
	}
	return home, nil
}

const communityIDs = `SELECT name_key, id FROM communities WHERE name_key IN (SELECT value FROM json_each(:names))`

// Homes returns the shards of communities by their names in lower case. It reads those that this instance does not know yet in one
// request. Unknown communities are left out. If the error is Unavailable, it also returns the cached shards.
func (db *DB) Homes(ctx context.Context, communities []string) (map[string]Where, error) {
	_ = db.RecentSlots(ctx) // without the directory, use the cached slots
	return db.knownHomes(ctx, communities)
}

// knownHomes is Homes for a Read or a Write, which detect by themselves that a slot has moved.
func (db *DB) knownHomes(ctx context.Context, communities []string) (map[string]Where, error) {
	homes := make(map[string]Where, len(communities))
	var unknown []string
	for _, name := range communities {
		key := strings.ToLower(name)
		if len(db.shards) == 1 {
			homes[key] = db.homes[0]
			continue
		}
		db.mu.Lock()
		id, ok := db.communities[key]
		known := !db.slotsAt.IsZero()
		db.mu.Unlock()
		if home := db.ShardOf(id); ok && known && home.kind == onShard {
			homes[key] = home
		} else {
			unknown = append(unknown, key)
		}
	}
	if len(unknown) == 0 {
		return homes, nil
	}
	found := db.remembered(unknown) // used if the directory does not respond
	err := db.findCommunities(ctx, unknown, func(key string, id ID) { found[key] = id })
	for key, id := range found {
		if home := db.ShardOf(id); home.kind == onShard {
			homes[key] = home
		}
	}
	return homes, err
}

// remembered returns the cached ids of the communities with these names.
func (db *DB) remembered(names []string) map[string]ID {
	db.mu.Lock()
	defer db.mu.Unlock()
	found := map[string]ID{}
	for _, key := range names {
		if id, ok := db.communities[key]; ok {
			found[key] = id
		}
	}
	return found
}

// findCommunities reads the ids of communities from the directory by their names in lower case, and caches them.
func (db *DB) findCommunities(ctx context.Context, names []string, found func(key string, id ID)) error {
	r := db.Read()
	r.Find(communityIDs, Args{"names": names}, func(row *Row) {
		key, id := strings.Clone(row.Text()), row.ID() // a text of the row would keep the whole response in memory
		db.Remember(key, id)
		found(key, id)
	})
	db.FindSlots(r)
	return r.Run(ctx)
}

// rememberedCommunities limits how many names a DB caches with their ids. A community keeps its id, though it may move to another shard.
const rememberedCommunities = 10000

// Remember caches the id of a community, so that later requests know its slot.
func (db *DB) Remember(community string, id ID) {
	if id == 0 {
		return
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	if len(db.communities) >= rememberedCommunities {
		clear(db.communities)
	}
	db.communities[strings.ToLower(community)] = id
}

// client returns the database at a place that is not from In; nil if there is none.
func (db *DB) client(w Where) *hrana.Client {
	switch w = db.shardOf(w); {
	case w.kind == inDirectory:
		return db.directory
	case w.kind == onShard && w.number < len(db.shards):
		return db.shards[w.number]
	}
	return nil
}

// CircuitOpen reports whether this instance refuses calls to a database, the directory or a shard, because earlier calls have timed
// out.
func (db *DB) CircuitOpen(w Where) bool { return db.client(w).CircuitOpen() }

// clients returns the databases at places. Unknown places are left out. With an error it returns those that are known.
func (db *DB) clients(ctx context.Context, places []Where) (map[Where]*hrana.Client, error) {
	found := make(map[Where]*hrana.Client, len(places))
	var names []string
	slotsErr := db.resolveSlots(ctx, places)
	for _, w := range places {
		if w.kind == atCommunity {
			names = append(names, w.community)
		} else if c := db.client(w); c != nil {
			found[w] = c
		}
	}
	if len(names) == 0 {
		return found, slotsErr
	}
	homes, err := db.knownHomes(ctx, names)
	for name, home := range homes {
		found[In(name)] = db.client(home)
	}
	return found, errors.Join(slotsErr, err)
}

// resolveSlots reads the slots from the directory if one of the places has a slot that this instance does not know.
func (db *DB) resolveSlots(ctx context.Context, places []Where) error {
	slot := false
	for _, w := range places {
		if slot = slot || w.kind == onSlot; w.kind == onSlot && db.client(w) == nil {
			return db.ReadSlots(ctx)
		}
	}
	if !slot {
		return nil
	}
	return db.KnowSlots(ctx)
}

// missing returns the error of a write to an unknown place.
func (w Where) missing() error {
	switch w.kind {
	case atCommunity:
		return ErrNoCommunity
	case onShard, onSlot:
		return errNothingThere
	}
	return &Error{Code: Internal, Message: "Something went wrong here.", Err: errNowhere}
}
