package communities

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAPageThatComesLateTakesNoColourBack(t *testing.T) {
	var s Store
	s.colours.put(6, "go", "#b3261e", "")
	s.colours.put(8, "go", "#00695c", "")
	s.colours.put(7, "go", "#455a64", "")
	require.Equal(t, "#00695c", s.Colour("Go"))
	s.colours.put(9, "go", "of no palette", "")
	require.Equal(t, "#00695c", s.Colour("Go"))
	require.Equal(t, int64(9), s.colours.revision)
}
