package data

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"plaza/data/wire/hrana"
)

// ReplicaLag is how old the state may be at most that a page finds at a replica.
const ReplicaLag = hrana.Lag

// Reader is a browser that reads pages from replicas. What it has written has to be in them, whichever instance makes them, so the browser
// keeps which numbers its last writes have in the logs of the databases (Text).
type Reader struct {
	db     *DB
	wrote  hrana.Reader
	before string // what the browser has kept
}

// Replicated tells whether a database has a replica.
func (db *DB) Replicated() bool {
	return db.directory.HasReplica() || slices.ContainsFunc(db.shards, (*hrana.Client).HasReplica)
}

// NewReader returns the reader that has kept a text; "" for one that has written nothing lately. What can't be read in it is left out.
func (db *DB) NewReader(text string) *Reader {
	r := &Reader{db: db, before: text}
	for part := range strings.SplitSeq(text, ".") {
		place, number, _ := strings.Cut(part, "-")
		index, err := strconv.ParseUint(number, 36, 64)
		if c := db.named(place); c != nil && err == nil {
			r.wrote.Note(c, index)
		}
	}
	return r
}

// directoryName is what Text calls the directory. A shard has its number.
const directoryName = "d"

func (db *DB) named(place string) *hrana.Client {
	if place == directoryName {
		return db.directory
	}
	shard, err := strconv.Atoi(place)
	if err != nil || shard < 0 {
		return nil
	}
	return db.client(Where{kind: onShard, number: shard})
}

// With returns a context whose writes are noted for the reader, and whose Reads can be made from replicas (AllowReplicas).
func (r *Reader) With(ctx context.Context) context.Context { return hrana.WithReader(ctx, &r.wrote) }

// Text is what the browser has to keep. changed is false if it has kept that already.
func (r *Reader) Text() (text string, changed bool) {
	var parts []string
	for _, where := range r.db.Databases() {
		name := directoryName
		if where.kind == onShard {
			name = strconv.Itoa(where.number)
		}
		if index := r.wrote.Wrote(r.db.client(where)); index != 0 {
			parts = append(parts, name+"-"+strconv.FormatUint(index, 36))
		}
	}
	text = strings.Join(parts, ".")
	return text, text != r.before
}

// AllowReplicas lets replicas answer in place of databases that have one. They answer if they have all that the Reader of Run's context has
// written, and are not behind more than ReplicaLag. It is for pages. What decides something asks the databases themselves, and so does all
// else that writes.
func (r *Read) AllowReplicas() { r.replicas = true }

// Lag is how old the state may be that Run has found; 0 if no replica has answered.
func (r *Read) Lag() time.Duration { return r.lag }

// More begins another Read of the same page.
func (r *Read) More() *Read {
	more := r.db.Read()
	more.For(r.Member, r.Marker, r.Changed, r.Now)
	more.replicas = r.replicas
	return more
}
