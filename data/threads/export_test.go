package threads

import "fmt"

// Assembled are the statements that are put together when they are sent.
func Assembled() map[string]string {
	all := map[string]string{}
	for order, text := range threadStatements {
		all[fmt.Sprintf("thread by %c", order)], all[fmt.Sprintf("thread by %c of a visitor", order)] = text.mine, text.nobody
	}
	return all
}
