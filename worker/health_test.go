package worker_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/hrana"
	"plaza/stack/stacktest"
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

// whileTrying calls a function while /healthz tries to write.
type whileTrying struct {
	road hrana.Doer
	do   func()
}

func (w *whileTrying) Do(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	if do := w.do; do != nil && bytes.Contains(body, []byte("INSERT INTO health")) {
		w.do = nil
		do()
	}
	return w.road.Do(r)
}

func TestADatabaseThatDoesNotWriteIsNotWellWhileItIsTriedAgain(t *testing.T) {
	url, client := stacktest.OpenDB(t)
	road := &whileTrying{road: client}
	sql := hrana.New(hrana.Options{URL: url, HTTP: client})
	stacktest.ApplySchema(t, sql)
	s := openOn(t, sql, stacktest.OpenRedis(t), 100)
	s.config.DB = data.NewDB(hrana.New(hrana.Options{URL: url, HTTP: road, Attempts: 1}))
	s.restart(s.config)
	health := func() int { return s.visitor().get("/healthz").Code }
	s.exec(`CREATE TRIGGER full BEFORE INSERT ON health BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END`)
	require.Equal(t, http.StatusServiceUnavailable, health())
	s.now = s.now.Add(6 * time.Second)
	meanwhile := 0
	road.do = func() { meanwhile = health() }
	require.Equal(t, http.StatusServiceUnavailable, health())
	require.Equal(t, http.StatusServiceUnavailable, meanwhile)
}
