// Package verify recomputes the derived values in the databases and Redis: counters, scores, karma, copies of names, hot sets. It reports
// each value that differs, and repairs it on request. The site may write meanwhile.
//
// The idea: one statement selects the stored and the computed value of a page of rows, so both are of one moment. Values on two servers are
// compared twice before a difference is reported. A new derived column needs a check.
//
// Begin with Run, check.go and checks.go. docs/operations/verify-values.md lists what is compared; docs/inside/ops.md says how.
package verify

import (
	"context"
	"fmt"
	"slices"
	"time"

	"plaza/data"
	"plaza/data/content/hot"
	"plaza/data/pace/deadline"
	"plaza/data/wire/hrana"
	"plaza/ops/bucket"
)

// Options say what to verify.
type Options struct {
	Directory *hrana.Client
	Shards    []*hrana.Client // by number; one of them may be the directory
	Hot       *hot.Sets       // in Redis; nil skips them
	Repair    bool
	// MayRepair is called before each statement that repairs. Its error ends the run. nil: repairs are always allowed.
	MayRepair func(context.Context) error
	// WithoutSearch skips the search indexes, for which most rows are read if texts are long. Nothing else depends on them.
	WithoutSearch bool
	Bucket        *bucket.Client // of pictures; nil skips it
	// PictureBytes reads the bytes of every picture. Otherwise only the list of the bucket is read.
	PictureBytes bool
	// Saved returns the copy of a picture in a backup, to restore missing ones; nil if there is no backup.
	Saved func(sum string, small bool) ([]byte, error)
	// Found is called with every difference, once it is known whether it was repaired.
	Found func(Difference)
	// Progress is called after each page with the number of rows read, and about how many there are.
	Progress func(done, total int64, what string)
	// Wait is called between two reads of a difference, so that changes reach other servers. nil waits for ten seconds.
	Wait func(context.Context) error
}

// Result counts what was found.
type Result struct {
	Rows     int64 // that were read
	Found    int
	Repaired int
	Pictures int // that the bucket has
}

// verifier is one run over all databases.
type verifier struct {
	Options
	all    []*database // each once, the directory first
	shards []*database // by number
	slots  *data.SlotMap
	total  int64
	result Result

	members     map[int64]person   // read from the directory so far
	earned      map[int64][2]int64 // by group of authors, with the posts and comments of one database (karma.go)
	pictureRows int                // in the directory
}

// Run verifies everything once. A failure to read or write is an error; differences are not.
func Run(ctx context.Context, o Options) (Result, error) {
	if o.Wait == nil {
		o.Wait = func(ctx context.Context) error { return deadline.DefaultSleep(ctx, 10*time.Second) }
	}
	if o.Found == nil {
		o.Found = func(Difference) {}
	}
	if o.Progress == nil {
		o.Progress = func(int64, int64, string) {}
	}
	v := &verifier{Options: o, all: []*database{{o.Directory, "directory", true}}, slots: data.NewSlotMap(max(len(o.Shards), 1)),
		members: map[int64]person{}}
	for n, client := range o.Shards {
		db := v.all[0]
		if client != o.Directory {
			db = &database{client, fmt.Sprintf("shard %d", n), false}
			v.all = append(v.all, db)
		}
		v.shards = append(v.shards, db)
	}
	err := v.run(ctx)
	return v.result, err
}

// run verifies values before those that are computed from them: deltas before counters, counters before karma, communities before posts.
func (v *verifier) run(ctx context.Context) error {
	agree := func(a agreement) error { return v.compareAgreement(ctx, a) }
	return runSteps(
		func() error { return v.findSlots(ctx) },
		func() error { return v.count(ctx) },
		func() error { return forEach([]agreement{communityCopies, revocationCopies}, agree) },
		func() error { return forEach(mirrors, func(m mirror) error { return v.compareMirror(ctx, m) }) },
		func() error { return forEach(v.all, func(db *database) error { return v.database(ctx, db) }) },
		func() error { return agree(karmaCopies) },
		func() error { return v.pictures(ctx) },
		func() error { return v.hotSets(ctx) },
	)
}

// runSteps runs one step after the other, until one fails.
func runSteps(steps ...func() error) error {
	return forEach(steps, func(step func() error) error { return step() })
}

// forEach calls do with each element of list, until it fails.
func forEach[T any](list []T, do func(T) error) error {
	for _, one := range list {
		if err := do(one); err != nil {
			return err
		}
	}
	return nil
}

// mapSlice returns f(x) for each x of list.
func mapSlice[T, U any](list []T, f func(T) U) []U {
	all := make([]U, len(list))
	for i, one := range list {
		all[i] = f(one)
	}
	return all
}

// idOf returns the id that a row begins with.
func idOf(row []any) int64 { return row[0].(int64) }

// database verifies what is computed from rows of one database, and its copies of names.
func (v *verifier) database(ctx context.Context, db *database) error {
	v.earned = map[int64][2]int64{}
	check := func(c check) error { return v.check(ctx, db, c) }
	err := runSteps(
		func() error { return forEach(rowChecks(), check) },
		func() error { return v.karma(ctx, db) },
		func() error { return forEach(tallies, func(t tally) error { return v.compareTally(ctx, db, t) }) },
		func() error { return forEach(nameCopies, func(c nameCopy) error { return v.compareNames(ctx, db, c) }) },
	)
	if err != nil || v.WithoutSearch {
		return err
	}
	return runSteps(
		func() error { return forEach(wordChecks(db.directory), check) },
		func() error { return forEach(searchIndexes, func(s searchIndex) error { return v.search(ctx, db, s) }) },
	)
}

// rowChecks returns the checks of every database in the order in which they run: no value is computed from one that is checked later.
func rowChecks() []check {
	list := slices.Concat(derivations, orphans, checks)
	for _, p := range pictureSources {
		list = append(list, p.check())
	}
	return append(list, counts...)
}

// countRows counts about how many rows a run reads. It reads posts, comments, users and communities :times times: for values that SQL
// computes, for values that Go computes, for pictures, and for search words and search indexes unless these are skipped.
const countRows = `SELECT :times * (
    (SELECT count(*) FROM posts) + (SELECT count(*) FROM comments) + (SELECT count(*) FROM users) + (SELECT count(*) FROM communities))
  + (SELECT count(*) FROM idempotency_keys) + (SELECT count(*) FROM vote_deltas) + (SELECT count(*) FROM count_deltas) + (SELECT count(*)
  FROM quarantined_votes) + (SELECT count(*) FROM pictures)`

func (v *verifier) count(ctx context.Context) error {
	times := 5
	if v.WithoutSearch {
		times = 3
	}
	return forEach(v.all, func(db *database) error {
		rows, err := db.rows(ctx, countRows, named("times", times))
		if err == nil {
			v.total += idOf(rows[0])
		}
		return err
	})
}
