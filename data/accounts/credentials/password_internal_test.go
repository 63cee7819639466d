package credentials

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/secure/precis"
	"pgregory.net/rapid"
)

// TestNormalize compares the normal form with golang.org/x/text/secure/precis, whose tables would make the program far larger.
func TestNormalize(t *testing.T) {
	runes := rapid.OneOf(rapid.Rune(), rapid.RuneFrom([]rune("aäßéo\u0300\u0301\u0308\u0323\u1100\u1161가\u3000\u00a0\u2003 Åｶﾞがﬁ")))
	rapid.Check(t, func(t *rapid.T) {
		password := rapid.StringOf(runes).Draw(t, "password")
		require.Equal(t, normalize(password), normalize(normalize(password)))
		if want, err := precis.OpaqueString.String(password); err == nil {
			require.Equal(t, want, normalize(password))
		}
	})
}
