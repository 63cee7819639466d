package admin_test

import (
	"encoding/json"
	"image/png"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

func TestTheManifestNamesTheSite(t *testing.T) {
	s := workertest.MustOpen(t)
	var got struct {
		Name, Description  string
		StartURL           string `json:"start_url"`
		Icons, Screenshots []struct{ Src, Sizes, Type string }
		Shortcuts          []struct{ Name, URL string }
		ShareTarget        struct {
			Action, Method string
			Params         map[string]string
		} `json:"share_target"`
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
	require.Equal(t, "Communities and what they talk about.", got.Description)
	require.Equal(t, "/", got.StartURL)

	for _, shot := range got.Screenshots {
		res := s.Visitor().Get(shot.Src)
		require.Equal(t, shot.Type, res.Header().Get("Content-Type"))
		size, err := png.DecodeConfig(res.Body)
		require.NoError(t, err)
		require.Equal(t, shot.Sizes, strconv.Itoa(size.Width)+"x"+strconv.Itoa(size.Height))
	}
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
	ann.MustPost("/communities", "name", "gophers")
	s.Edition("", workertest.Targets(ann.Page(ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text")))[0])
	require.Len(t, got.Shortcuts, 4)
	for _, shortcut := range got.Shortcuts {
		require.Equal(t, http.StatusOK, ann.Get(shortcut.URL).Code, shortcut.Name)
	}

	require.Equal(t, http.MethodGet, got.ShareTarget.Method)
	shared := url.Values{got.ShareTarget.Params["title"]: {"A page"}, got.ShareTarget.Params["text"]: {"What it says"},
		got.ShareTarget.Params["url"]: {"https://example.org/page"}}
	form := ann.Page(got.ShareTarget.Action + "?" + shared.Encode())
	for _, filled := range []string{`value="A page"`, `>What it says</textarea>`, `value="https://example.org/page"`} {
		require.Contains(t, form, filled)
	}

	require.Contains(t, s.Visitor().Page("/"), `<link rel="manifest" href="/manifest.webmanifest">`)
}
