package communities

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"plaza/data"
)

func TestLeastLoaded(t *testing.T) {
	const mb = 1 << 20
	for name, of := range map[string]struct {
		loads []Load
		least []int
	}{
		"small shards are equal":                        {[]Load{{true, 1 * mb, 0}, {true, 63 * mb, 99}, {true, 30 * mb, 5}}, []int{0, 1, 2}},
		"the smallest, when none is busy":               {[]Load{{true, 900 * mb, 0}, {true, 700 * mb, 0}, {true, 800 * mb, 0}}, []int{1}},
		"the least busy, when all are as large":         {[]Load{{true, 900 * mb, 500}, {true, 900 * mb, 900}, {true, 900 * mb, 400}}, []int{2}},
		"a new shard":                                   {[]Load{{true, 900 * mb, 500}, {true, 1 * mb, 0}, {true, 700 * mb, 0}}, []int{1}},
		"a shard that is small and has all the traffic": {[]Load{{true, 500 * mb, 0}, {true, 400 * mb, 9000}, {true, 600 * mb, 0}}, []int{0}},
		"not one that does not answer":                  {[]Load{{true, 900 * mb, 0}, {}, {true, 800 * mb, 0}}, []int{2}},
	} {
		assert.Equal(t, of.least, LeastLoaded(of.loads), name)
	}
}

func TestPaceOf(t *testing.T) {
	now := data.Epoch.Add(1000 * time.Hour)
	first := data.NewID(now.Add(-2*time.Hour), 1, data.KindComment, 0)
	assert.Zero(t, paceOf(0, 0, now))
	assert.InDelta(t, 100, paceOf(200, first, now), 0.001)
	assert.InDelta(t, 3600, paceOf(1, data.NewID(now.Add(time.Minute), 1, data.KindComment, 0), now), 0.001, "an instance with a slow clock")
}
