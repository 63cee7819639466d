package threads

import "fmt"

// Assembled are the statements that are put together when they are sent.
func Assembled() map[string]string {
	all := map[string]string{}
	for order, sql := range pageStatements() {
		all[fmt.Sprintf("page by %c", order)], all[fmt.Sprintf("page by %c of a visitor", order)] = sql.member, sql.nobody
	}
	return all
}
