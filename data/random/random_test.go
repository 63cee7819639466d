package random

import (
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNumbers(t *testing.T) {
	t.Run("nothing is drawn before the first number is asked for", func(t *testing.T) {
		s := &source{}
		assert.Nil(t, s.chacha)
		s.Uint64()
		assert.NotNil(t, s.chacha)
	})
	t.Run("two sources differ", func(t *testing.T) {
		a, b := &source{}, &source{}
		assert.NotEqual(t, [2]uint64{a.Uint64(), a.Uint64()}, [2]uint64{b.Uint64(), b.Uint64()})
	})
	t.Run("many may ask at once", func(t *testing.T) {
		var (
			group sync.WaitGroup
			mu    sync.Mutex
			seen  = map[uint64]bool{}
		)
		for range 8 {
			group.Go(func() {
				for range 1000 {
					n := numbers.Uint64()
					mu.Lock()
					seen[n] = true
					mu.Unlock()
				}
			})
		}
		group.Wait()
		assert.Len(t, seen, 8000)
	})
	t.Run("a shuffled list has the same elements", func(t *testing.T) {
		list := []int{1, 2, 3, 4, 5, 6, 7, 8, 9}
		mixed := slices.Clone(list)
		Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		assert.ElementsMatch(t, list, mixed)
	})
	t.Run("a fraction is in [0, 1)", func(t *testing.T) {
		for range 1000 {
			f := Float64()
			assert.True(t, f >= 0 && f < 1, f)
		}
	})
}
