package listings

import (
	"strconv"
	"strings"

	"plaza/data"
	"plaza/data/posts"
	"plaza/ranking"
)

// A scope is whose posts are listed: the beginning of a condition on a post p, which fixes the first columns of the indexes
// that hold these posts in order, and the condition's parameter with its value ("" for none). What is to have listings
// (tags, say) needs a scope and those indexes.
type scope struct{ condition, parameter, key string }

// The conditions of scopes, and their indexes.
const (
	// posts_hot, posts_new, posts_top, posts_controversial, posts_comments.
	ofCommunity = `p.community_id = (SELECT c.id FROM communities c WHERE c.name_key = :community) AND p.status = 'published'`
	// The same of the site: posts_site_hot and so on.
	ofSite = `p.status = 'published'`
	// posts_author; new only.
	ofAuthor = `p.author_name = :author COLLATE NOCASE AND p.author_id IS NOT NULL AND p.status = 'published'`
	// posts_same; new only.
	ofThing = `p.link_key = :about AND p.link_key <> '' AND p.status = 'published'`
)

// sortValue is what an order sorts by, falling, and the condition of its partial index that goes with it. The values come
// from the database alone, so that a cursor has the exact bits of what is in the index.
func sortValue(o data.Order) (column, only string) {
	switch o {
	case data.OrderHot:
		return "p.hot", ""
	case data.OrderTop:
		return "p.score", ""
	case data.OrderControversial:
		return "p.controversy", " AND p.controversy > 0"
	case data.OrderComments:
		return "p.comments", " AND p.comments > 0"
	}
	return "p.created_at", "" // new; rising picks from the newest
}

// reader is for whom posts are listed: what is read of a post p, and the join that this needs.
type reader struct{ columns, vote string }

var (
	forMember  = reader{`SELECT ` + posts.Columns + posts.Own, posts.OwnVote} // :viewer
	forVisitor = reader{`SELECT ` + posts.Columns + posts.NothingOwn, ""}
)

// Primary key, one row an id.
const listByIDs = ` FROM json_each(:ids) j CROSS JOIN posts p ON p.id = j.value`

// byIDs is the statement of the posts of :ids, in any order.
func (to reader) byIDs() string {
	return to.columns + listByIDs + to.vote + ` WHERE p.status = 'published'`
}

// listingSQL is the statement of a listing: what the reader sees of a post and the sort value, of the :limit posts after the
// cursor of :value and :id. whose is a scope's condition, with its parameter. A window that is not all time has :window, its
// length in milliseconds, and :now (data.DatabaseNow).
//
// The keyset condition is a row value over the index's last column and the rowid, so that a page costs its rows and no
// more, however deep and however many posts have the same value. SQLite seeks to the pair only with COLLATE BINARY, which
// a rowid lacks and index entries have (whereRangeVectorLen in sqlite.org/src/file/src/wherecode.c).
//
// A window is one branch an age: each is a range of the same index, and the outer ORDER BY merges them row by row, so that
// all time costs five rows more than the past hour. Every branch checks the time, because an age may lag.
func listingSQL(to reader, whose string, order data.Order, window ranking.Window) string {
	value, only := sortValue(order)
	var b strings.Builder
	branch := func(condition string) {
		b.WriteString(to.columns)
		b.WriteString(", ")
		b.WriteString(value)
		b.WriteString(" AS value FROM posts p")
		b.WriteString(to.vote)
		b.WriteString(" WHERE ")
		b.WriteString(whose)
		b.WriteString(only)
		b.WriteString(condition)
		b.WriteString(" AND (")
		b.WriteString(value)
		b.WriteString(", p.id) < (:value, :id COLLATE BINARY)")
	}
	if !order.HasWindows() {
		branch("")
	} else {
		within := " AND p.created_at > " + data.DatabaseNow + " - :window"
		if window == "" || window == ranking.WindowAll {
			window, within = ranking.WindowAll, ""
		}
		for age := range posts.OldestAge(window) + 1 {
			if age > 0 {
				b.WriteString("\nUNION ALL\n")
			}
			branch(" AND p.age = " + strconv.Itoa(age) + within)
		}
	}
	b.WriteString("\nORDER BY value DESC, 1 DESC LIMIT :limit")
	return b.String()
}
