package comments

import (
	"fmt"
	"strconv"

	"plaza/data"
)

// sortColumn returns the column by which an order sorts siblings, highest first; "" is for the id.
func sortColumn(o data.Order) string {
	switch o {
	case data.OrderTop:
		return "score"
	case data.OrderControversial:
		return "controversy"
	case data.OrderQA:
		return "qa"
	case data.OrderNew, data.OrderOld:
		return ""
	}
	return "best"
}

// siblingRange is a range of an index: siblings in the order of a column.
type siblingRange struct {
	column string
	same   string // the value that the column has in the whole range, which is then in the order of the ids; "" if values differ
	where  string // a condition; "" is for all siblings
}

// siblingRanges returns the ranges of an order by a column, highest first. Each comment is in one of them. Indexes comments_best and
// comments_top; comments_controversial, and comments_siblings for all without a controversy; comments_qa, and comments_best for all
// without a reply by the post's author. A second range skips the few comments of the first, which are in its index, too.
func siblingRanges(o data.Order) []siblingRange {
	switch o {
	case data.OrderControversial:
		return []siblingRange{{"controversy", "", " AND sibling.controversy > 0"}, {"controversy", "0", " AND sibling.controversy = 0"}}
	case data.OrderQA: // below 1, the column qa has the value of the column best
		return []siblingRange{{"qa", "", " AND sibling.qa >= 1"}, {"best", "", " AND sibling.qa < 1"}}
	}
	return []siblingRange{{sortColumn(o), "", ""}}
}

// The ids of siblings: replies to a comment, or to the post where {parent} is 0.
const pageSiblings = `
      SELECT {value}sibling.id AS id FROM comments sibling
      WHERE sibling.post_id = (SELECT id FROM post) AND sibling.parent_id = {parent} AND sibling.held = 0{condition}`

// Two ranges one after the other. The second is read only if the first has too few. SQLite runs the parts of UNION ALL in their order;
// SQL does not promise that, so TestThreadOracle in worker/post compares the results.
const rangesInTurn = `
      SELECT * FROM ({first}) UNION ALL SELECT * FROM ({second}) LIMIT {limit}`

// siblings returns a subquery of the first siblings in an order. A second range is read only if the first has too few. With afterCursor,
// it begins after the cursor.
func siblings(o data.Order, parent string, afterCursor bool, limit int) string {
	column := sortColumn(o)
	if column == "" {
		terms, after := "sibling.id DESC", " AND sibling.id < :id"
		if o == data.OrderOld {
			terms, after = "sibling.id", " AND sibling.id > :id"
		}
		if !afterCursor {
			after = ""
		}
		return fill(pageSiblings, "{value}", "", "{parent}", parent, "{condition}", after) +
			fmt.Sprintf("\n      ORDER BY %s LIMIT %d", terms, limit)
	}
	var parts []string
	for _, part := range siblingRanges(o) {
		after := ""
		switch {
		case afterCursor && part.same != "":
			after = " AND sibling.id < iif(:value > " + part.same + ", 1 << 62, iif(:value < " + part.same + ", 0, :id))"
		case afterCursor:
			after = " AND (sibling." + part.column + ", sibling.id) < (:value, :id COLLATE BINARY)"
		}
		sql := fill(pageSiblings, "{value}", "sibling."+part.column+" AS value, ", "{parent}", parent, "{condition}", part.where+after)
		parts = append(parts, sql+fmt.Sprintf("\n      ORDER BY value DESC, id DESC LIMIT %d", limit))
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return fill(rangesInTurn, "{first}", parts[0], "{second}", parts[1], "{limit}", strconv.Itoa(limit))
}
