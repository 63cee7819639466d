// Package api writes the view models of pages as JSON. The HTML and the JSON of a page have the same view model, so they can't differ.
//
// The tags of a field say how it is written, in the order of the type:
//
//	json:"title"     its name; "-" for what only the page needs
//	as:"address"     how its value is written, if its type does not decide that (form)
//	made:"excerpt"   its name, if this package computes it; on a blank field, if no other field is like it
//
// Begin with Encode. apidoc makes the OpenAPI document from these types. docs/inside/pages.md says what a new field needs.
package api

import (
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"plaza/data"
	"plaza/locale"
	"plaza/render/ui"
	"plaza/worker/pictures"
)

// form is how the value of a field is written, if its type does not decide that: the value of the tag "as".
type form string

const (
	asIs        form = ""
	asID        form = "id"        // a text id as a decimal string; null for none
	asText      form = "text"      // a text; null for none
	asInline    form = "inline"    // the fields of a part as fields of the whole, like those of an embedded struct
	asAddress   form = "address"   // the address of another page, in JSON; null for none
	asFollowing form = "following" // the address of the following page: its cursor as "after" and its address in JSON as "next"
	asCursor    form = "cursor"    // the cursor of the address of a following page; null for none
)

// computed has the functions for texts in JSON that are computed from a view model, by the type and the name in the tag "made". Their
// argument is a pointer to the view model.
var computed = map[reflect.Type]map[string]func(model any) string{
	reflect.TypeFor[ui.PostItem](): {
		"slug": func(m any) string { return lastSegment(m.(*ui.PostItem).URL) },
		"picture": func(m any) string { // of another server, the whole picture: it may have no small version
			return strings.Replace(m.(*ui.PostItem).ThumbURL, pictures.SmallElsewhere, "/img/", 1)
		},
		"excerpt": func(m any) string { // as a listing shows it
			if p := m.(*ui.PostItem); !p.Spoiler && !p.Deleted && !p.Removed {
				return p.Excerpt
			}
			return ""
		},
	},
	reflect.TypeFor[ui.Comment](): {
		"permalink": func(m any) string {
			c := m.(*ui.Comment)
			return c.PostURL + "/" + c.ID
		},
		"author": func(m any) string {
			if c := m.(*ui.Comment); !c.Deleted {
				return c.Author
			}
			return ""
		},
	},
}

func lastSegment(address string) string {
	name := address[strings.LastIndexByte(address, '/')+1:]
	if text, err := url.PathUnescape(name); err == nil {
		return text
	}
	return name
}

// Field is a field of JSON that a view model has.
type Field struct {
	Name     string // in JSON; "" for a part whose fields are fields of the whole
	Source   reflect.StructField
	Computed bool // a text that is computed from the view model

	as form
}

// Fields returns the fields that a view model has in JSON, in their order: those with tags. A type without any can't be written.
func Fields(t reflect.Type) (list []Field) {
	for i := range t.NumField() {
		f := Field{Source: t.Field(i)}
		f.as = form(f.Source.Tag.Get("as"))
		f.Name = f.Source.Tag.Get("json")
		switch name := f.Source.Tag.Get("made"); {
		case name != "":
			f.Name, f.Computed = name, true
		case f.as == asFollowing:
			after := f
			after.Name, after.as = "after", asCursor
			list = append(list, after)
			f.Name, f.as = "next", asAddress
		case f.Name == "-", f.Name == "" && !f.Inline():
			continue
		}
		list = append(list, f)
	}
	return list
}

// Inline reports whether the field is a part whose fields are fields of the whole.
func (f *Field) Inline() bool { return f.as == asInline || f.Source.Anonymous }

// plan has the steps by which a type is written.
type plan struct{ steps []step }

// step writes one field.
type step struct {
	as       form
	index    int
	key      string // the name, ready to be written
	computed func(model any) string
	part     *plan // of the field's struct, or of that of its elements; nil for none
}

// planner makes the plans of types, each when it is first written.
type planner struct {
	mu    sync.Mutex
	plans map[reflect.Type]*plan
}

var known = planner{plans: map[reflect.Type]*plan{}}

// find returns the plan of a page; nil for a type that has no fields in JSON, except those of embedded types.
func (p *planner) find(t reflect.Type) *plan {
	p.mu.Lock()
	defer p.mu.Unlock()
	if found, ok := p.plans[t]; ok {
		return found
	}
	if t.Kind() != reflect.Struct || !slices.ContainsFunc(Fields(t), func(f Field) bool { return !f.Source.Anonymous }) {
		p.plans[t] = nil
		return nil
	}
	return p.plan(t)
}

func (p *planner) plan(t reflect.Type) *plan {
	if whole := p.plans[t]; whole != nil {
		return whole
	}
	fields := Fields(t)
	whole := &plan{steps: make([]step, 0, len(fields))}
	p.plans[t] = whole // first, because it may be a part of itself
	for _, f := range fields {
		s := step{as: f.as, index: f.Source.Index[0], key: `"` + f.Name + `":`}
		if f.Inline() {
			s.as = asInline
		}
		if f.Computed {
			s.computed = computed[t][f.Name]
		}
		part := f.Source.Type
		for part.Kind() == reflect.Slice || part.Kind() == reflect.Pointer {
			part = part.Elem()
		}
		if part.Kind() == reflect.Struct && part != timeType && !f.Computed {
			s.part = p.plan(part)
		}
		whole.steps = append(whole.steps, s)
	}
	return whole
}

// Encode writes a view model of a page.
func Encode(view any) ([]byte, error) {
	plan := known.find(reflect.TypeOf(view))
	if plan == nil {
		return nil, fmt.Errorf("api: %T has no fields in JSON", view)
	}
	whole := reflect.New(reflect.TypeOf(view)).Elem()
	whole.Set(reflect.ValueOf(view))
	return append(plan.appendObject(make([]byte, 0, 1<<14), whole), '\n'), nil
}

func (p *plan) appendObject(b []byte, v reflect.Value) []byte {
	b = append(b, '{')
	b = p.appendFields(b, v)
	return append(b, '}')
}

// appendFields writes the fields of an object, with commas between them.
func (p *plan) appendFields(b []byte, v reflect.Value) []byte {
	for i := range p.steps {
		s := &p.steps[i]
		part := v.Field(s.index)
		if last := b[len(b)-1]; last != '{' && last != ',' {
			b = append(b, ',')
		}
		if s.as == asInline {
			b = s.part.appendFields(b, part)
			continue
		}
		b = append(b, s.key...)
		if s.computed != nil {
			b = appendForm(b, s.as, s.computed(v.Addr().Interface()))
		} else if part.Kind() == reflect.String {
			b = appendForm(b, s.as, textOf(part))
		} else {
			b = s.part.appendValue(b, part)
		}
	}
	return b
}

var localeText = reflect.TypeFor[locale.Text]()

// textOf returns the text of a string. Texts of the interface are in English, because programs compare them.
func textOf(v reflect.Value) string {
	if v.Type() == localeText {
		return locale.Text(v.String()).String()
	}
	return v.String()
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

// Address returns the address of a page in the format of an extension; "" for none.
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

// appendValue writes a value, a struct by its plan p, or a list of these.
func (p *plan) appendValue(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.String:
		return appendString(b, textOf(v))
	case reflect.Bool:
		return strconv.AppendBool(b, v.Bool())
	case reflect.Int, reflect.Int64:
		return strconv.AppendInt(b, v.Int(), 10)
	case reflect.Pointer:
		if v.IsNil() {
			return append(b, "null"...)
		}
		return p.appendValue(b, v.Elem())
	case reflect.Slice:
		b = append(b, '[')
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			b = p.appendValue(b, v.Index(i))
		}
		return append(b, ']')
	case reflect.Struct:
		if v.Type() != timeType {
			return p.appendObject(b, v)
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

// appendString writes a JSON string. Bytes that are not UTF-8 become U+FFFD.
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
