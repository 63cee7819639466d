package data

import (
	"cmp"
	"context"
	"strings"
	"time"

	"plaza/data/hrana"
)

// What statements use that count their parameters (?1). All of this goes when none is left.

func OldStmt(sql string, args ...any) hrana.Stmt {
	for i, a := range args {
		if id, ok := a.(ID); ok {
			args[i] = int64(id)
		}
	}
	return hrana.Stmt{SQL: sql, Args: args}
}

// add is Read.Find for one, of a client and with a scan of the whole result.
func (r *Read) OldAdd(c *hrana.Client, stmt hrana.Stmt, scan func(hrana.Result) error) {
	r.gather(r.db.whereOf(c), stmt, scan)
}

// addOwn is Read.FindOwn for one. id and arg are what it asks about; its other arguments follow from the member.
func (r *Read) OldAddOwn(c *hrana.Client, id ID, arg string, stmt hrana.Stmt, scan func(hrana.Result) error) {
	r.gatherOwn(r.db.whereOf(c), id.Text()+arg, stmt, scan)
}

func (r *Read) OldAfter(f func()) { r.After(f) }

func (db *DB) whereOf(c *hrana.Client) Where {
	if c == db.directory {
		return Directory
	}
	return db.homes[db.OldNumber(c)]
}

// number is the shard's own number, which its ids carry.
func (db *DB) OldNumber(shard *hrana.Client) int {
	for i, c := range db.shards {
		if c == shard {
			return i
		}
	}
	return 0
}

// shard is the client of the shard that holds id; nil for a shard that isn't there.
func (db *DB) OldShard(id ID) *hrana.Client { return db.client(HomeOfID(id)) }

// single tells that one database plays both parts.
func (db *DB) OldSingle() bool { return len(db.shards) == 1 && db.shards[0] == db.directory }

// ShardOf is DB.Home, as a client.
func (db *DB) ShardOf(ctx context.Context, community string) (*hrana.Client, error) {
	home, err := db.Home(ctx, community)
	return db.client(home), err
}

// shardsOf is DB.Homes, as clients.
func (db *DB) OldShardsOf(ctx context.Context, communities []string) (map[string]*hrana.Client, error) {
	found := map[string]*hrana.Client{}
	homes, err := db.Homes(ctx, communities)
	for _, name := range communities {
		if home, ok := homes[strings.ToLower(name)]; ok {
			found[strings.ToLower(name)] = db.client(home)
		}
	}
	return found, err
}

// ShardOfID is the client of HomeOfID; NotFound for one that isn't there.
func (db *DB) ShardOfID(id ID) (*hrana.Client, error) {
	if c := db.OldShard(id); c != nil {
		return c, nil
	}
	return nil, errNothingThere
}

// args are the first three parameters of every statement with liveSession.
func (a Actor) OldArgs(more ...any) []any {
	return append([]any{a.UserID, a.SessionID, a.IssuedAt.UnixMilli()}, more...)
}

// liveSession is LiveSession of ?1 user, ?2 session and ?3 issued.
const OldLiveSession = `NOT EXISTS (SELECT 1 FROM revocations WHERE subject IN (?1, ?2) AND before > ?3)`

// databaseNow is DatabaseNow; it comes behind a parameter that Source.DatabaseNow fills.
const OldDatabaseNow = `CAST(unixepoch('now', 'subsec') * 1000 AS INTEGER)`

// databaseTime tells it. ?1 as everywhere.
const OldDatabaseTime = `SELECT coalesce(?1, ` + OldDatabaseNow + `)`

func (s Source) OldDatabase() any { return s.DatabaseNow() }

// unmade is NotMade of ?1, the actor, and the key whose parameter follows.
const OldUnmade = `NOT EXISTS (SELECT 1 FROM made m WHERE m.author_id = ?1 AND m.key = `

const recordMadePositional = `INSERT INTO made (author_id, key, digest, made_id, created_at) SELECT ?1, ?2, ?3, ?4, ?5 WHERE changes() > 0`

// recording notes that the statement before it has made id for an author.
func OldRecording(author ID, key, digest string, id ID, now time.Time) hrana.Stmt {
	return OldStmt(recordMadePositional, author, key, digest, id, now.UnixMilli())
}

// madeKey is made.key of a form of some kind. Without a token, the id that the thing is to have serves the tries of one
// request.
func OldMadeKey(kind, token string, id ID) string { return kind + " " + cmp.Or(token, id.Text()) }

func OldScanIDs(ids *[]ID) func(hrana.Result) error {
	return func(res hrana.Result) error {
		return Each(res, func(r *Row) { *ids = append(*ids, r.ID()) })
	}
}

func (db *DB) OldShards() []*hrana.Client { return db.shards }

func (db *DB) OldDirectory() *hrana.Client { return db.directory }

// Admitted is Permission, of a result.
func Admitted(res hrana.Result, refused error) error {
	var may, live bool
	err := Each(res, func(r *Row) { may, live = r.Bool(), r.Bool() })
	switch {
	case err != nil:
		return err
	case !live:
		return ErrSessionEnded
	case !may:
		return refused
	}
	return nil
}
