package services

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// serve is a service that returns one response after the other, and repeats the last one.
func serve(t *testing.T, list ...func(http.ResponseWriter)) (url string, asked *int) {
	asked = new(int)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		response := list[min(*asked, len(list)-1)]
		*asked++
		response(w)
	}))
	t.Cleanup(server.Close)
	return server.URL, asked
}

func says(status int, body string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
}

// TestWhatIsNoSuccess is about responses that could make setup replace secrets, or a site's script by a draft.
func TestWhatIsNoSuccess(t *testing.T) {
	for name, body := range map[string]struct {
		status int
		text   string
	}{
		"a good status that says of itself that it failed": {200, `{"success": false, "errors": [{"code": 10000, "message": "Try later"}], "result": null}`},
		"another thing is missing":                         {404, `{"success": false, "errors": [{"code": 7003, "message": "No route"}], "result": null}`},
	} {
		t.Run(name, func(t *testing.T) {
			url, _ := serve(t, says(body.status, body.text))
			c := NewCloudflare(url, "token", http.DefaultClient)
			_, _, err := c.Secrets(t.Context(), "plaza")
			require.Error(t, err)
			_, _, err = c.Bindings(t.Context(), "plaza")
			require.Error(t, err)
		})
	}
	url, _ := serve(t, says(404, `{"success": false, "errors": [{"code": 10007, "message": "No such Worker"}], "result": null}`))
	_, there, err := NewCloudflare(url, "token", http.DefaultClient).Secrets(t.Context(), "plaza")
	require.NoError(t, err)
	require.False(t, there)
}

func TestABusyServiceIsAskedAgain(t *testing.T) {
	good := says(200, `{"success": true, "result": []}`)
	list := func(of ...func(http.ResponseWriter)) (int, error) {
		url, asked := serve(t, of...)
		c := NewCloudflare(url, "token", http.DefaultClient)
		c.Pause = time.Millisecond
		_, _, err := c.Secrets(t.Context(), "plaza")
		return *asked, err
	}
	asked, err := list(says(429, "slow down"), says(502, "bad gateway"), good)
	require.NoError(t, err)
	require.Equal(t, 3, asked)
	asked, err = list(says(502, "bad gateway"))
	require.ErrorContains(t, err, "with status 502: bad gateway")
	require.Equal(t, 3, asked)
	asked, err = list(says(403, "no"))
	require.Error(t, err)
	require.Equal(t, 1, asked)

	url, n := serve(t, says(502, "bad gateway"))
	c := NewCloudflare(url, "token", http.DefaultClient)
	require.Error(t, c.SetSecret(t.Context(), "plaza", "A", "b"))
	require.Equal(t, 1, *n, "what was perhaps carried out is not sent again")
}
