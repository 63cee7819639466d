package markdown_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/render/markdown"
)

// A definition with a long title, used as often as a text has room for, makes no more than
// the text and what definitions may add. It made 98 MB of 39,637 characters.
func TestADefinitionIsUsedWithinBounds(t *testing.T) {
	src := "[a]: /u '" + strings.Repeat("t", 20_000) + "'\n\n" + strings.Repeat("[a]\n", 4907)
	for name, src := range map[string]string{
		"a title":    src,
		"an address": "[a]: /" + strings.Repeat("t", 20_000) + "\n\n" + strings.Repeat("[a]\n\n", 3900),
		"an image":   "[a]: /u '" + strings.Repeat("\"", 20_000) + "'\n\n" + strings.Repeat("![a]\n\n", 3300),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got, err := markdown.Render(src, endless)
		runtime.ReadMemStats(&after)
		require.NoError(t, err)
		require.Less(t, len(got), 8*len(src), name)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<20), name)
		t.Logf("%s: %d bytes make %d, with %d KB of memory", name, len(src), len(got), (after.TotalAlloc-before.TotalAlloc)>>10)
	}
}

func TestDefinitionsMayBeUsedOften(t *testing.T) {
	got, err := markdown.Render("[a]: https://example.org/some/page 'its title'\n\n"+strings.Repeat("[a] ", 300), endless)
	require.NoError(t, err)
	require.Equal(t, 300, strings.Count(string(got), "<a href"))
}

func TestMarkdownRefusesTooMuchHTML(t *testing.T) {
	src := strings.Repeat("a@b.c ", 1000)
	whole, err := markdown.Render(src, endless)
	require.NoError(t, err)
	got, err := markdown.Render(src, len(whole))
	require.NoError(t, err)
	require.Equal(t, whole, got)
	_, err = markdown.Render(src, len(whole)-1)
	require.ErrorIs(t, err, markdown.ErrTooMuch)
}

func TestPlain(t *testing.T) {
	require.Equal(t, markdown.HTML("<p>&lt;b&gt; *a*<br>\n&amp;</p>\n"), markdown.Plain("<b> *a*\r\n&"))
}
