package listing

import (
	"context"
	"slices"

	"plaza/data"
	"plaza/worker/queue"
)

// rebuildsAtOnce is how many hot sets one delivery rebuilds. Together they need three requests to Redis and one or two
// to each shard. The free plan allows 50 requests in a delivery, of which links need up to 37. The members of the sets
// are 350 KB in one Redis request (Upstash allows 1 MB).
const rebuildsAtOnce = 10

// RebuildSets rebuilds lost hot sets and returns the indexes of those that failed. Sets that are too many for one
// delivery go back into the queue as new messages: after a flush, each community that is viewed needs its set, and a
// message that only waits for its turn must not become a dead letter.
func (h *Handlers) RebuildSets(ctx context.Context, scopes []string) (failed []int) {
	now := scopes[:min(len(scopes), rebuildsAtOnce)]
	remaining, err := h.Hot.RebuildAll(ctx, now)
	if err != nil {
		h.Log.WarnContext(ctx, "hot sets not rebuilt", "scopes", remaining, "error", err)
	}
	for i, scope := range now {
		if slices.Contains(remaining, scope) {
			failed = append(failed, i)
		}
	}
	if len(scopes) == len(now) {
		return failed
	}
	var rest []string
	for _, scope := range scopes[len(now):] {
		rest = append(rest, queue.HotMessage(scope))
	}
	if err := h.Queue.Send(ctx, data.QueueEvents, rest...); err != nil {
		h.Log.WarnContext(ctx, "hot sets not sent back", "scopes", len(rest), "error", err)
		for i := len(now); i < len(scopes); i++ {
			failed = append(failed, i)
		}
	}
	return failed
}
