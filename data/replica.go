package data

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"plaza/data/wire/hrana"
)

// ReplicaLag is how old the state of a replica may be.
const ReplicaLag = hrana.Lag

// Reader is a browser that reads pages from replicas. Its own writes must be in them, whichever instance makes the page, so the browser
// stores the numbers of its last writes in the logs of the databases (Text).
type Reader struct {
	db     *DB
	wrote  hrana.Reader
	before string // the text that the browser has stored
}

// Replicated reports whether a database has a replica.
func (db *DB) Replicated() bool {
	return db.directory.HasReplica() || slices.ContainsFunc(db.shards, (*hrana.Client).HasReplica)
}

// NewReader returns the reader with a stored text; "" for one without recent writes. It ignores invalid parts.
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

// directoryName is the name of the directory in Text. A shard has its number.
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

// With returns a context that records writes for the reader, and whose Reads can use replicas (AllowReplicas).
func (r *Reader) With(ctx context.Context) context.Context { return hrana.WithReader(ctx, &r.wrote) }

// Text returns the text for the browser to store. changed is false if it has stored that already.
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

// AllowReplicas lets Run use replicas of databases that have one, if they have all writes of the Reader of Run's context, and are not
// more than ReplicaLag behind. It is for pages. Decisions, and all writes, read the databases themselves.
func (r *Read) AllowReplicas() { r.replicas = true }

// Lag returns how old the state may be that Run has found; 0 if no replica was used.
func (r *Read) Lag() time.Duration { return r.lag }

// More begins another Read of the same page.
func (r *Read) More() *Read {
	more := r.db.Read()
	more.For(r.Member, r.Marker, r.Changed, r.Now)
	more.replicas = r.replicas
	return more
}
