package rules

import "fmt"

// Assembled are the statements that are put together when they are sent.
func Assembled() map[string]string {
	all := map[string]string{}
	for name, sql := range map[string]string{"hit": hitThing, "log": logThing, "forget": forgetLater} {
		for _, when := range []occasion{made, published, edited} {
			all[fmt.Sprint(name, " of a post ", when)] = statement(sql, false, when)
			all[fmt.Sprint(name, " of a comment ", when)] = statement(sql, true, min(when, edited))
		}
	}
	return all
}
