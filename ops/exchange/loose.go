package exchange

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// unmarshal parses a JSON object as encoding/json does, but converts values of another type than their field, such as a number in quotes
// or a time in seconds. changed reports whether a value could not be converted exactly. The error says that text is no JSON object.
func unmarshal(text []byte, v any) (changed bool, err error) {
	if err = json.Unmarshal(text, v); err == nil {
		return false, nil
	}
	read := numbers(text)
	if !json.Valid(read) || !bytes.HasPrefix(bytes.TrimSpace(read), []byte("{")) {
		return false, err
	}
	return loose(read, reflect.ValueOf(v).Elem()) || len(read) != len(text), nil
}

var noNumber = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b`)

// numbers returns a line with null for NaN, Infinity and -Infinity, which Python writes as numbers.
func numbers(text []byte) []byte {
	return noNumber.ReplaceAllFunc(text, func(found []byte) []byte {
		if found[0] == '"' {
			return found
		}
		return []byte("null ")
	})
}

// loose sets v to a JSON value, converted to v's type as in unmarshal.
func loose(raw []byte, v reflect.Value) (changed bool) {
	v.SetZero()
	if json.Unmarshal(raw, v.Addr().Interface()) == nil {
		return false
	}
	v.SetZero()
	if v.Type() == reflect.TypeFor[time.Time]() {
		at, ok := parseTime(textOf(raw))
		v.Set(reflect.ValueOf(at))
		return !ok
	}
	switch v.Kind() {
	case reflect.Struct:
		var values map[string]json.RawMessage
		changed = json.Unmarshal(raw, &values) != nil
		for i := range v.NumField() {
			if value, is := values[nameOf(v.Type().Field(i))]; is {
				changed = loose(value, v.Field(i)) || changed
			}
		}
		return changed
	case reflect.Slice:
		var list []json.RawMessage
		changed = json.Unmarshal(raw, &list) != nil
		for _, value := range list {
			one := reflect.New(v.Type().Elem()).Elem()
			changed = loose(value, one) || changed
			v.Set(reflect.Append(v, one))
		}
		return changed
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return loose(raw, v.Elem())
	}
	return bytes.ContainsAny(raw[:1], "{[") || !setText(v, textOf(raw))
}

// nameOf returns the JSON name of a field.
func nameOf(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

// textOf returns a JSON value as a text.
func textOf(raw []byte) (text string) {
	if json.Unmarshal(raw, &text) != nil {
		text = string(raw)
	}
	return text
}

// setText sets a field to the value of a text. ok is false if the text is not exactly a value of the field's type.
func setText(v reflect.Value, text string) (ok bool) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
		return true
	case reflect.Interface:
		v.Set(reflect.ValueOf(text))
		return true
	case reflect.Bool:
		word := strings.ToLower(strings.TrimSpace(text))
		v.SetBool(slices.Contains([]string{"true", "1", "yes"}, word))
		return v.Bool() || slices.Contains([]string{"false", "0", "no", "none", "null", ""}, word)
	case reflect.Int, reflect.Int64:
		n, ok := parseCount(text)
		v.SetInt(n)
		return ok
	}
	return false
}

// parseCount parses a whole number in the formats that programs write: 5, 5.0, 5e3, "1,234". An empty text and null are 0. ok is false if
// text is not a number, or had to be rounded.
func parseCount(text string) (n int64, ok bool) {
	if text = strings.ReplaceAll(strings.TrimSpace(text), ",", ""); text == "" || text == "null" {
		return 0, true
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || !(math.Abs(f) < 1<<62) {
		return 0, false
	}
	return int64(math.Round(f)), f == math.Round(f)
}

// The earliest and the latest time of a post: 1 January 1990, before the web, and the end of the year 9999. In seconds since 1970.
const minSeconds, maxSeconds = 631152000, 253402300799

// timeLayouts are the formats of times that programs write. Times without a zone are in UTC.
var timeLayouts = []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700", "2006-01-02T15:04:05.999999999",
	"2006-01-02T15:04Z07:00", "2006-01-02T15:04",
	"2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999 Z0700", "2006-01-02 15:04:05.999999999 MST",
	"2006-01-02 15:04:05.999999999", "2006-01-02 15:04", "2006-01-02", time.RFC1123, time.RFC1123Z, time.ANSIC, time.UnixDate}

// parseTime reads a time: a number of seconds since 1970, or of milliseconds, microseconds or nanoseconds, or a text.
func parseTime(text string) (at time.Time, ok bool) {
	text = strings.TrimSpace(text)
	f, err := strconv.ParseFloat(text, 64)
	for unit := 0; err == nil && f > maxSeconds && unit < 3; unit++ {
		f /= 1000
	}
	if err == nil {
		return time.UnixMilli(int64(math.Round(f * 1000))).UTC(), f >= minSeconds && f <= maxSeconds
	}
	for _, layout := range timeLayouts {
		if at, err = time.Parse(layout, text); err == nil {
			return at.UTC(), at.Unix() >= minSeconds && at.Unix() <= maxSeconds
		}
	}
	return time.Time{}, false
}
