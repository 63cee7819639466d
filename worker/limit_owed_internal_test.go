package worker

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/group"
	"plaza/stack/stacktest"
)

// TestOwed: a search that kept the database busy counts as several, for the member or the network that sent it, along with its next one.
func TestOwed(t *testing.T) {
	a := &App{owed: map[string]int{}}
	a.Redis, a.LimitFactor = stacktest.OpenRedis(t), 1
	a.limits = &group.Group[limited]{Now: time.Now, Run: a.countCalls}
	now := time.Unix(1_800_000_000, 0)
	member := &call{r: httptest.NewRequest("GET", "/search?q=a", nil), actor: &data.Actor{UserID: 7}}
	visitor := &call{r: httptest.NewRequest("GET", "/search?q=a", nil)}
	visitor.r.RemoteAddr = "[2001:db8:1:200::1]:1"
	count := func(c *call, subject string) int64 {
		counted, err := a.count(c, limitSearch, subject, now)
		require.NoError(t, err)
		return counted.count
	}
	id := member.actor.UserID.Text()
	require.EqualValues(t, 1, count(member, id))
	a.owe(member, limitSearch, owedUnit-1)
	require.EqualValues(t, 2, count(member, id), "an ordinary search counts as one")
	a.owe(member, limitSearch, 4*owedUnit)
	a.owe(member, limitSearch, 2*owedUnit)
	require.EqualValues(t, 9, count(member, id))
	require.EqualValues(t, 10, count(member, id), "nothing is counted twice")
	a.owe(member, limitSearch, time.Hour)
	require.EqualValues(t, 11+owedMost, count(member, id))

	near, far := networksOf(visitor.r.RemoteAddr)
	a.owe(visitor, limitSearch, 3*owedUnit)
	require.EqualValues(t, 4, count(visitor, near))
	require.EqualValues(t, 4, count(visitor, far))
	require.Empty(t, a.owed)
}
