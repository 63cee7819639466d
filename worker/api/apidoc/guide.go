package apidoc

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Guide returns the content of the page for people, as package api reads it. document is the result of Document.
func Guide(document []byte) ([]byte, error) {
	var b []byte
	line := func(columns ...string) { b = append(append(b, strings.Join(columns, "\t")...), '\n') }
	for _, r := range reads {
		line("read", strings.TrimSuffix(r.pattern, "{$}")+".json", r.says, nameOf(reflect.TypeOf(r.model)))
	}
	var d struct {
		Paths map[string]struct {
			Post *struct{ Summary, Description string }
		}
	}
	if err := json.Unmarshal(document, &d); err != nil {
		return nil, err
	}
	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		if op := d.Paths[path].Post; op != nil {
			line("action", path, op.Summary, op.Description)
		}
	}
	for _, t := range objects() {
		line("object", nameOf(t))
		for _, f := range allFields(t) {
			text, object := "text", ""
			if !f.Computed {
				text, object = typeText(f.Source.Type)
			}
			line("field", f.Name, text, f.says, object)
		}
	}
	return b, nil
}

// typeText returns the name of a type for people, and the object that a value is or a list has.
func typeText(t reflect.Type) (text, object string) {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false", ""
	case reflect.Int, reflect.Int64:
		return "number", ""
	case reflect.Slice:
		inner, object := typeText(t.Elem())
		if object != "" {
			inner = ""
		}
		return strings.TrimSpace("list of " + inner), object
	case reflect.Pointer:
		return typeText(t.Elem())
	case reflect.Struct:
		if t == timeType {
			return "time", ""
		}
		return "", nameOf(t)
	}
	return "text", ""
}
