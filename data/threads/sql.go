package threads

import (
	"plaza/data"
	"strconv"
	"strings"
)

// Orders of a thread besides new, top and controversial.
const (
	OrderBest data.Order = 'b' // ranking.Wilson
	OrderOld  data.Order = 'o'
	OrderQA   data.Order = 'q' // ranking.QARank
)

// Shape of a thread's page.
const (
	ThreadRoots   = 200 // comments of the first level
	ThreadReplies = 10  // of each comment, on the levels below
	ThreadContext = 3   // comments above the one of a permalink
	ThreadMax     = 500 // comments in all
)

// threadUpTo is how many comments a page has down to each level. So what one level does
// not use is left to those below, and the replies of the first 200 comments alone don't
// fill it: what is read most is shown with its replies, and theirs.
var threadUpTo = [...]int{ThreadRoots, 380, 440, 475, ThreadMax}

// threadBytes is how much HTML the long comments of each level may have, in bytes, and what
// the levels above have left of theirs. Long ones have more than 512 bytes. The others make
// a quarter of a megabyte at most, and what surrounds 500 comments about as much again: so
// a page is about a megabyte, whoever wrote it.
var threadBytes = [ThreadLevels]int{320 << 10, 160 << 10, 64 << 10, 48 << 10, 32 << 10}

// ThreadLevels is how many levels a page shows, the first included.
const ThreadLevels = len(threadUpTo)

// sibling is what the order of siblings goes by, falling: a column of comments, or ""
// for the id.
func sibling(o data.Order) string {
	switch o {
	case data.OrderTop:
		return "score"
	case data.OrderControversial:
		return "controversy"
	case OrderQA:
		return "qa"
	case data.OrderNew, OrderOld:
		return ""
	}
	return "best"
}

// threadKeys makes the ids of a thread's page, level by level: CTEs l1, l2 and so on of
// one row each, a JSON array. Level one is a range of the order's index after a cursor
// (?5 id, ?6 value); a level below goes through the one above in order and reads the
// first replies of each comment, a range of the same index that stops at its LIMIT, until
// the page is full. So what is read is what is shown, and no sibling beyond. A group may
// be cut where the page is full: what is left of it is always the group's first.
//
// Of each level n is how many of its ids are shown: all of them, or as many as fit into its
// room of bytes. The next level goes through those, and has what is left of the places and
// the room. What is long is in an index of its own, so nothing is read to know that a
// comment is short; the ids are gone through one by one only where not all of them fit.
//
// A level names the one above twice and no other: SQLite copies a CTE for every mention of
// it while it prepares the statement, so five mentions a level would take it a second.
//
// A table of ids would be read once more for every count of it, and billed; an array's
// length costs nothing. And json_each alone lists a subquery for each row in the
// subquery's order; IN would sort it by id.
//
// Index comments_best, comments_top, comments_controversial, comments_qa; comments_siblings
// by new and old; comments_long.
func threadKeys(order data.Order) string {
	column := sibling(order)
	after, by := "(r."+column+", r.id) < (?6, ?5 COLLATE BINARY)", "r."+column+" DESC, r.id DESC"
	switch order {
	case data.OrderNew:
		after, by = "r.id < ?5", "r.id DESC"
	case OrderOld:
		after, by = "r.id > ?5", "r.id"
	}
	siblings := func(parent, condition string, limit int) string {
		return threadSiblings + parent + condition + " ORDER BY " + by + " LIMIT " + strconv.Itoa(limit)
	}
	var b strings.Builder
	b.WriteString(threadBegin)
	ids, room, places, count := siblings("?4", " AND "+after, ThreadRoots+1), strconv.Itoa(threadBytes[0]), strconv.Itoa(ThreadRoots), "min(json_array_length(ids), places)"
	for level := 1; level <= ThreadLevels; level++ {
		l := "l" + strconv.Itoa(level)
		b.WriteString(",\n" + l + " (ids, bytes, room, places, n) AS MATERIALIZED (" + threadFits + count + ", " + threadPlace + ")\n FROM (" +
			threadList + room + " AS room, " + places + " AS places FROM (" + ids + ") m))")
		if level < ThreadLevels {
			more := strconv.Itoa(threadUpTo[level] - threadUpTo[level-1])
			ids = threadAnswers + strconv.Itoa(threadBytes[level]) + " AS room, u.places - u.n + " + more + " AS places\n  FROM " + l + " u CROSS JOIN json_each(u.ids) s CROSS JOIN json_each((" +
				threadArray + "(" + siblings("s.value", "", ThreadReplies) + "))) j WHERE s.key < u.n\n  LIMIT " + threadPlaces + more + " FROM " + l + ")"
			room, places, count = "coalesce(max(m.room), 0)", "coalesce(max(m.places), 0)", "json_array_length(ids)"
		}
	}
	return b.String()
}

// threadRows are the comments of threadKeys that fit, in their order, and how many those of
// their level are. Of the first level comes one more, which tells that there is more.
func threadRows(order data.Order, mine, vote string) string {
	column := sibling(order)
	if column == "" {
		column = "id"
	}
	levels := threadFirst
	for level := 2; level <= ThreadLevels; level++ {
		levels += " UNION ALL " + threadLevel + strconv.Itoa(level)
	}
	return "\n" + threadColumns + mine + ", c." + column + ", l.n FROM (" + levels + ") l CROSS JOIN json_each(l.ids) s CROSS JOIN comments c ON c.id = s.value" + vote + " WHERE s.key < l.rows"
}

// A threadStatement is a thread's page for a member and for a visitor.
type threadStatement struct{ mine, nobody string }

// threadStatements are made once an instance.
var threadStatements = func() map[data.Order]threadStatement {
	all := map[data.Order]threadStatement{}
	for _, order := range ThreadOrders() {
		keys := threadKeys(order)
		all[order] = threadStatement{keys + threadRows(order, CommentMine, CommentVote), keys + threadRows(order, commentNobody, "")}
	}
	return all
}()

// ThreadOrders lists the orders of a thread, in the order tabs show them.
func ThreadOrders() []data.Order {
	return []data.Order{OrderBest, data.OrderTop, data.OrderNew, OrderOld, data.OrderControversial, OrderQA}
}

const (
	// Parts of threadKeys and threadRows.
	threadBegin    = `WITH post (id) AS MATERIALIZED (SELECT ` + threadPost + `)`
	threadSiblings = `SELECT r.id FROM comments r WHERE r.post_id = (SELECT id FROM post) AND r.parent_id = `
	threadAnswers  = `SELECT j.value AS id, max(u.room - u.bytes, 0) + `
	threadPlaces   = `(SELECT places - n + `
	threadArray    = `SELECT json_group_array(id) FROM `
	threadSize     = `(SELECT min(octet_length(x.body_html), 65536) FROM comments x INDEXED BY comments_long WHERE octet_length(x.body_html) > 512 AND x.id = `
	threadList     = `SELECT json_group_array(m.id) AS ids, coalesce(sum(` + threadSize + `m.id)), 0) AS bytes, `
	threadFits     = `SELECT ids, bytes, room, places, iif(bytes <= room, `
	threadPlace    = `(SELECT min(place) FROM (SELECT t.key AS place, sum(` + threadSize + `t.value)) OVER (ROWS UNBOUNDED PRECEDING) AS so_far
  FROM json_each(ids) t) WHERE so_far > room)`
	threadFirst   = `SELECT ids, n, n + 1 AS rows FROM l1`
	threadLevel   = `SELECT ids, n, n FROM l`
	threadColumns = `SELECT ` + CommentColumns

	threadPost = `(SELECT p.id FROM communities k JOIN posts p ON p.community_id = k.id AND p.slug = ?3 WHERE k.name_key = ?2)`

	// The comment ?4 and, above it, the ?5 it answers. Primary keys.
	threadTop = `WITH RECURSIVE up (id, above) AS (SELECT ?4, 0 UNION ALL
  SELECT m.parent_id, up.above + 1 FROM up CROSS JOIN comments m ON m.id = up.id WHERE up.above < ?5 AND m.parent_id <> 0)
SELECT ` + CommentColumns + CommentMine + ` FROM up CROSS JOIN comments c ON c.id = up.id` + CommentVote + ` WHERE c.post_id = ` + threadPost
)
