package accounts_test

import (
	"archive/zip"
	"os/exec"
	"path/filepath"
	"strings"
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
	require.Equal(t, "Etc/GMT+5", accounts.LoadZone("Etc/GMT+5").String())
	for device, known := range map[string]string{"Europe/Berlin": "Europe/Berlin", "Asia/Calcutta": "Asia/Kolkata", "Europe/Kiev": "Europe/Kyiv",
		"America/Buenos_Aires": "America/Argentina/Buenos_Aires", "UTC": "UTC", "Etc/UTC": "UTC", "US/Eastern": "America/New_York",
		"US/Pacific": "America/Los_Angeles", "GB": "Europe/London", "PRC": "Asia/Shanghai", "EST5EDT": "America/New_York", "CET": "Europe/Brussels",
		"Pacific/Yap": "Pacific/Chuuk", "America/Montreal": "America/Toronto", "Asia/Ulan_Bator": "Asia/Ulaanbaatar", "GMT": "UTC", "Zulu": "UTC",
		"Etc/GMT+5": "Etc/GMT+5", "Etc/GMT-14": "Etc/GMT-14", "europe/berlin": "Europe/Berlin", "ASIA/CALCUTTA": "Asia/Kolkata",
		"Mars/Base": "", "": "", "Local": "", "../UTC": "", "Europe": "", "Europe/": "", "Europe/Berlin ": "", "posixrules": "", "+02:00": "",
		"Eastern Standard Time": ""} {
		got, err := accounts.ParseZone(device)
		require.Equal(t, known, got, device)
		require.Equal(t, known == "", err != nil, device)
	}
}

// TestNamesOfZones: each name of Go's tz database is known, and means a time zone with the same clock.
func TestNamesOfZones(t *testing.T) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	files, err := zip.OpenReader(filepath.Join(strings.TrimSpace(string(goroot)), "lib", "time", "zoneinfo.zip"))
	require.NoError(t, err)
	defer files.Close()
	for _, file := range files.File {
		name, err := accounts.ParseZone(file.Name)
		if strings.HasSuffix(file.Name, "/") || file.Name == "Factory" {
			require.Error(t, err)
			continue
		}
		require.NoError(t, err)
		other, err := time.LoadLocation(file.Name)
		require.NoError(t, err)
		for day := range 366 {
			at := time.Date(2024, 1, 1+day, 12, 0, 0, 0, time.UTC)
			_, want := at.In(other).Zone()
			_, got := at.In(accounts.LoadZone(name)).Zone()
			require.Equal(t, want, got, "%s is %s", file.Name, name)
		}
	}
}
