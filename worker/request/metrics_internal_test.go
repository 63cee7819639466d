package request

import (
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"

	"plaza/data"
	"plaza/data/site/metrics"
)

// TestClass has the same addresses as the test of the shim's rule (e2e/edge/counts.test.mjs).
func TestClass(t *testing.T) {
	for path, want := range map[string]metrics.Class{"/new": metrics.Visitor, "/sitemap.xml": metrics.Feed, "/robots.txt": metrics.Feed,
		"/feed/secret": metrics.Member, "/img/abc": metrics.Picture, "/picture/abc": metrics.Picture, "/card/p/abc": metrics.Picture,
		"/healthz": metrics.Other} {
		c := &Call{R: httptest.NewRequest("GET", path, nil), Route: &Route{Pattern: path}}
		assert.Equal(t, want, c.class(), path)
	}
	asked := func() *Call {
		r := httptest.NewRequest("GET", "/new", nil)
		r.Header.Set("Accept", "application/json")
		return &Call{R: r, Route: &Route{Pattern: "/new"}}
	}
	visitor, member, token := asked(), asked(), asked()
	member.Actor, token.ByToken = &data.Actor{}, true
	assert.Equal(t, metrics.JSON, visitor.class())
	assert.Equal(t, metrics.Member, member.class(), "the edge cache has nothing for members and their programs")
	assert.Equal(t, metrics.Member, token.class())
}
