package post_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

// TestAddresses posts titles of which an address is hard to make, twice each: every
// post gets an address of its own, that can be read and that leads to it.
func TestAddresses(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers", "title", "Gophers")
	readable := regexp.MustCompile(`^/c/gophers/p/[a-z0-9]+(-[a-z0-9]+)*$`)
	seen := map[string]bool{}
	for title, begins := range map[string]string{
		"😀🎉🚀":                       "post",
		"日本語の投稿":                    "ri-ben-yu",
		"Привет, мир":               "privet-mir",
		"مرحبا بالعالم":             "mrhb",
		"한국어 게시물":                   "hangugeo",
		strings.Repeat("long ", 60): "long-long-long",
		strings.Repeat("ü", 300):    "uuuuu",
		"submit":                    "submit",
		"new":                       "new",
		"mod":                       "mod",
		"settings":                  "settings",
		"other":                     "other",
		"..":                        "post",
		"../../admin":               "admin",
		"%2e%2e/%00":                "2e-2e-00",
	} {
		for range 2 {
			to := ann.MustPost("/c/gophers/submit", "title", title, "text", "text", "anyway", "1")
			require.Regexp(t, readable, to, title)
			require.False(t, seen[to], "%s leads to two posts", to)
			seen[to] = true
			slug := to[strings.LastIndexByte(to, '/')+1:]
			require.True(t, strings.HasPrefix(slug, begins), "%q became %s", title, slug)
			require.LessOrEqual(t, len(slug), 64+4)
			res := s.Visitor().Get(to)
			require.Equal(t, http.StatusOK, res.Code, to)
		}
	}
}
