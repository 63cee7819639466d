package exports

// Statements are the parts that kinds are assembled from.
func Statements() map[string]string {
	all := map[string]string{}
	for _, k := range kinds {
		all[k.Name+", parts"], all[k.Name+", rows"] = k.parts, k.rows
	}
	return all
}
