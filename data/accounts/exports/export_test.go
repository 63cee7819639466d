package exports

// Statements are those that kinds are put together of.
func Statements() map[string]string {
	all := map[string]string{}
	for _, k := range kinds {
		all[k.Name+", parts"], all[k.Name+", rows"] = k.parts, k.rows
	}
	return all
}
