package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/render/fixture"
)

const root = "../.."

func sources(t *testing.T) []asset {
	t.Helper()
	files, err := collect(root)
	require.NoError(t, err)
	return files
}

func TestTheGeneratedAddressesAreCurrent(t *testing.T) {
	got, err := os.ReadFile(filepath.Join(root, "render", "ui", "assets.go"))
	require.NoError(t, err)
	assert.Equal(t, string(source(sources(t))), string(got), "run go run ./cmd/assets")
}

func TestWriteLeavesOnlyTheCurrentFiles(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "public", "_"), 0o755))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "render", "ui"), 0o755))
	old := filepath.Join(dir, "public", "_", "app.0123456789.css")
	require.NoError(t, os.WriteFile(old, nil, 0o644))

	files := sources(t)
	require.NoError(t, write(dir, files))
	require.NoError(t, write(dir, files))

	assert.NoFileExists(t, old)
	for _, a := range files {
		assert.FileExists(t, filepath.Join(dir, "public", "_", a.name()))
	}
	left, err := os.ReadDir(filepath.Join(dir, "public", "_"))
	require.NoError(t, err)
	assert.Len(t, left, len(files))
}

func TestTheStyleSheetIsSmallAndAsksNoOtherSite(t *testing.T) {
	css := string(sources(t)[0].body)
	assert.Less(t, len(css), 44<<10) // about 9 KB on its way
	assert.NotRegexp(t, `url\(|@import|expression|//`, css)
	assert.Equal(t, strings.Count(css, "{"), strings.Count(css, "}"))
}

func TestBothDarkThemesAreTheSame(t *testing.T) {
	css := string(sources(t)[0].body)
	blocks := regexp.MustCompile(`(?s)color-scheme: dark;(.*?)\}`).FindAllStringSubmatch(css, -1)
	require.Len(t, blocks, 2)
	assert.Equal(t, blocks[0][1], blocks[1][1])
}

func TestTheGalleryShowsEveryPage(t *testing.T) {
	handler := galleryHandler(root, sources(t))
	for _, p := range fixture.Pages() {
		for _, query := range []string{"", "?hostile"} {
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/gallery/"+p.Name+query, nil))
			assert.Equal(t, http.StatusOK, w.Code, p.Name)
		}
	}
}
