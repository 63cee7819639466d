// Package api writes the view models of pages as JSON, for programs. What a program is told of a page is exactly what the page is made of,
// so the two can't differ.
//
// # Pages in other formats
//
// An address that ends in .json is the route of the page with that format (worker/request/format.go). The pattern of a page in the routes
// table names its formats: /new[.json]. The page's handler runs as it does for HTML, with the same access, limits and reads, and show
// encodes the view model instead of drawing it. So a format costs a page nothing but the encoding, and shows nobody anything that the page
// does not. The edge knows the endings, too, and keeps each format like a page of its own.
//
// JSON is encoded by tables that name each field of the view models once, with its name in JSON and what it says; what only serves the
// interface is named as left out. A test refuses a field that is not in its table. TestEveryJSONIsItsPage reads each page as a browser does
// and compares what it shows with the JSON, and fails on a text in the JSON that is nowhere on the page. Where a view model has what its
// page hides, such as the excerpt of a spoiler, the table leaves it out.
//
// The OpenAPI document (openapi.json) is made by PLAZA_UPDATE=1 go test ./worker -run TestOpenAPI from the routes table, these tables and
// the lines of actions in docs/api.md. The same test fails when the document is not up to date, such as after a new field or a new action
// for tokens. A new page in JSON needs a line in read.go.
//
// A redirect keeps the format (Call.Address). Scripts of any other site may read these addresses, but not with a member's cookies: the
// answer allows any origin and no credentials.
package api

import (
	"fmt"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"plaza/data"
)

// form is how the value of a field is written, where its type does not tell.
type form int

const (
	asIs      form = iota
	asID           // a text id as a decimal string; null for none
	asText         // a text; null for none
	asInline       // the fields of a part as fields of the whole
	asCursor       // of the address of a following page, the cursor; null for none
	asAddress      // of the address of another page, that of its JSON; null for none
)

// field is a field of a view model. A field without a name is not written.
type field struct {
	from string // in the view model
	name string // in JSON
	as   form
	says string // for the documentation
	// made is the text to write, of a pointer to the view model; nil writes the field itself.
	made func(model any) string
}

// object is how a view model, or a part of one, is written.
type object struct {
	name   string // in the documentation
	model  any
	fields []field
}

// without are fields that are not written: they are for the interface of the page, such as tabs, buttons and forms.
func without(names ...string) (list []field) {
	for _, name := range names {
		list = append(list, field{from: name})
	}
	return list
}

// step writes one field.
type step struct {
	field
	index []int
	key   string // the name, ready to be written
}

// plans are the steps of each type.
var plans = sync.OnceValue(func() map[reflect.Type][]step {
	all := map[reflect.Type][]step{}
	for _, o := range objects {
		t := reflect.TypeOf(o.model)
		steps := make([]step, 0, len(o.fields))
		for _, f := range o.fields {
			part, ok := t.FieldByName(f.from)
			if !ok {
				panic(fmt.Sprintf("api: %s has no field %s", t, f.from))
			}
			if f.name != "" || f.as == asInline {
				steps = append(steps, step{f, part.Index, `"` + f.name + `":`})
			}
		}
		all[t] = steps
	}
	return all
})

// Knows tells whether a view model can be written.
func Knows(view any) bool { return plans()[reflect.TypeOf(view)] != nil }

// Encode writes a view model of a page.
func Encode(view any) ([]byte, error) {
	if !Knows(view) {
		return nil, fmt.Errorf("api: no table for %T", view)
	}
	whole := reflect.New(reflect.TypeOf(view)).Elem()
	whole.Set(reflect.ValueOf(view))
	return append(appendObject(make([]byte, 0, 1<<14), whole), '\n'), nil
}

func appendObject(b []byte, v reflect.Value) []byte {
	b = append(b, '{')
	b = appendFields(b, v)
	return append(b, '}')
}

// appendFields writes the fields of an object, with commas between them.
func appendFields(b []byte, v reflect.Value) []byte {
	steps, ok := plans()[v.Type()]
	if !ok {
		panic(fmt.Sprintf("api: no table for %s", v.Type()))
	}
	for i := range steps {
		s := &steps[i]
		part := v.FieldByIndex(s.index)
		if last := b[len(b)-1]; last != '{' && last != ',' {
			b = append(b, ',')
		}
		if s.as == asInline {
			b = appendFields(b, part)
			continue
		}
		b = append(b, s.key...)
		if s.made != nil {
			b = appendForm(b, s.as, s.made(v.Addr().Interface()))
		} else if part.Kind() == reflect.String {
			b = appendForm(b, s.as, part.String())
		} else {
			b = appendValue(b, part)
		}
	}
	return b
}

func appendForm(b []byte, as form, text string) []byte {
	switch as {
	case asID:
		id, err := data.ParseID(text)
		if err != nil {
			text = ""
		} else {
			text = id.String()
		}
	case asCursor:
		text = cursorOf(text)
	case asAddress:
		text = Address(text, ".json")
	}
	if text == "" && as != asIs {
		return append(b, "null"...)
	}
	return appendString(b, text)
}

func cursorOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Query().Get("after")
}

// Address is the address of a page in another format, whose extension is given; "" for none.
func Address(page, extension string) string {
	if page == "" {
		return ""
	}
	if i := strings.IndexAny(page, "?#"); i >= 0 {
		return page[:i] + extension + page[i:]
	}
	return page + extension
}

var timeType = reflect.TypeFor[time.Time]()

func appendValue(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.String:
		return appendString(b, v.String())
	case reflect.Bool:
		return strconv.AppendBool(b, v.Bool())
	case reflect.Int, reflect.Int64:
		return strconv.AppendInt(b, v.Int(), 10)
	case reflect.Pointer:
		if v.IsNil() {
			return append(b, "null"...)
		}
		return appendValue(b, v.Elem())
	case reflect.Slice:
		b = append(b, '[')
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendValue(b, v.Index(i))
		}
		return append(b, ']')
	case reflect.Struct:
		if v.Type() != timeType {
			return appendObject(b, v)
		}
		at := v.Interface().(time.Time)
		if at.IsZero() {
			return append(b, "null"...)
		}
		b = append(b, '"')
		b = at.UTC().AppendFormat(b, time.RFC3339Nano)
		return append(b, '"')
	}
	panic(fmt.Sprintf("api: %s can't be written", v.Type()))
}

const hex = "0123456789abcdef"

// appendString writes a JSON string. What is not UTF-8 becomes U+FFFD.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				b = append(b, s[start:i]...)
				b = append(b, "\ufffd"...)
				start = i + 1
			}
			i += size
			continue
		}
		b = append(b, s[start:i]...)
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
		start = i
	}
	b = append(b, s[start:]...)
	return append(b, '"')
}
