package request

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/stacktest"
	"plaza/worker/request/limit"
)

// TestChargeOfACall: what a search has cost counts for the member who sent it, or for both networks of a visitor.
func TestChargeOfACall(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	s := &Server{counter: &limit.Counter{Redis: stacktest.OpenRedis(t), Factor: 1, Now: func() time.Time { return now },
		Sign: func(text string) []byte { return []byte(text) }}}
	counted := func(c *Call, subject string) int {
		_, wait, err := s.CountCall(c, limit.Search, subject)
		require.NoError(t, err)
		return wait
	}
	member := &Call{R: httptest.NewRequest("GET", "/search?q=a", nil), W: httptest.NewRecorder(), Actor: &data.Actor{UserID: 7}}
	visitor := &Call{R: httptest.NewRequest("GET", "/search?q=a", nil), W: httptest.NewRecorder()}
	member.R.RemoteAddr, visitor.R.RemoteAddr = "[2001:db8:1:200::1]:1", "[2001:db8:1:200::1]:1"
	networks := limit.Networks(visitor.R.RemoteAddr)
	for range limit.Search.Max {
		s.Charge(member, limit.Search, time.Hour)
	}
	require.NotZero(t, counted(member, member.Actor.UserID.Text()))
	require.Zero(t, counted(visitor, networks[0]), "not for the member's network")
	for range limit.Search.Max {
		s.Charge(visitor, limit.Search, time.Hour)
	}
	require.NotZero(t, counted(visitor, networks[0]))
	require.NotZero(t, counted(visitor, networks[1]))
}
