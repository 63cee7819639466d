package data

import (
	"context"
	"strconv"
	"strings"

	"plaza/data/wire/hrana"
)

// Where says in which database a statement runs: in the directory, or on a thread shard. Wheres can be compared and
// be keys of maps, but two that differ may still name the same database (DB.Same). The zero Where names none.
type Where struct {
	kind      whereKind
	shard     int
	community string // its key
}

type whereKind byte

const (
	nowhere whereKind = iota
	inDirectory
	onShard
	atCommunity
)

// Directory is where members and communities are.
var Directory = Where{kind: inDirectory}

// HomeOf is the shard where the posts of a community are. With several shards, a Read or a Write looks it up in the
// directory when it runs, once for each community and instance, and in one request for all of them.
func HomeOf(community string) Where {
	return Where{kind: atCommunity, community: strings.ToLower(community)}
}

// HomeOfID is the shard that holds what id names.
func HomeOfID(id ID) Where { return Where{kind: onShard, shard: id.Shard()} }

// Shard is the number of the shard, which is also in the ids that are made for it. It is 0 for the directory and for
// HomeOf; DB.Home gives a community's shard with its number.
func (w Where) Shard() int { return w.shard }

// String names the place, for errors.
func (w Where) String() string {
	switch w.kind {
	case inDirectory:
		return "directory"
	case onShard:
		return "thread shard " + strconv.Itoa(w.shard)
	case atCommunity:
		return "home of " + w.community
	}
	return "nowhere"
}

// Shards are all thread shards.
func (db *DB) Shards() []Where { return db.homes }

// Databases are the directory and every shard that is a database of its own.
func (db *DB) Databases() []Where {
	all := []Where{Directory}
	for i, c := range db.shards {
		if c != db.directory {
			all = append(all, db.homes[i])
		}
	}
	return all
}

// Same tells whether two places are the same database. Neither may be of HomeOf.
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
		db.mu.Unlock()
		if !ok {
			unknown = append(unknown, key)
		} else if id.Shard() < len(db.shards) {
			homes[key] = db.homes[id.Shard()]
		}
	}
	if len(unknown) == 0 {
		return homes, nil
	}
	r := db.Read()
	r.Find(Directory, communityIDs, Args{"names": unknown}, func(row *Row) {
		key, id := row.Text(), row.ID()
		db.Remember(strings.Clone(key), id) // key is a part of the whole answer, which it would keep in memory
		if id.Shard() < len(db.shards) {
			homes[key] = db.homes[id.Shard()]
		}
	})
	return homes, r.Run(ctx)
}

// rememberedCommunities bounds how many names a DB remembers with their ids. A community never moves to another
// shard.
const rememberedCommunities = 10000

// Remember notes the id of a community, so that later requests know its shard.
func (db *DB) Remember(community string, id ID) {
	if len(db.shards) == 1 || id == 0 {
		return
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	if len(db.communities) >= rememberedCommunities {
		clear(db.communities)
	}
	db.communities[strings.ToLower(community)] = id
}

// client returns the database at a place that is not of HomeOf; nil if there is none.
func (db *DB) client(w Where) *hrana.Client {
	switch {
	case w.kind == inDirectory:
		return db.directory
	case w.kind == onShard && w.shard < len(db.shards):
		return db.shards[w.shard]
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
	for _, w := range places {
		if w.kind == atCommunity {
			names = append(names, w.community)
		} else if c := db.client(w); c != nil {
			found[w] = c
		}
	}
	if len(names) == 0 {
		return found, nil
	}
	homes, err := db.Homes(ctx, names)
	for name, home := range homes {
		found[HomeOf(name)] = db.client(home)
	}
	return found, err
}

// missing returns the error of a write to a place that does not exist.
func (w Where) missing() error {
	switch w.kind {
	case atCommunity:
		return ErrNoCommunity
	case onShard:
		return errNothingThere
	}
	return &Error{Code: Internal, Message: "Something went wrong here.", Err: errNowhere}
}
