package mover

import "fmt"

// Moved are the tables that are moved, each with a statement for the rows that belong to a slot.
func Moved(slot int) map[string]string {
	all := map[string]string{}
	for i := range tables {
		t := &tables[i]
		all[t.name] = "SELECT x.* FROM " + t.name + " x WHERE " + t.belongs("x", fmt.Sprint(slot))
	}
	return all
}

// Kept are the triggers that do not rest.
func Kept() (list []string) {
	for i := range tables {
		list = append(list, tables[i].keeps...)
	}
	return list
}

// Works are the kinds of work that are moved.
var Works = works
