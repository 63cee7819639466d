package rules

import "fmt"

// Assembled are the statements that are assembled at run time.
func Assembled() map[string]string {
	all := map[string]string{"forget of a draft": statement(forgetLater, false, edited), "forget of what is published": statement(forgetLater,
		false, published)}
	for name, sql := range map[string]string{"hit": hitThing, "log": logThing} {
		for _, when := range []occasion{created, published, edited} {
			all[fmt.Sprint(name, " of a post ", when)] = statement(sql, false, when)
		}
		all[name+" of a comment"], all[name+" of an edited comment"] = statement(sql, true, created), statement(sql, true, edited)
	}
	return all
}
