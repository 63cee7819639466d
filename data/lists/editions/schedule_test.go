package editions_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/lists/editions"
)

func TestSchedule(t *testing.T) {
	at := func(s string) time.Time {
		parsed, err := time.Parse(time.DateTime, s)
		require.NoError(t, err)
		return parsed
	}
	twice := editions.Schedule{Hours: []int{6, 16}}
	daily := editions.Schedule{Hours: []int{6}}
	weekly := editions.Schedule{Hours: []int{6}, Weekly: true}
	for _, c := range []struct {
		schedule editions.Schedule
		now, url string
	}{
		{twice, "2026-11-28 05:59:59", "/edition/2026-11-27/evening"},
		{twice, "2026-11-28 06:00:00", "/edition/2026-11-28/morning"},
		{twice, "2026-11-28 16:00:00", "/edition/2026-11-28/evening"},
		{twice, "2027-01-01 00:00:00", "/edition/2026-12-31/evening"},
		{daily, "2026-11-28 23:00:00", "/edition/2026-11-28/morning"},
		{daily, "2026-11-28 03:00:00", "/edition/2026-11-27/morning"},
		{weekly, "2026-11-30 05:00:00", "/edition/2026-11-23/morning"}, // a Monday
		{weekly, "2026-11-30 06:00:00", "/edition/2026-11-30/morning"},
		{weekly, "2026-12-06 23:00:00", "/edition/2026-11-30/morning"},
	} {
		last := c.schedule.Last(at(c.now))
		require.Equal(t, c.url, last.URL(), c.now)
		require.Equal(t, last, editions.Parse(last.Day().Format("2006-01-02"), last.Part()))
		require.False(t, c.schedule.Time(last).After(at(c.now)))
	}
	require.Zero(t, editions.Schedule{}.Last(at("2026-11-28 12:00:00")))
	for _, bad := range [][2]string{{"", ""}, {"2026-11-28", "noon"}, {"2026-13-01", "morning"}, {"1900-01-01", "morning"}, {"28", "evening"}} {
		require.Zero(t, editions.Parse(bad[0], bad[1]), bad)
	}
}
