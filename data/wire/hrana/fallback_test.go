package hrana_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data/wire/hrana"
)

// TestFallback has servers that speak JSON only, as Turso's do.
func TestFallback(t *testing.T) {
	for _, code := range []int{404, 415} {
		unknown := func(next http.RoundTripper, r *http.Request) (*http.Response, error) {
			if strings.Contains(r.URL.Path, "v3-protobuf") {
				return respond(code, `{"error":"route not found: [\"v3-protobuf\",\"pipeline\"]"}`), nil
			}
			return next.RoundTrip(r)
		}
		t.Run(fmt.Sprintf("HTTP %d to Protobuf is followed by JSON, at once and from then on", code), func(t *testing.T) {
			f := openFlaky(t, false, unknown, unknown, unknown, unknown)
			ctx, meter := hrana.WithMeter(t.Context())
			for want := range 2 {
				res, err := f.client.Tx(ctx, sql("INSERT INTO t VALUES (?)", want))
				require.NoError(t, err)
				assert.Equal(t, int64(1), res[0].RowsAffected)
				assert.Equal(t, int64(2+want), meter.Requests())
				assert.Equal(t, int64(1), meter.Retries())
			}
			assert.NotEqual(t, f.bodies[0][0], f.bodies[1][0])
			assert.Equal(t, byte('{'), f.bodies[1][0])
			assert.Equal(t, byte('{'), f.bodies[2][0])
			assert.Empty(t, f.slept)
		})
		t.Run(fmt.Sprintf("HTTP %d to both is the error, and the next call asks both again", code), func(t *testing.T) {
			no := status(code)
			f := openFlaky(t, false, no, no, no, no, no, no, no, no)
			if code != 404 { // which is tried again
				f.faults = f.faults[:2]
			}
			_, err := f.client.Query(t.Context(), sql("SELECT 1"))
			assert.Equal(t, code, asError(t, err).Status)
			assert.Equal(t, len(f.faults), f.sent)
			f.bodies = f.bodies[f.sent-2:]
			assert.Equal(t, int64(0), count(t, f.client, "t"))
			assert.NotEqual(t, byte('{'), f.bodies[2][0])
		})
		t.Run(fmt.Sprintf("the JSON that follows HTTP %d is tried again like any request", code), func(t *testing.T) {
			f := openFlaky(t, false, unknown, status(503), unknown, unknown)
			mustQuery(t, f.client, sql("SELECT 1"))
			assert.Equal(t, 3, f.sent)
			assert.Equal(t, []time.Duration{25 * time.Millisecond}, f.slept)
			mustQuery(t, f.client, sql("SELECT 1"))
			assert.Equal(t, 4, f.sent)
		})
	}
	t.Run("HTTP 415 to JSON is final", func(t *testing.T) {
		f := openFlaky(t, true, status(415))
		_, err := f.client.Query(t.Context(), sql("SELECT 1"))
		assert.Equal(t, 415, asError(t, err).Status)
		assert.Equal(t, 1, f.sent)
	})
	t.Run("a stray 404 costs a minute of JSON, not the life of the client", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var asked []string
			stray := false
			c := hrana.New(hrana.Options{URL: "http://h", HTTP: transport(func(r *http.Request) (*http.Response, error) {
				_, encoding, _ := strings.Cut(r.URL.Path, "/v3")
				asked = append(asked, encoding)
				if stray && encoding != "/pipeline" {
					return respond(404, "not found"), nil
				}
				return says(r, one)
			})})
			ask := func() []string {
				asked = nil
				mustQuery(t, c, sql("SELECT 1"))
				return asked
			}
			const inProtobuf, inJSON = "-protobuf/pipeline", "/pipeline"
			assert.Equal(t, []string{inProtobuf}, ask())
			stray = true
			assert.Equal(t, []string{inProtobuf, inJSON}, ask())
			stray = false
			assert.Equal(t, []string{inJSON}, ask())
			time.Sleep(61 * time.Second)
			assert.Equal(t, []string{inProtobuf}, ask())
			assert.Equal(t, []string{inProtobuf}, ask())

			// A server that knows JSON alone is asked more and more seldom.
			stray = true
			refused := 0
			for range 24 * 60 {
				if len(ask()) == 2 {
					refused++
				}
				time.Sleep(time.Minute)
			}
			assert.InDelta(t, 30, refused, 2)
		})
	})
}
