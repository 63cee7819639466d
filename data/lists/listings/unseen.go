package listings

import (
	"slices"
	"strings"

	"plaza/data"
	"plaza/data/content/posts"
	"plaza/ranking"
)

// walkFactor limits how many posts a page reads that leaves out seen posts: this many for each post that it may show. A page that has not
// found enough by then ends early, and the next one continues after the last post that this one has read.
const walkFactor = 5

// walk adds the arguments of walkSQL to those of a page.
func walk(args data.Args, unseen bool, limit int) data.Args {
	args["walk"] = limit
	if unseen {
		args["walk"], args["limit"] = walkFactor*limit, limit
	}
	return args
}

// walkSQL returns a statement about a list. merged are the columns and the body of a common table expression that has the next :walk posts
// (id) in their order; before is the SQL before it. From it the statement makes the table shown, from which the SELECT last reads: merged
// itself, or with unseen the first :limit posts except posts of other authors that :viewer has seen. If these are not enough, a row with
// ends set has the place of the last post that was read.
func walkSQL(unseen bool, before, merged, last string) string {
	if !unseen {
		return before + allFrom + merged + allEnd + last
	}
	return before + unseenFrom + merged + unseenElse + merged + unseenEnd + last
}

// merged is used once, because only then does SQLite read it row by row, as far as it is needed. With a LIMIT of 0 it reads nothing, and
// that OFFSET is at most :walk.
const (
	allFrom    = `merged `
	allEnd     = `, shown AS (SELECT *, 0 AS ends FROM merged) `
	unseenFrom = `unseen AS MATERIALIZED (WITH RECURSIVE merged `
	unseenElse = ` SELECT w.* FROM merged w WHERE NOT EXISTS (SELECT 1 FROM visits seen CROSS JOIN posts own ON own.id = seen.post_id
    WHERE seen.user_id = :viewer AND seen.post_id = w.id AND own.author_id IS NOT :viewer) LIMIT :limit),
shown AS (SELECT *, 0 AS ends FROM unseen
  UNION ALL SELECT *, 1 FROM (WITH RECURSIVE merged `
	unseenEnd  = ` SELECT * FROM merged LIMIT ((SELECT count(*) FROM unseen) < :limit) OFFSET :walk - 1)) `
	walkedWith = `WITH `
	walkedIDs  = `SELECT p.id`
	walkedFrom = `, w.value, w.ends FROM shown w CROSS JOIN posts p ON p.id = w.id` + posts.JoinViewerVote
)

// unseenSQL returns the statement of a listing that leaves out seen posts. It has the columns of listingSQL, and ends.
func unseenSQL(v reader, t rows, where string, order data.Order, window ranking.Window) string {
	merged := `(id, value) AS (` + strings.TrimSuffix(listingSQL(reader{columns: walkedIDs}, t, where, order, window), ":limit") + ":walk)"
	return walkSQL(true, walkedWith, merged, v.columns+walkedFrom)
}

// earlier returns the first of two places. nil is after all places.
func earlier[T any](a *T, b T, compare func(a, b T) int) *T {
	if a != nil && compare(*a, b) <= 0 {
		return a
	}
	return &b
}

// until sorts the posts and removes those after the end, where the first database has stopped reading.
func until[T any](found []T, end *T, compare func(a, b T) int) []T {
	slices.SortFunc(found, compare)
	if end == nil {
		return found
	}
	return slices.DeleteFunc(found, func(item T) bool { return compare(*end, item) < 0 })
}

// lastOf returns the end of a page, and whether another page follows. list is the result of until. If a shard was missing from r, it is not
// known which page is the last. Then another page follows, unless this one is empty.
func lastOf[T any](r *data.Read, list []T, end *T, limit int) (last T, more bool) {
	switch {
	case len(list) > limit:
		return list[limit-1], true
	case end != nil:
		return *end, true
	case len(list) > 0 && !r.Complete():
		return list[len(list)-1], true
	}
	return last, false
}
