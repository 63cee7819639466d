package data

import (
	"context"
	"strings"

	"plaza/data/hrana"
)

// rememberedCommunities bounds the names whose ids a DB keeps; a name never moves.
const rememberedCommunities = 10000

// remember keeps a community's id, by which later requests know its shard.
func (db *DB) remember(key string, id ID) {
	if db.single() || id == 0 {
		return
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	if len(db.communities) >= rememberedCommunities {
		clear(db.communities)
	}
	db.communities[key] = id
}

const communityID = `SELECT id FROM communities WHERE name_key = ?1`

// ShardOf is the shard where a community's posts live. With one shard it is known;
// with more, the first request for a name asks the directory, once an instance.
// NotFound when there is no such community (only noticed with more than one shard).
func (db *DB) ShardOf(ctx context.Context, community string) (*hrana.Client, error) {
	homes, err := db.shardsOf(ctx, []string{community})
	if err != nil {
		return nil, err
	}
	if c := homes[strings.ToLower(community)]; c != nil {
		return c, nil
	}
	return nil, errNoCommunity
}

// shardsOf is ShardOf for many communities at once, in one request for all that this
// instance does not know yet. By their names in lower case; those that are not there are
// left out.
func (db *DB) shardsOf(ctx context.Context, communities []string) (map[string]*hrana.Client, error) {
	homes := map[string]*hrana.Client{}
	var r *Read
	for _, name := range communities {
		key := strings.ToLower(name)
		if len(db.shards) == 1 {
			homes[key] = db.shards[0]
			continue
		}
		db.mu.Lock()
		id, ok := db.communities[key]
		db.mu.Unlock()
		if ok {
			if c := db.shard(id); c != nil {
				homes[key] = c
			}
			continue
		}
		if r == nil {
			r = db.Read()
		}
		r.add(db.directory, stmt(communityID, key), func(res hrana.Result) error {
			return each(res, func(row *row) {
				id := row.id()
				db.remember(key, id)
				if c := db.shard(id); c != nil {
					homes[key] = c
				}
			})
		})
	}
	if r == nil {
		return homes, nil
	}
	return homes, r.Run(ctx)
}

// ShardOfID is the shard an id names; NotFound for one that isn't there.
func (db *DB) ShardOfID(id ID) (*hrana.Client, error) {
	if c := db.shard(id); c != nil {
		return c, nil
	}
	return nil, &Error{Code: NotFound, Message: "There is nothing here by that id."}
}

var errNoCommunity = &Error{Code: NotFound, Field: "community", Message: "There is no community of that name."}
