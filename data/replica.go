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

// Reader is a browser that reads pages from replicas. Pages must include its own writes, whichever instance makes the page. So the browser
// stores, for each database, the number that its last write has in the database's log (Text).
type Reader struct {
	db     *DB
	wrote  hrana.Reader
	before string // the text that the browser has stored
}

// Replicated reports whether a database has a replica.
func (db *DB) Replicated() bool {
	return db.directory.HasReplica() || slices.ContainsFunc(db.shards, (*hrana.Client).HasReplica)
}

// NewReader returns the reader of a browser with a stored text, "" without recent writes. It ignores invalid parts.
func (db *DB) NewReader(text string) *Reader {
	r := &Reader{db: db, before: text}
	for part := range strings.SplitSeq(text, ".") {
		name, number, _ := strings.Cut(part, "-")
		index, err := strconv.ParseUint(number, 36, 64)
		if c := db.named(name); c != nil && err == nil {
			r.wrote.Note(c, index)
		}
	}
	return r
}

// directoryName is the name of the directory in Text. A shard has its number.
const directoryName = "d"

func (db *DB) named(name string) *hrana.Client {
	if name == directoryName {
		return db.directory
	}
	shard, err := strconv.Atoi(name)
	if err != nil || shard < 0 {
		return nil
	}
	return db.client(Where{kind: onShard, number: shard})
}

// With returns a context that records the reader's writes. A Read.Run with it may use replicas (AllowReplicas).
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

// AllowReplicas lets Run read from replicas that have all writes of the context's Reader and are at most ReplicaLag behind. It is for
// pages. Decisions, and all writes, read the databases themselves.
func (r *Read) AllowReplicas() { r.replicas = true }

// Lag returns how old the state that Run has read may be; 0 if it used no replica.
func (r *Read) Lag() time.Duration { return r.lag }

// More begins another Read of the same page.
func (r *Read) More() *Read {
	more := r.db.Read()
	more.For(r.Member, r.Changes, r.Now)
	more.replicas = r.replicas
	return more
}
