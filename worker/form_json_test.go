package worker_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

// TestObjectsThatCanBeReadInTwoWays: a JSON body whose fields another reader may understand otherwise decides nothing.
func TestObjectsThatCanBeReadInTwoWays(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.Header.Set("Accept", "application/json")
	for body, says := range map[string]string{
		`{"name":"gophers","name":"ferris"}`:           "The JSON object has a field twice.",
		`{"name":"gophers","n\u0061me":"ferris"}`:      "The JSON object has a field twice.",
		`{"name":"gophers"} {"name":"ferris"}`:         "The body is not a JSON object.",
		`{"name":"gophers"}x`:                          "The body is not a JSON object.",
		"{\"name\":\"gophers\",\"title\":\"a\xff\"}":   "that is not Unicode",
		`{"name":"gophers","title":"\ud800"}`:          "that is not Unicode",
		`[{"name":"gophers"}]`:                         "The body is not a JSON object.",
		`{"name":"gophers","title":{"a":1,"a":"two"}}`: "The JSON object has a field twice.",
	} {
		res := ann.PostBody("/communities", "application/json", body)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code, body)
		require.Contains(t, res.Body.String(), says, body)
	}
	require.EqualValues(t, 0, s.One("SELECT count(*) FROM communities"))
	res := ann.PostBody("/communities", "application/json", `{"name":"gophers","NAME":"ferris","Title":"Ferris"}`)
	require.Equal(t, http.StatusOK, res.Code, res.Body.String())
	require.Equal(t, "gophers", s.One("SELECT title FROM communities"), "names in other letters are other names")
}
