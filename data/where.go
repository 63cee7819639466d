package data

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"plaza/data/wire/hrana"
)

// Where says in which database a statement runs: in the directory, or on a thread shard. Wheres can be compared and
// be keys of maps, but two that differ may still name the same database (DB.Same). The zero Where names none.
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

// Place is where a statement runs. An ID is the shard that holds what it names: a Read or a Write finds out when it runs which shard that
// is. A Where is any place. What names no place runs in the directory, where members and communities are.
type Place interface{ where() Where }

func (id ID) where() Where   { return Where{kind: onSlot, number: id.Slot()} }
func (w Where) where() Where { return w }

var directory = Where{kind: inDirectory}

// In is the shard where the posts of a community are. With several shards, a Read or a Write looks it up in the directory when it runs,
// once for each community and instance, and in one request for all of them. "" is the site, in the directory.
func In(community string) Where {
	if community == "" {
		return directory
	}
	return Where{kind: atCommunity, community: strings.ToLower(community)}
}

// AtOrIn is At for what is in a community, and the directory for what belongs to the site, whose id is of any slot.
func AtOrIn(id ID, community string) Where {
	if community == "" {
		return directory
	}
	return At(id)
}

// At is an ID as a Where: for what is compared with other places.
func At(id ID) Where { return id.where() }

// Shard is the number of the shard. It is 0 for what is not of DB.Shards, DB.Home or DB.ShardOf.
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

// ShardsBut are all shards but one.
func (db *DB) ShardsBut(one Where) (list []Where) {
	for _, shard := range db.homes {
		if shard != one {
			list = append(list, shard)
		}
	}
	return list
}

// Databases are the directory and every shard that is a database of its own.
func (db *DB) Databases() []Where {
	all := []Where{directory}
	for i, c := range db.shards {
		if c != db.directory {
			all = append(all, db.homes[i])
		}
	}
	return all
}

// HasShards tells whether there are databases beside the directory.
func (db *DB) HasShards() bool { return len(db.Databases()) > 1 }

// Several tells whether there are several shards.
func (db *DB) Several() bool { return len(db.homes) > 1 }

// InDirectory tells whether a place, which may not be of In, is the same database as the directory.
func (db *DB) InDirectory(at Place) bool { return db.Same(directory, at.where()) }

// Same tells whether two places are the same database. Neither may be of In.
func (db *DB) Same(a, b Where) bool {
	x, y := db.client(a), db.client(b)
	return x != nil && x == y
}

// Home returns the shard of a community, with its number. It returns NotFound where there is no such community, which
// it only notices with several shards, and Unavailable.
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

// Homes returns the shards of communities by their names in lower case. It asks for those that this instance does not
// know yet in one request. Communities that do not exist are left out. With an error, Unavailable, it returns those
// that are known.
func (db *DB) Homes(ctx context.Context, communities []string) (map[string]Where, error) {
	_ = db.RecentSlots(ctx) // without the directory what is known is the best there is
	return db.knownHomes(ctx, communities)
}

// knownHomes is Homes for a Read or a Write, which hear by themselves that a slot has moved.
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
	found := db.remembered(unknown) // used if the directory does not answer
	err := db.findCommunities(ctx, unknown, func(key string, id ID) { found[key] = id })
	for key, id := range found {
		if home := db.ShardOf(id); home.kind == onShard {
			homes[key] = home
		}
	}
	return homes, err
}

// remembered returns the ids of the communities of these names that this instance remembers.
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

// findCommunities asks the directory for the ids of communities by their names in lower case, and remembers them.
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

// rememberedCommunities bounds how many names a DB remembers with their ids. A community keeps its id, though it may move to another shard.
const rememberedCommunities = 10000

// Remember keeps the id of a community, so that later requests know its slot.
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

// client returns the database at a place that is not of In; nil if there is none.
func (db *DB) client(w Where) *hrana.Client {
	switch w = db.shardOf(w); {
	case w.kind == inDirectory:
		return db.directory
	case w.kind == onShard && w.number < len(db.shards):
		return db.shards[w.number]
	}
	return nil
}

// Resting tells whether this instance lets no call wait for a database, because it has let others wait in vain. It is for the directory and
// for shards.
func (db *DB) Resting(w Where) bool { return db.client(w).Resting() }

// clients returns the databases at places. Places that do not exist are left out. With an error it returns those that
// are known.
func (db *DB) clients(ctx context.Context, places []Where) (map[Where]*hrana.Client, error) {
	found := make(map[Where]*hrana.Client, len(places))
	var names []string
	lost := db.resolveSlots(ctx, places)
	for _, w := range places {
		if w.kind == atCommunity {
			names = append(names, w.community)
		} else if c := db.client(w); c != nil {
			found[w] = c
		}
	}
	if len(names) == 0 {
		return found, lost
	}
	homes, err := db.knownHomes(ctx, names)
	for name, home := range homes {
		found[In(name)] = db.client(home)
	}
	return found, errors.Join(lost, err)
}

// resolveSlots asks the directory where slots are if one of the places has a slot of which this instance does not know.
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

// missing returns the error of a write to a place that does not exist.
func (w Where) missing() error {
	switch w.kind {
	case atCommunity:
		return ErrNoCommunity
	case onShard, onSlot:
		return errNothingThere
	}
	return &Error{Code: Internal, Message: "Something went wrong here.", Err: errNowhere}
}
