package upstash_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data/pace/deadline"
	"plaza/data/wire/breaker"
	"plaza/data/wire/upstash"
)

// hanging accepts every request and responds to none until the test ends it.
type hanging struct {
	responds bool
	asked    int
}

func (h *hanging) Do(r *http.Request) (*http.Response, error) {
	h.asked++
	if h.responds {
		return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(`{"result":"UE9ORw=="}`))}, nil
	}
	<-r.Context().Done()
	return nil, r.Context().Err()
}

func TestARedisThatHangs(t *testing.T) {
	open := func() (*hanging, *upstash.Client) {
		h := &hanging{}
		return h, upstash.New(upstash.Options{URL: "http://redis", HTTP: h})
	}
	took := func(t *testing.T, ctx context.Context, c *upstash.Client) (time.Duration, error) {
		began := time.Now()
		_, err := c.Do(ctx, upstash.Cmd{"PING"})
		return time.Since(began), err
	}
	bubble := func(name string, test func(t *testing.T)) {
		t.Run(name, func(t *testing.T) { synctest.Test(t, test) })
	}
	bubble("costs a request half a second, and after three calls nothing", func(t *testing.T) {
		h, c := open()
		for range 3 {
			d, err := took(t, deadline.ForRequest(t.Context()), c)
			assert.ErrorIs(t, err, context.DeadlineExceeded)
			assert.Equal(t, 500*time.Millisecond, d)
		}
		for range 100 {
			d, err := took(t, deadline.ForRequest(t.Context()), c)
			assert.ErrorIs(t, err, upstash.ErrCircuitOpen)
			assert.Zero(t, d)
		}
		assert.Equal(t, 3, h.asked)
	})
	bubble("is asked again now and then, and used as soon as it answers", func(t *testing.T) {
		h, c := open()
		for range 3 {
			_, _ = took(t, deadline.ForRequest(t.Context()), c)
		}
		time.Sleep(breaker.Pause)
		_, err := took(t, deadline.ForRequest(t.Context()), c)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		h.responds = true
		_, err = took(t, deadline.ForRequest(t.Context()), c)
		require.ErrorIs(t, err, upstash.ErrCircuitOpen)
		time.Sleep(breaker.Pause)
		for range 5 {
			d, err := took(t, deadline.ForRequest(t.Context()), c)
			require.NoError(t, err)
			assert.Zero(t, d)
		}
	})
	bubble("has more time where nobody waits", func(t *testing.T) {
		_, c := open()
		d, err := took(t, deadline.ForWork(t.Context(), deadline.Batch), c)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, 5*time.Second, d)
	})
	bubble("is not blamed for a request that had no time left", func(t *testing.T) {
		h, c := open()
		ctx := deadline.ForRequest(t.Context())
		time.Sleep(deadline.Request - 100*time.Millisecond)
		for range 3 {
			_, _ = took(t, ctx, c)
			ctx = deadline.ForRequest(t.Context())
			time.Sleep(deadline.Request - 100*time.Millisecond)
		}
		assert.Equal(t, 3, h.asked)
		h.responds = true
		_, err := took(t, ctx, c)
		require.NoError(t, err)
		time.Sleep(time.Second)
		d, err := took(t, ctx, c)
		assert.ErrorIs(t, err, deadline.Late{})
		assert.Zero(t, d)
		assert.Equal(t, 4, h.asked)
	})
	bubble("is not blamed for what fails at once", func(t *testing.T) {
		refused := errors.New("connection refused")
		c := upstash.New(upstash.Options{URL: "http://redis", HTTP: doer(func(*http.Request) (*http.Response, error) { return nil, refused })})
		for range 10 {
			_, err := took(t, deadline.ForRequest(t.Context()), c)
			assert.ErrorIs(t, err, refused)
		}
	})
}

type doer func(*http.Request) (*http.Response, error)

func (f doer) Do(r *http.Request) (*http.Response, error) { return f(r) }
