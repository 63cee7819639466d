package importer

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTagsOf(t *testing.T) {
	require.Equal(t, "a-b caf\u00e9", tagsOf([]string{"Cafe\u0301", "caf\u00e9", "A b", "c++"}), "both forms of an accent are one")
}
