package worker_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/worker"
)

// The edge's list of addresses is made from the routes table.
func TestTheEdgeKnowsTheTable(t *testing.T) {
	for _, rt := range worker.APIRoutes() {
		for _, name := range rt.Parameters {
			require.NotEmpty(t, worker.Shapes()[name], "the edge needs a shape of %s, of %s", name, rt.Pattern)
		}
	}
	const name = "edge/shim/table.mjs"
	if os.Getenv("PLAZA_UPDATE") != "" {
		require.NoError(t, os.WriteFile(name, []byte(worker.EdgeTable()), 0o644))
	}
	b, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, worker.EdgeTable(), string(b), "run PLAZA_UPDATE=1 go test ./worker -run TestTheEdgeKnowsTheTable")
}

func TestAPageDoesNotSeeUnknownParameters(t *testing.T) {
	s := mustOpen(t)
	s.member("ann").mustPost("/communities", "name", "gophers")
	page := s.visitor().page("/c/gophers/top?x=1&t=week&utm_source=y&t=day&__variant=json")
	require.NotContains(t, page, "utm_source")
	require.NotContains(t, page, "x=1")
	require.Contains(t, page, `<link rel="canonical" href="https://plaza.example/c/gophers/top?t=week">`)
}

func TestMissingPagesAreCachedForAMoment(t *testing.T) {
	s := mustOpen(t)
	ann := s.member("ann")
	ann.mustPost("/communities", "name", "gophers")
	for path, status := range map[string]int{"/c/nowhere": 404, "/c/gophers/p/nothing": 404, "/c/gophers?after=!": 400, "/c/gophers/top?t=!": 400} {
		res := s.visitor().get(path)
		require.Equal(t, status, res.Code, path)
		require.Equal(t, "public, max-age=0, s-maxage=10", res.Header().Get("Cache-Control"), path)
		require.Equal(t, "private, no-store", ann.get(path).Header().Get("Cache-Control"), path)
	}
}
