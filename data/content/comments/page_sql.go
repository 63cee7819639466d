package comments

import (
	"strconv"
	"strings"
	"sync"

	"plaza/data"
)

// Shape of a thread's page.
const (
	Roots   = 100 // comments of the first level
	Replies = 5   // of each comment, on the levels below
	PageMax = 180 // comments in all: a phone lays them out at once, with less than 4,000 elements, or 5,600 if each has four pictures
)

// pageUpTo limits the comments of a page down to each level. A level may also use what the levels above it have left. The replies to the
// first 100 comments can't fill the page alone, so it also shows the replies to the first of these replies, and so on.
var pageUpTo = [...]int{Roots, 145, 160, 170, PageMax}

// Levels is how many levels a page shows, the first included.
const Levels = len(pageUpTo)

// pageBytes limits the bytes of the long comments of each level; what the levels above have not used is added. The HTML and the column
// pictures are counted; descriptions of pictures have no fewer bytes in the column than on the page. Long comments have more than 512
// bytes. The others have 92 KB at most, and the rest of the HTML of 180 comments and their pictures about 300 KB. So a page has about a
// megabyte at most, whatever members write.
var pageBytes = [Levels]int{320 << 10, 160 << 10, 64 << 10, 48 << 10, 32 << 10}

// pageStatement is the statement of a thread's page: for a member, with :viewer, and for a visitor.
//
// Both have :community and :slug of the post, and :parent, the comment of the page or 0. The first level begins after a cursor: :id, and
// :value in orders by a column.
type pageStatement struct{ member, visitor string }

// pageStatements are assembled for the first page.
var pageStatements = sync.OnceValue(func() map[data.Order]pageStatement {
	all := map[data.Order]pageStatement{}
	for _, named := range data.ThreadOrders {
		order := named.Order
		keys := pageKeys(order)
		all[order] = pageStatement{keys + rowsOfPage(order, ViewerColumns, JoinViewerVote), keys + rowsOfPage(order, noViewerColumns, "")}
	}
	return all
})

// The statement of a page is pageKeys and then pageRows: first the ids level by level, then the comments. Names in braces are filled in.
//
// Each level is a CTE, l1, l2 and so on, of one row:
//
//	ids     the comments of the level, a JSON array in the order of the page
//	bytes   how many bytes the long ones among them have
//	room    how much they may have (pageBytes, and the rest of the levels above)
//	places  how many comments may be shown (pageUpTo, less those of the levels above)
//	shown   how many of ids are shown, from the first on: as many as fit into room and places
//
// Level one is a range of the order's index after the cursor. A level below goes through the one above in order and reads the first
// replies of each comment, a range of the same index that stops at its LIMIT, until the page is full. So the page reads only what it
// shows, and no sibling beyond. The replies to one comment may be cut where the page is full; then it has the first of them.
//
// Long comments have an index of their own, so no row is read for a short one. Their bytes are summed one by one only if they don't all
// fit.
//
// A level refers only to the one above, and only twice: SQLite copies a CTE for every reference when it prepares the statement, so five
// references in each level would take a second.
//
// A table of ids would be read once more for every count, and billed; an array's length costs nothing. And json_each keeps
// the order of a subquery's ids; IN would sort them.
//
// Indexes: those of page_order.go for siblings; comments_long. The post is found by communities' unique name_key and posts' unique
// (community_id, slug).
var (
	pageBegin = `WITH post (id) AS MATERIALIZED (SELECT ` + postOfPage + `)`

	postOfPage = `(SELECT p.id FROM communities k JOIN posts p ON p.community_id = k.id AND p.slug = :slug WHERE k.name_key = :community)`

	// pageLevel is one level. {candidates} is a subquery of the ids that it may show; it may have the columns room and places. {all} is how
	// many are shown if all fit into room. Otherwise the level ends before the first that does not fit.
	pageLevel = `,
{level} (ids, bytes, room, places, shown) AS MATERIALIZED (
  SELECT ids, bytes, room, places, iif(bytes <= room, {all}, (
    SELECT min(place)
    FROM (
      SELECT entry.key AS place, sum(` + longBytes + `entry.value)) OVER (ROWS UNBOUNDED PRECEDING) AS so_far
      FROM json_each(ids) entry)
    WHERE so_far > room))
  FROM (
    SELECT json_group_array(candidate.id) AS ids, coalesce(sum(` + longBytes + `candidate.id)), 0) AS bytes,
      {room} AS room, {places} AS places
    FROM ({candidates}) candidate))`

	// longBytes is the size of a comment's text and pictures on the page if the comment is long, else NULL. The id and a closing bracket
	// follow.
	longBytes = `(
        SELECT min(octet_length(long.body_html), 65536) + octet_length(long.pictures) FROM comments long INDEXED BY comments_long
        WHERE octet_length(long.body_html) + octet_length(long.pictures) > 512 AND long.id = `

	// pageReplies selects the candidates of a level below the first: the replies ({siblings}) to each comment that the level {above} shows.
	// Each row also has the room and the places of the candidates' level.
	pageReplies = `
    SELECT reply.value AS id, max(above.room - above.bytes, 0) + {room} AS room, above.places - above.shown + {places} AS places
    FROM {above} above
    CROSS JOIN json_each(above.ids) parent
    CROSS JOIN json_each((SELECT json_group_array(id) FROM ({siblings}))) reply
    WHERE parent.key < above.shown
    LIMIT (SELECT places - shown + {places} FROM {above})`

	// pageRows selects the comments of the page in order: columnsOfPage, {own}, the value that sorts siblings, and how many comments of the
	// level are shown. The first level has one comment more if there is another page.
	pageRows = `
SELECT ` + columnsOfPage + `{own}, c.{column}, level.shown
FROM (
  SELECT ids, shown, shown + 1 AS rows FROM l1{lower}) level
CROSS JOIN json_each(level.ids) place
CROSS JOIN comments c ON c.id = place.value{vote}
WHERE place.key < level.rows`

	pageLower = `
  UNION ALL SELECT ids, shown, shown FROM {level}`
)

// fill replaces names in braces in a statement by values: a name, its value, and so on.
func fill(statement string, values ...string) string {
	return strings.NewReplacer(values...).Replace(statement)
}

func levelName(level int) string { return "l" + strconv.Itoa(level) }

// pageKeys returns the part of the statement that finds the ids of the page.
func pageKeys(order data.Order) string {
	first := siblings(order, ":parent", true, Roots+1)
	replies := siblings(order, "parent.value", false, Replies)

	keys := pageBegin + fill(pageLevel, "{level}", levelName(1), "{candidates}", first, "{all}", "min(json_array_length(ids), places)",
		"{room}", strconv.Itoa(pageBytes[0]), "{places}", strconv.Itoa(Roots))
	for i := 1; i < Levels; i++ {
		candidates := fill(pageReplies, "{above}", levelName(i), "{siblings}", replies,
			"{room}", strconv.Itoa(pageBytes[i]), "{places}", strconv.Itoa(pageUpTo[i]-pageUpTo[i-1]))
		keys += fill(pageLevel, "{level}", levelName(i+1), "{candidates}", candidates, "{all}", "json_array_length(ids)",
			"{room}", "coalesce(max(candidate.room), 0)", "{places}", "coalesce(max(candidate.places), 0)")
	}
	return keys
}

// rowsOfPage returns the part of the statement that reads the comments of pageKeys. own are the viewer's columns, and vote their join.
func rowsOfPage(order data.Order, own, vote string) string {
	column := sortColumn(order)
	if column == "" {
		column = "id"
	}
	lower := ""
	for level := 2; level <= Levels; level++ {
		lower += fill(pageLower, "{level}", levelName(level))
	}
	return fill(pageRows, "{own}", own, "{column}", column, "{lower}", lower, "{vote}", vote)
}
