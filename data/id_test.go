package data_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"plaza/data"
)

func TestIDsOfAMoment(t *testing.T) {
	t.Run("a thousand ids of the same millisecond are all different", func(t *testing.T) {
		source := data.SystemSource()
		now := time.Now()
		source.Now = func() time.Time { return now }
		for _, kind := range []data.Kind{data.KindPost, data.KindComment, data.KindOther} {
			seen := map[data.ID]bool{}
			for range 1000 {
				seen[source.NewID(0, kind)] = true
			}
			assert.Len(t, seen, 1000)
		}
	})
}
