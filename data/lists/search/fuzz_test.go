package search_test

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"plaza/data/lists/search"
	"plaza/data/searchwords"
)

// FuzzParse parses any text, and marks its words in it.
func FuzzParse(f *testing.F) {
	for _, row := range scripts {
		f.Add(row.text)
	}
	for _, text := range []string{"“old wood” ‘x’ don’t", "«»「", "－北京，大学 ﬁ*", "\xff\"\xfe a", "'\xff' `x´ ə́*", "c:“x” -「a」b"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		w, err := search.Parse(text)
		if err == nil {
			shown := ""
			for _, p := range w.Snippet(text) {
				shown += p.Text
			}
			require.Equal(t, utf8.ValidString(text), utf8.ValidString(shown))
			w.Expensive()
		}
		words := searchwords.Words(text)
		require.True(t, words == "" || utf8.ValidString(words))
	})
}
