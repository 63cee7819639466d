package edge

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"plaza/worker/queue"
)

func TestBatches(t *testing.T) {
	t.Run("refuses a message that no queue takes", func(t *testing.T) {
		_, err := batches([]string{"fine", strings.Repeat("x", 128_000)})
		assert.ErrorContains(t, err, "message 1")
	})
	t.Run("keeps every message, in order, within the limits", rapid.MakeCheck(func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.OneOf(rapid.IntRange(0, 300), rapid.IntRange(0, 120_000)), 0, 300).Draw(t, "sizes")
		bodies := make([]string, len(sizes))
		for i, n := range sizes {
			bodies[i] = strings.Repeat("x", n)
		}
		all, err := batches(bodies)
		require.NoError(t, err)
		var joined []string
		for _, batch := range all {
			size := 0
			for _, body := range batch {
				size += len(body) + messageExtra
			}
			assert.NotEmpty(t, batch)
			assert.LessOrEqual(t, len(batch), batchMessages)
			assert.LessOrEqual(t, size, batchBytes)
			joined = append(joined, batch...)
		}
		assert.Equal(t, len(bodies), len(joined))
		for i := range joined {
			assert.Equal(t, len(bodies[i]), len(joined[i]))
		}
	}))
}

func TestRetryDelay(t *testing.T) {
	for attempts, want := range map[int]time.Duration{0: 2 * time.Second, 1: 2 * time.Second, 3: 8 * time.Second, 5: 32 * time.Second,
		6: time.Minute, 100: time.Minute} {
		assert.Equal(t, want, retryDelay([]queue.Message{{Attempts: 1}, {Attempts: attempts}}), "%d attempts", attempts)
	}
}
