// Package verify recomputes the derived values in the databases and Redis: counters, scores, karma, copies of names, hot sets. It reports
// each value that differs, and repairs it on request. The site may write meanwhile.
//
// The idea: one statement selects the stored and the computed value of a page of rows, so both are of one moment. Values on two servers are
// compared twice before a difference is reported. A new derived column needs a check.
//
// Begin with Run and check.go. docs/operations/verify-values.md lists what is compared; docs/inside/tools.md says how.
package verify

import (
	"context"
	"fmt"
	"time"

	"plaza/data"
	"plaza/data/lists/hot"
	"plaza/data/wire/hrana"
	"plaza/tools/bucket"
)

// Options say what to verify.
type Options struct {
	Directory *hrana.Client
	Shards    []*hrana.Client // by number; one of them may be the directory
	// Hot are the sets in Redis; nil skips them.
	Hot    *hot.Sets
	Repair bool
	// MayRepair is called before each statement that repairs. Its error ends the run. nil: no check.
	MayRepair func(context.Context) error
	// WithoutSearch skips the search indexes, which are most of the rows of a run if texts are long. Nothing else depends on them.
	WithoutSearch bool
	// Bucket is the bucket of pictures; nil skips it.
	Bucket *bucket.Client
	// PictureBytes reads the bytes of every picture. Otherwise it only reads the bucket's list.
	PictureBytes bool
	// Saved returns the copy of a picture in a backup, to restore missing ones; nil if there is no backup.
	Saved func(sum string, small bool) ([]byte, error)
	// Found is called with every difference, once it is known whether it was repaired.
	Found func(Difference)
	// Progress is called after each page with how many rows of how many were read.
	Progress func(done, total int64, what string)
	// Wait waits for changes to arrive from one server at another, between two reads of a difference. nil waits for ten seconds.
	Wait func(context.Context) error
}

// Difference is one wrong value.
type Difference struct {
	Database string // directory, shard 0, redis, bucket
	Table    string
	Key      string // the row's primary key; comma separated if it has several columns
	Column   string // "row" if the whole row is wrong
	Stored   string
	Computed string
	Repaired bool
	// NotRepaired is why it was not repaired although a repair was requested.
	NotRepaired string
}

func (d Difference) String() string {
	s := fmt.Sprintf("%s: %s %s: %s is %s and should be %s", d.Database, d.Table, d.Key, d.Column, d.Stored, d.Computed)
	switch {
	case d.Repaired:
		return s + " (repaired)"
	case d.NotRepaired != "":
		return s + " (left as it is: " + d.NotRepaired + ")"
	}
	return s
}

// Result has the counts of the findings.
type Result struct {
	Rows     int64 // that were read
	Found    int
	Repaired int
	// Pictures is how many pictures the bucket has.
	Pictures int
}

// database is one database and its name in reports.
type database struct {
	*hrana.Client
	name      string
	directory bool
	shard     int // -1: none
}

// verifier is one run over all databases.
type verifier struct {
	Options
	all    []*database // each once, the directory first
	people *people
	total  int64
	result Result

	pictureRows int // in the directory
	slots       *data.SlotMap
}

// Run verifies everything once. A failure to read or write is an error; differences are not.
func Run(ctx context.Context, o Options) (Result, error) {
	if o.Wait == nil {
		o.Wait = wait
	}
	if o.Found == nil {
		o.Found = func(Difference) {}
	}
	if o.Progress == nil {
		o.Progress = func(int64, int64, string) {}
	}
	v := &verifier{Options: o, all: list(o)}
	v.people = newPeople(o.Directory)
	err := v.run(ctx)
	return v.result, err
}

// list names every database once.
func list(o Options) []*database {
	all := []*database{{Client: o.Directory, name: "directory", directory: true, shard: -1}}
	for n, db := range o.Shards {
		if db == o.Directory {
			all[0].shard = n
			continue
		}
		all = append(all, &database{Client: db, name: fmt.Sprintf("shard %d", n), shard: n})
	}
	return all
}

func (v *verifier) run(ctx context.Context) error {
	if err := v.findSlots(ctx); err != nil {
		return err
	}
	if err := v.count(ctx); err != nil {
		return err
	}
	// Sources come first: waiting deltas before counters, counters before karma, copies of communities before posts.
	if err := v.communityCopies(ctx); err != nil {
		return err
	}
	if err := v.revocationCopies(ctx); err != nil {
		return err
	}
	for _, m := range mirrors {
		if err := v.mirrored(ctx, m); err != nil {
			return fmt.Errorf("%s: %w", m.table, err)
		}
	}
	for _, db := range v.all {
		if err := v.database(ctx, db); err != nil {
			return fmt.Errorf("%s: %w", db.name, err)
		}
	}
	if err := v.ratings(ctx); err != nil {
		return fmt.Errorf("users: %w", err)
	}
	if err := v.pictures(ctx); err != nil {
		return fmt.Errorf("pictures: %w", err)
	}
	if v.Hot != nil {
		if err := v.hotSets(ctx); err != nil {
			return fmt.Errorf("redis: %w", err)
		}
	}
	return nil
}

func (v *verifier) database(ctx context.Context, db *database) error {
	for _, s := range orphans {
		if err := v.orphans(ctx, db, s); err != nil {
			return fmt.Errorf("%s: %w", s.table, err)
		}
	}
	for _, d := range derivations {
		if err := v.derived(ctx, db, d); err != nil {
			return fmt.Errorf("%s: %w", d.table, err)
		}
	}
	if err := v.moderators(ctx, db); err != nil {
		return fmt.Errorf("moderators: %w", err)
	}
	if err := v.fanOutOnRead(ctx, db); err != nil {
		return fmt.Errorf("follows: %w", err)
	}
	if err := v.reasons(ctx, db); err != nil {
		return fmt.Errorf("report_reasons: %w", err)
	}
	if err := v.uses(ctx, db); err != nil {
		return fmt.Errorf("picture_uses: %w", err)
	}
	if err := v.tagged(ctx, db); err != nil {
		return fmt.Errorf("post_tags: %w", err)
	}
	if err := v.followed(ctx, db); err != nil {
		return fmt.Errorf("tag_follows: %w", err)
	}
	earned := newTotals()
	defer func() { _ = earned.close() }()
	for _, c := range []struct {
		check
		each eachPage
	}{
		{followCounters, nil}, {memberCounters, nil}, {wikiPresent, nil}, {waitingCounters, nil}, {statistics, nil}, {dayCounters, nil},
		{tagCounters, nil},
		{caseCounters, v.deciders}, {reportCounters, nil},
		{postCounters, v.comparePage(earned)}, {commentCounters, v.comparePage(earned)},
	} {
		if err := v.check(ctx, db, c.check, c.each); err != nil {
			return fmt.Errorf("%s: %w", c.table, err)
		}
	}
	if err := v.lostVotes(ctx, db); err != nil {
		return fmt.Errorf("votes: %w", err)
	}
	if err := v.karma(ctx, db, earned); err != nil {
		return fmt.Errorf("author_karma: %w", err)
	}
	if err := v.reputations(ctx, db); err != nil {
		return fmt.Errorf("reputations: %w", err)
	}
	if err := v.decisions(ctx, db); err != nil {
		return fmt.Errorf("moderation_counts: %w", err)
	}
	if err := v.karmaNames(ctx, db); err != nil {
		return fmt.Errorf("author_karma: %w", err)
	}
	if err := v.actors(ctx, db); err != nil {
		return fmt.Errorf("moderation_log: %w", err)
	}
	if err := v.banned(ctx, db); err != nil {
		return fmt.Errorf("bans: %w", err)
	}
	if v.WithoutSearch {
		return nil
	}
	for _, d := range wordeds {
		if err := v.words(ctx, db, d); err != nil {
			return fmt.Errorf("%s: %w", d.table, err)
		}
	}
	for _, s := range searches {
		if err := v.search(ctx, db, s); err != nil {
			return fmt.Errorf("%s: %w", s.table, err)
		}
	}
	return nil
}

// report counts differences and passes them to Found.
func (v *verifier) report(found ...Difference) {
	for _, d := range found {
		v.result.Found++
		if d.Repaired {
			v.result.Repaired++
		}
		v.Found(d)
	}
}

// countRows counts the rows of the run. Posts, comments, users and communities are read three times: for SQL's computations, for Go's,
// and for the search unless it is skipped.
const countRows = `SELECT :times * (
    (SELECT count(*) FROM posts) + (SELECT count(*) FROM comments) + (SELECT count(*) FROM users) + (SELECT count(*) FROM communities))
  + (SELECT count(*) FROM idempotency_keys) + (SELECT count(*) FROM vote_deltas) + (SELECT count(*) FROM count_deltas) + (SELECT count(*)
  FROM quarantined_votes) + (SELECT count(*) FROM pictures)`

func (v *verifier) count(ctx context.Context) error {
	times := int64(3)
	if v.WithoutSearch {
		times = 2
	}
	for _, db := range v.all {
		rows, err := rowsOf(ctx, db.Client, countRows, named("times", times))
		if err != nil {
			return fmt.Errorf("%s: %w", db.name, err)
		}
		v.total += rows[0][0].(int64)
	}
	return nil
}

// read records that n rows of a table were read.
func (v *verifier) read(db *database, table string, n int) {
	v.result.Rows += int64(n)
	v.Progress(min(v.result.Rows, v.total), v.total, db.name+", "+table)
}

func wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(10 * time.Second):
		return nil
	}
}
