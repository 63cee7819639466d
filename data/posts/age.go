package posts

import (
	"context"
	"errors"
	"slices"
	"time"

	"plaza/data"
	"plaza/data/hrana"
	"plaza/ranking"
)

// posts.age is the youngest window a post is in, as a place in ranking.Windows, so that
// a window is the posts of a few ages and each of them an index range. Listings check
// the time as well: an age may be too young, until the next run of AgePosts or for
// ever, and is never too old.

// AgeOf is the age of a post at a moment.
func AgeOf(created, now time.Time) int {
	return slices.IndexFunc(ranking.Windows(), func(w ranking.Window) bool { return w.Contains(created, now) })
}

// oldestAge is the last age that has posts of a window.
func OldestAge(w ranking.Window) int { return slices.Index(ranking.Windows(), w) }

const (
	// ageStep is how many posts of one age one transaction moves.
	ageStep = 500
	// ageSteps bounds the transactions of one run; the next run goes on.
	ageSteps = 10
	// ageGrace is how much later than due a post moves, against the clocks of shards that
	// differ: who reads by a slow one must not miss a post that is in the window by it.
	ageGrace = time.Minute
)

// Index posts_aging in its order, then primary keys. ?2 age, ?3 how old posts leave it, ?4
// how many; ?5 to ?8 are how old those are that leave the windows from day to year.
const agePosts = `UPDATE posts SET age = CASE WHEN created_at > ` + ageNow + ` - ?5 THEN 1 WHEN created_at > ` + ageNow + ` - ?6 THEN 2
  WHEN created_at > ` + ageNow + ` - ?7 THEN 3 WHEN created_at > ` + ageNow + ` - ?8 THEN 4 ELSE 5 END
WHERE id IN (SELECT id FROM posts WHERE age = ?2 AND age < 5 AND created_at <= ` + ageNow + ` - ?3 ORDER BY created_at LIMIT ?4)`

const ageNow = `coalesce(?1, ` + data.OldDatabaseNow + `)`

// AgePosts moves posts that have outgrown their age to the one they are of, whichever
// it is, in small transactions on every shard. It may run any number of times, at once
// too, or not at all: listings are exact either way and only read more.
func (s *Store) AgePosts(ctx context.Context) error {
	windows := ranking.Windows()
	windows = windows[:len(windows)-1] // all has no end
	ends := make([]any, len(windows))
	for age, w := range windows {
		ends[age] = (w.Duration() + ageGrace).Milliseconds()
	}
	stmts, now := make([]hrana.Stmt, len(windows)), s.Source.OldDatabase()
	for age := range windows {
		stmts[age] = data.OldStmt(agePosts, append([]any{now, age, ends[age], ageStep}, ends[1:]...)...)
	}
	var failed error
	for _, shard := range s.DB.OldShards() {
		for range ageSteps {
			results, err := data.Tx(ctx, shard, stmts...)
			failed = errors.Join(failed, err)
			if err != nil || !slices.ContainsFunc(results, func(r hrana.Result) bool { return r.RowsAffected == ageStep }) {
				break
			}
		}
	}
	return failed
}
