package hrana_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data/pace/deadline"
	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
)

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func transport(f roundTrip) *http.Client { return &http.Client{Transport: f} }

func respond(status int, body string) *http.Response {
	return &http.Response{StatusCode: status, Body: io.NopCloser(strings.NewReader(body)), ContentLength: -1, Header: http.Header{}}
}

func says(response string) (*http.Response, error) { return respond(200, response), nil }

type fault = func(next http.RoundTripper, r *http.Request) (*http.Response, error)

// flaky fails the first requests as the faults say and then passes requests on.
type flaky struct {
	client *hrana.Client
	faults []fault
	sent   int
	bodies []string
	slept  []time.Duration
}

func openFlaky(t *testing.T, faults ...fault) *flaky {
	url, next := stacktest.OpenDB(t)
	f := &flaky{}
	f.client = hrana.New(hrana.Options{URL: url,
		HTTP: transport(func(r *http.Request) (*http.Response, error) {
			body, _ := io.ReadAll(r.Body)
			f.bodies = append(f.bodies, string(body))
			r.Body = io.NopCloser(bytes.NewReader(body))
			f.sent++
			if f.sent <= len(f.faults) {
				return f.faults[f.sent-1](next.Transport, r)
			}
			return next.Transport.RoundTrip(r)
		}),
		Rand:     func() float64 { return 0.5 },
		Attempts: 4,
		Sleep: func(ctx context.Context, d time.Duration) error {
			f.slept = append(f.slept, d)
			return ctx.Err()
		},
	})
	mustTx(t, f.client, sql("CREATE TABLE t (a INTEGER PRIMARY KEY)"))
	f.sent, f.bodies, f.faults = 0, nil, faults
	return f
}

func status(code int) fault {
	return func(http.RoundTripper, *http.Request) (*http.Response, error) {
		return respond(code, `{"error":"the server says no"}`), nil
	}
}

func broken(http.RoundTripper, *http.Request) (*http.Response, error) {
	return nil, errors.New("connection reset by peer")
}

// lost sends the request and loses the response.
func lost(next http.RoundTripper, r *http.Request) (*http.Response, error) {
	resp, err := next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	resp.Body.Close()
	return nil, io.ErrUnexpectedEOF
}

// cut loses the second half of the response.
func cut(next http.RoundTripper, r *http.Request) (*http.Response, error) {
	resp, err := next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	text, _ := io.ReadAll(resp.Body)
	resp.Body = io.NopCloser(io.MultiReader(bytes.NewReader(text[:len(text)/2]), failingReader{}))
	return resp, nil
}

type failingReader struct{}

func (failingReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func busyStep(code string) fault {
	return func(http.RoundTripper, *http.Request) (*http.Response, error) {
		return says(`{"baton":null,"base_url":null,"results":[{"type":"ok","response":{"type":"batch","result":{"step_results":[null,null,null,null],
			"step_errors":[{"message":"database is locked","code":"` + code + `"},null,null,null]}}},{"type":"ok","response":{"type":"close"}}]}`)
	}
}

func busyElement(http.RoundTripper, *http.Request) (*http.Response, error) {
	return says(`{"results":[{"type":"error","error":{"message":"locked","code":"SQLITE_BUSY"}},{"type":"ok","response":{"type":"close"}}]}`)
}

func TestRetries(t *testing.T) {
	again := map[string]fault{
		"HTTP 429":                        status(429),
		"HTTP 502":                        status(502),
		"HTTP 503":                        status(503),
		"HTTP 504":                        status(504),
		"a broken connection":             broken,
		"an answer that is lost":          lost,
		"an answer that is cut":           cut,
		"a busy database":                 busyStep("SQLITE_BUSY"),
		"a busy snapshot":                 busyStep("SQLITE_BUSY_SNAPSHOT"),
		"a locked table":                  busyStep("SQLITE_LOCKED"),
		"a lock taken away":               busyStep("TRANSACTION_TIMEOUT"),
		"a whole batch refused by a lock": busyElement,
	}
	for name, f := range again {
		t.Run("the same batch is sent again after "+name, func(t *testing.T) {
			f := openFlaky(t, f, f)
			ctx, meter := hrana.WithMeter(t.Context())
			res, err := f.client.Tx(ctx, sql("INSERT INTO t VALUES (?) ON CONFLICT DO NOTHING", 1))
			require.NoError(t, err)
			require.Len(t, res, 1)
			assert.Equal(t, int64(3), meter.Requests())
			assert.Equal(t, int64(2), meter.Retries())
			assert.Equal(t, []time.Duration{25 * time.Millisecond, 50 * time.Millisecond}, f.slept)
			assert.Equal(t, f.bodies[0], f.bodies[2])
			assert.Equal(t, int64(1), count(t, f.client, "t"))
		})
	}
	t.Run("there are no more attempts than were asked for", func(t *testing.T) {
		no := status(429)
		f := openFlaky(t, no, no, no, no, no)
		ctx, meter := hrana.WithMeter(t.Context())
		_, err := f.client.Query(ctx, sql("SELECT 1"))
		e := asError(t, err)
		assert.Equal(t, 429, e.Status)
		assert.Equal(t, "the server says no", e.Message)
		assert.True(t, hrana.IsUnavailable(err))
		assert.Equal(t, int64(4), meter.Requests())
		assert.Equal(t, int64(3), meter.Retries())
	})
	t.Run("a database that stays busy is reported as busy", func(t *testing.T) {
		no := busyStep("SQLITE_BUSY")
		f := openFlaky(t, no, no, no, no)
		_, err := f.client.Tx(t.Context(), sql("DELETE FROM t"))
		assert.True(t, hrana.IsBusy(err))
		assert.True(t, hrana.IsUnavailable(err))
		assert.Equal(t, 4, f.sent)
	})
	t.Run("a write is sent again once if a table is said to be missing", func(t *testing.T) {
		missing := func(http.RoundTripper, *http.Request) (*http.Response, error) {
			return says(`{"results":[{"type":"ok","response":{"type":"batch","result":{"step_results":[{"cols":[],"rows":[],"affected_row_count":0},
				null,null,null],"step_errors":[null,{"message":"SQLite error: no such table: t","code":"SQLITE_UNKNOWN"},null,null]}}},
				{"type":"ok","response":{"type":"close"}}]}`)
		}
		f := openFlaky(t, missing)
		mustTx(t, f.client, sql("INSERT INTO t VALUES (1)"))
		assert.Equal(t, int64(1), count(t, f.client, "t"))
		f = openFlaky(t, missing, missing)
		_, err := f.client.Tx(t.Context(), sql("INSERT INTO t VALUES (1)"))
		assert.Equal(t, "SQLite error: no such table: t", asError(t, err).Message)
		assert.Equal(t, 2, f.sent)
	})
	for _, code := range []int{400, 401, 403, 405, 415, 500} {
		t.Run(fmt.Sprintf("HTTP %d is final", code), func(t *testing.T) {
			f := openFlaky(t, status(code))
			_, err := f.client.Query(t.Context(), sql("SELECT 1"))
			assert.Equal(t, code, asError(t, err).Status)
			assert.Equal(t, 1, f.sent)
			assert.Equal(t, code >= 500, hrana.IsUnavailable(err))
		})
	}
	t.Run("a time-out is final", func(t *testing.T) {
		f := openFlaky(t, func(http.RoundTripper, *http.Request) (*http.Response, error) {
			return nil, context.DeadlineExceeded
		})
		_, err := f.client.Query(t.Context(), sql("SELECT 1"))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.True(t, hrana.IsUnavailable(err))
		assert.Equal(t, 1, f.sent)
	})
	t.Run("a constraint is final", func(t *testing.T) {
		f := openFlaky(t)
		_, err := f.client.Tx(t.Context(), sql("INSERT INTO t VALUES (1)"), sql("INSERT INTO t VALUES (1)"))
		assert.True(t, hrana.IsUnique(err))
		assert.Equal(t, 1, f.sent)
	})
	t.Run("a batch that was busy after it had written is not sent again", func(t *testing.T) {
		half := func(http.RoundTripper, *http.Request) (*http.Response, error) {
			return says(`{"results":[{"type":"ok","response":{"type":"batch","result":{
				"step_results":[{"cols":[],"rows":[],"affected_row_count":1,"rows_written":1},null],
				"step_errors":[null,{"message":"database is locked","code":"SQLITE_BUSY"}]}}},{"type":"ok","response":{"type":"close"}}]}`)
		}
		f := openFlaky(t, half)
		out, err := f.client.Batch(t.Context(), []hrana.Step{{Stmt: sql("INSERT INTO t VALUES (1)")}, {Stmt: sql("INSERT INTO t VALUES (2)")}})
		require.NoError(t, err)
		assert.True(t, hrana.IsBusy(out[1].Err))
		assert.Equal(t, 1, f.sent)
	})
	t.Run("nothing is sent again once the context is done", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		f := openFlaky(t, func(http.RoundTripper, *http.Request) (*http.Response, error) {
			cancel()
			return respond(503, ""), nil
		})
		_, err := f.client.Query(ctx, sql("SELECT 1"))
		assert.Equal(t, "Service Unavailable", asError(t, err).Message)
		assert.Equal(t, 1, f.sent)
	})
	t.Run("waiting ends with the context", func(t *testing.T) {
		f := openFlaky(t)
		url, _ := stacktest.OpenDB(t)
		ctx, cancel := context.WithCancel(t.Context())
		c := hrana.New(hrana.Options{URL: url, HTTP: transport(func(r *http.Request) (*http.Response, error) {
			f.sent++
			return respond(503, ""), nil
		}), Sleep: func(ctx context.Context, d time.Duration) error {
			cancel()
			return deadline.DefaultSleep(ctx, d)
		}})
		_, err := c.Query(ctx, sql("SELECT 1"))
		require.Error(t, err)
		assert.Equal(t, 1, f.sent)
	})
	t.Run("a request in flight ends with the context", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		asked := 0
		server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			asked++
			_, _ = io.Copy(io.Discard, r.Body)
			cancel()
			<-r.Context().Done() // until the client has disconnected
		}))
		defer server.Close()
		_, err := hrana.New(hrana.Options{URL: server.URL}).Query(ctx, sql("SELECT 1"))
		require.ErrorIs(t, err, context.Canceled)
		server.Close()
		assert.Equal(t, 1, asked)
	})
	t.Run("the waits grow, are drawn from all of their range and stay bounded", func(t *testing.T) {
		var slept []time.Duration
		c := hrana.New(hrana.Options{URL: "http://h", Attempts: 9, Rand: func() float64 { return 1 },
			Sleep: func(_ context.Context, d time.Duration) error { slept = append(slept, d); return nil },
			HTTP:  transport(func(*http.Request) (*http.Response, error) { return respond(503, ""), nil })})
		_, err := c.Query(t.Context(), sql("SELECT 1"))
		require.Error(t, err)
		ms := time.Millisecond
		assert.Equal(t, []time.Duration{50 * ms, 100 * ms, 200 * ms, 400 * ms, 800 * ms, 1000 * ms, 1000 * ms, 1000 * ms}, slept)
	})
}

// stream holds a stream open, which hrana.Client never does.
type stream struct {
	t     *testing.T
	url   string
	http  *http.Client
	baton *string
}

func (s *stream) run(stmts ...string) (int, string) {
	s.t.Helper()
	steps := []any{}
	for _, text := range stmts {
		steps = append(steps, map[string]any{"stmt": map[string]any{"sql": text}})
	}
	body, err := json.Marshal(map[string]any{"baton": s.baton, "requests": []any{
		map[string]any{"type": "batch", "batch": map[string]any{"steps": steps}}}})
	require.NoError(s.t, err)
	resp, err := s.http.Post(s.url+"/v3/pipeline", "application/json", bytes.NewReader(body))
	require.NoError(s.t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	require.NoError(s.t, err)
	var response struct{ Baton *string }
	if json.Unmarshal(text, &response) == nil {
		s.baton = response.Baton
	}
	return resp.StatusCode, string(text)
}

func TestLocks(t *testing.T) {
	t.Run("a snapshot that a writer overtook is busy, and waiting for the writer helps", func(t *testing.T) {
		url, client := stacktest.OpenDB(t)
		c := hrana.New(hrana.Options{URL: url, HTTP: client})
		mustTx(t, c, sql("CREATE TABLE t (a INTEGER PRIMARY KEY)"))
		reader := &stream{t: t, url: url, http: client}
		reader.run("BEGIN", "SELECT * FROM t")
		mustTx(t, c, sql("INSERT INTO t VALUES (1)"))
		_, response := reader.run("INSERT INTO t VALUES (2)")
		assert.Contains(t, response, `"code":"SQLITE_BUSY"`)
		reader.run("ROLLBACK")
	})
	t.Run("a transaction waits for the one that holds the lock", func(t *testing.T) {
		url, client := stacktest.OpenDB(t)
		c := hrana.New(hrana.Options{URL: url, HTTP: client})
		mustTx(t, c, sql("CREATE TABLE t (a INTEGER PRIMARY KEY)"))
		owner := &stream{t: t, url: url, http: client}
		owner.run("BEGIN IMMEDIATE", "INSERT INTO t VALUES (1)")
		done, sent := make(chan error, 1), make(chan bool, 100)
		waits := hrana.New(hrana.Options{URL: url, HTTP: transport(func(r *http.Request) (*http.Response, error) {
			sent <- true
			return client.Do(r)
		})})
		go func() {
			_, err := waits.Tx(context.Background(), sql("INSERT INTO t VALUES (2)"))
			done <- err
		}()
		<-sent
		for range 50 { // other requests complete while it waits
			assert.Zero(t, count(t, c, "t"), "a reader sees neither")
			assert.Empty(t, done)
		}
		owner.run("COMMIT")
		require.NoError(t, <-done)
		assert.Equal(t, int64(2), count(t, c, "t"))
	})
	t.Run("an unknown baton is a plain-text 400", func(t *testing.T) {
		url, client := stacktest.OpenDB(t)
		old := "gone"
		s := &stream{t: t, url: url, http: client, baton: &old}
		code, response := s.run("SELECT 1")
		assert.Equal(t, 400, code)
		assert.Equal(t, "Received an invalid baton", response)
	})
	t.Run("a missing database is a 404 with the server's words", func(t *testing.T) {
		_, client := stacktest.OpenDB(t)
		_, err := hrana.New(hrana.Options{URL: "http://missing.localhost", HTTP: client, Attempts: 1}).Query(t.Context(), sql("SELECT 1"))
		e := asError(t, err)
		assert.Equal(t, 404, e.Status)
		assert.Equal(t, "Namespace `missing` doesn't exist", e.Message)
		assert.Equal(t, "hrana: HTTP 404: Namespace `missing` doesn't exist", err.Error())
	})
}
