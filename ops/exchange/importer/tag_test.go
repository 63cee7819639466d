package importer

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTagsOf(t *testing.T) {
	text, lost := tagsOf([]string{"Cafe\u0301", "caf\u00e9", "A b", "c++"})
	require.Equal(t, "a-b caf\u00e9", text, "both forms of an accent are one")
	require.Equal(t, 1, lost)
	text, lost = tagsOf([]string{"a", "b", "c", "d", "e", "e", "f", "!"})
	require.Equal(t, "a b c d e", text)
	require.Equal(t, 2, lost)
}
