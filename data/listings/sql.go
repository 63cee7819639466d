package listings

import (
	"strconv"
	"strings"

	"plaza/data"
	"plaza/data/posts"
	"plaza/ranking"
)

// value is what the order sorts by, falling, and the condition of its partial index
// that goes with it. The values come from the database alone, so that a cursor has the
// exact bits of what is in the index.
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

// A listingScope is whose posts are listed: the beginning of a condition that fixes the
// first columns of the indexes which hold them in order, and its ?5. What is to have
// listings (tags, say) needs a scope and those indexes.
type listingScope struct {
	from string
	arg  string
}

const (
	// posts_hot, posts_new, posts_top, posts_controversial, posts_comments.
	fromCommunity = `p.community_id = (SELECT c.id FROM communities c WHERE c.name_key = ?5) AND p.status = 'published'`
	// The same of the site: posts_site_hot and so on.
	fromSite = `p.status = 'published'`
	// posts_author; new only.
	fromAuthor = `p.author_name = ?5 COLLATE NOCASE AND p.author_id IS NOT NULL AND p.status = 'published'`

	// Primary key, one row an id.
	listByIDs = ` FROM json_each(?2) j CROSS JOIN posts p ON p.id = j.value`
)

// postSelect is what is read of listed posts, for a member or for a visitor.
type postSelect struct{ columns, vote string }

var (
	selectPost     = postSelect{`SELECT ` + posts.PostColumns + posts.PostMine, posts.PostVote}
	selectPostAnon = postSelect{`SELECT ` + posts.PostColumns + posts.PostNobody, ""}
)

func (p postSelect) byIDs() string {
	return p.columns + listByIDs + p.vote + ` WHERE p.status = 'published'`
}

// listingSQL makes the statement of a listing: what is read of a post (?1 the viewer) and
// the sort value of the ?2 posts after the cursor of value ?3 and id ?4; ?5 is the
// scope's, ?6 the length of the window in milliseconds and ?7 the time (databaseNow).
//
// The keyset condition is a row value over the index's last column and the rowid, so
// that a page costs its rows and no more, however deep and however many posts have the
// same value. SQLite seeks to the pair only with COLLATE BINARY, which a rowid lacks
// and index entries have (whereRangeVectorLen in sqlite.org/src/file/src/wherecode.c).
//
// A window is one branch an age: each is a
// range of the same index, and the outer ORDER BY merges them row by row, so that all
// time costs five rows more than the past hour. Every branch checks the time, because
// an age may lag.
func listingSQL(p postSelect, scope string, order data.Order, window ranking.Window) string {
	value, only := sortValue(order)
	var b strings.Builder
	branch := func(condition string) {
		b.WriteString(p.columns)
		b.WriteString(", ")
		b.WriteString(value)
		b.WriteString(" AS value FROM posts p")
		b.WriteString(p.vote)
		b.WriteString(" WHERE ")
		b.WriteString(scope)
		b.WriteString(only)
		b.WriteString(condition)
		b.WriteString(" AND (")
		b.WriteString(value)
		b.WriteString(", p.id) < (?3, ?4 COLLATE BINARY)")
	}
	if !order.HasWindows() {
		branch("")
	} else {
		within := " AND p.created_at > coalesce(?7, " + data.OldDatabaseNow + ") - ?6"
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
	b.WriteString("\nORDER BY value DESC, 1 DESC LIMIT ?2")
	return b.String()
}

// fromSame lists what is about the key ?5: posts_same, new only.
const fromSame = `p.link_key = ?5 AND p.link_key <> '' AND p.status = 'published'`
