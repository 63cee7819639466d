package admin_test

import (
	"encoding/json"
	"image/png"
	"net/http"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

func TestTheManifestNamesTheSite(t *testing.T) {
	s := workertest.MustOpen(t)
	var got struct {
		Name, Description string
		StartURL          string `json:"start_url"`
		Icons             []struct{ Src, Sizes, Type string }
		Shortcuts         []struct{ Name, URL string }
	}
	read := func() {
		t.Helper()
		res := s.Visitor().Get("/manifest.webmanifest")
		require.Equal(t, http.StatusOK, res.Code)
		require.Equal(t, "application/manifest+json", res.Header().Get("Content-Type"))
		require.NoError(t, json.Unmarshal(res.Body.Bytes(), &got))
	}
	read()
	require.Equal(t, "Plaza", got.Name)
	require.Equal(t, "/", got.StartURL)

	for _, icon := range got.Icons {
		f, err := os.Open("../../public" + icon.Src)
		require.NoError(t, err)
		if icon.Type == "image/png" {
			size, err := png.DecodeConfig(f)
			require.NoError(t, err)
			require.Equal(t, icon.Sizes, strconv.Itoa(size.Width)+"x"+strconv.Itoa(size.Height), icon.Src)
		}
		require.NoError(t, f.Close())
	}
	ann := s.Member("ann")
	require.Len(t, got.Shortcuts, 3)
	for _, shortcut := range got.Shortcuts {
		require.Equal(t, http.StatusOK, ann.Get(shortcut.URL).Code, shortcut.Name)
	}
	require.Contains(t, s.Visitor().Page("/"), `<link rel="manifest" href="/manifest.webmanifest">`)
}
