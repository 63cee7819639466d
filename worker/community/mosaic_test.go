package community_test

import (
	"crypto/sha256"
	"encoding/base64"
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

// TestMosaics opens the mosaics of a community's page and of an error page, each by itself.
func TestMosaics(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	s.Admin("odin").MustPost(workertest.SiteSettings, "name", "Town & Square", "accent", "blue")
	shown := func(page string) string {
		src := regexp.MustCompile(`<img class="(?:banner|tile) mosaic" src="([^"]+)"`).FindStringSubmatch(page)
		require.NotNil(t, src, page)
		return html.UnescapeString(src[1])
	}
	for where, at := range map[string]string{"a community": shown(ann.Page("/c/gophers")), "an error": shown(s.Visitor().Get("/nothing").Body.String())} {
		t.Run(where, func(t *testing.T) {
			res := s.Visitor().Get(at)
			require.Equal(t, http.StatusOK, res.Code, at)
			require.Equal(t, "image/svg+xml", res.Header().Get("Content-Type"))
			_, rest, found := strings.Cut(res.Body.String(), "<style>")
			require.True(t, found)
			style, _, _ := strings.Cut(rest, "</style>")
			sum := sha256.Sum256([]byte(style))
			require.Equal(t, "default-src 'none'; sandbox; frame-ancestors 'none'; style-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'",
				res.Header().Get("Content-Security-Policy"), "its own style applies, and nothing else")
			require.NotContains(t, rest, "<script")
			require.Equal(t, http.StatusNotFound, s.Visitor().Get(at+"?again").Code, "one address")
		})
	}
	require.Contains(t, shown(s.Visitor().Get("/nothing").Body.String()), "/01579b/town%20&%20square", "the accent is the colour")
	for _, other := range []string{"/img/mosaic/1/01579b/another%20square", "/img/mosaic/1/01579b/Gophers", "/img/mosaic/1/010101/gophers"} {
		require.Equal(t, http.StatusNotFound, s.Visitor().Get(other).Code, other)
	}
}
