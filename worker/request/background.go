package request

import "context"

// Background runs a task that the answer does not wait for. At the edge it runs once the answer has been handed over,
// in the same event, which the platform keeps alive for it (30 seconds at most); ctx passed to the task is the
// event's. What must not be lost belongs into a queue instead.
type Background func(ctx context.Context, task func(ctx context.Context))
