package rules

// Assembled are the statements that are put together when they are sent.
func Assembled() map[string]string {
	all := map[string]string{}
	for name, sql := range map[string]string{"hit": hitThing, "log": logThing} {
		all[name+" of a post"], all[name+" of a draft"], all[name+" of a comment"] = statement(sql, false, false), statement(sql, false, true), statement(sql, true, false)
	}
	return all
}
