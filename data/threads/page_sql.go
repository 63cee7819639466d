package threads

import (
	"strconv"
	"strings"
	"sync"

	"plaza/data"
)

// Shape of a thread's page.
const (
	Roots   = 200 // comments of the first level
	Replies = 10  // of each comment, on the levels below
	PageMax = 500 // comments in all
)

// pageUpTo is how many comments a page has down to each level. What one level does not use is left to those below. The
// replies of the first 200 comments alone don't fill the page: what is read most is shown with its replies, and theirs.
var pageUpTo = [...]int{Roots, 380, 440, 475, PageMax}

// Levels is how many levels a page shows, the first included.
const Levels = len(pageUpTo)

// pageBytes is how much HTML the long comments of each level may have, in bytes, and what the levels above have left of
// theirs. Long ones have more than 512 bytes. The others make a quarter of a megabyte at most, and what surrounds 500
// comments about as much again: so a page is about a megabyte, whoever wrote it.
var pageBytes = [Levels]int{320 << 10, 160 << 10, 64 << 10, 48 << 10, 32 << 10}

// sibling returns the column by which an order sorts siblings, highest first; "" is for the id.
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

// pageStatement is a thread's page for a member, with :viewer, and for a visitor.
//
// Both have :community and :slug of the post, and :parent, the comment that the page is about or 0. The first level
// begins after a cursor: :id, and :value in orders by a column.
type pageStatement struct{ member, nobody string }

// pageStatements are made when the first page is read.
var pageStatements = sync.OnceValue(func() map[data.Order]pageStatement {
	all := map[data.Order]pageStatement{}
	for _, order := range Orders() {
		keys := pageKeys(order)
		all[order] = pageStatement{keys + pageRows(order, Own, OwnVote), keys + pageRows(order, nothingOwn, "")}
	}
	return all
})

// Parts of pageKeys and pageRows.
const (
	postOfPage = `(SELECT p.id FROM communities k JOIN posts p ON p.community_id = k.id AND p.slug = :slug WHERE k.name_key = :community)`

	pageBegin    = `WITH post (id) AS MATERIALIZED (SELECT ` + postOfPage + `)`
	pageSiblings = `SELECT r.id FROM comments r WHERE r.post_id = (SELECT id FROM post) AND r.parent_id = `
	pageAnswers  = `SELECT j.value AS id, max(u.room - u.bytes, 0) + `
	pagePlaces   = `(SELECT places - n + `
	pageArray    = `SELECT json_group_array(id) FROM `
	pageSize     = `(SELECT min(octet_length(x.body_html), 65536) FROM comments x INDEXED BY comments_long WHERE octet_length(x.body_html) > 512 AND x.id = `
	pageList     = `SELECT json_group_array(m.id) AS ids, coalesce(sum(` + pageSize + `m.id)), 0) AS bytes, `
	pageFits     = `SELECT ids, bytes, room, places, iif(bytes <= room, `
	pagePlace    = `(SELECT min(place) FROM (SELECT t.key AS place, sum(` + pageSize + `t.value)) OVER (ROWS UNBOUNDED PRECEDING) AS so_far
  FROM json_each(ids) t) WHERE so_far > room)`
	pageFirst   = `SELECT ids, n, n + 1 AS rows FROM l1`
	pageLevel   = `SELECT ids, n, n FROM l`
	pageColumns = `SELECT ` + Columns
)

// pageKeys makes the ids of a thread's page, level by level: CTEs l1, l2 and so on of one row each, a JSON array. Level
// one is a range of the order's index after the cursor. A level below goes through the one above in order and reads the
// first replies of each comment, a range of the same index that stops at its LIMIT, until the page is full. So what is
// read is what is shown, and no sibling beyond. A group may be cut where the page is full: what is left of it is always
// the group's first.
//
// Of each level n is how many of its ids are shown: all of them, or as many as fit into its room of bytes. The next level
// goes through those, and has what is left of the places and the room. What is long is in an index of its own, so nothing
// is read to know that a comment is short; the ids are gone through one by one only where not all of them fit.
//
// A level names the one above twice and no other: SQLite copies a CTE for every mention of it while it prepares the
// statement, so five mentions a level would take it a second.
//
// A table of ids would be read once more for every count of it, and billed; an array's length costs nothing. And json_each
// alone lists a subquery for each row in the subquery's order; IN would sort it by id.
//
// Index comments_best, comments_top, comments_controversial, comments_qa; comments_siblings by new and old; comments_long.
func pageKeys(order data.Order) string {
	column := sibling(order)
	after, by := "(r."+column+", r.id) < (:value, :id COLLATE BINARY)", "r."+column+" DESC, r.id DESC"
	switch order {
	case data.OrderNew:
		after, by = "r.id < :id", "r.id DESC"
	case OrderOld:
		after, by = "r.id > :id", "r.id"
	}
	siblings := func(parent, condition string, limit int) string {
		return pageSiblings + parent + condition + " ORDER BY " + by + " LIMIT " + strconv.Itoa(limit)
	}
	var b strings.Builder
	b.WriteString(pageBegin)
	ids, room, places, count := siblings(":parent", " AND "+after, Roots+1), strconv.Itoa(pageBytes[0]), strconv.Itoa(Roots), "min(json_array_length(ids), places)"
	for level := 1; level <= Levels; level++ {
		l := "l" + strconv.Itoa(level)
		b.WriteString(",\n" + l + " (ids, bytes, room, places, n) AS MATERIALIZED (" + pageFits + count + ", " + pagePlace + ")\n FROM (" +
			pageList + room + " AS room, " + places + " AS places FROM (" + ids + ") m))")
		if level < Levels {
			more := strconv.Itoa(pageUpTo[level] - pageUpTo[level-1])
			ids = pageAnswers + strconv.Itoa(pageBytes[level]) + " AS room, u.places - u.n + " + more + " AS places\n  FROM " + l + " u CROSS JOIN json_each(u.ids) s CROSS JOIN json_each((" +
				pageArray + "(" + siblings("s.value", "", Replies) + "))) j WHERE s.key < u.n\n  LIMIT " + pagePlaces + more + " FROM " + l + ")"
			room, places, count = "coalesce(max(m.room), 0)", "coalesce(max(m.places), 0)", "json_array_length(ids)"
		}
	}
	return b.String()
}

// pageRows are the comments of pageKeys that fit, in their order: Columns and own, what siblings are sorted by, and how
// many comments of their level fit. Of the first level comes one more, which tells that there is another page.
func pageRows(order data.Order, own, vote string) string {
	column := sibling(order)
	if column == "" {
		column = "id"
	}
	levels := pageFirst
	for level := 2; level <= Levels; level++ {
		levels += " UNION ALL " + pageLevel + strconv.Itoa(level)
	}
	return "\n" + pageColumns + own + ", c." + column + ", l.n FROM (" + levels + ") l CROSS JOIN json_each(l.ids) s CROSS JOIN comments c ON c.id = s.value" + vote + " WHERE s.key < l.rows"
}
