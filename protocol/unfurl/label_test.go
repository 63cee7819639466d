package unfurl

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

func TestLabels(t *testing.T) {
	source, err := os.ReadFile("label.go")
	require.NoError(t, err)
	_, cases, _ := strings.Cut(string(source), "switch")
	labels, encodings := 0, map[encoding.Encoding]bool{}
	for _, quoted := range regexp.MustCompile(`"([a-z0-9_:.-]+)"[,:]`).FindAllStringSubmatch(cases, -1) {
		label := quoted[1]
		want, err := htmlindex.Get(label)
		require.NoError(t, err, label)
		assert.Equal(t, want, encodingOf(label), label)
		labels++
		encodings[want] = true
	}
	// The standard has 228 labels of 40 encodings; UTF-8 and replacement have 6 each.
	assert.Equal(t, 216, labels)
	assert.Len(t, encodings, 38)
	for _, label := range []string{"utf-8", "UTF8", "unicode-1-1-utf-8", "iso-2022-kr", "hz-gb-2312", "replacement", "klingon", ""} {
		assert.Nil(t, encodingOf(label), label)
	}
	assert.Equal(t, encodingOf("windows-1252"), encodingOf(" Latin1\n"))
	for label, want := range map[string]bool{"utf-16": true, "UTF-16LE": true, "utf-16be": true, "utf-8": false, "": false, "latin1": false} {
		assert.Equal(t, want, isUTF16(label), label)
	}
	assert.Equal(t, unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), encodingOf("utf-16"))
}
