package tags_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/tags"
)

func TestParse(t *testing.T) {
	for typed, kept := range map[string]string{
		"":                           "",
		" , ":                        "",
		"Go":                         "go",
		"web-design, #Go go":         "go web-design",
		"c  b,a\nd\te":               "a b c d e",
		"ÄRGER 日本語、go":               "go ärger 日本語",
		"हिन्दी":                     "हिन्दी",
		"cafe\u0301 CAFE\u0301 Café": "café",
		"e\u0301\u0323":              "\u1eb9\u0301", // marks have an order as well
		"\u1100\u1161":               "가",
		strings.Repeat("ä", 30):      strings.Repeat("ä", 30),
	} {
		got, err := tags.Parse(typed)
		require.NoError(t, err, typed)
		require.Equal(t, kept, got, typed)
		again, err := tags.Parse(got)
		require.NoError(t, err)
		require.Equal(t, kept, again)
	}
	for typed, says := range map[string]string{
		"a b c d e f":            "at most 5",
		strings.Repeat("ä", 31):  "at most 30",
		"c++":                    "letters",
		"-go":                    "letters",
		"go-":                    "letters",
		"a\u200db":               "letters",
		"\u3164":                 "letters", // an invisible letter
		"<b>":                    "letters",
		"a\"b":                   "letters",
		"#":                      "letters",
		"/":                      "letters",
		"a+b":                    "letters",
		"\u0301a":                "letters",
		"x\u202ey":               "letters",
		strings.Repeat("a ", 99): "",
	} {
		got, err := tags.Parse(typed)
		if says == "" {
			require.NoError(t, err)
			require.Equal(t, "a", got)
			continue
		}
		require.Equal(t, data.Invalid, data.ErrorCode(err), typed)
		require.Contains(t, data.Mistakes(err)[0].Message.String(), says, typed)
		require.Equal(t, "tags", data.Mistakes(err)[0].Field)
	}
}

func FuzzParse(f *testing.F) {
	for _, typed := range []string{"go Web", "a,b", "\u0130x", "ǅ", "ß İ"} {
		f.Add(typed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		kept, err := tags.Parse(typed)
		if err != nil {
			return
		}
		again, err := tags.Parse(kept)
		require.NoError(t, err)
		require.Equal(t, kept, again)
		for _, name := range tags.Split(kept) {
			require.True(t, tags.IsName(name), name)
		}
	})
}

func TestTwoFormsOfOneAccent(t *testing.T) {
	for _, part := range []string{"caf\u00e9+go", "cafe\u0301+go", "go+CAFE\u0301", "go+cafe\u0301+caf\u00e9"} {
		kept, err := tags.ParseAddress(part)
		require.NoError(t, err)
		require.Equal(t, "caf\u00e9 go", kept)
	}
	require.Equal(t, "caf\u00e9", tags.Prefix("#Cafe\u0301"))
	require.False(t, tags.IsName("cafe\u0301"), "it is no tag as it is kept")
}
