package data

import (
	"encoding/json"
	"slices"
	"time"

	"plaza/data/hrana"
)

// Args are the arguments of a statement by name: "id" is for :id. What stands here and not in the statement is an error
// of Run, as is what stands there and not here.
//
// A value is nil, a bool, an int, an int64, a float64, a string or a []byte, or one of these, which are stored otherwise:
// an ID as an integer, a time.Time as milliseconds since 1970 (the zero time as NULL), a time.Duration as milliseconds,
// []ID and []string as JSON arrays for json_each.
type Args map[string]any

// named is the arguments as they are sent: in the order of their names, so that equal ones are equal requests.
func (a Args) named() []hrana.Named {
	if len(a) == 0 {
		return nil
	}
	list := make([]hrana.Named, 0, len(a))
	for name, v := range a {
		list = append(list, hrana.Named{Name: name, Value: stored(v)})
	}
	slices.SortFunc(list, func(a, b hrana.Named) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return list
}

// stored is a value as the database keeps it.
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
		return JsonIDs(v)
	case []string:
		if v == nil {
			return "[]"
		}
		text, _ := json.Marshal(v) // of texts
		return string(text)
	}
	return v
}
