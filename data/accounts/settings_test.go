package accounts_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/accounts"
)

func TestAvatarText(t *testing.T) {
	for _, a := range []accounts.Avatar{{}, {Colour: "#00695c"}, {Letter: "Ж"}, {Colour: "#00695c", Letter: "7"}} {
		require.Equal(t, a, accounts.ParseAvatar(a.Text()))
	}
}

func TestZones(t *testing.T) {
	for _, name := range accounts.Zones() {
		require.Equal(t, name, accounts.LoadZone(name).String())
	}
	require.Equal(t, time.UTC, accounts.LoadZone("../../etc/passwd"))
	require.Equal(t, time.UTC, accounts.LoadZone("UTC"))
	for device, known := range map[string]string{"Europe/Berlin": "Europe/Berlin", "Asia/Calcutta": "Asia/Kolkata", "Europe/Kiev": "Europe/Kyiv",
		"America/Buenos_Aires": "America/Argentina/Buenos_Aires", "UTC": "UTC", "Etc/UTC": "UTC", "Mars/Base": "", "": ""} {
		require.Equal(t, known, accounts.KnownZone(device), device)
	}
}
