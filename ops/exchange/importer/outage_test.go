package importer

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
)

// failing fails the first sending of each request: by a reset connection, by HTTP 502, by HTTP 429, and so on.
type failing struct {
	sent   map[string]bool
	always bool // fails all
}

func (f *failing) Do(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	if f.sent[string(body)] && !f.always {
		r.Body = io.NopCloser(bytes.NewReader(body))
		return http.DefaultClient.Do(r)
	}
	f.sent[string(body)] = true
	status := []int{0, http.StatusBadGateway, http.StatusTooManyRequests}[len(f.sent)%3]
	if status == 0 {
		return nil, errors.New("the connection was reset")
	}
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("not now"))}, nil
}

// TestOutages: an import continues after an outage, and ends when the outage lasts.
func TestOutages(t *testing.T) {
	f := &failing{sent: map[string]bool{}}
	var waited time.Duration
	sleep := func(_ context.Context, d time.Duration) error {
		waited += d
		return nil
	}
	db := hrana.New(hrana.Options{URL: stacktest.OpenSchemaURL(t), HTTP: f, Attempts: 1, Sleep: sleep})
	text := neutralHeader + `{"type":"community","name":"other","flairs":[{"text":"News"}],"pages":[{"title":"A","text":"a"}]}` + "\n" +
		`{"type":"post","id":"1","community":"other","author":"ann","title":"x","text":"x","flair":"News",` +
		`"created_at":"2026-11-01T00:00:00Z"}` + "\n" +
		`{"type":"comment","id":"2","post":"1","author":"ann","body":"x","created_at":"2026-11-01T00:00:00Z"}` + "\n"
	o := Options{Format: Neutral, Shift: true, Now: importNow, Bad: func(b Bad) { t.Error(b) }, Sources: []Source{textSource("x", text)}}
	r, err := Import(context.Background(), data.NewDB(db), o)
	require.NoError(t, err)
	require.Equal(t, Result{Posts: 1, Comments: 1, Communities: 1, Accounts: 1}, r)
	require.GreaterOrEqual(t, waited, time.Duration(len(f.sent))*time.Second)

	f.always, waited = true, 0
	_, err = Import(context.Background(), data.NewDB(db), o)
	require.True(t, hrana.IsUnavailable(err), err)
	require.InDelta(t, 90, waited.Seconds(), 30)

	f.always, waited = false, 0
	_, err = Import(context.Background(), data.NewDB(db), Options{Format: Neutral, Sources: o.Sources, Now: importNow,
		MayWrite: func(context.Context) error { return errors.New("a community moves") }})
	require.EqualError(t, err, "a community moves")
}
