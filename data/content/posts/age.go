package posts

import (
	"context"
	"slices"
	"time"

	"plaza/data"
	"plaza/ranking"
)

// posts.age is the youngest window that a post is in, as its index in ranking.Windows. So a window consists of a few ages, and each age
// is a range of an index. An age may be too young, until the next run of AgePosts or permanently, but is never too old. So listings check
// the time as well.

// AgeOf returns the age of a post at a time.
func AgeOf(created, now time.Time) int {
	return slices.IndexFunc(ranking.Windows(), func(w ranking.Window) bool { return w.Contains(created, now) })
}

// OldestAge is the last age that has posts of a window.
func OldestAge(w ranking.Window) int { return slices.Index(ranking.Windows(), w) }

const (
	// ageStep is how many posts of one age one transaction moves.
	ageStep = 500
	// ageSteps limits the transactions of one run; the next run continues.
	ageSteps = 10
	// ageGrace delays each move. The clocks of shards may differ: a read by a slow clock must not miss a post that is still in the window by
	// that clock.
	ageGrace = time.Minute
)

// agePosts moves posts of :age that are older than :end to their present age. :day, :week, :month and :year are the ages at which a post
// leaves these windows. Index posts_aging in its order, then primary keys.
const agePosts = `UPDATE posts SET age = CASE WHEN created_at > ` + data.DatabaseNow + ` - :day THEN 1 WHEN created_at > ` +
	data.DatabaseNow + ` - :week THEN 2
  WHEN created_at > ` + data.DatabaseNow + ` - :month THEN 3 WHEN created_at > ` + data.DatabaseNow + ` - :year THEN 4 ELSE 5 END
WHERE id IN (SELECT id FROM posts WHERE age = :age AND age < 5 AND created_at <= ` + data.DatabaseNow +
	` - :end
  AND (id >> 12) & 1023` + data.NotFrozen + ` ORDER BY created_at LIMIT :step)`

// AgePosts moves posts to their present age, in small transactions on every shard. It may run any number of times, at the same time too,
// or not at all: listings are exact either way and only read more.
func (s *Store) AgePosts(ctx context.Context) error {
	leaves := func(w ranking.Window) time.Duration { return w.Duration() + ageGrace }
	return s.DB.StepsAll(ctx, ageSteps, func(w *data.Write) func() bool {
		var moved []*data.Change
		for age, window := range ranking.Windows() {
			if window == ranking.WindowAll { // no post leaves it
				continue
			}
			moved = append(moved, w.Do(agePosts, data.Args{"now": s.Source.DatabaseNow(), "age": age, "end": leaves(window), "step": ageStep,
				"day": leaves(ranking.WindowDay), "week": leaves(ranking.WindowWeek), "month": leaves(ranking.WindowMonth),
				"year": leaves(ranking.WindowYear)}))
		}
		return func() bool { return slices.ContainsFunc(moved, func(c *data.Change) bool { return c.Rows == ageStep }) }
	})
}
