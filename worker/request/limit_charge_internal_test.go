package request

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/stacktest"
)

// TestCharge: a search that kept the database busy counts as several, for the member or the network that sent it.
func TestCharge(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	a := instance(stacktest.OpenRedis(t), &now)
	member := &Call{R: httptest.NewRequest("GET", "/search?q=a", nil), Actor: &data.Actor{UserID: 7}}
	visitor := &Call{R: httptest.NewRequest("GET", "/search?q=a", nil)}
	visitor.R.RemoteAddr = "[2001:db8:1:200::1]:1"
	count := func(c *Call, subject string) int64 {
		counted, err := a.count(c, LimitSearch, subject)
		require.NoError(t, err)
		return counted.count
	}
	id := member.Actor.UserID.Text()
	require.EqualValues(t, 1, count(member, id))
	a.Charge(member, LimitSearch, chargeUnit-1)
	require.EqualValues(t, 2, count(member, id), "an ordinary search counts as one")
	a.Charge(member, LimitSearch, 4*chargeUnit)
	a.Charge(member, LimitSearch, 2*chargeUnit)
	require.EqualValues(t, 9, count(member, id))
	require.EqualValues(t, 10, count(member, id), "nothing is counted twice")
	a.Charge(member, LimitSearch, time.Hour)
	require.EqualValues(t, 11+chargeMax, count(member, id))

	networks := networksOf(visitor.R.RemoteAddr)
	require.Len(t, networks, 2)
	a.Charge(visitor, LimitSearch, 3*chargeUnit)
	require.EqualValues(t, 4, count(visitor, networks[0]))
	require.EqualValues(t, 4, count(visitor, networks[1]))
	other := instance(a.Redis, &now)
	for range LimitSearch.Max / alonePart {
		_, err := other.count(member, LimitSearch, id)
		require.NoError(t, err)
	}
	counted, err := other.count(member, LimitSearch, id)
	require.NoError(t, err)
	require.EqualValues(t, 11+chargeMax+LimitSearch.Max/alonePart+1, counted.count, "other instances learn of it")
}
