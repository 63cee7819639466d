package listings

import (
	"strconv"
	"strings"

	"plaza/data"
	"plaza/data/content/posts"
	"plaza/ranking"
)

// A scope selects the posts of a listing: the beginning of a condition on a post p, and the name and value of its parameter ("" for
// none). The condition fixes the first columns of the indexes that hold these posts in order. A new kind of listing needs a scope and
// such indexes.
type scope struct {
	rows                 rows
	condition, parameter string
	key                  any
}

// rows is the table that a listing reads: its FROM clause, which also joins the post p; its alias, whose columns it is sorted by; and the
// column with the post's id.
type rows struct{ from, alias, id string }

var (
	fromPosts = rows{" FROM posts p", "p", "p.id"}
	fromTags  = rows{" FROM post_tags t CROSS JOIN posts p ON p.id = t.post_id", "t", "t.post_id"}
)

// The conditions of scopes, and their indexes.
const (
	// posts_hot, posts_new, posts_active, posts_top, posts_controversial, posts_comments, posts_views.
	ofCommunity = `p.community_id = (SELECT c.id FROM communities c WHERE c.name_key = :community) AND p.status = 'published'`
	// posts_flair_hot, posts_flair_new, posts_flair_top.
	ofFlair = `p.flair_id = :flair AND p.status = 'published'`
	// The same for the site: posts_site_hot and so on. Posts on profiles are left out.
	ofSite = `p.status = 'published' AND ` + data.NotOnProfile
	// posts_author for new, posts_author_top for top, posts_author_views for views; all for all time.
	ofAuthor = `p.author_name = :author COLLATE NOCASE AND p.author_id IS NOT NULL AND p.status = 'published'`
	// The primary key of post_tags; new and rising only.
	ofTags = `t.key_id = (SELECT k.id FROM tag_keys k WHERE k.name = :tags) AND p.status = 'published'`
	// posts_same; new only.
	ofThing = `p.link_key = :about AND p.link_key <> '' AND p.status = 'published'`
)

// sortValue returns the column of the rows that an order sorts by, highest first, and the condition of its partial index. The database
// alone computes these values, so that a cursor has the exact bits of the index.
func (t rows) sortValue(o data.Order) (column, only string) {
	switch o {
	case data.OrderHot:
		return t.alias + ".hot", ""
	case data.OrderTop:
		return t.alias + ".score", ""
	case data.OrderControversial:
		return t.alias + ".controversy", " AND " + t.alias + ".controversy > 0"
	case data.OrderComments:
		return t.alias + ".comments_step", " AND " + t.alias + ".comments_step > 0"
	case data.OrderViews:
		return t.alias + ".views", " AND " + t.alias + ".views > 0"
	case data.OrderActive:
		return t.alias + ".active", ""
	case data.OrderNew, data.OrderRising: // rising chooses from the newest
		return t.alias + ".created_at", ""
	}
	panic("listings: no column for the order " + string(rune(o)))
}

// reader is the viewer of a listing: the columns of a post p to read for them, and the join that they need.
type reader struct{ columns, vote string }

var (
	forMember  = reader{`SELECT ` + posts.Columns + posts.ViewerColumns, posts.JoinViewerVote} // :viewer
	forVisitor = reader{`SELECT ` + posts.Columns + posts.NoViewerColumns, ""}
)

// Primary key, one row an id.
const listByIDs = ` FROM json_each(:ids) j CROSS JOIN posts p ON p.id = j.value`

// byIDs returns the statement that reads the posts of :ids, in any order.
func (v reader) byIDs() string {
	return v.columns + listByIDs + v.vote + ` WHERE p.status = 'published'`
}

// noWindow is the window of a scope whose indexes have no age.
const noWindow ranking.Window = "none"

// listingSQL returns the statement of a listing: the reader's columns and the sort value of the :limit posts after the cursor, which is
// :value and :id. t is the table that it reads, and where the condition of its scope. A window that is not all time has :window, its length
// in milliseconds, and :now (data.DatabaseNow). The window noWindow is all time for a scope whose indexes have no age.
//
// The condition of the cursor compares a pair with the index's last column and the rowid. So a page costs only its rows, at any depth and
// with any number of equal values. SQLite seeks to the pair only with COLLATE BINARY, which a rowid lacks and index entries have
// (whereRangeVectorLen in sqlite.org/src/file/src/wherecode.c).
//
// A window has one branch of a UNION for each age. Each is a range of the same index, and the outer ORDER BY merges them row by row, so
// all time costs only five rows more than the past hour. Every branch checks the time, because an age may lag.
func listingSQL(v reader, t rows, where string, order data.Order, window ranking.Window) string {
	value, only := t.sortValue(order)
	columns := strings.Replace(v.columns, "p.id", t.id, 1) // the column of the index, for the order
	var b strings.Builder
	branch := func(condition string) {
		b.WriteString(columns)
		b.WriteString(", ")
		b.WriteString(value)
		b.WriteString(" AS value")
		b.WriteString(t.from)
		b.WriteString(v.vote)
		b.WriteString(" WHERE ")
		b.WriteString(where)
		b.WriteString(only)
		b.WriteString(condition)
		b.WriteString(" AND (")
		b.WriteString(value)
		b.WriteString(", ")
		b.WriteString(t.id)
		b.WriteString(") < (:value, :id COLLATE BINARY)")
	}
	if !order.HasWindows() || window == noWindow {
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
			branch(" AND " + t.alias + ".age = " + strconv.Itoa(age) + within)
		}
	}
	b.WriteString("\nORDER BY value DESC, 1 DESC LIMIT :limit")
	return b.String()
}
