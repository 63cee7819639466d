package comments

import (
	"fmt"

	"plaza/data"
)

// Assembled are the statements that are assembled at run time.
func Assembled() map[string]string {
	all := map[string]string{}
	for order, sql := range pageStatements() {
		all[fmt.Sprintf("page by %c", order)], all[fmt.Sprintf("page by %c of a visitor", order)] = sql.member, sql.visitor
	}
	for _, order := range []data.Order{data.OrderNew, data.OrderTop, data.OrderControversial} {
		all[fmt.Sprintf("of an author by %c", order)] = authorSQL(ofAuthorMember, JoinViewerVote, order)
		all[fmt.Sprintf("of an author by %c of a visitor", order)] = authorSQL(ofAuthorVisitor, "", order)
	}
	return all
}
