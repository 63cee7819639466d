package mover

// Moved are the tables that are moved, each with a statement for the rows of a slot.
func Moved(slot int) map[string]string {
	all := map[string]string{}
	for i := range tables {
		t := &tables[i]
		all[t.name] = "SELECT x.* FROM " + t.name + " x WHERE " + t.belongs("x", slot)
	}
	return all
}

// MovedJobs are the kinds of work that are moved.
var MovedJobs = movedJobs
