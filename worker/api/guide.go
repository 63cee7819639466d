package api

import (
	_ "embed"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	adminpages "plaza/render/admin"
)

// OpenAPI is the document for machines. TestOpenAPI in package worker makes it.
//
//go:embed openapi.json
var OpenAPI []byte

//go:embed actions.json
var actionsJSON []byte

// ActionLines are the actions of a document, for the page for people.
func ActionLines(document []byte) ([]byte, error) {
	var d struct {
		Paths map[string]struct {
			Post *struct{ Summary, Description string }
		}
	}
	if err := json.Unmarshal(document, &d); err != nil {
		return nil, err
	}
	lines := map[string][2]string{}
	for path, op := range d.Paths {
		if op.Post != nil {
			lines[path] = [2]string{op.Post.Summary, op.Post.Description}
		}
	}
	return json.MarshalIndent(lines, "", " ")
}

// Guide is what the page for people says.
var Guide = sync.OnceValue(func() adminpages.APIPage {
	var p adminpages.APIPage
	for _, r := range reads {
		p.Reads = append(p.Reads, adminpages.APILine{Address: strings.TrimSuffix(r.pattern, "{$}") + ".json", Says: r.says,
			Object: nameOf(reflect.TypeOf(r.model))})
	}
	actions := map[string][2]string{}
	if err := json.Unmarshal(actionsJSON, &actions); err != nil {
		panic(err)
	}
	for _, path := range slices.Sorted(maps.Keys(actions)) {
		p.Actions = append(p.Actions, adminpages.APILine{Address: path, Says: actions[path][0], More: actions[path][1]})
	}
	for _, o := range objects {
		if fields := guideFields(reflect.TypeOf(o.model)); !inlined()[reflect.TypeOf(o.model)] {
			p.Objects = append(p.Objects, adminpages.APIObject{Name: o.name, Fields: fields})
		}
	}
	return p
})

func guideFields(t reflect.Type) (list []adminpages.APIField) {
	for _, s := range plans()[t] {
		part, _ := t.FieldByName(s.from)
		if s.as == asInline {
			list = append(list, guideFields(part.Type)...)
			continue
		}
		f := adminpages.APIField{Name: s.name, Says: s.says}
		if s.made == nil {
			f.Type, f.Object = typeText(part.Type)
		} else {
			f.Type = "text"
		}
		list = append(list, f)
	}
	return list
}

// typeText says what a value is, and names the object that it is or has.
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
