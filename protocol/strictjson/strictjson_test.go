package strictjson_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/protocol/strictjson"
)

func TestCheck(t *testing.T) {
	for about, test := range map[string]struct {
		in   string
		want error
	}{
		"an object":                               {`{"a":1,"A":2,"b":{"a":[{"a":null},{"a":true}]}}`, nil},
		"a text":                                  {`"a"`, nil},
		"spaces around":                           {" [1, 2]\n", nil},
		"a name as a value":                       {`{"a":"b","b":"a"}`, nil},
		"a pair of surrogates":                    {`"\ud83d\ude00"`, nil},
		"an escaped backslash":                    {`"\\ud800"`, nil},
		"a name twice":                            {`{"a":1,"a":2}`, strictjson.ErrTwice},
		"a name twice, once with an escape":       {`{"sub":1,"s\u0075b":2}`, strictjson.ErrTwice},
		"a name twice, below":                     {`[{"b":[{"a":1,"c":{},"a":1}]}]`, strictjson.ErrTwice},
		"a name twice, around an object":          {`{"a":{"a":1},"a":[]}`, strictjson.ErrTwice},
		"a second value":                          {`{} {}`, strictjson.ErrMore},
		"a bracket too many":                      {`{}]`, strictjson.ErrMore},
		"a zero byte behind":                      {"{}\x00", strictjson.ErrMore},
		"broken UTF-8":                            {"{\"sub\":\"a\xff\"}", strictjson.ErrText},
		"a lone high surrogate":                   {`"\ud800"`, strictjson.ErrText},
		"a high surrogate before another escape":  {`"\ud800\n"`, strictjson.ErrText},
		"a high surrogate before a letter":        {`"\ud800\u0041"`, strictjson.ErrText},
		"a lone low surrogate":                    {`"\uDC00"`, strictjson.ErrText},
		"two low surrogates behind a pair":        {`"\ud83d\ude00\ude00"`, strictjson.ErrText},
		"a lone surrogate in the name of a field": {`{"sub\ud800":1}`, strictjson.ErrText},
		"as deep as may be":                       {strings.Repeat("[", 64) + strings.Repeat("]", 64), nil},
		"deeper":                                  {strings.Repeat("[", 65) + strings.Repeat("]", 65), strictjson.ErrDeep},
		"as many values as may be":                {"[" + strings.Repeat("1,", strictjson.MaxTokens-3) + "1]", nil},
		"more":                                    {"[" + strings.Repeat("1,", strictjson.MaxTokens-1) + "1]", strictjson.ErrLong},
		"many names":                              {names(80_000), strictjson.ErrLong},
	} {
		t.Run(about, func(t *testing.T) {
			assert.ErrorIs(t, strictjson.Check([]byte(test.in)), test.want)
		})
	}
	for _, in := range []string{"", " ", "{", `{"a"`, `{"a":`, `{"a":1`, `{"a":1,}`, "[1", "01", "nul", `{a:1}`, `{"a" 1}`, `"` + "\n" + `"`,
		"\ufeff{}"} {
		assert.Error(t, strictjson.Check([]byte(in)), in)
	}
}

// names is an object with so many names.
func names(n int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, `,"%d":1`, i)
	}
	return "{" + text.String()[1:] + "}"
}

func TestCheckFlat(t *testing.T) {
	assert.NoError(t, strictjson.CheckFlat([]byte(names(3)), 3))
	assert.ErrorIs(t, strictjson.CheckFlat([]byte(names(4)), 3), strictjson.ErrLong)
	for _, nested := range []string{`{}`, `[]`, `[1]`, strings.Repeat("[", 100_000)} {
		var err *strictjson.NestedError
		assert.ErrorAs(t, strictjson.CheckFlat([]byte(`{"a":1,"b":`+nested+`}`), 3), &err)
		assert.Equal(t, "b", err.Name)
	}
	assert.ErrorIs(t, strictjson.CheckFlat([]byte(`{"a":1,"a":2}`), 3), strictjson.ErrTwice)
}

type inner struct {
	Subject string `json:"sub"`
}

type outer struct {
	inner
	Audience list    `json:"aud"`
	Keys     []inner `json:"keys"`
	Expires  int64   `json:"exp"`
	Texts    []string
	Untagged string
}

// list is one text or several.
type list []string

func (l *list) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*l = list{one}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(l))
}

func TestUnmarshal(t *testing.T) {
	read := func(in string) (o outer, err error) {
		err = strictjson.Unmarshal([]byte(in), &o)
		return o, err
	}
	got, err := read(`{"sub":"alice","aud":"me","exp":7,"keys":[{"sub":"k"},{}],"more":{"sub":"x"},"Untagged":"x"}`)
	require.NoError(t, err)
	assert.Equal(t, outer{inner: inner{"alice"}, Audience: list{"me"}, Expires: 7, Keys: []inner{{"k"}, {}}}, got)

	t.Run("takes a name in other letters for another name", func(t *testing.T) {
		for _, in := range []string{`{"sub":"alice","SUB":"victim"}`, `{"Sub":"victim","sub":"alice"}`,
			"{\"sub\":\"alice\",\"\u017fub\":\"victim\"}"} {
			got, err := read(in)
			require.NoError(t, err)
			assert.Equal(t, "alice", got.Subject, in)
		}
		got, err := read(`{"SUB":"victim","AUD":["x"],"EXP":9,"KEYS":[{"sub":"x"}],"keys":[{"SUB":"x"}]}`)
		require.NoError(t, err)
		assert.Equal(t, outer{Keys: []inner{{}}}, got)
	})
	t.Run("refuses a value of another kind", func(t *testing.T) {
		for _, in := range []string{`{"sub":1}`, `{"exp":"7"}`, `{"exp":7.5}`, `{"keys":{}}`, `{"keys":[1]}`, `[]`, `"sub"`, `{"aud":{}}`} {
			_, err := read(in)
			assert.Error(t, err, in)
		}
	})
	t.Run("refuses what Check refuses", func(t *testing.T) {
		_, err := read(`{"sub":"alice","sub":"victim"}`)
		assert.ErrorIs(t, err, strictjson.ErrTwice)
		_, err = read(`{"sub":"alice"} {"sub":"victim"}`)
		assert.ErrorIs(t, err, strictjson.ErrMore)
	})
	assert.Error(t, strictjson.Unmarshal([]byte(`{}`), outer{}))
}

// FuzzCheck: accepted JSON means the same to every parser, so that encoding the decoded value and decoding that gives the same value.
func FuzzCheck(f *testing.F) {
	for _, seed := range []string{`{"a":1,"A":[{"b":"\ud83d\ude00"}]}`, `{"a":1,"a":2}`, `{} {}`, `"\ud800"`, `[[]]`,
		"{\"\u017f\":1,\"s\":2}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		if strictjson.Check(in) != nil {
			return
		}
		var first, second any
		if err := json.Unmarshal(in, &first); err != nil {
			if large := (*json.UnmarshalTypeError)(nil); errors.As(err, &large) {
				return // a number out of the range of float64
			}
			t.Fatalf("accepted what encoding/json refuses: %q: %v", in, err)
		}
		out, err := json.Marshal(first)
		if err != nil {
			t.Fatal(err)
		}
		if err := strictjson.Check(out); err != nil {
			t.Fatalf("%q: %v", out, err)
		}
		if json.Unmarshal(out, &second) != nil || !reflect.DeepEqual(first, second) {
			t.Fatalf("%q is %v, and then %v", in, first, second)
		}
	})
}
