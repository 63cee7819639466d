package breaker_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"plaza/data/wire/breaker"
)

func TestBreaker(t *testing.T) {
	run := func(name string, test func(*testing.T, *breaker.Breaker)) {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var b breaker.Breaker
				for range 3 {
					assert.True(t, b.Allow())
				}
				b.TimedOut()
				b.TimedOut()
				assert.True(t, b.Allow())
				b.TimedOut()
				assert.False(t, b.Allow())
				assert.True(t, b.Refuses())
				test(t, &b)
			})
		})
	}
	run("one call in a while tries again", func(t *testing.T, b *breaker.Breaker) {
		time.Sleep(breaker.Pause)
		assert.False(t, b.Refuses())
		assert.True(t, b.Allow())
		assert.True(t, b.Refuses())
		assert.False(t, b.Allow())
		b.TimedOut()
		assert.False(t, b.Allow())
		time.Sleep(breaker.Pause)
		assert.True(t, b.Allow())
	})
	run("an answer ends it", func(t *testing.T, b *breaker.Breaker) {
		time.Sleep(breaker.Pause)
		assert.True(t, b.Allow())
		b.Responded()
		assert.True(t, b.Allow())
		assert.True(t, b.Allow())
	})
	run("calls that were under way don't make the pause longer", func(t *testing.T, b *breaker.Breaker) {
		time.Sleep(breaker.Pause - time.Nanosecond)
		b.TimedOut()
		time.Sleep(time.Nanosecond)
		assert.True(t, b.Allow())
	})
	run("a try whose request died is followed by another", func(t *testing.T, b *breaker.Breaker) {
		time.Sleep(breaker.Pause)
		assert.True(t, b.Allow())
		time.Sleep(breaker.Pause)
		assert.True(t, b.Allow())
	})
	t.Run("answers in between are counted from anew", func(t *testing.T) {
		var b breaker.Breaker
		for range 10 {
			b.TimedOut()
			b.TimedOut()
			b.Responded()
		}
		assert.True(t, b.Allow())
	})
}
