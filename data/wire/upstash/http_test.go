package upstash_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data/wire/upstash"
)

// response is a client of a server with one response to everything.
func response(t *testing.T, status int, body string) *upstash.Client {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	return upstash.New(upstash.Options{URL: server.URL, Token: "secret-token"})
}

func TestInvalidResponses(t *testing.T) {
	html := "<!doctype html>\n<title>502</title>\n<h1>Bad   gateway</h1>" + strings.Repeat(" żółw", 100)
	tests := []struct {
		name   string
		status int
		body   string
		want   string // the start of the error
		is     error
	}{
		{"500 with HTML", 500, html, "upstash: HTTP 500: <!doctype html> <title>502</title> <h1>Bad gateway</h1> żółw", nil},
		{"502 without a body", 502, "", "upstash: HTTP 502", nil},
		{"429 in the protocol's form", 429, `{"error":"ERR max requests limit exceeded"}`, "upstash: HTTP 429: ERR max requests limit exceeded",
			nil},
		{"400 cut off", 400, `{"error":"ERR ma`, `upstash: HTTP 400: {"error":"ERR ma`, nil},
		{"a redirect is no answer", 304, "", "upstash: HTTP 304", nil},
		{"200 with HTML", 200, html, "upstash: malformed response", upstash.ErrMalformed},
		{"200 without a body", 200, "", "upstash: malformed response", upstash.ErrMalformed},
		{"neither result nor error", 200, `{}`, "upstash: malformed response: neither", upstash.ErrMalformed},
		{"something behind the end", 200, `{"result":1}{"result":2}`, "upstash: malformed response: more", upstash.ErrMalformed},
		{"another protocol's result", 200, `{"result":{"a":1}}`, "upstash: malformed response", upstash.ErrMalformed},
		{"an endless list of lists", 200, `{"result":` + strings.Repeat("[", 1e6), "upstash: malformed response: nested too deep",
			upstash.ErrMalformed},
		{"an endless string", 200, `{"result":"` + strings.Repeat("a", 9<<20), "upstash: response too large", upstash.ErrTooLarge},
		{"an error that is no text", 200, `{"error":{"code":1}}`, "upstash: malformed response", upstash.ErrMalformed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			list := tt.body
			if tt.status == 200 && strings.HasPrefix(list, "{") {
				list = "[" + list + "]"
			}
			one, many := response(t, tt.status, tt.body), response(t, tt.status, list)
			calls := map[string]func() error{
				"Do":       func() error { _, err := one.Do(t.Context(), upstash.Cmd{"PING"}); return err },
				"Pipeline": func() error { _, err := many.Pipeline(t.Context(), upstash.Cmd{"PING"}); return err },
				"Multi":    func() error { _, err := many.Multi(t.Context(), upstash.Cmd{"PING"}); return err },
			}
			for name, call := range calls {
				err := call()
				require.Error(t, err, name)
				if tt.is != nil {
					require.ErrorIs(t, err, tt.is, name)
					e := (*upstash.Error)(nil)
					require.False(t, errors.As(err, &e), name)
				} else {
					e := (*upstash.Error)(nil)
					require.ErrorAs(t, err, &e, name)
					require.Equal(t, tt.status, e.Status)
				}
				if name == "Do" {
					assert.Truef(t, strings.HasPrefix(err.Error(), tt.want), "%s", err)
				}
				assert.Less(t, len(err.Error()), 300)
				assert.NotContains(t, err.Error(), "secret-token")
			}
		})
	}
}

func TestTruncated(t *testing.T) {
	whole := `[{"result":["YQ==",null,-12,[1.5]]},{"error":"ERR \"x\" żółw"},{"result":"OK"}]`
	cmds := []upstash.Cmd{{"A"}, {"B"}, {"C"}}
	replies, err := response(t, 200, " "+whole+"\n").Pipeline(t.Context(), cmds...)
	require.NoError(t, err)
	assert.Equal(t, `["a" nil -12 [1.5]]`, replies[0].String())
	assert.Equal(t, `ERR "x" żółw`, replies[1].String())
	for n := range whole {
		_, err := response(t, 200, whole[:n]).Pipeline(t.Context(), cmds...)
		require.ErrorIs(t, err, upstash.ErrMalformed, "cut after %d bytes", n)
	}
	t.Run("a connection that breaks off", func(t *testing.T) {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = w.Write([]byte(whole[:50]))
		}))
		defer server.Close()
		_, err := upstash.New(upstash.Options{URL: server.URL}).Pipeline(t.Context(), cmds...)
		assert.ErrorContains(t, err, "reading the response")
	})
	t.Run("another number of results than commands", func(t *testing.T) {
		for _, n := range []int{2, 4} {
			_, err := response(t, 200, whole).Pipeline(t.Context(), pings(n)...)
			assert.ErrorIs(t, err, upstash.ErrMalformed)
		}
	})
	t.Run("one result for a batch", func(t *testing.T) {
		_, err := response(t, 200, `{"result":1}`).Pipeline(t.Context(), cmds...)
		assert.ErrorIs(t, err, upstash.ErrMalformed)
	})
	t.Run("a discarded transaction with status 200", func(t *testing.T) {
		_, err := response(t, 200, `{"error":"EXECABORT discarded"}`).Multi(t.Context(), cmds...)
		assert.Equal(t, &upstash.Error{Status: 200, Message: "EXECABORT discarded"}, err)
	})
}

func pings(n int) []upstash.Cmd {
	cmds := make([]upstash.Cmd, n)
	for i := range cmds {
		cmds[i] = upstash.Cmd{"PING"}
	}
	return cmds
}

func TestRequest(t *testing.T) {
	t.Run("is what the protocol asks for", func(t *testing.T) {
		var paths, bodies []string
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			assert.Equal(t, "Bearer secret-token", r.Header.Get("Authorization"))
			assert.Equal(t, "base64", r.Header.Get("Upstash-Encoding"))
			assert.Equal(t, http.MethodPost, r.Method)
			body := new(strings.Builder)
			_ = r.Write(body)
			_, text, _ := strings.Cut(body.String(), "\r\n\r\n")
			paths, bodies = append(paths, r.URL.Path), append(bodies, text)
			_, _ = w.Write([]byte(`[{"result":null}]`))
		}))
		defer server.Close()
		client := upstash.New(upstash.Options{URL: server.URL + "/", Token: "secret-token", HTTP: server.Client()})
		cmd := upstash.Cmd{"SET", "a\"\\\n\x01é", []byte("v"), "EX", 60, int64(-1) << 63, 0.5}
		_, _ = client.Do(t.Context(), cmd)
		_, err := client.Pipeline(t.Context(), cmd)
		require.NoError(t, err)
		_, err = client.Multi(t.Context(), cmd)
		require.NoError(t, err)
		assert.Equal(t, []string{"/", "/pipeline", "/multi-exec"}, paths)
		one := `["SET","a\"\\\n\u0001é","v","EX","60","-9223372036854775808","0.5"]`
		assert.Equal(t, []string{one, "[" + one + "]", "[" + one + "]"}, bodies)
	})
	t.Run("ends with its context", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := response(t, 200, `{"result":1}`).Do(ctx, upstash.Cmd{"PING"})
		assert.ErrorIs(t, err, context.Canceled)
		assert.NotContains(t, err.Error(), "secret-token")
	})
	t.Run("is counted even when it fails", func(t *testing.T) {
		ctx, meter := upstash.WithMeter(t.Context())
		_, err := response(t, 500, "").Pipeline(ctx, upstash.Cmd{"PING"}, upstash.Cmd{"PING"})
		assert.Error(t, err)
		assert.Equal(t, 1, meter.Requests())
		assert.Equal(t, 2, meter.Commands())
	})
}

func TestReply(t *testing.T) {
	body := `[{"result":"MTI="},{"result":12},{"result":1.5e3},{"result":null},{"result":["YQ==",null,2]},{"error":"NOSCRIPT x"},` +
		`{"result":9223372036854775808},{"result":"eA=="},{"result":true}]`
	r, err := response(t, 200, body).Pipeline(t.Context(), pings(9)...)
	require.NoError(t, err)
	digits, integer, float, null, list, failed, huge, letter, yes := r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8]

	t.Run("Int", func(t *testing.T) {
		for _, r := range []upstash.Reply{digits, integer} {
			n, err := r.Int()
			assert.NoError(t, err)
			assert.EqualValues(t, 12, n)
		}
		n, err := yes.Int()
		assert.NoError(t, err)
		assert.EqualValues(t, 1, n)
		for want, r := range map[string]upstash.Reply{
			"upstash: nil reply":                                   null,
			"upstash: reply is a list, not an integer":             list,
			"upstash: NOSCRIPT x":                                  failed,
			`upstash: reply "9223372036854775808" is not an int64`: huge,
			`upstash: reply "1.5e3" is not an int64`:               float,
			`upstash: reply "x" is not an int64`:                   letter,
		} {
			_, err := r.Int()
			assert.EqualError(t, err, want)
		}
	})
	t.Run("Float", func(t *testing.T) {
		for want, r := range map[float64]upstash.Reply{12: digits, 1500: float, 9223372036854775808: huge} {
			f, err := r.Float()
			assert.NoError(t, err)
			assert.Equal(t, want, f)
		}
		for _, r := range []upstash.Reply{null, list, failed, letter} {
			_, err := r.Float()
			assert.Error(t, err)
		}
	})
	t.Run("Text", func(t *testing.T) {
		for want, r := range map[string]upstash.Reply{"12": integer, "x": letter, "1.5e3": float} {
			text, ok, err := r.Text()
			assert.NoError(t, err)
			assert.True(t, ok)
			assert.Equal(t, want, text)
		}
		_, ok, err := null.Text()
		assert.NoError(t, err)
		assert.False(t, ok)
		for _, r := range []upstash.Reply{list, failed} {
			_, _, err := r.Text()
			assert.Error(t, err)
		}
	})
	t.Run("Strings and List", func(t *testing.T) {
		texts, err := list.Strings()
		assert.NoError(t, err)
		assert.Equal(t, []string{"a", "", "2"}, texts)
		texts, err = null.Strings()
		assert.NoError(t, err)
		assert.Nil(t, texts)
		for _, r := range []upstash.Reply{integer, letter, failed} {
			_, err := r.Strings()
			assert.Error(t, err)
			_, err = r.List()
			assert.Error(t, err)
		}
	})
	t.Run("Err", func(t *testing.T) {
		for i, r := range r {
			assert.Equal(t, i == 5, r.Err() != nil)
		}
		e := (*upstash.Error)(nil)
		require.ErrorAs(t, failed.Err(), &e)
		assert.Equal(t, "NOSCRIPT", e.Code())
		assert.Empty(t, (&upstash.Error{Message: "<html> x"}).Code())
		assert.NoError(t, upstash.FirstError(r[:5]))
		assert.NoError(t, upstash.Reply{}.Err())
		assert.True(t, upstash.Reply{}.Nil())
	})
}
