package upstash

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func decodeAll(body string) ([]Reply, error) {
	d := newDecoder(body)
	return d.documents(1)
}

func TestDecodeStrings(t *testing.T) {
	tests := []struct{ name, json, want string }{
		{"every escape", `"\"\\\/\b\f\n\r\t\u0041"`, "\"\\/\b\f\n\r\tA"},
		{"upper and lower case hex", `"\u00e9\u00E9"`, "éé"},
		{"a surrogate pair", `"\ud83d\udc22!"`, "🐢!"},
		{"a lone high surrogate", `"\ud83d!"`, "\ufffd!"},
		{"a lone low surrogate", `"\udc22!"`, "\ufffd!"},
		{"two high surrogates", `"\ud83d\ud83d\udc22"`, "\ufffd🐢"},
		{"a high surrogate and an escape", `"\ud83d\u0041\n"`, "\ufffdA\n"},
		{"base64 with escaped slashes", `"\/\/\/\/"`, "\xff\xff\xff"},
		{"base64 with padding", `"4pyT"`, "✓"},
		{"what is not base64", `"ab-_"`, "ab-_"},
		{"base64 without padding", `"YQ"`, "YQ"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			replies, err := decodeAll(` [ { "x" : {"y":[1,{"result":2}],"z":"a"}, "result" : ` + tt.json + ` , "error" : null } ] `)
			require.NoError(t, err)
			require.Len(t, replies, 1)
			assert.Equal(t, tt.want, replies[0].text)
		})
	}
	for _, bad := range []string{`"\x"`, `"\u12"`, `"\u12g4"`, "\"\n\"", `"`, `"\`, `"\"`, `tru`, `-`, `1-2`, `--1`, `1e`, `1.`, `01`, `-.5`,
		`.5`, "\x00", `[1 2]`, `[1,]`, `[,1]`, `{"a":1}`, `{"result":1,}`, `NaN`, ``} {
		_, err := decodeAll(`[{"result":` + bad + `}]`)
		assert.ErrorIs(t, err, ErrMalformed, bad)
	}
}

func TestDecodeIntegers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64().Draw(t, "n")
		replies, err := decodeAll(fmt.Sprintf(`[{"result":%d},{"result":"%s"}]`, n, base64.StdEncoding.EncodeToString(fmt.Append(nil, n))))
		if err != nil || len(replies) != 2 {
			t.Fatal(replies, err)
		}
		for _, r := range replies {
			if got, err := r.Int(); err != nil || got != n {
				t.Fatal(got, err)
			}
		}
	})
}

// TestDecodeWhatIsEncoded: any tree of results is decoded to the same values, strings byte for byte.
func TestDecodeWhatIsEncoded(t *testing.T) {
	var value func(depth int) *rapid.Generator[any]
	value = func(depth int) *rapid.Generator[any] {
		leaves := []*rapid.Generator[any]{
			rapid.Just[any](nil),
			rapid.Int64().AsAny(),
			rapid.String().AsAny(),
			rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }).AsAny(),
		}
		if depth > 0 {
			leaves = append(leaves, rapid.SliceOfN(rapid.Deferred(func() *rapid.Generator[any] { return value(depth - 1) }), 0, 5).AsAny())
		}
		return rapid.OneOf(leaves...)
	}
	rapid.Check(t, func(t *rapid.T) {
		results := rapid.SliceOf(value(3)).Draw(t, "results")
		body := []byte{'['}
		for i, r := range results {
			if i > 0 {
				body = append(body, ',')
			}
			body = append(appendResult(append(body, `{"result":`...), r), '}')
		}
		replies, err := decodeAll(string(append(body, ']')))
		if err != nil || len(replies) != len(results) {
			t.Fatal(len(replies), err)
		}
		for i, want := range results {
			if got, want := replies[i].String(), spell(want); got != want {
				t.Fatalf("got %s, want %s", got, want)
			}
		}
	})
}

func appendResult(dst []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...)
	case int64:
		return strconv.AppendInt(dst, v, 10)
	case string:
		return append(base64.StdEncoding.AppendEncode(append(dst, '"'), []byte(v)), '"')
	}
	dst = append(dst, '[')
	for i, e := range v.([]any) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendResult(dst, e)
	}
	return append(dst, ']')
}

func spell(v any) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case int64:
		return strconv.FormatInt(v, 10)
	case string:
		return strconv.Quote(v)
	}
	var parts []string
	for _, e := range v.([]any) {
		parts = append(parts, spell(e))
	}
	return "[" + strings.Join(parts, " ") + "]"
}

func TestEncodeIsJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		args := rapid.SliceOfN(rapid.String(), 1, 5).Draw(t, "args")
		cmd := make(Cmd, len(args))
		for i, a := range args {
			cmd[i] = a
			if i%2 == 1 {
				cmd[i] = []byte(a)
			}
		}
		body, err := appendCmd(nil, cmd)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		if err := json.Unmarshal(body, &got); err != nil {
			t.Fatal(err)
		}
		if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", args) {
			t.Fatalf("%q", got)
		}
	})
}

func TestEncodeFloats(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64().Draw(t, "f")
		body, err := appendArg(nil, f)
		if err != nil {
			t.Fatal(err)
		}
		got, err := strconv.ParseFloat(string(body[1:len(body)-1]), 64)
		if err != nil || math.Float64bits(got) != math.Float64bits(f) {
			t.Fatal(string(body), err)
		}
	})
}

// FuzzDecode: no input panics, hangs or returns results that encoding/json does not.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`[{"result":"T0s="},{"result":["YQ==",null,-1,[1.5e9]]},{"error":"ERR \"x\" \ud83d\udc22"}]`,
		`{"error":"EXECABORT"}`, `{"result":9223372036854775808}`, ` [ ] `, `[{"x":{"y":[{}]},"result":true}]`, `[{"result":"\u00e9\/"}]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		first := newDecoder(string(body))
		one, err := first.document()
		_ = one.String()
		if err == nil && !json.Valid(body) {
			t.Fatalf("took %q for JSON", body)
		}
		second := newDecoder(string(body))
		replies, err := second.documents(1)
		if err != nil {
			return
		}
		if !json.Valid(body) {
			t.Fatalf("took %q for JSON", body)
		}
		var plain []json.RawMessage
		if json.Unmarshal(body, &plain) == nil && len(plain) != len(replies) {
			t.Fatalf("%d replies of %d", len(replies), len(plain))
		}
		for _, r := range replies {
			_, _ = r.Int()
			_, _ = r.Float()
			_, _, _ = r.Text()
			_, _ = r.Strings()
			_ = r.String()
		}
	})
}

// BenchmarkDecode parses the response for a listing page: 100 ids with scores and 50 cards of JSON.
func BenchmarkDecode(b *testing.B) {
	var ids, cards []any
	for i := range 100 {
		ids = append(ids, strconv.Itoa(123456789012345+i), "1234.5678")
		if i%2 == 0 {
			cards = append(cards, fmt.Sprintf(`{"id":"%d","title":"A title of %d with \"quotes\" in `+
				`it","author":"somebody","score":%d,"comments":12}`, i, i, i*7))
		}
	}
	body := appendResult([]byte(`[{"result":`), ids)
	body = append(appendResult(append(body, `},{"result":`...), cards), `}]`...)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	b.Run("purpose-made", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(body)))
		for b.Loop() {
			d := newDecoder(string(body))
			if _, err := d.documents(2); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encoding/json", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(body)))
		for b.Loop() {
			var out []struct{ Result []string }
			if err := json.Unmarshal(body, &out); err != nil {
				b.Fatal(err)
			}
			for _, o := range out {
				for _, s := range o.Result {
					if _, err := base64.StdEncoding.DecodeString(s); err != nil {
						b.Fatal(err)
					}
				}
			}
		}
	})
}
