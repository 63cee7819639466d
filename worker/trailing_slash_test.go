package worker_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/worker/workertest"
)

func TestSlashesAtTheEnd(t *testing.T) {
	s := workertest.MustOpen(t)
	s.Member("ann").MustPost("/communities", "name", "golang")
	for path, to := range map[string]string{
		"/c/golang/": "/c/golang", "/c/golang/new/": "/c/golang/new", "/c/golang/top/?t=week": "/c/golang/top?t=week",
		"/communities/":          "/communities",
		"/c/golang/p/caf%C3%A9/": "/c/golang/p/caf%C3%A9", "/login/": "/login",
	} {
		res := s.Visitor().Get(path)
		require.Equal(t, http.StatusPermanentRedirect, res.Code, path)
		require.Equal(t, to, res.Header().Get("Location"))
		require.Contains(t, res.Header().Get("Cache-Control"), "public, max-age=")
	}
	for _, path := range []string{"/nothing/", "/c/", "/c/golang/p/"} {
		require.Equal(t, http.StatusNotFound, s.Visitor().Get(path).Code, path)
	}
	for _, path := range []string{"//evil.org/", "//evil.org/communities/", "/%2Fevil.org/", "/\\evil.org/"} {
		r := httptest.NewRequest(http.MethodGet, "https://plaza.example/", nil)
		r.URL = &url.URL{Scheme: "https", Host: "plaza.example", Path: strings.ReplaceAll(path, "%2F", "/"), RawPath: path}
		res := s.Visitor().Send(r)
		require.False(t, strings.HasPrefix(res.Header().Get("Location"), "//"), "%s leads to %s", path, res.Header().Get("Location"))
	}
	require.Equal(t, http.StatusNotFound, s.Visitor().Post("/c/golang/submit/", "title", "x").Code)
}
