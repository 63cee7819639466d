package main

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"

	"plaza/test/fixture"
)

func TestTheGalleryShowsEveryPage(t *testing.T) {
	handler := handler("../../public")
	for _, p := range fixture.Pages() {
		for _, query := range []string{"", "?hostile", "?long", "?lang=de"} {
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/gallery/"+p.Name+query, nil))
			assert.Equal(t, http.StatusOK, w.Code, p.Name)
		}
	}
}
