package people_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/accounts/people"
)

func TestAvatarText(t *testing.T) {
	for _, a := range []people.Avatar{{}, {Colour: "#00695c"}, {Letter: "Ж"}, {Colour: "#00695c", Letter: "7"}} {
		require.Equal(t, a, people.ParseAvatar(a.Text()))
	}
}

func TestZones(t *testing.T) {
	for _, name := range people.Zones() {
		require.Equal(t, name, people.LoadZone(name).String())
	}
	require.Equal(t, time.UTC, people.LoadZone("../../etc/passwd"))
}
