package worker_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data/hrana"
)

func TestHealth(t *testing.T) {
	// A database that reads and doesn't write: one that is full, or whose writer is stuck.
	const (
		full = `CREATE TRIGGER full BEFORE UPDATE ON health BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END`
		room = `DROP TRIGGER full`
	)
	s := mustOpen(t)
	visitor := s.visitor()
	health := func() int { return visitor.get("/healthz").Code }
	later := func() { s.now = s.now.Add(6 * time.Second) }
	require.Equal(t, http.StatusOK, health())
	later()
	require.Equal(t, http.StatusOK, health())
	s.exec(full)
	t.Run("a database that doesn't write is not well, though it reads", func(t *testing.T) {
		later()
		assert.Equal(t, http.StatusServiceUnavailable, health())
		assert.Equal(t, http.StatusServiceUnavailable, health(), "nor a moment later")
		assert.Equal(t, http.StatusOK, visitor.get("/new").Code)
	})
	s.exec(room)
	t.Run("it is well again as soon as it writes again", func(t *testing.T) {
		later()
		assert.Equal(t, http.StatusOK, health())
	})
	t.Run("monitors that ask often don't make it write often", func(t *testing.T) {
		later()
		written := func() (n int64) {
			for range 20 {
				ctx, meter := hrana.WithMeter(context.Background())
				r := visitor.request("/healthz").WithContext(ctx)
				require.Equal(t, http.StatusOK, visitor.send(r).Code)
				n += meter.RowsWritten()
			}
			return n
		}
		assert.EqualValues(t, 1, written())
	})
}
