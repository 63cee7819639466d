package ranking

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestActive(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	behind := func(age time.Duration) time.Duration {
		return time.Duration(now.UnixMilli()-Active(now.Add(-age), now)) * time.Millisecond
	}
	day := 24 * time.Hour
	for name, tt := range map[string]struct{ age, behind time.Duration }{
		"a comment at once counts in full":      {0, 0},
		"so does one of the first day":          {day, 0},
		"and one at the end of the second":      {2 * day, 0},
		"on the third day half of it is lost":   {3 * day, day / 2},
		"a thread of a week falls back a bit":   {7 * day, 60 * time.Hour},
		"a thread of a year by half a year":     {366 * day, 182 * day},
		"it never falls behind the post itself": {-time.Hour, -time.Hour},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, tt.behind, behind(tt.age)) })
	}
	assert.Equal(t, Active(now, now.Add(time.Minute)), Active(now, now.Add(time.Minute+59*time.Second)), "the time is that of a minute")

	t.Run("a later comment never ranks lower, nor above its own time", rapid.MakeCheck(func(t *rapid.T) {
		posted := now.Add(-time.Duration(rapid.Int64Range(0, int64(5000*day)).Draw(t, "age")))
		a := posted.Add(time.Duration(rapid.Int64Range(0, int64(5000*day)).Draw(t, "first")))
		b := a.Add(time.Duration(rapid.Int64Range(0, int64(5000*day)).Draw(t, "later")))
		assert.GreaterOrEqual(t, Active(posted, b), Active(posted, a))
		assert.LessOrEqual(t, Active(posted, a), max(posted.UnixMilli(), a.UnixMilli()))
	}))
}
