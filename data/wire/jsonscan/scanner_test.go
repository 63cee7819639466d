package jsonscan

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestTextReadsEscapes(t *testing.T) {
	for in, want := range map[string]string{
		`"\u00e9\u00E9\u4e16\ud83d\ude00"`: "éé世😀",
		`"\ud83d"`:                         "\ufffd",
		`"\ud83d\u0041"`:                   "\ufffdA",
		`"\ud83d\ud83d\udc22"`:             "\ufffd🐢",
		`"\ude00x"`:                        "\ufffdx",
		`"\/\\\"\b\f\n\r\t"`:               "/\\\"\b\f\n\r\t",
		`"\\"`:                             `\`,
		`"a\\\\"`:                          `a\\`,
		`"\u0000"`:                         "\x00",
		`"plain"`:                          "plain",
	} {
		t.Run(in, func(t *testing.T) {
			s := Scanner{In: in}
			assert.Equal(t, want, s.Text())
			s.End()
			assert.NoError(t, s.Err)
		})
	}
}

func TestUnescaped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(rapid.StringOfN(rapid.RuneFrom([]rune("ab \x7fé世😀")), 0, 30, -1).Draw(t, "text"))
		want := len(text)
		if want > 0 && rapid.Bool().Draw(t, "special") {
			want = rapid.IntRange(0, len(text)-1).Draw(t, "at")
			text[want] = rapid.SampledFrom([]byte("\"\\\x00\n\x1f")).Draw(t, "byte")
		}
		require.Equal(t, want, Unescaped(string(text)))
	})
}

// scan parses one value to the end of the text.
func scan(in string) error {
	s := Scanner{In: in}
	s.Skip()
	s.End()
	return s.Err
}

func TestWhatIsNoJSONIsRefused(t *testing.T) {
	for _, in := range []string{`"`, `"\`, `"\"`, `"\u12`, `"\u123g"`, `"\x"`, "\"\n\"", "\"\\n\t\"", `01`, `1.`, `.5`, `-`, `1e`, `+1`, `nul`,
		`{"a"}`, `{"a":1,}`,
		`[1,]`, `[1 2]`, `{1:2}`, `[`, `{`, `]`, ``, "\x00", `1 2`} {
		assert.Error(t, scan(in), "%.20q", in)
	}
	deep := strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth)
	assert.NoError(t, scan(deep))
	assert.ErrorContains(t, scan("["+deep+"]"), "nested too deep")
}

func TestAppendTextIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		encoded := AppendText(nil, text)
		s := Scanner{In: string(encoded)}
		require.Equal(t, text, s.Text())
		require.NoError(t, s.Err)
		var theirs string
		require.NoError(t, json.Unmarshal(encoded, &theirs))
		require.Equal(t, text, theirs)
	})
}

// FuzzSkip: it accepts what encoding/json accepts, except too deep nesting.
func FuzzSkip(f *testing.F) {
	for _, seed := range []string{`{"a":[1,-0.5e+7,true,false,null,"\ud83d\ude00\u0000"],"b":{}}`, ` [ ] `, `"\/"`, `-0`, "\"\xff\"",
		`{"a":1}{`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		err := scan(in)
		if err != nil && strings.Contains(err.Error(), "nested too deep") {
			return
		}
		require.Equal(t, json.Valid([]byte(in)), err == nil, "%q: %v", in, err)
	})
}

// FuzzText: a text is parsed like in encoding/json.
func FuzzText(f *testing.F) {
	for _, seed := range []string{`"\ud83d\u0041\n"`, `"\\\"\/"`, `"é"`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		s := Scanner{In: in}
		got := s.Text()
		s.End()
		var want string
		if !strings.HasPrefix(strings.TrimSpace(in), `"`) || json.Unmarshal([]byte(in), &want) != nil {
			return
		}
		require.NoError(t, s.Err)
		if utf8.ValidString(in) { // otherwise encoding/json replaces bytes
			require.Equal(t, want, got)
		}
	})
}

func BenchmarkText(b *testing.B) {
	for name, text := range map[string]string{"plain": strings.Repeat("a text without escapes ", 10),
		"escaped": strings.Repeat("a \"text\" with\nescapes ", 10)} {
		in := string(AppendText(nil, text))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for b.Loop() {
				s := Scanner{In: in}
				s.Text()
			}
		})
	}
}
