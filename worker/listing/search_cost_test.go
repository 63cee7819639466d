package listing_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

// TestDearSearches: what would go through too much of the index says what to leave out, with what was typed still in the form.
func TestDearSearches(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gardens")
	ann.MustPost("/submit", "community", "gardens", "title", "The rose of the garden", "text", "It is in the garden.")
	for word, n := range map[string]int{"the": 200_000, "of": 160_000, "rose": 9000} {
		s.Exec(`INSERT INTO search_common (about, word, found) VALUES ('search_posts', ?1, ?2), ('search_comments', ?1, ?2)`, word, n)
	}
	visitor := s.Visitor()
	page := visitor.Page("/search?q=the+of+rose")
	require.Contains(t, page, "The rose of the garden")
	require.Contains(t, page, "Ignored, because nearly everything has them: the.")
	require.Contains(t, visitor.Page("/search.json?q=the+of+rose"), `"left_out":["the"]`)
	for _, address := range []string{"/search?q=", "/search?type=comments&q="} {
		res := visitor.Get(address + url.QueryEscape(`"the of"`))
		require.Equal(t, http.StatusBadRequest, res.Code)
		require.Contains(t, res.Body.String(), "The words of &#34;the of&#34; are everywhere. Please quote fewer of them")
		require.Contains(t, res.Body.String(), `value="&#34;the of&#34;"`)
	}
	res := visitor.Get("/search.json?q=" + url.QueryEscape(`"the of"`))
	require.Equal(t, http.StatusBadRequest, res.Code)
	require.Contains(t, res.Body.String(), `"field":"q","message":"The words of \"the of\" are everywhere.`)
	for q, says := range map[string]string{`"a b c d e f g"`: "Six words can be quoted at most.",
		`"a b c d e f" "g h i j k l" m`: "at most 12 words"} {
		res := visitor.Get("/search?q=" + url.QueryEscape(q))
		require.Equal(t, http.StatusBadRequest, res.Code, q)
		require.Contains(t, res.Body.String(), says)
	}
}
