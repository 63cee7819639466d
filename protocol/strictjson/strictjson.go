// Package strictjson parses JSON that decides something, such as a user's identity: the client data of passkeys, responses of OpenID
// providers, their ID tokens and keys, responses of the DNS resolver, and bodies of requests. It refuses JSON that two parsers may
// understand differently.
//
// encoding/json accepts "SUB" as "sub", uses the last of two equal names, and replaces invalid text by U+FFFD. So two programs may read
// two different users. This package matches names exactly, and refuses a repeated name, invalid text and anything after the value.
//
// It is a check over json.Decoder's tokens and adds 5 KB to the compressed module. github.com/go-json-experiment/json can do the same and
// would add 335 KB.
package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The errors for refused JSON.
var (
	ErrText  = errors.New("strictjson: a text is not Unicode")
	ErrTwice = errors.New("strictjson: an object has a name twice")
	ErrMore  = errors.New("strictjson: more follows after the value")
	ErrDeep  = errors.New("strictjson: it is nested too deep")
	ErrLong  = errors.New("strictjson: it has too many values")
)

// MaxDepth is how deep objects and arrays may nest. MaxTokens is how many names, values, and ends of objects and arrays there may be: a
// megabyte of short ones takes the worker two seconds.
const (
	MaxDepth  = 64
	MaxTokens = 5_000
)

// Check reports whether b is one value of I-JSON (RFC 7493): Unicode without lone surrogates, no name twice in an object, and nothing
// after it. Names that differ in case are two names. ErrText, ErrTwice, ErrMore, ErrDeep, ErrLong, and the errors of encoding/json.
func Check(b []byte) error { return check(b, MaxDepth, MaxTokens) }

// CheckFlat is Check for an object of up to so many fields, whose values are neither objects nor arrays. Otherwise it returns a
// NestedError.
func CheckFlat(b []byte, fields int) error { return check(b, 1, 2*fields+2) }

// NestedError names the field whose value is nested too deep.
type NestedError struct{ Name string }

func (e *NestedError) Error() string { return ErrDeep.Error() + ": " + e.Name }
func (e *NestedError) Unwrap() error { return ErrDeep }

func check(b []byte, depth, tokens int) error {
	if !utf8.Valid(b) {
		return ErrText
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var open []object
	for n := 0; ; n++ {
		token, err := d.Token()
		if err != nil {
			return cut(err)
		}
		if open, err = next(open, token); err != nil {
			return err
		}
		if len(open) > depth {
			return &NestedError{open[0].last}
		}
		if n >= tokens {
			return ErrLong
		}
		if len(open) == 0 {
			break
		}
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return ErrMore
	}
	if hasLoneSurrogate(b) {
		return ErrText
	}
	return nil
}

// cut returns the error for input that ends within a value.
func cut(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// object is an open object or array. names is nil for an array.
type object struct {
	names map[string]bool
	value bool // the next token begins the value of a name
	last  string
}

// next records a token.
func next(open []object, token json.Token) ([]object, error) {
	if token == json.Delim('}') || token == json.Delim(']') {
		return open[:len(open)-1], nil
	}
	if last := len(open) - 1; last >= 0 && open[last].names != nil {
		in := &open[last]
		if name, isText := token.(string); isText && !in.value {
			if in.names[name] {
				return open, ErrTwice
			}
			in.names[name], in.value, in.last = true, true, name
			return open, nil
		}
		in.value = false
	}
	switch token {
	case json.Delim('{'):
		open = append(open, object{names: map[string]bool{}})
	case json.Delim('['):
		open = append(open, object{})
	}
	return open, nil
}

// hasLoneSurrogate reports whether b has half of a pair of \u escapes, which encoding/json replaces by U+FFFD. b is valid JSON.
func hasLoneSurrogate(b []byte) bool {
	for i := 0; i < len(b); i++ {
		if b[i] != '\\' {
			continue
		}
		i++ // skip the escaped character
		unit := escaped(b, i)
		if unit>>11 != 0xd800>>11 {
			continue
		}
		if low := escaped(b, i+6); unit >= 0xdc00 || b[i+5] != '\\' || low>>10 != 0xdc00>>10 {
			return true
		}
		i += 10
	}
	return false
}

// escaped returns the code unit of the escape whose u is b[i]; 0 if there is no such escape.
func escaped(b []byte, i int) uint64 {
	if i+5 > len(b) || b[i] != 'u' {
		return 0
	}
	unit, _ := strconv.ParseUint(string(b[i+1:i+5]), 16, 16)
	return unit
}

// Unmarshal is json.Unmarshal for JSON that Check accepts. It matches names exactly, and only by tags. Fields without a tag stay empty,
// except those of embedded structs.
func Unmarshal(b []byte, into any) error {
	if err := Check(b); err != nil {
		return err
	}
	v := reflect.ValueOf(into)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return &json.InvalidUnmarshalError{Type: reflect.TypeOf(into)}
	}
	return fill(v.Elem(), b)
}

// fill decodes a value that Check has accepted. It visits structs, and uses encoding/json for everything else.
func fill(v reflect.Value, b []byte) error {
	if _, own := v.Addr().Interface().(json.Unmarshaler); own || !holdsStruct(v.Type()) {
		return json.Unmarshal(b, v.Addr().Interface())
	}
	switch v.Kind() {
	case reflect.Struct:
		var values map[string]json.RawMessage
		if err := json.Unmarshal(b, &values); err != nil {
			return err
		}
		return fillFields(v, values)
	case reflect.Slice:
		var values []json.RawMessage
		if err := json.Unmarshal(b, &values); err != nil {
			return err
		}
		list := reflect.MakeSlice(v.Type(), len(values), len(values))
		for i, value := range values {
			if err := fill(list.Index(i), value); err != nil {
				return err
			}
		}
		v.Set(list)
		return nil
	}
	return &json.InvalidUnmarshalError{Type: v.Addr().Type()}
}

func fillFields(v reflect.Value, values map[string]json.RawMessage) error {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if field.Anonymous && field.Type.Kind() == reflect.Struct {
			if err := fillFields(v.Field(i), values); err != nil {
				return err
			}
			continue
		}
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		value, has := values[name]
		if name == "" || name == "-" || !has || string(value) == "null" {
			continue
		}
		if err := fill(v.Field(i), value); err != nil {
			return err
		}
	}
	return nil
}

// holdsStruct reports whether encoding/json would match names of fields.
func holdsStruct(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct:
		return true
	case reflect.Slice, reflect.Array, reflect.Pointer, reflect.Map:
		return holdsStruct(t.Elem())
	}
	return false
}
