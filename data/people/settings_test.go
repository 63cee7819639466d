package people_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/people"
)

func TestAvatarText(t *testing.T) {
	for _, a := range []people.Avatar{{}, {Colour: "#00695c"}, {Letter: "Ж"}, {Colour: "#00695c", Letter: "7"}} {
		require.Equal(t, a, people.ParseAvatar(a.Text()))
	}
}
