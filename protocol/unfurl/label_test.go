package unfurl

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/htmlindex"
)

func TestLabels(t *testing.T) {
	count := 0
	for _, e := range labels {
		for _, label := range strings.Fields(e.names) {
			want, err := htmlindex.Get(label)
			require.NoError(t, err, label)
			assert.Equal(t, want, encodingOf(label), label)
			assert.Equal(t, e.Encoding, want, label)
			count++
		}
	}
	// The standard has 228 labels of 40 encodings; "replacement" has 6 of them.
	assert.Equal(t, 222, count)
	assert.Len(t, labels, 39)
	for _, label := range []string{"iso-2022-kr", "hz-gb-2312", "replacement", "klingon", ""} {
		assert.Nil(t, encodingOf(label), label)
	}
	assert.Equal(t, encodingOf("windows-1252"), encodingOf(" Latin1\n"))
}
