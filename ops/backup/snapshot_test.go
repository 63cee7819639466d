package backup

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
)

type transport func(*http.Request) (*http.Response, error)

func (t transport) Do(r *http.Request) (*http.Response, error) { return t(r) }

// TestAwake: a stream that waits is used meanwhile, and sees the same state.
func TestAwake(t *testing.T) {
	defer func(d time.Duration) { stayAwake = d }(stayAwake)
	stayAwake = time.Millisecond
	url, client := stacktest.OpenDB(t)
	requests := make(chan bool, 1000)
	db := hrana.New(hrana.Options{URL: url, HTTP: transport(func(r *http.Request) (*http.Response, error) {
		requests <- true
		return client.Do(r)
	})})
	_, err := db.Tx(t.Context(), hrana.Stmt{SQL: "CREATE TABLE t (a)"})
	require.NoError(t, err)
	s, err := takeSnapshot(t.Context(), "directory", db)
	require.NoError(t, err)
	_, err = db.Tx(t.Context(), hrana.Stmt{SQL: "INSERT INTO t VALUES (1)"})
	require.NoError(t, err)
	for range 10 {
		<-requests
	}
	rows, err := s.query(t.Context(), "SELECT count(*) FROM t")
	require.NoError(t, err)
	require.Equal(t, int64(0), rows[0][0])
	s.close()
	s.close()
}
