package listing

import (
	"context"
	"slices"

	"plaza/worker/request"
)

// rebuildsAtOnce is how many hot sets one delivery makes anew. Together they cost three Redis requests and one or two
// a shard, of the 50 that the free plan allows to a delivery and of which links take up to 37; their members are 350
// KB in one Redis request (Upstash takes 1 MB).
const rebuildsAtOnce = 10

// RebuildSets makes lost hot sets anew and returns the indexes of those that failed. What is too much for one
// delivery goes back into the queue as new messages: after a flush there are as many as communities that are looked
// at, and a message that only waits for its turn must not become a dead letter.
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
		rest = append(rest, request.HotMessage(scope))
	}
	if err := h.Queue.Send(ctx, request.QueueEvents, rest...); err != nil {
		h.Log.WarnContext(ctx, "hot sets not sent back", "scopes", len(rest), "error", err)
		for i := len(now); i < len(scopes); i++ {
			failed = append(failed, i)
		}
	}
	return failed
}
