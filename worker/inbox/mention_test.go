package inbox_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/accounts"
	"plaza/data/names"
	"plaza/render/markdown"
)

// TestWhatIsRegisteredCanBeMentioned: the names that an account may have are those that a text mentions.
func TestWhatIsRegisteredCanBeMentioned(t *testing.T) {
	t.Parallel()
	list := []string{""}
	for from := 0; len(list[from]) < 4; from++ { // all short names
		for _, c := range "aB7_-." {
			list = append(list, list[from]+string(c))
		}
	}
	for n := 17; n < 23; n++ {
		list = append(list, strings.Repeat("x", n), "_"+strings.Repeat("x", n), strings.Repeat("x", n)+"-", "x"+strings.Repeat("_-", n/2)+"x",
			"x"+strings.Repeat("_", n-3)+"1-x", "x"+strings.Repeat("-", n-3)+"1_x")
	}
	registered := 0
	for _, name := range list {
		may := accounts.CheckName(name) == nil
		if may {
			registered++
		}
		require.Equal(t, may, names.Member.Is(name) && !names.IsReserved(name), name)
		for _, text := range []string{"@N", "hello @N!", "(u/N)", "*@N*", "感谢@N谢谢", "@N/@N", "@N."} {
			mentioned := markdown.Mentions(strings.ReplaceAll(text, "N", name), 9)
			switch {
			case may:
				require.Equal(t, []string{name}, mentioned, "%q", strings.ReplaceAll(text, "N", name))
			case !names.IsReserved(name): // a part of it may be a name, before what ends one
				for _, part := range mentioned {
					rest := strings.TrimPrefix(name, part)
					require.True(t, accounts.CheckName(part) == nil && strings.IndexAny(rest, "-.") == 0, "%q mentions %q", text, part)
				}
			}
		}
	}
	require.Greater(t, registered, 100)
}
