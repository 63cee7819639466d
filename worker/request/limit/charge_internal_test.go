package limit

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/test/stacktest"
)

// TestCharge: a search that kept the database busy counts as several, for the member or the network that sent it.
func TestCharge(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	a := instance(stacktest.OpenRedis(t), &now)
	const id = "000000000001j"
	count := func(subject string) int64 {
		counted, err := a.Count(t.Context(), Search, subject)
		require.NoError(t, err)
		return counted.count
	}
	require.EqualValues(t, 1, count(id))
	a.Charge(Search, []string{id}, chargeUnit-1)
	require.EqualValues(t, 2, count(id), "an ordinary search counts as one")
	a.Charge(Search, []string{id}, 4*chargeUnit)
	a.Charge(Search, []string{id}, 2*chargeUnit)
	require.EqualValues(t, 9, count(id))
	require.EqualValues(t, 10, count(id), "nothing is counted twice")
	a.Charge(Search, []string{id}, time.Hour)
	require.EqualValues(t, 11+chargeMax, count(id))

	networks := Networks("[2001:db8:1:200::1]:1")
	require.Len(t, networks, 2)
	a.Charge(Search, networks, 3*chargeUnit)
	require.EqualValues(t, 4, count(networks[0]))
	require.EqualValues(t, 4, count(networks[1]))
	other := instance(a.Redis, &now)
	for range Search.Max / alonePart {
		_, err := other.Count(t.Context(), Search, id)
		require.NoError(t, err)
	}
	counted, err := other.Count(t.Context(), Search, id)
	require.NoError(t, err)
	require.EqualValues(t, 11+chargeMax+Search.Max/alonePart+1, counted.count, "other instances learn of it")
}
