package reports

import "fmt"

// Assembled are the statements that are assembled at run time, and the names of those that merge queues.
func Assembled() (all map[string]string, merged []string) {
	all = map[string]string{"logActsOnPost": logActsOnPost, "logActsOnComment": logActsOnComment}
	for place, list := range statements() {
		name := fmt.Sprintf("%q by %c", place.filter, place.order)
		all["of a community "+name], all["moderated "+name], all["anywhere "+name] = list[0], list[1], list[2]
		merged = append(merged, "moderated "+name, "anywhere "+name)
	}
	return all, merged
}
