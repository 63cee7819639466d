package tags_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/tags"
)

func TestParse(t *testing.T) {
	for typed, kept := range map[string]string{
		"":                      "",
		" , ":                   "",
		"Go":                    "go",
		"web-design, #Go go":    "go web-design",
		"c  b,a\nd\te":          "a b c d e",
		"ÄRGER 日本語、go":          "go ärger 日本語",
		"हिन्दी":                "हिन्दी",
		strings.Repeat("ä", 30): strings.Repeat("ä", 30),
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
		"\u3164":                 "letters", // a letter that nobody sees
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
		require.Contains(t, data.Mistakes(err)[0].Message, says, typed)
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
