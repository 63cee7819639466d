package importer

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestShift(t *testing.T) {
	newest := time.Date(2013, 8, 17, 10, 0, 0, 0, time.UTC)
	s := shift{newest: newest, anchor: importNow}

	t.Run("puts the newest post at the anchor and seven years sixty days before it", func(t *testing.T) {
		require.Equal(t, importNow, s.at(newest))
		require.Equal(t, importNow, s.at(newest.Add(time.Hour)))
		require.Equal(t, importNow.AddDate(0, 0, -60), s.at(newest.Add(-shiftYears)))
	})

	t.Run("keeps the order", rapid.MakeCheck(func(t *rapid.T) {
		a := rapid.Int64Range(0, int64(10*365*24*time.Hour)).Draw(t, "a")
		b := rapid.Int64Range(0, int64(10*365*24*time.Hour)).Draw(t, "b")
		older, newer := newest.Add(-time.Duration(max(a, b))), newest.Add(-time.Duration(min(a, b)))
		require.False(t, s.at(older).After(s.at(newer)))
	}))

	t.Run("keeps the order of posts a minute apart, but for the last hours", rapid.MakeCheck(func(t *rapid.T) {
		age := time.Duration(rapid.Int64Range(int64(time.Hour), int64(10*365*24*time.Hour)).Draw(t, "age"))
		require.True(t, s.at(newest.Add(-age-time.Minute)).Before(s.at(newest.Add(-age))))
	}))

	t.Run("finds the anchor again from any post", rapid.MakeCheck(func(t *rapid.T) {
		age := time.Duration(rapid.Int64Range(0, int64(10*365*24*time.Hour)).Draw(t, "age"))
		require.Equal(t, s.anchor, s.at(newest.Add(-age)).Add(squeeze(age)))
	}))
}
