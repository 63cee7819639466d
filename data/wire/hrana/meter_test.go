package hrana_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
)

func TestMeter(t *testing.T) {
	c := stacktest.OpenHrana(t)
	mustTx(t, c, sql("CREATE TABLE t (a INTEGER PRIMARY KEY, b)"), sql("INSERT INTO t (b) VALUES (1), (2), (3)"))

	t.Run("collects the rows of all calls made with its context", func(t *testing.T) {
		outer, total := hrana.WithMeter(t.Context())
		ctx, meter := hrana.WithMeter(outer)
		_, err := c.Query(ctx, sql("SELECT * FROM t"), sql("SELECT * FROM t WHERE a = 1"))
		require.NoError(t, err)
		assert.Equal(t, int64(1), meter.Requests())
		assert.Equal(t, int64(4), meter.RowsRead())
		assert.Zero(t, meter.RowsWritten())
		_, err = c.Tx(ctx, sql("INSERT INTO t (b) VALUES (4)"))
		require.NoError(t, err)
		_, err = c.Query(outer, sql("SELECT 1"))
		require.NoError(t, err)
		assert.Equal(t, int64(2), meter.Requests())
		assert.Equal(t, int64(1), meter.RowsWritten())
		assert.Equal(t, int64(3), total.Requests())
		assert.Zero(t, total.Retries())
		assert.Equal(t, meter.RowsRead(), total.RowsRead())
	})
	t.Run("may be shared by goroutines", func(t *testing.T) {
		ctx, meter := hrana.WithMeter(t.Context())
		errs := make(chan error)
		for range 16 {
			go func() {
				_, err := c.Query(ctx, sql("SELECT * FROM t WHERE a = 1"))
				errs <- err
			}()
		}
		for range 16 {
			require.NoError(t, <-errs)
		}
		assert.Equal(t, int64(16), meter.Requests())
		assert.Equal(t, int64(16), meter.RowsRead())
	})
}

func TestAddress(t *testing.T) {
	tests := map[string]struct{ url, token, wantURL, wantAuth string }{
		"libsql becomes https":          {"libsql://db-me.turso.io", "tok", "https://db-me.turso.io/v3/pipeline", "Bearer tok"},
		"wss becomes https":             {"wss://db-me.turso.io/", "", "https://db-me.turso.io/v3/pipeline", ""},
		"ws becomes http":               {"ws://localhost:8080", "", "http://localhost:8080/v3/pipeline", ""},
		"http stays, with its path":     {"http://localhost:1/dev/ns/", "", "http://localhost:1/dev/ns/v3/pipeline", ""},
		"a token in the URL is moved":   {"libsql://h?authToken=abc", "", "https://h/v3/pipeline", "Bearer abc"},
		"the token option has priority": {"libsql://h?authToken=abc", "def", "https://h/v3/pipeline", "Bearer def"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var got *http.Request
			c := hrana.New(hrana.Options{URL: tt.url, Token: tt.token, Attempts: 1, HTTP: transport(func(r *http.Request) (*http.Response, error) {
				got = r
				return nil, errors.New("stop")
			})})
			_, err := c.Query(t.Context(), sql("SELECT 1"))
			require.Error(t, err)
			assert.Equal(t, tt.wantURL, got.URL.String())
			assert.Equal(t, tt.wantAuth, got.Header.Get("Authorization"))
			assert.Equal(t, http.MethodPost, got.Method)
		})
	}
	for _, bad := range []string{"", "db.turso.io", "file:///etc/passwd?authToken=secret", "ftp://h?authToken=secret",
		"http://[::1?authToken=secret"} {
		t.Run("an unusable URL fails every call without showing a token: "+bad, func(t *testing.T) {
			_, err := hrana.New(hrana.Options{URL: bad}).Query(t.Context(), sql("SELECT 1"))
			require.ErrorContains(t, err, "database URL")
			assert.NotContains(t, err.Error(), "secret")
		})
	}
}
