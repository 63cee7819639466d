package communities_test

import (
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/communities"
	"plaza/data/wire/hrana"
	"plaza/test/storetest"
)

// slowDirectory fails after two seconds of a clock, and counts its calls.
type slowDirectory struct {
	now   time.Time
	calls atomic.Int32
}

func (d *slowDirectory) Do(*http.Request) (*http.Response, error) {
	d.calls.Add(1)
	d.now = d.now.Add(2 * time.Second)
	return nil, errors.New("no answer")
}

func TestOnePageInTwoSecondsWaitsForTheNamesOfASlowDirectory(t *testing.T) {
	d := &slowDirectory{now: time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)}
	client := hrana.New(hrana.Options{URL: "http://directory.example", HTTP: d, Attempts: 1})
	source := data.SystemSource()
	source.Now = func() time.Time { return d.now }
	s := &communities.Store{Base: data.Base{DB: data.NewDB(client, client), Source: source}}
	for range 5 {
		names, more := s.LargestOn(storetest.Ctx, s.DB.Shards())
		require.Empty(t, names)
		require.False(t, more)
	}
	require.EqualValues(t, 1, d.calls.Load())
	d.now = d.now.Add(data.ListingLife + time.Second)
	s.LargestOn(storetest.Ctx, s.DB.Shards())
	require.EqualValues(t, 2, d.calls.Load())
}
