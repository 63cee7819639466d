package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const root = "../.."

// collected is the result of collect for the repository, cached because esbuild takes seconds.
var collected = sync.OnceValues(func() ([]asset, error) { return collect(root) })

func sources(t *testing.T) []asset {
	t.Helper()
	files, err := collected()
	require.NoError(t, err)
	return files
}

// styles is the style sheet.
func styles(t *testing.T) string {
	t.Helper()
	files := sources(t)
	at := slices.IndexFunc(files, func(a asset) bool { return a.constant == "AppCSS" })
	require.GreaterOrEqual(t, at, 0)
	return string(files[at].body)
}

func TestTheGeneratedAddressesAreCurrent(t *testing.T) {
	got, err := os.ReadFile(filepath.Join(root, "render", "ui", "assets.go"))
	require.NoError(t, err)
	assert.Equal(t, string(source(sources(t))), string(got), "run go run ./cmd/assets")
}

// The program draws link previews with copies of the package's fonts (render/card).
func TestTheFontsOfCardsAreThoseOfThePackage(t *testing.T) {
	copies, err := filepath.Glob(filepath.Join(root, "render", "card", "fonts", "*.woff"))
	require.NoError(t, err)
	require.Len(t, copies, 6)
	for _, copied := range copies {
		script := strings.TrimSuffix(filepath.Base(copied), ".woff")
		want, err := os.ReadFile(filepath.Join(root, "node_modules", "@fontsource", "source-serif-4", "files", "source-serif-4-"+script+"-600-normal.woff"))
		require.NoError(t, err)
		got, err := os.ReadFile(copied)
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got), "copy %s anew", script)
	}
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
	css := styles(t)
	assert.Less(t, len(css), 76<<10) // about 16 KB compressed
	own := regexp.MustCompile(`url\(/_/serif(-ext|-vi)?\.[0-9a-f]{10}\.woff2\)`)
	assert.Len(t, own.FindAllString(css, -1), len(fonts))
	assert.NotRegexp(t, `url\(|@import|expression|//`, own.ReplaceAllString(css, ""))
	assert.Equal(t, strings.Count(css, "{"), strings.Count(css, "}"))
}

func TestTheFontsAreSmall(t *testing.T) {
	all := 0
	for _, a := range sources(t) {
		if a.ext == ".woff2" {
			all += len(a.body)
			assert.Equal(t, "wOF2", string(a.body[:4]), a.stem)
		}
		if a.constant == "SerifWOFF2" {
			assert.Less(t, len(a.body), 36<<10, "the one that all pages load")
		}
	}
	assert.Less(t, all, 75<<10)
}

// If a font is missing, or the style sheet does not name it, the error says which.
func TestTheStyleSheetNamesEachFontOnce(t *testing.T) {
	fonts := []asset{{stem: "serif", ext: ".woff2", body: []byte("x")}}
	named, err := nameFonts([]byte("url(/_/serif.woff2)"), fonts)
	require.NoError(t, err)
	assert.Equal(t, "url(/_/"+fonts[0].name()+")", string(named))
	for _, css := range []string{"", "url(/_/serif.woff2) url(/_/serif.woff2)"} {
		_, err = nameFonts([]byte(css), fonts)
		assert.ErrorContains(t, err, "/_/serif.woff2")
	}
}

func TestBothDarkThemesAreTheSame(t *testing.T) {
	css := styles(t)
	blocks := regexp.MustCompile(`(?s)color-scheme:dark;(.*?)\}`).FindAllStringSubmatch(css, -1)
	require.Len(t, blocks, 2)
	assert.Equal(t, blocks[0][1], blocks[1][1])
}
