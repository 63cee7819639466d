package hrana_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data/wire/hrana"
)

func TestResponses(t *testing.T) {
	closed := `{"type":"ok","response":{"type":"close"}}`
	batch := func(result string) string {
		return `{"results":[{"type":"ok","response":{"type":"batch","result":` + result + `}},` + closed + `]}`
	}
	tests := map[string]struct {
		status int
		body   string
		says   string
	}{
		"plain text 400":              {400, "Received an invalid baton", "HTTP 400: Received an invalid baton"},
		"a Hrana error with its code": {400, `{"message":"no","code":"AUTH"}`, "HTTP 400: no (AUTH)"},
		"an empty 502":                {502, "", "HTTP 502: Bad Gateway"},
		"a proxy's page":              {403, "<html>" + strings.Repeat("é", 500), "HTTP 403: <html>é"},
		"an error of the close": {200,
			`{"results":[{"type":"ok","response":{"type":"batch","result":{"step_results":[null],"step_errors":[null]}}},{"type":"error",` +
				`"error":{"message":"cannot close"}}]}`, "cannot close"},
		"no JSON":                       {200, "<html>", "cannot read the response"},
		"nothing":                       {200, "", "cannot read the response"},
		"JSON that ends early":          {200, `{"results":[{"type":"ok"`, "cannot read the response"},
		"no results":                    {200, `{}`, "0 results for 2 requests"},
		"one result too few":            {200, `{"results":[` + closed + `]}`, "1 results for 2 requests"},
		"fewer answers than statements": {200, batch(`{"step_results":[],"step_errors":[]}`), "0 of 1 statements"},
		"neither a result nor an error": {200, batch(`{"step_results":[null],"step_errors":[null]}`), "skipped"},
		"a row with a value too many": {200, batch(`{"step_results":[{"cols":[],"rows":[[{"type":"null"}]]}],"step_errors":[null]}`),
			"than columns"},
		"a row with a value too few": {200, batch(`{"step_results":[{"cols":[{"name":"a"}],"rows":[[]]}],"step_errors":[null]}`),
			"than columns"},
		"an element of an unknown type": {200, `{"results":[{"type":"later","response":{}},` + closed + `]}`, "neither ok nor an error"},
		"an integer that is none": {200,
			batch(`{"step_results":[{"cols":[{"name":"a"}],"rows":[[{"type":"integer","value":"1x"}]]}],"step_errors":[null]}`),
			"not what its type says"},
		"a value of an unknown type": {200,
			batch(`{"step_results":[{"cols":[{"name":"a"}],"rows":[[{"type":"vector","value":"1"}]]}],"step_errors":[null]}`),
			"not what its type says"},
	}
	for name, tt := range tests {
		t.Run(name+" is a clear error", func(t *testing.T) {
			c := hrana.New(hrana.Options{URL: "http://h", Attempts: 1, HTTP: transport(func(*http.Request) (*http.Response, error) {
				return respond(tt.status, tt.body), nil
			})})
			_, err := c.Query(t.Context(), sql("SELECT 1"))
			require.ErrorContains(t, err, tt.says)
			assert.Less(t, len(err.Error()), 300)
		})
	}
	t.Run("a transaction that was neither committed nor failed is an error", func(t *testing.T) {
		c := hrana.New(hrana.Options{URL: "http://h", HTTP: transport(func(*http.Request) (*http.Response, error) {
			return says(batch(`{"step_results":[{},{},null,null],"step_errors":[null,null,null,null]}`))
		})})
		_, err := c.Tx(t.Context(), sql("DELETE FROM t"))
		assert.ErrorContains(t, err, "neither committed")
	})
	for name, length := range map[string]int64{"announced": 33 << 20, "not announced": -1} {
		t.Run("a response over 32 MiB is refused when its length is "+name, func(t *testing.T) {
			read := 0
			c := hrana.New(hrana.Options{URL: "http://h", HTTP: transport(func(*http.Request) (*http.Response, error) {
				resp := respond(200, "")
				resp.ContentLength, resp.Body = length, io.NopCloser(&endless{&read})
				return resp, nil
			})})
			_, err := c.Query(t.Context(), sql("SELECT 1"))
			require.ErrorContains(t, err, "larger than 32 MiB")
			assert.LessOrEqual(t, read, 33<<20)
		})
	}
}

type endless struct{ read *int }

func (e *endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	*e.read += len(b)
	return len(b), nil
}
