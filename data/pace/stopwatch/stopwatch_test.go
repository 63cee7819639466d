package stopwatch_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"plaza/data/pace/stopwatch"
)

func TestStopwatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s stopwatch.Stopwatch
		assert.Zero(t, s.Total())
		assert.Zero(t, s.Ended())
		first := s.Begin()
		time.Sleep(10 * time.Millisecond)
		second := s.Begin()
		time.Sleep(20 * time.Millisecond)
		first()
		time.Sleep(5 * time.Millisecond)
		second()
		assert.Equal(t, 35*time.Millisecond, s.Total(), "waits at the same time count once")
		ended := time.Now()
		time.Sleep(time.Hour) // without a wait
		assert.Equal(t, 35*time.Millisecond, s.Total())
		assert.Equal(t, ended, s.Ended())
		third := s.Begin()
		time.Sleep(time.Millisecond)
		third()
		assert.Equal(t, 36*time.Millisecond, s.Total())
		(*stopwatch.Stopwatch)(nil).Begin()()
	})
}
