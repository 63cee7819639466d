package ranking

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestWindowContains(t *testing.T) {
	now := time.Date(2026, 3, 29, 3, 0, 0, 0, time.UTC)
	tests := []struct {
		name   string
		window Window
		age    time.Duration
		want   bool
	}{
		{"just now is in the hour", WindowHour, 0, true},
		{"59 minutes are in the hour", WindowHour, 59 * time.Minute, true},
		{"an hour is out of the hour", WindowHour, time.Hour, false},
		{"a millisecond less is in", WindowHour, time.Hour - time.Millisecond, true},
		{"23 hours are in the day", WindowDay, 23 * time.Hour, true},
		{"25 hours are not", WindowDay, 25 * time.Hour, false},
		{"167 hours are in the week", WindowWeek, 167 * time.Hour, true},
		{"169 hours are not", WindowWeek, 169 * time.Hour, false},
		{"29 days are in the month", WindowMonth, 29 * 24 * time.Hour, true},
		{"31 days are not", WindowMonth, 31 * 24 * time.Hour, false},
		{"364 days are in the year", WindowYear, 364 * 24 * time.Hour, true},
		{"366 days are not", WindowYear, 366 * 24 * time.Hour, false},
		{"a century is in all", WindowAll, 100 * year, true},
		{"a clock ahead of ours is in", WindowHour, -time.Minute, true},
		{"no window contains nothing", "", 0, false},
		{"nor does one from the future", "", -time.Minute, false},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, c.window.Contains(now.Add(-c.age), now))
		})
	}
}

func TestWindowLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := time.UnixMilli(rapid.Int64Range(1e12, 2e12).Draw(t, "now"))
		created := now.Add(-time.Duration(rapid.Int64Range(0, int64(2*year)).Draw(t, "age")))
		inside := false
		for _, w := range Windows() {
			in := w.Contains(created, now)
			assert.True(t, in || !inside, "a longer window contains the shorter: %s", w)
			inside = in
			if w != WindowAll {
				assert.Equal(t, in, created.Add(w.Duration()).After(now))
			}
		}
		assert.True(t, inside)
	})
}

func TestParseWindow(t *testing.T) {
	for _, w := range Windows() {
		got, ok := ParseWindow(string(w))
		assert.True(t, ok)
		assert.Equal(t, w, got)
	}
	for _, s := range []string{"", "Hour", "decade", "hour "} {
		_, ok := ParseWindow(s)
		assert.False(t, ok, s)
	}
}
