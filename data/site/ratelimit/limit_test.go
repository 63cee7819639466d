package ratelimit_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/site/ratelimit"
	"plaza/test/storetest"
)

func TestLimits(t *testing.T) {
	s := storetest.Open(t)
	limits := &ratelimit.Store{Base: s.Accounts.Base}
	count := func(name string, bucket uint16, window int64) [2]int64 {
		t.Helper()
		n, before, err := limits.Count(storetest.Ctx, name, bucket, window, time.Minute)
		require.NoError(t, err)
		return [2]int64{n, before}
	}
	require.Equal(t, [2]int64{1, 0}, count("login", 7, 100))
	require.Equal(t, [2]int64{2, 0}, count("login", 7, 100))
	require.Equal(t, [2]int64{1, 2}, count("login", 7, 101), "the next window knows the one before")
	require.Equal(t, [2]int64{2, 2}, count("login", 7, 101))
	require.Equal(t, [2]int64{1, 0}, count("login", 7, 103), "and no older one")
	require.Equal(t, [2]int64{1, 0}, count("login", 65535, 103))
	require.Equal(t, [2]int64{1, 0}, count("signup", 7, 103), "a limit for itself")
	require.NoError(t, limits.Purge(storetest.Ctx))
	require.EqualValues(t, 3, s.One("SELECT count(*) FROM limits"))
	*s.Clock = s.Clock.Add(time.Hour)
	require.NoError(t, limits.Purge(storetest.Ctx))
	require.EqualValues(t, 0, s.One("SELECT count(*) FROM limits"))
}
