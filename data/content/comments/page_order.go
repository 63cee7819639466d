package comments

import (
	"fmt"
	"strconv"

	"plaza/data"
)

// sibling returns the column by which an order sorts siblings, highest first; "" is for the id.
func sibling(o data.Order) string {
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

// ranked are some of the siblings, which an index has in the order of a column.
type ranked struct {
	column string
	same   string // the value of the column, if all of them have the same; the index then has them in the order of their ids
	where  string // a condition; "" is for all siblings
}

// rankedBy are the parts of an order by a column, highest first. Each comment is in one of them. Indexes comments_best and comments_top;
// comments_controversial, and comments_siblings for all without a controversy; comments_qa, and comments_best for all without a reply by
// the post's author. The latter ranges leave out the few comments of the former.
func rankedBy(o data.Order) []ranked {
	switch o {
	case data.OrderControversial:
		return []ranked{{"controversy", "", " AND sibling.controversy > 0"}, {"controversy", "0", " AND sibling.controversy = 0"}}
	case data.OrderQA: // qa is best if it is below 1
		return []ranked{{"qa", "", " AND sibling.qa >= 1"}, {"best", "", " AND sibling.qa < 1"}}
	}
	return []ranked{{sibling(o), "", ""}}
}

// The ids of siblings: replies to a comment, or to the post where {parent} is 0.
const pageSiblings = `
      SELECT {value}sibling.id AS id FROM comments sibling
      WHERE sibling.post_id = (SELECT id FROM post) AND sibling.parent_id = {parent} AND sibling.held = 0{condition}`

// Two ranges one after the other. The second is read only if the first has too few. SQLite runs the parts of UNION ALL in their order;
// SQL does not promise that, so TestThreadOracle in worker/post compares the results.
const rangesInTurn = `
      SELECT * FROM ({first}) UNION ALL SELECT * FROM ({second}) LIMIT {limit}`

// siblings selects the first siblings in an order: of one range of an index after the other, while there are too few. later makes it
// begin after the cursor.
func siblings(o data.Order, parent string, later bool, limit int) string {
	column := sibling(o)
	if column == "" {
		terms, after := "sibling.id DESC", " AND sibling.id < :id"
		if o == data.OrderOld {
			terms, after = "sibling.id", " AND sibling.id > :id"
		}
		if !later {
			after = ""
		}
		return fill(pageSiblings, "{value}", "", "{parent}", parent, "{condition}", after) +
			fmt.Sprintf("\n      ORDER BY %s LIMIT %d", terms, limit)
	}
	var parts []string
	for _, part := range rankedBy(o) {
		after := ""
		switch {
		case later && part.same != "":
			after = " AND sibling.id < iif(:value > " + part.same + ", 1 << 62, iif(:value < " + part.same + ", 0, :id))"
		case later:
			after = " AND (sibling." + part.column + ", sibling.id) < (:value, :id COLLATE BINARY)"
		}
		of := fill(pageSiblings, "{value}", "sibling."+part.column+" AS value, ", "{parent}", parent, "{condition}", part.where+after)
		parts = append(parts, of+fmt.Sprintf("\n      ORDER BY value DESC, id DESC LIMIT %d", limit))
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return fill(rangesInTurn, "{first}", parts[0], "{second}", parts[1], "{limit}", strconv.Itoa(limit))
}
