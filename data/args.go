package data

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"plaza/data/wire/hrana"
)

// Args are the arguments of a statement by name: "id" is for :id. Run fails if the statement has a parameter without an argument,
// or no parameter for an argument.
//
// A value is nil, a bool, an int, an int64, a float64, a string or a []byte. Other types are converted: an ID becomes an integer, a
// time.Time milliseconds since 1970 (NULL for the zero time), a time.Duration milliseconds, []ID, []int and []string a JSON array.
type Args map[string]any

// named returns the arguments sorted by name, so that equal arguments make equal requests.
func (a Args) named() []hrana.Named {
	if len(a) == 0 {
		return nil
	}
	list := make([]hrana.Named, 0, len(a))
	for name, v := range a {
		list = append(list, hrana.Named{Name: name, Value: stored(v)})
	}
	slices.SortFunc(list, func(a, b hrana.Named) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// stored converts a value to a type of the database.
func stored(v any) any {
	switch v := v.(type) {
	case ID:
		return int64(v)
	case time.Time:
		if v.IsZero() {
			return nil
		}
		return v.UnixMilli()
	case time.Duration:
		return v.Milliseconds()
	case []ID:
		return JSONIDs(v)
	case []int:
		text, _ := json.Marshal(v) // encoding integers can't fail
		return string(text)
	case []string:
		if v == nil {
			return "[]"
		}
		text, _ := json.Marshal(v) // encoding texts can't fail
		return string(text)
	}
	return v
}
