package worker_test

import (
	"fmt"
	"net/http"
	"strings"
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
		`{"name":"gophers","title":{"a":1,"a":"two"}}`: "A field is a text, a number or a truth value.",
	} {
		res := ann.PostBody("/communities", "application/json", body)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code, body)
		require.Contains(t, res.Body.String(), says, body)
	}
	var many strings.Builder
	for i := range 80_000 {
		fmt.Fprintf(&many, `"%d":1,`, i)
	}
	for _, path := range []string{"/login", "/contact", "/notice", "/view", "/display", "/communities"} {
		res := ann.PostBody(path, "application/json", "{"+many.String()+`"name":"gophers"}`)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code, path)
		require.Contains(t, res.Body.String(), "The JSON object has more than 500 fields.", path)
	}
	require.EqualValues(t, 0, s.One("SELECT count(*) FROM communities"))
	res := ann.PostBody("/communities", "application/json", `{"name":"gophers","NAME":"ferris","Title":"Ferris"}`)
	require.Equal(t, http.StatusOK, res.Code, res.Body.String())
	require.Equal(t, "gophers", s.One("SELECT title FROM communities"), "names in other letters are other names")
}
