package api

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"plaza/render/fixture"
	"plaza/render/ui"
)

// TestEveryFieldIsInTheTables: a field of a view model is written under a name and with a description, or left out on purpose. What a part
// is made of has a table, too.
func TestEveryFieldIsInTheTables(t *testing.T) {
	names, known := map[string]bool{}, map[reflect.Type]object{}
	for _, o := range objects {
		require.False(t, names[o.name], o.name)
		names[o.name], known[reflect.TypeOf(o.model)] = true, o
	}
	for typ, o := range known {
		named := map[string]bool{}
		for _, f := range o.fields {
			part, ok := typ.FieldByName(f.from)
			require.True(t, ok, "%s.%s", typ, f.from)
			named[f.from] = true
			if f.as != asInline {
				require.Equal(t, f.name == "", f.says == "", "%s.%s", typ, f.from)
			}
			if f.name != "" || f.as == asInline {
				for part.Type.Kind() == reflect.Slice || part.Type.Kind() == reflect.Pointer {
					part.Type = part.Type.Elem()
				}
				if part.Type.Kind() == reflect.Struct && part.Type != timeType {
					require.Contains(t, known, part.Type)
				}
			}
		}
		for i := range typ.NumField() {
			require.True(t, named[typ.Field(i).Name], "package api says nothing of %s.%s", typ, typ.Field(i).Name)
		}
	}
}

// TestEncode writes the fixtures of pages: as JSON, in which no object has a name twice and every name is in small letters.
func TestEncode(t *testing.T) {
	written := 0
	for _, page := range fixture.Pages() {
		if !Knows(page.Model()) {
			continue
		}
		written++
		b, err := Encode(page.Model())
		require.NoError(t, err)
		require.True(t, json.Valid(b), "%s: %s", page.Name, b)
		uniqueNames(t, json.NewDecoder(strings.NewReader(string(b))))
		require.NotContains(t, string(b), "0001-01-01")
	}
	require.Greater(t, written, 10)
	_, err := Encode(ui.ErrorPage{})
	require.Error(t, err)
}

func uniqueNames(t *testing.T, d *json.Decoder) {
	token, err := d.Token()
	require.NoError(t, err)
	switch token {
	case json.Delim('{'):
		seen := map[any]bool{}
		for d.More() {
			name, err := d.Token()
			require.NoError(t, err)
			require.False(t, seen[name], name)
			require.Regexp(t, `^[a-z_]+$`, name)
			seen[name] = true
			uniqueNames(t, d)
		}
		_, _ = d.Token()
	case json.Delim('['):
		for d.More() {
			uniqueNames(t, d)
		}
		_, _ = d.Token()
	}
}

// TestStrings: whatever is written is read again as it was, but for what is not UTF-8.
func TestStrings(t *testing.T) {
	check := func(t require.TestingT, s string) {
		var back string
		require.NoError(t, json.Unmarshal(appendString(nil, s), &back))
		want, err := json.Marshal(s)
		require.NoError(t, err)
		var said string
		require.NoError(t, json.Unmarshal(want, &said))
		require.Equal(t, said, back)
	}
	check(t, "\x00\x1f\"\\\n\t é \u2028 \xff</script>\xe2\x82")
	rapid.Check(t, func(t *rapid.T) {
		check(t, rapid.String().Draw(t, "text"))
		check(t, string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")))
	})
}

func TestAddress(t *testing.T) {
	for page, want := range map[string]string{"": "", "/": "/.json", "/?after=1": "/.json?after=1", "/c/x/top?t=day": "/c/x/top.json?t=day",
		"/c/x/p/y#c-1": "/c/x/p/y.json#c-1"} {
		require.Equal(t, want, Address(page, ".json"))
	}
}
