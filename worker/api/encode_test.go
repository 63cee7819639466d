package api

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"plaza/render/ui"
	"plaza/test/fixture"
)

// TestEncode writes the fixtures of pages: as JSON, in which no object has a name twice and every name is in small letters.
func TestEncode(t *testing.T) {
	written := 0
	for _, page := range fixture.Pages() {
		b, err := Encode(page.Model())
		if known.find(reflect.TypeOf(page.Model())) == nil {
			require.Error(t, err)
			continue
		}
		written++
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
